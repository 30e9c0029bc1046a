// The guided first game: a card beside the board that explains, points and waits for a move. It can be
// left at any step and taken up again; the browser keeps the game and the step, for each of the games.
// Fills coach-next, coach-back, coach-leave, coach-more, coach-title, coach, coach-step, coach-text, coach-note.

import { ask, sentence } from "../api.js";
import { byId } from "../dom.js";
import { patiently } from "./notice.js";
import { mayUndo, undo } from "./stage.js";
import { on, state } from "./state.js";
import { statusHeight } from "./status.js";

const EDGE = 8; // pixels around what is marked
const KEPT = "lesson"; // game -> {key, tokens, steps, step, left}

// A question of the game after a colon; names in it keep their capitals.
const inSentence = (question) => sentence(question).replace(/^./, (first) => first.toLowerCase());

// A move; where several units are asked at once, which of them it is for.
const wordsOf = ({ asked, words }) => (asked ? `${asked}: ${words}` : words);

// What the latest decision showed to nobody but the player.
const seenIn = ({ log }) => (log.at(-1)?.seen ? `${sentence(log.at(-1).seen)} ` : "");

// Where phases are written: what stands in the draft, what of it was read, and which phases those were.
function writtenIn({ draft, phases, held }) {
  const { rows = [], chosen = [] } = draft ?? {};
  const read = phases.flatMap(({ heading, lines, secret }) => [
    heading, ...secret, ...lines.filter(([seat]) => held.includes(seat)).map(([, ...words]) => words.join(" ")),
  ]);
  return [...rows, ...chosen].map(({ words }) => words).concat(read);
}

export class Coach {
  // onEnter: (key, tokens) shows a game; onRules: (section) opens the rulebook; onStart: a lesson begins.
  constructor(board, { onEnter, onRules, onStart }) {
    Object.assign(this, { board, onEnter, onStart, view: null });
    this.all = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    this.of = null; // the game whose lesson it is
    this.atTable = document.querySelector("button.lesson[data-at-table]"); // of the game shown
    byId("coach-next").addEventListener("click", () => (this.goesBack ? undo() : this.go(1)));
    byId("coach-back").addEventListener("click", () => this.go(-1));
    byId("coach-leave").addEventListener("click", () => this.leave());
    byId("coach-more").addEventListener("click", (event) => { event.preventDefault(); onRules(this.step.key); });
    for (const button of document.querySelectorAll("button.lesson")) button.addEventListener("click", () => this.start(button.dataset.game));
    this.follow();
    on("game", () => this.follow());
    on("view", (view) => this.show(view));
    on("path", () => { if (this.ways && this.view === state.view) this.pointOn(); });
  }

  get kept() { return this.all[this.of]; }

  set kept(lesson) { this.all[this.of] = lesson; }

  get step() { return this.kept.steps[this.kept.step]; }

  get begun() { return this.kept && this.kept.step < this.kept.steps.length; }

  follow() {
    this.atTable.dataset.game = state.game;
    this.name();
  }

  // The buttons say whether a lesson of their game waits to be taken up.
  name() {
    for (const button of document.querySelectorAll("button.lesson")) {
      const kept = this.all[button.dataset.game];
      const waits = kept && kept.step < kept.steps.length;
      button.textContent = waits ? `Go on learning (step ${kept.step + 1} of ${kept.steps.length})` : "Learn it";
    }
  }

  async start(game) {
    this.onStart();
    this.of = game;
    if (this.begun) {
      this.keep({ left: false });
      try {
        return await this.onEnter(this.kept.key, this.kept.tokens);
      } catch { /* the server does not know the game any more: a new one */ }
    }
    const made = await patiently(ask("lesson", { game: this.of }));
    this.kept = { ...made, step: 0, done: null, left: false };
    this.keep({});
    await this.onEnter(made.key, made.tokens);
    byId("coach-title").focus({ preventScroll: true });
  }

