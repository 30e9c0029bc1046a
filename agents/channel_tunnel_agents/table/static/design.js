// The designer's page: which fields are changed, and what is done with them. The server says what is
// allowed; a refused value is shown at its field with the server's reason, and nothing can be done with the draft
// until it is mended.

import { byId, element, fillSelect, optionGroup, press } from "./dom.js";
import { ask } from "./api.js";
import { Drafts, FRESH, wantedOf } from "./design_drafts.js";
import { Fields } from "./design_fields.js";
import { called, Shelf } from "./design_shelf.js";
import { Versions } from "./design_versions.js";
import { Comparison } from "./design_compare.js";
import { Goals } from "./design_goals.js";
import { Tuning } from "./design_tuning.js";

const CHECK = 250; // milliseconds after the last key until the server is asked

const draft = { ...FRESH, changes: {}, wanted: wantedOf() };
const state = { timer: null, checks: 0, opens: 0, valid: false, isRefused: false, rivalChosen: false };
const COPY = "tuned:"; // before the name of a player that was tuned on one ruleset
const NEED_A_DRAFT = ["play", "measure", "save", "tune", "find"]; // buttons that wait until the draft is allowed
let drafts, fields, shelf, versions, comparison, tuning, goals, games;

const wish = (extra = {}) => ({ base: draft.base, name: draft.name || "draft", note: draft.note, changes: draft.changes, ...extra });

// --- what is changed ------------------------------------------------------------------------------

// Leaving a field says its value once more: that is no change, and a button that is being pressed must not rest for it.
function change(key, value) {
  if (JSON.stringify(draft.changes[key]) === JSON.stringify(value)) return;
  if (value === undefined) delete draft.changes[key];
  else draft.changes[key] = value;
  drafts.keep(draft);
  later();
}

function later() {
  clearTimeout(state.timer);
  byId("toast").hidden = true; // what was wrong before
  versions.refuse([]);
  allow(false);
  tuning.wait();
  state.timer = setTimeout(() => check().catch(toast), CHECK);
}

// Ask the server what the draft is; the last question counts.
async function check() {
  clearTimeout(state.timer);
  const number = ++state.checks;
  const { told = [], refused, best, seats, tuning: job, aims, search } = await ask("design/check", { ...wish(), name: "draft", targets: Object.keys(draft.wanted.targets) });
  if (number !== state.checks) return;
  fields.refuse(refused);
  tell(told, refused);
  state.isRefused = Object.keys(refused).length > 0;
  allow(!state.isRefused);
  if (seats) offerSeats(seats);
  if (!best) return tuning.hide();
  nameBest(best);
  tuning.show(best, job);
  goals.show(aims, search);
}

function allow(valid) {
  state.valid = valid;
  for (const id of NEED_A_DRAFT) {
    byId(id).disabled = !valid;
    byId(id).title = valid ? "" : "once every value is allowed";
  }
}

// The seats may be others than those of the base, as where more people play.
const offerSeats = (seats) => fillSelect(byId("side"), seats.map(({ key, title }) => new Option(title, key)));

// What there is to choose from in this game.
function offer({ seats, levels, players }) {
  offerSeats(seats);
  byId("rival").replaceChildren(...levels.map((level) => new Option(level.name, level.agent)));
  fillSelect(byId("players"), players.map(({ key, words }) => new Option(words, key)));
  state.players = players;
  state.rivalChosen = false;
  tellCost();
}

function tellCost() {
  const { cost } = state.players.find(({ key }) => key === byId("players").value);
  byId("players-cost").textContent = cost
    ? `About ${cost} of processor time on ${byId("deals").options[0].value} deals; more deals take longer.` : "More deals take longer.";
}

// Who plays these rules best: the usual rival, and the usual player of a report.
function nameBest({ agent, name }) {
  const option = [...byId("players").options].find((one) => one.value === "best");
  if (option) option.textContent = `${name}, the best that fits`;
  const rival = byId("rival");
  const { value } = rival;
  for (const old of [...rival.options].filter((one) => one.value.startsWith(COPY))) old.remove(); // of other rules
  if (agent.startsWith(COPY)) rival.add(new Option(name, agent), 0);
  const offered = (wanted) => [...rival.options].some((one) => one.value === wanted);
  if (!state.rivalChosen && offered(agent)) rival.value = agent;
  else rival.value = offered(value) ? value : rival.options[0].value;
}

