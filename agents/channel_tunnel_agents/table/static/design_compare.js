// Two versions side by side. Fills one, other, compared.

import { byId, choose, element, fillSelect, optionGroup } from "./dom.js";
import { ask } from "./api.js";
import { button, show } from "./design_parts.js";

const DRAFT = "draft";
const hundred = (share) => Math.round(100 * share);

export class Comparison {
  // wish(): the draft as it is, null while it is not allowed; onMeasure(side): make a report of what a side is; onError(error).
  constructor({ wish, onMeasure, onError }) {
    Object.assign(this, { wish, onMeasure, onError });
    this.asked = 0;
    this.sheet = element("style", "");
    for (const id of ["one", "other"]) byId(id).addEventListener("change", () => this.refresh());
    byId("comparison-close").addEventListener("click", () => show("numbers"));
  }

  isShown() {
    return !byId("comparison").hidden;
  }

  // What there is to choose from: the draft, its base and others of its game, and their versions.
  offer(bases, versions) {
    const own = versions.filter(({ base }) => bases.includes(base));
    const groups = [
      ["Now", [["The draft that is open", DRAFT]]],
      ["Versions", own.map(({ name }) => [name, `version:${name}`])],
      ["As it comes", bases.map((name) => [name, `base:${name}`])],
    ].filter(([, options]) => options.length);
    const groupOf = ([label, options]) => optionGroup(label, options.map(([words, key]) => new Option(words, key)));
    for (const id of ["one", "other"]) fillSelect(byId(id), groups.map(groupOf));
    if (this.isShown()) this.refresh();
  }

  open(one, other) {
    choose(byId("one"), one);
    choose(byId("other"), other);
    show("comparison");
    this.refresh();
  }

  side(id) {
    const [kind, name] = byId(id).value.split(":");
    if (kind === DRAFT) return { draft: this.wish() };
    if (kind === "base") return { base: name };
    return { version: name };
  }

  async refresh() {
    const number = ++this.asked;
    if ([byId("one"), byId("other")].some(({ value }) => value === DRAFT) && !this.wish()) {
      byId("compared").replaceChildren(element("p", "wrong", "A value of the draft is not allowed. Mend it first, or choose something else here."));
      return;
    }
    try {
      const found = await ask("design/compare", { one: this.side("one"), other: this.side("other") });
      if (number === this.asked) this.draw(found);
    } catch (error) {
      if (number === this.asked) this.onError(error);
    }
  }

  draw(found) {
    this.sheet.textContent = found.style;
    byId("compared").replaceChildren(this.sheet, this.rules(found), this.shares(found), ...this.drawn(found));
  }

  // --- the rules --------------------------------------------------------------------------------

  rules({ titles, rules }) {
    const head = element("h3", "", "What is different");
    if (!rules.length) return element("section", "part", head, element("p", "", "Nothing: these are the same rules."));
    const cells = (kind, words) => words.map((word, i) => {
      const cell = element(i ? kind : "th", "", word);
      if (kind === "th") cell.scope = "col";
      else if (!i) cell.scope = "row";
      return cell;
    });
    const table = element("table", "differing",
      element("thead", "", element("tr", "", ...cells("th", ["", ...titles]))),
      element("tbody", "", ...rules.map(({ name, one, other }) => element("tr", "", ...cells("td", [name, one, other])))));
    return element("section", "part", head, element("div", "sheet-of-cards", table));
  }

  // --- what each seat wins ------------------------------------------------------------------------

  shares({ titles, players, without, reports }) {
    const part = element("section", "part", element("h3", "", "What each side wins"));
    part.append(...without.map((line) => element("p", "note", line)));
    ["one", "other"].forEach((id, i) => {
      if (!reports[i] && (i === 0 || byId("one").value !== byId("other").value)) part.append(this.measurer(id, titles[i]));
    });
    players.forEach((player, i) => part.append(i ? this.folded(player, titles) : this.player(player, titles)));
    if (players.length) part.append(element("p", "note", "The dot is what was seen, the bar is where the truth very probably lies. If two bars overlap much, the games cannot tell them apart. The line is an equal part."));
    return part;
  }

  measurer(id, title) {
    const made = button("Make a report", `Make a report on ${title}`, async () => {
      made.disabled = true;
      try {
        await this.onMeasure(this.side(id));
      } catch (error) {
        made.disabled = false;
        this.onError(error);
      }
    });
    return element("div", "row start", made, element("span", "note", `on ${title}, as chosen beside Start report`));
  }

  folded(player, titles) {
    return element("details", "weaker", element("summary", "", `When ${player.name} plays`), this.player(player, titles, false));
  }

  player({ name, deals, seats }, titles, hasTitle = true) {
    const even = (which) => 100 * seats.reduce((sum, seat) => sum + seat[which].value, 0) / seats.length;
    const rows = seats.map((seat) => element("div", "seat",
      element("strong", "", seat.name),
      element("div", "both", this.bar("one", titles[0], seat.one, even("one")), this.bar("other", titles[1], seat.other, even("other"))),
      element("span", "short", seat.words)));
    const about = `${hasTitle ? `When ${name} plays every seat` : "Every seat"}: games won of a hundred (${deals[0]} and ${deals[1]} games played)`;
    return element("div", "player", element("p", "", about), ...rows);
  }

  bar(which, title, { value, low, high }, even) {
    const span = element("i", "span"), dot = element("i", "dot"), line = element("i", "even");
    Object.assign(span.style, { left: `${100 * low}%`, width: `${100 * (high - low)}%` });
    dot.style.left = `${100 * value}%`;
    line.style.left = `${even}%`;
    const track = element("span", "track", line, span, dot);
    track.setAttribute("role", "img");
    track.setAttribute("aria-label", `${title}: about ${hundred(value)} of a hundred, very probably ${hundred(low)} to ${hundred(high)}`);
    return element("div", `bar-of ${which}`, track, element("span", "value", `${hundred(value)}`));
  }

  // --- what is drawn ------------------------------------------------------------------------------

  drawn({ drawn, titles }) {
    if (!drawn.length) return [];
    const figures = drawn.map(({ name, svg, lines }) => {
      const picture = element("div", "picture");
      picture.innerHTML = svg;
      return element("figure", "", picture, element("figcaption", "", ...lines.map((line) => element("span", "", line))));
    });
    return [element("section", "part", element("h3", "", `What looks different in ${titles[1]}`), element("div", "gallery", ...figures))];
  }
}