  keep(changes) {
    Object.assign(this.kept, changes);
    localStorage.setItem(KEPT, JSON.stringify(this.all));
    this.name();
  }

  leave() {
    this.keep({ left: true });
    this.show(this.view);
    this.board.point([]);
    document.querySelector("main").focus();
  }

  go(by) {
    const step = Math.max(0, this.kept.step + by);
    const from = by > 0 && this.kept.done && !this.view.in_phases ? this.kept.after : undefined; // a move made ahead counts
    this.keep({ step, from, done: null, left: step >= this.kept.steps.length });
    this.show(this.view);
    if (!byId("coach").hidden) byId("coach-title").focus({ preventScroll: true });
    else {
      this.board.point([]);
      document.querySelector("main").focus();
    }
  }

  // After every change of the table.
  show(view) {
    this.view = view;
    this.ways = null;
    this.of = state.game;
    const shown = Boolean(this.begun && !this.kept.left && view && this.playing(view));
    byId("coach").hidden = !shown;
    document.body.classList.toggle("taught", shown);
    document.body.classList.remove("goes-on", "unwritten");
    if (!shown) return;
    const { step, kept } = this;
    this.notice(view);
    byId("coach-step").textContent = `Guided game, step ${kept.step + 1} of ${kept.steps.length}`;
    byId("coach-title").textContent = step.title;
    byId("coach-text").textContent = step.text;
    byId("coach-more").href = `#rules-${step.key}`;
    byId("coach-back").disabled = kept.step === 0;
    byId("coach-leave").hidden = kept.step === kept.steps.length - 1; // there Play on leaves it
    this.advise(view);
  }

  playing(view) { return this.kept.key === state.key && !view.replay && !view.over; }

  // Has the player made the move that the step asks for, since the step began or the move of the step before?
  notice(view) {
    const { step, kept } = this;
    if (kept.from === undefined || kept.from > view.ply) this.keep({ from: view.ply }); // new, or undone
    if (!step.wants) return;
    const fits = (words) => words.includes(step.wants) || Boolean(step.made && words.includes(step.made));
    if (view.in_phases) return void this.keep({ done: writtenIn(view).some(fits) });
    const at = view.log.findIndex(({ side, words }, i) => view.log_from + i >= kept.from && view.held.includes(side) && fits(words));
    this.keep({ done: at >= 0, after: view.log_from + at + 1 });
  }

  // Whether the move can be made no more, as what it belongs to has been read.
  isPast(view) {
    const { when } = this.step;
    return Boolean(when) && view.phases.some(({ heading }) => heading === when);
  }

  // Whether the step's order can be written.
  isNow(view) { return Boolean(this.step.when) && view.question.startsWith(this.step.when); }

  // What comes before the move that is asked for.
  before(view) {
    const { step } = this, missing = view.draft?.missing ?? [];
    if (missing.length) return `Answer for ${missing.join(" and ")} first, then press Send.`;
    if (step.first && !this.isNow(view)) return step.first;
    return view.in_phases ? "This is not possible now: skip it, or press Undo and write what it needs." : "This is not possible now. Skip it, or make another move first.";
  }

  // Whether this turn cannot have the move any more: it was not offered in its phase, or the rivals have moved since.
  isTooLate(view) {
    const { step, kept } = this, isOwn = ({ side }) => view.held.includes(side);
    if (!step.too_late.length || !view.may_play || !mayUndo(view)) return false;
    const since = view.log.slice(Math.max(0, kept.from - view.log_from)), first = since.findIndex(isOwn);
    return step.too_late.includes(view.phase) || (first >= 0 && since.slice(first).some((entry) => !isOwn(entry)));
  }