function tell(told, refused) {
  const wrong = Object.entries(refused);
  const lines = wrong.length ? [] : told.length ? told : ["Nothing yet: these are the rules of the base."];
  byId("told").replaceChildren(...lines.map((line) => element("li", "", line)));
  byId("refused").replaceChildren(...wrong.map(([key, problem]) => {
    if (!key) return element("li", "", problem); // of no field alone
    return element("li", "", press(`${fields.name(key)}: not allowed`, "", () => fields.goTo(key)));
  }));
  byId("refused").hidden = !wrong.length;
  const count = Object.keys(draft.changes).length;
  byId("draft-title").textContent = count ? `What is changed (${count})` : "What is changed";
  byId("reset").disabled = !count;
}

// Show the draft that `find` finds. Until its numbers are here nothing can be done with the last ones, which are put
// aside then. Says whether it is shown: something else may be wanted by then.
async function open(find, isBehind = false) {
  const number = ++state.opens, page = byId("design"), held = document.activeElement;
  page.inert = true;
  const isWanted = () => number === state.opens;
  let found, form;
  try {
    found = await find();
    form = await ask(`design/form?base=${encodeURIComponent(found.base)}`);
  } catch (error) {
    if (isWanted()) throw error;
  } finally {
    if (isWanted()) {
      page.inert = false;
      if (document.activeElement === document.body) held?.focus({ preventScroll: true });
      byId("base").value = draft.base;
    }
  }
  if (!isWanted()) return false;
  const left = { ...draft }, { base, changes, name, note = "", replace = null, seen = null, wanted = base === draft.base ? draft.wanted : {} } = found;
  Object.assign(draft, { base, changes: { ...changes }, wanted: wantedOf(wanted), name, note, replace, seen });
  versions.refuse([]);
  drafts.replaced(left, draft, isBehind);
  drafts.keep(draft);
  tellAside();
  byId("base").value = base;
  byId("base-title").textContent = form.title;
  byId("name").value = name;
  byId("note").value = note;
  offer(form);
  offerComparison();
  fields.fill(form, draft.changes);
  goals.fill(form.search);
  versions.mark(replace);
  await check();
  return true;
}

// --- what was open before ---------------------------------------------------------------------------

function tellAside() {
  const last = drafts.last();
  byId("bring-back").disabled = !last;
  byId("bring-back").title = last ? `Back to ${last.name || "the draft"} on ${last.base}` : "nothing was open before";
}

async function bringBack() {
  const last = drafts.last();
  if (last && await open(() => last, true)) said(`${last.name || "The draft"} on ${last.base} is open again.`);
}

// A base has the draft that was left on it.
async function choose(base) {
  const { base: left } = draft;
  if (!await open(() => drafts.last(base) ?? { ...FRESH, base })) return;
  if (drafts.last(left)) said(`The draft on ${left} is kept: choose that base again, or press Undo.`);
}

// --- what is done with it -------------------------------------------------------------------------

async function play() {
  const side = byId("side").value;
  const founded = await ask("design/play", wish({ side, rival: byId("rival").value || null }));
  sessionStorage.setItem(`game:${founded.key}`, JSON.stringify({ tokens: founded.tokens, curtain: false }));
  location.href = `./#game=${founded.key}`;
}

async function save() {
  const { name } = draft, replace = draft.replace === name;
  try {
    const found = await ask("design/versions", wish({ name, replace, seen: replace ? draft.seen : null }));
    edits(name, found.state); // from now on it is this version that is edited
    versions.fill(found.versions, name);
    said(`Saved as ${name}.`);
  } catch (error) {
    if (error.status === 409) edits(name, null); // asked for once more, it is meant
    throw error;
  }
}

function edits(name, seen) {
  Object.assign(draft, { replace: name, seen });
  drafts.keep(draft);
}

const edited = (version) => ({ ...version, replace: version.name, seen: version.state });

// A version that the server has sent is the draft from now on.
async function take(found) {
  if (!await open(() => edited(found))) return false;
  shelf.close();
  return true;
}

async function load(name) {
  if (await open(async () => edited(await ask(`design/versions/${encodeURIComponent(name)}`)))) said(`Loaded ${name}.`);
}

// What a search has found is the draft from now on, under the name that it has.
async function takeFound({ base, changes }) {
  const { name, note } = base === draft.base ? draft : FRESH;
  if (!await open(() => ({ base, changes, name, note }))) return;
  shelf.close();
  said("What was found is the draft now.");
}

// The rules of a report with one figure changed; its page asks for it.
async function tryOut(report, turned) {
  let found;
  const find = async () => (found = await ask(`design/reports/${report}/turn`, turned));
  if (!await open(find)) return;
  shelf.close();
  if (found.field) fields.goTo(found.field);
  said(found.field ? `The draft is open with this change: ${found.told.join(" ")}` : "The rules of the report are the draft now.");
}

const measure = () => measureAll(wish());

