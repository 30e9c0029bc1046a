// What the rival has just done: its whole turn, decision by decision, with what it paid and drew.
// On a phone it is one line, which opens as a sheet. Fills news-close, news, news-show, news-more, news-title, news-list,
// said.

import { byId, element, press } from "../dom.js";
import { notes, phaseList, seatName } from "../panels.js";
import { heldSeats, on, state } from "./state.js";

export class News {
  // onPly: looks at a decision; onShow: shows the turn again from a decision on.
  constructor({ onPly, onShow }) {
    this.onPly = onPly;
    this.from = null; // the decision that the shown turn begins with
    this.told = null; // key and decision that were announced last
    byId("news-close").addEventListener("click", () => { byId("news").hidden = true; });
    byId("news-show").addEventListener("click", () => { unfold(false); onShow(this.from); });
    byId("news-more").addEventListener("click", () => unfold(!byId("news").classList.contains("unfolded")));
    on("view", (view) => this.show(state.key, view));
  }

  show(key, view) {
    if (view.ply < view.plies) return; // somebody looks back: the turn stays listed
    const sides = heldSeats(view);
    if (view.replay || sides.length !== 1) return void (byId("news").hidden = true);
    if (view.in_phases) return this.showPhases(key, view);
    this.announce(key, view, sides[0]);
    const turn = lastTurnOf(view, sides[0]);
    if (!turn) return void (byId("news").hidden = true);
    const about = `${key} ${turn.from} ${turn.entries.length} ${view.plies}`;
    if (about === this.about) return;
    this.about = about;
    this.from = turn.from;
    this.fill(view, turn, sides[0]);
  }

  // What the last phases brought: the last in which units moved, and what came after it.
  showPhases(key, view) {
    const moved = view.phases.findLastIndex((phase) => phase.name.endsWith("M"));
    const phases = view.phases.slice(Math.max(0, moved));
    const about = `${key} ${phases.at(-1)?.name}`;
    if (!phases.length) return void (byId("news").hidden = true);
    if (about === this.about) return;
    this.about = about;
    this.from = Math.max(0, phases[0].step - 1);
    byId("news-title").textContent = phases.map((phase) => phase.heading).join(", ");
    unfold(false);
    byId("news").className = "news phases";
    byId("news-list").replaceChildren(...phases.map((phase) => element("li", "", phaseList(view, phase))));
    byId("news").hidden = false;
    byId("said").textContent = `${phases.at(-1).heading} was read.`;
    byId("news-list").scrollTop = 0;
  }

  fill(view, turn, side) {
    const rivals = [...new Set(turn.entries.map((entry) => entry.side))];
    const name = rivals.length > 1 ? "Your rivals" : seatName(view, rivals[0]);
    const turns = turn.entries.filter((entry) => entry.turn).length > 1;
    byId("news-title").textContent = `${name}'${name.endsWith("s") ? "" : "s"} turn${turns ? "s" : ""}`;
    unfold(false);
    byId("news").className = `news ${rivals[0]}`;
    const own = turn.before.filter((entry) => entry.drawn.length || entry.seen);
    byId("news-list").replaceChildren(
      ...own.map((entry) => entry.seen
        ? element("li", "own", `Before: ${entry.words} (${entry.seen})`)
        : element("li", "own", "Before, you drew ", cards(entry), drift(entry))),
      ...turn.entries.map((entry, i) => {
        const words = rivals.length > 1 ? `${seatName(view, entry.side)}: ${entry.words}` : entry.words;
        const button = press(words, "go", () => this.onPly(turn.from + i + 1));
        button.title = "Look at this moment";
        button.dataset.who = rivals.length > 1 ? "" : `${name}: `;
        return element("li", "", button, cards(entry), notes(entry.notes));
      }),
    );
    byId("news").hidden = false;
    rollToEnd(byId("news-list"));
  }

  // For ears: each new decision of the rival, and every card that is drawn.
  announce(key, view, side) {
    const before = this.told?.key === key ? this.told.ply : view.plies;
    this.told = { key, ply: view.plies };
    const fresh = view.log.slice(Math.max(0, before - view.log_from)).filter((entry) => entry.side !== side || entry.drawn.length || entry.seen);
    if (fresh.length) byId("said").textContent = fresh.map((entry) => [`${seatName(view, entry.side)}: ${entry.words}`, ...entry.notes].join(". ")).join(". ");
  }
}

// The latest decision is in sight, and as many above it as have room: no line is cut.
function rollToEnd(list) {
  list.style.paddingBottom = "";
  const top = (item) => item.offsetTop - list.offsetTop, all = list.scrollHeight, room = list.clientHeight;
  const first = [...list.children].find((item) => all - top(item) <= room) ?? list.lastElementChild;
  list.style.paddingBottom = `${Math.max(0, top(first) + room - all)}px`;
  list.scrollTop = top(first);
}

// On a phone: the whole list, or its last line.
function unfold(whole) {
  byId("news").classList.toggle("unfolded", whole);
  byId("news-more").setAttribute("aria-expanded", String(whole));
  byId("news-more").textContent = whole ? "Fold" : "List";
}

// The rival's latest decisions in a row, and the player's own just before them.
function lastTurnOf(view, side) {
  const { log } = view;
  let stop = log.length;
  while (stop && log[stop - 1].side === side) stop -= 1;
  let start = stop;
  while (start && log[start - 1].side !== side) start -= 1;
  if (start === stop) return null;
  let own = start;
  while (own && log[own - 1].side === side) own -= 1;
  return { from: view.log_from + start, entries: log.slice(start, stop), before: log.slice(own, start) };
}

function cards(entry) {
  if (!entry.drawn.length) return null;
  return element("span", "drawn", ...entry.drawn.map(([colour, level]) => {
    const name = colour === "none" ? "no colour" : colour;
    return element("span", `deviation ${colour}`, element("b", "", level ? `\u2212${level}` : "0"), element("small", "", name));
  }));
}

// What the cards did, from the notes: "deviation -2".
const drift = (entry) => entry.notes.map((line) => line.match(/ draws .*?: (deviation .*)$/)?.[1]).find(Boolean) ?? "";
