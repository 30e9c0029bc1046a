// The review: a person's decisions judged one after the other, the marked ones listed with the better move.

import { capital, element, press } from "../dom.js";
import { percent } from "./drawn_thoughts.js";

export const MARKS = { blunder: "??", mistake: "?", inaccuracy: "?!" };

// The sign of a judged decision, for lists; null where there is nothing to say.
export function sign(judged) {
  if (!judged?.mark) return null;
  const made = element("b", `mark ${judged.mark}`, MARKS[judged.mark]);
  made.title = capital(judged.mark);
  made.setAttribute("aria-label", `${capital(judged.mark)}. `);
  return made;
}

// Whether orders are still secret: they are judged when everything is shown.
const isSecret = (view) => view.in_phases && !(view.ended || view.open || view.replay);

export class Review {
  // decisions(side): {plies: its moves so far, the likeliest faults first, about: who judges}; weigh(ply, side, signal): the judgement of one; onPly: look
  // at one; onHint: a better move, for the board; onDrawn: both moves drawn, for the board; onMarks: there is something new to mark; onTry(ply): a move is to be tried again.
  constructor(box, { decisions, weigh, onPly, onHint, onDrawn, onMarks, onTry }) {
    Object.assign(this, { box, decisions, weigh, onPly, onHint, onDrawn, onMarks, onTry });
    this.about = null;
    this.others = new Map(); // about -> what was found of other games
    box.addEventListener("pointerdown", () => { this.pressed = true; });
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => this.pressed && setTimeout(() => this.release(), 0));
    this.clear();
  }

  clear() {
    this.stop();
    this.found = new Map(); // ply -> judgement
    this.plies = null; // decisions to judge; null: not asked yet
    this.until = null; // length of the game when all were judged
    this.error = "";
    this.by = ""; // who judges
  }

  // about: the game and its judge; side: whose moves, with its name; mine: whether that is the person.
  show(view, about, { side, mine, name }) {
    if (about !== this.about) this.turnTo(about);
    Object.assign(this, { about, view, side, mine, name });
    for (const ply of this.found.keys()) if (ply >= view.plies) this.found.delete(ply); // taken back
    if (this.plies && !this.running) this.plies = null;
    this.draw();
    this.point();
  }

  // Another game, or another seat: what was found is kept for whoever comes back.
  turnTo(about) {
    const { found, plies, until, by } = this;
    this.others.set(this.about, { found, plies, until, by });
    this.clear();
    Object.assign(this, this.others.get(about));
  }

  // What was judged of the decision shown, on the board.
  point() {
    const here = this.found.get(this.view.ply);
    if (here?.drawn) this.onDrawn(here.drawn);
    if (here?.mark && here.better) this.onHint(here.better, capital(here.mark));
  }

  stop() {
    this.running?.abort();
    this.running = null;
  }

  async start() {
    const asked = new AbortController();
    this.stop();
    this.running = asked;
    this.error = "";
    this.begun = null;
    this.draw();
    try {
      const { plies, about } = await this.decisions(this.side);
      Object.assign(this, { plies, by: about });
      for (const ply of this.plies) {
        if (this.found.has(ply)) continue;
        if (asked.signal.aborted) return;
        const judged = await this.weigh(ply, this.side, asked.signal);
        if (asked.signal.aborted) return;
        this.begun ??= { at: performance.now(), done: this.found.size + 1 };
        this.found.set(ply, judged);
        this.draw();
        if (ply === this.view.ply) this.point();
        this.onMarks();
      }
      this.until = this.view.plies;
    } catch (error) {
      if (asked.signal.aborted) return;
      this.error = error.message;
    }
    this.running = null;
    this.draw();
  }

  // --- drawing ------------------------------------------------------------------------------------

  // What is pressed stays under the pointer until its click is done.
  release() {
    this.pressed = false;
    this.draw();
  }

  draw() {
    if (this.pressed) return;
    const whose = this.mine ? "my" : `${this.name}'s`;
    const parts = [];
    if (!this.found.size && isSecret(this.view)) parts.push(element("p", "note", "The review reads what is hidden: it waits for the end of the game."));
    else if (this.running) parts.push(this.progress());
    else if (!this.found.size) parts.push(this.button(`Review ${whose} moves`, () => this.start(), "review-start"));
    if (this.error) parts.push(element("p", "error", this.error));
    if (this.found.size) parts.push(...this.results(whose));
    const { ply } = document.activeElement?.dataset ?? {};
    const inside = this.box.contains(document.activeElement);
    this.box.replaceChildren(...parts);
    if (inside && ply) this.box.querySelector(`[data-ply="${ply}"]`)?.focus({ preventScroll: true });
  }

  button(words, act, name) {
    return Object.assign(press(words, "", act), { id: name });
  }

  progress() {
    const all = this.plies?.length ?? 0;
    const done = all ? this.plies.filter((ply) => this.found.has(ply)).length : 0;
    const bar = element("progress", "");
    if (all) Object.assign(bar, { max: all, value: done });
    bar.setAttribute("aria-label", "Decisions judged");
    const words = all ? `${done} of ${all} ${this.what()} judged${this.left(all - done)}` : "Thinking";
    return element("div", "row judging", bar, element("span", "note", words), this.button("Cancel", () => { this.stop(); this.draw(); }, "review-cancel"));
  }

  what() { return this.view.in_phases ? "phases" : this.by ? "turns" : "decisions"; }

  left(todo) {
    const gained = this.begun ? this.found.size - this.begun.done : 0;
    if (gained < 3) return "";
    return `, about ${Math.ceil((todo * (performance.now() - this.begun.at)) / gained / 1000)} s left`;
  }

  results(whose) {
    const order = Object.keys(MARKS);
    const worst = ([one, a], [other, b]) => order.indexOf(a.mark) - order.indexOf(b.mark) || one - other;
    const marked = [...this.found.entries()].filter(([, found]) => found.mark).sort(worst);
    const list = element("ol", "faults", ...marked.map(([ply, found]) => element("li", "", this.fault(ply, found))));
    list.setAttribute("aria-label", "Marked decisions");
    const parts = [element("p", "note", this.summary(marked))];
    const here = this.found.get(this.view.ply);
    if (here) parts.push(this.detail(here));
    parts.push(list);
    if (this.by) parts.push(element("p", "note judged-by", this.by));
    if (!this.running && this.until !== this.view.plies) parts.push(this.button(`Judge ${whose} other moves`, () => this.start(), "review-start"));
    return parts;
  }

  summary(marked) {
    const counts = Object.keys(MARKS).map((mark) => [mark, marked.filter(([, found]) => found.mark === mark).length]);
    const words = counts.filter(([, n]) => n).map(([mark, n]) => `${n} ${n > 1 ? `${mark.replace(/y$/, "ie")}s` : mark}`);
    return `${this.found.size} ${this.what()} judged: ${words.join(", ") || "no decision is marked"}.`;
  }

  fault(ply, found) {
    const words = element("span", "words", `${found.when ?? `Round ${found.round}`}: ${found.words}`);
    const share = element("span", "share", found.short ?? `${percent(found.before)} \u2192 ${percent(found.after)}`);
    const button = press([sign(found), words, share], "fault", () => this.onPly(ply));
    button.dataset.ply = ply;
    if (ply === this.view.ply) button.setAttribute("aria-current", "step");
    return button;
  }

  detail(found) {
    const { mine, view } = this;
    const again = found.mark && mine && view.ended && !view.replay ? this.button("Try again yourself", () => this.onTry(view.ply), "try") : null;
    return element("div", "verdict", ...this.sentences(found).map((words) => element("p", "", words)), again);
  }

  sentences(found) {
    const [who, chance] = this.mine ? ["You", "your chance"] : [this.name, "the chance"];
    if (found.sentences) return found.mark ? [`${capital(found.mark)}. ${found.sentences[0]}`, ...found.sentences.slice(1)] : found.sentences;
    if (found.only) return [`${who} had no other move here.`];
    if (!found.mark) return [`${who} played ${found.words}. Nothing clearly better was found; ${chance} to win: ${percent(found.after)}.`];
    const { words, gains, costs } = found.better;
    return [
      `${capital(found.mark)}. ${who} played ${found.words}: ${chance} to win fell from ${percent(found.before)} to ${percent(found.after)}.`,
      `Better: ${words}.`,
      gains.length ? `It gains: ${gains.join("; ")}.` : `What it gains shows later than the next ${found.decisions} decisions.`,
      costs.length ? `It costs: ${costs.join("; ")}.` : "",
      `On average over ${found.worlds} worlds that were possible then, ${found.decisions} decisions later.`,
    ].filter(Boolean);
  }
}
