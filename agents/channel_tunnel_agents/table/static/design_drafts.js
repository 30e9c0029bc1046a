// The drafts of this browser: the one that is open in this tab, and those that another took the place of.
// A reload keeps a tab's own; a new tab begins with the one that was changed last.

const OPEN = "design-draft";
const ASIDE = "design-aside";
const MOST = 50; // put aside; the oldest go first

// wanted: targets and figures, ranges of both; replace: the version that is edited; seen: its state when it was opened.
export const FRESH = { base: "standard", name: "", note: "", changes: {}, wanted: {}, replace: null, seen: null };

const isDraft = (found) => typeof found?.base === "string" && found.changes?.constructor === Object;
const pairs = (found) => Object.entries(found ?? {}).filter(([, ends]) => Array.isArray(ends) && ends.length === 2);
export const wantedOf = (found) => ({ targets: Object.fromEntries(pairs(found?.targets)), figures: Object.fromEntries(pairs(found?.figures)) });
const content = ({ base, name, note, changes, wanted }) => JSON.stringify([base, name, note, Object.entries(changes).sort(), wantedOf(wanted)]);
const same = (one, other) => content(one) === content(other);
const isEmpty = (draft) => same(draft, { ...FRESH, base: draft.base });

// What is kept under a name; undefined where somebody else has written what is none.
function read(store, key) {
  try {
    return JSON.parse(store.getItem(key));
  } catch {
    return undefined;
  }
}

export class Drafts {
  // bases: what a draft may begin from; a draft of another is left where it is.
  constructor(bases) {
    this.bases = bases;
  }

  isOurs(found) {
    return isDraft(found) && this.bases.includes(found.base);
  }

  // The one to begin with.
  first() {
    const found = [sessionStorage, localStorage].map((store) => read(store, OPEN)).find((one) => this.isOurs(one));
    return { ...FRESH, ...found };
  }

  keep(draft) {
    for (const store of [sessionStorage, localStorage]) store.setItem(OPEN, JSON.stringify(draft));
  }

  // Those put aside, the latest last.
  aside() {
    const found = read(localStorage, ASIDE);
    return Array.isArray(found) ? found.filter((one) => this.isOurs(one)) : [];
  }

  last(base = undefined) {
    return this.aside().findLast((one) => base === undefined || one.base === base);
  }

  // One draft is opened in the place of another, which comes back last if it goes behind the others.
  replaced(left, opened, isBehind) {
    const others = this.aside().filter((one) => !same(one, left) && !same(one, opened));
    const kept = isEmpty(left) || same(left, opened) ? [] : [left];
    const all = isBehind ? [...kept, ...others] : [...others, ...kept];
    localStorage.setItem(ASIDE, JSON.stringify(all.slice(-MOST)));
  }

  // The tab is left. Where another tab has written since, only this one knew its draft.
  leave(draft) {
    const found = read(localStorage, OPEN);
    if (isDraft(found) && !same({ ...FRESH, ...found }, draft)) this.replaced(draft, found, false);
  }
}