async function measureAll(wished) {
  const { key } = await ask("design/reports", { ...wished, deals: Number(byId("deals").value), players: byId("players").value });
  said("The report has been started.");
  shelf.follow(key);
}

// A report of one of two that are compared; a base may not have its own name.
async function measureSide({ draft: wished, base, version }) {
  if (wished) return measureAll(wished);
  if (base) return measureAll({ base, name: `${base}-unchanged`, changes: {} });
  const { base: from, changes, note } = await ask(`design/versions/${encodeURIComponent(version)}`);
  return measureAll({ base: from, name: version, changes, note });
}

function offerComparison() {
  comparison.offer(games.find(({ bases }) => bases.includes(draft.base)).bases, versions.list);
}

// Two that somebody probably wants to see: the draft, and the version that it came from, or its base.
function compareTwo() {
  const { replace } = draft;
  const saved = versions.list.some(({ name }) => name === replace);
  comparison.open(saved ? `version:${replace}` : `base:${draft.base}`, "draft");
}

function said(words) {
  byId("said").textContent = words;
  byId("toast").hidden = true;
}

function toast(error) {
  byId("toast-text").textContent = error.message;
  byId("toast").hidden = false;
}

// A button's work; its refusal is shown, and the button rests meanwhile.
function does(id, work) {
  byId(id).addEventListener("click", async (event) => {
    event.currentTarget.disabled = true;
    try {
      byId("toast").hidden = true;
      await work();
    } catch (error) {
      toast(error);
    }
    if (id === "reset") byId(id).disabled = !Object.keys(draft.changes).length;
    else allow(state.valid);
  });
}

function wire() {
  does("play", play);
  does("measure", measure);
  does("reset", () => open(() => ({ ...draft, changes: {} })));
  byId("save-form").addEventListener("submit", (event) => {
    event.preventDefault();
    byId("toast").hidden = true;
    save().catch(toast);
  });
  byId("name").addEventListener("input", () => { draft.name = byId("name").value.trim(); drafts.keep(draft); });
  byId("name").addEventListener("change", ({ target }) => { // as a file may be called
    target.value = target.value.trim().replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^[-_]+/, "");
    target.dispatchEvent(new Event("input"));
  });
  byId("note").addEventListener("input", () => { draft.note = byId("note").value; drafts.keep(draft); });
  byId("compare").addEventListener("click", compareTwo);
  byId("base").addEventListener("change", () => choose(byId("base").value).catch(toast));
  byId("bring-back").addEventListener("click", () => bringBack().catch(toast));
  addEventListener("storage", tellAside); // another tab has put one aside, or taken it back
  addEventListener("pagehide", () => drafts.leave(draft));
  byId("search").addEventListener("input", filter);
  byId("only-changed").addEventListener("change", filter);
  byId("toast-close").addEventListener("click", () => { byId("toast").hidden = true; });
}

function filter() {
  byId("nothing").hidden = fields.filter(byId("search").value, byId("only-changed").checked) > 0;
}

// A report is finished: whoever looks at a comparison sees it there.
function finished(report) {
  if (!comparison.isShown()) return false;
  comparison.refresh();
  said(`The report on ${called(report)} is finished.`);
  return true;
}

async function begin() {
  fields = new Fields(byId("fields"), byId("parts"), change);
  comparison = new Comparison({ wish: () => (state.isRefused ? null : wish()), onMeasure: measureSide, onError: toast });
  versions = new Versions({ onLoad: load, onOpen: take, onCompare: (one, other) => comparison.open(one, other), onChange: () => offerComparison(), onError: toast, say: said });
  tuning = new Tuning({ wish: () => ({ ...wish(), name: "draft" }), onBest: nameBest, onError: toast, say: said });
  goals = new Goals({ wish: () => ({ ...wish(), name: "draft" }), wanted: () => draft.wanted, keep: () => drafts.keep(draft), onOpen: takeFound, onError: toast, say: said });
  shelf = new Shelf({ onTry: tryOut, onDone: finished, onError: toast });
  const found = await ask("design");
  ({ games } = found);
  drafts = new Drafts(games.flatMap((game) => game.bases));
  wire();
  byId("base").replaceChildren(...games.map(({ title, bases }) => optionGroup(title, bases.map((name) => new Option(name)))));
  byId("deals").replaceChildren(...found.deals.map((n) => new Option(n)));
  tuning.offer(found.decisions);
  byId("players").addEventListener("change", tellCost);
  byId("rival").addEventListener("change", () => { state.rivalChosen = true; });
  versions.fill(found.versions, null);
  shelf.fillReports(found.reports);
  await open(() => drafts.first()); // marks the version that is edited
}

begin().catch(toast);