  // A step goes on once it asks for nothing more and no move is half made: then that is the one main action.
  advise(view) {
    const { step, kept } = this;
    const fits = view.moves.filter((move) => step.wants && wordsOf(move).includes(step.wants));
    const lowest = fits.sort((a, b) => parseInt(a.words, 10) - parseInt(b.words, 10))[0];
    const note = byId("coach-note");
    const isPast = !kept.done && this.isPast(view), asked = step.wants && !kept.done && !isPast;
    this.goesBack = Boolean(asked && !lowest && this.isTooLate(view));
    const unfinished = view.may_play && step.until.length && !step.until.includes(view.phase) && !(asked && lowest);
    if (unfinished) note.textContent = `${seenIn(view)}${kept.done ? "Well done. Finish it" : step.first || "Finish your move"}: ${inSentence(view.question)}`;
    else if (isPast) note.textContent = `${step.when} is over. Go on with the next step, or press Undo to write this order.`;
    else if (step.wants && kept.done) note.textContent = "Well done.";
    else if (asked && lowest) note.textContent = `Try this: ${wordsOf(lowest)}.`;
    else if (this.goesBack) note.textContent = "This turn does not allow it. Press Undo, and choose otherwise. If it is still not offered, press Undo until you can lay your tile elsewhere.";
    else note.textContent = asked && view.may_play ? this.before(view) : "";
    const goesOn = !asked && !unfinished, next = byId("coach-next");
    next.textContent = this.goesBack ? "Undo" : kept.step === kept.steps.length - 1 ? "Play on" : asked ? "Skip" : "Next";
    next.disabled = Boolean(unfinished && kept.done);
    next.classList.toggle("main", goesOn || this.goesBack);
    document.body.classList.toggle("goes-on", goesOn || this.goesBack);
    document.body.classList.toggle("unwritten", Boolean(asked && this.isNow(view)));
    if (unfinished) this.board.point([]), this.bring([...this.board.board.querySelectorAll(".target.legal")]);
    else if (this.goesBack) this.board.point([]);
    else if (asked && !lowest && step.first && view.moves.length && !view.in_phases) {
      const leading = view.moves.filter(({ leads = [] }) => leads.some((words) => step.wants.startsWith(words)));
      this.point((leading.length ? leading : view.moves).flatMap(({ paths }) => paths[0]?.[0] ?? []));
    }
    else if (asked && !lowest && step.first && view.in_phases && !view.draft?.missing.length) this.point(["send"], step.targets);
    else if (step.wants && kept.done) this.board.point([]);
    else {
      this.ways = asked && lowest ? lowest.paths : null;
      if (this.ways) this.pointOn();
      else this.point(step.targets);
    }
  }

  // Mark the next click to the move that is asked for. Of two ways to begin the later one is first: a space, as the strip of
  // a phone has the discs.
  pointOn() {
    const gone = this.board.path, fits = this.ways.filter((way) => gone.every((step, i) => way[i] === step));
    const [ways, at] = fits.length ? [fits, gone.length] : [this.ways, 0];
    this.point(ways.toReversed().map((way) => way[at]), gone);
  }

  // Mark what is to be pressed or looked at, and keep the rest in sight.
  point(targets, rest = []) {
    this.bring([...this.board.point(targets), ...rest.flatMap((target) => this.board.find(target) ?? [])]);
  }

  // On a phone the card covers part of the board: all that is to be seen comes to the foot of what stays in sight,
  // below what the text may speak of, or as much as has room, the first things first; a board that moves by itself brings each there.
  bring(groups) {
    if (!groups.length || !this.board.isNarrow()) return;
    this.board.game.uncovered?.(); // the card is as high as its words
    for (const group of groups.toReversed()) this.board.game.seek?.(group);
    const boxes = groups.map((group) => group.getBoundingClientRect()).filter((box) => box.height);
    const top = statusHeight(), room = byId("coach").getBoundingClientRect().top - top;
    let first = Infinity, last = -Infinity;
    for (const box of boxes) {
      const from = Math.min(first, box.top), to = Math.max(last, box.bottom);
      if (last < first || to - from <= room) [first, last] = [from, to];
    }
    scrollBy({ top: Math.min(first - top - EDGE, last - top - room + EDGE), behavior: "instant" });
  }
}
