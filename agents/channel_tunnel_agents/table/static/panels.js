// What stands beside the board: the list of moves, the log, the points, the rule of a thing. Each is drawn into the
// element that is given.

import { capital, element, press, whilePointed } from "./dom.js";

const COLOURS = ["blue", "black", "orange", "yellow", "white"];
const LETTERS = { blue: "S", black: "K", orange: "O", yellow: "Y", white: "W" };

export function chip(colour) {
  const made = element("span", `chip ${colour}`, LETTERS[colour]);
  made.setAttribute("aria-hidden", "true");
  return made;
}

function chips(action) {
  return action.split(" ").filter((word) => COLOURS.includes(word)).map(chip);
}

export function fillMoves(panel, view, onMove, onPoint) {
  panel.replaceChildren();
  if (!view.moves.length) {
    panel.append(element("p", "note", nothingToDo(view)));
    return;
  }
  let group = null, list = null;
  for (const move of view.moves) {
    if (move.group !== group || !list) {
      group = move.group;
      if (group) panel.append(element("h2", "", capital(group)));
      list = element("ul", group ? "moves pairs" : "moves");
      panel.append(list);
    }
    const words = group ? move.words.replace(` on ${group}:`, ":").replace(" (secondary)", "") : move.words;
    const button = press([...chips(move.action), element("span", "", words)], "move", () => onMove(move.action));
    button.dataset.action = move.action;
    button.setAttribute("aria-label", move.words);
    whilePointed(button, () => onPoint(move.paths[0]), () => onPoint([]));
    list.append(element("li", "", button));
  }
}

// Only the moves that the clicks so far lead to.
export function narrowMoves(panel, moves, path) {
  const fits = (move) => move.paths.some((steps) => path.every((step, i) => steps[i] === step));
  const shown = new Set(moves.filter(fits).map((move) => move.action));
  for (const button of panel.querySelectorAll("button.move")) button.parentElement.hidden = !shown.has(button.dataset.action);
  for (const list of panel.querySelectorAll("ul.moves")) {
    const empty = !list.querySelector("li:not([hidden])");
    list.hidden = empty;
    if (list.previousElementSibling?.tagName === "H2") list.previousElementSibling.hidden = empty;
  }
}

function nothingToDo(view) {
  if (view.replay) return "A replay: go through it below the board, or play on from any decision (More).";
  if (view.ply < view.plies) return "You are looking back. Go to the last decision to move.";
  if (view.over) return "The game is over.";
  if (view.in_phases) return "The others write their orders.";
  return `${whoIs(view, view.to_play)} is to move.`;
}

// sign(ply): what marks a decision, or null.
export function fillLog(panel, view, onPly, sign = () => null) {
  panel.replaceChildren();
  if (view.in_phases) return void fillPhases(panel, view, onPly);
  const start = element("li", "entry opening");
  start.append(goTo(0, "The deal", onPly), notes(view.opening));
  if (view.log_from) start.append(element("p", "note", `${view.log_from} decisions are left out here; the slider goes to them.`));
  let list = element("ol", "log", start), round = 0;
  panel.append(list);
  view.log.forEach((entry, i) => {
    if (entry.round !== round) {
      round = entry.round;
      panel.append(element("h2", "", `${capital(view.clock)} ${round}`));
      list = element("ol", "log");
      panel.append(list);
    }
    const item = element("li", `entry ${entry.side}${entry.turn ? " turn" : ""}`);
    const head = goTo(view.log_from + i + 1, `${seatName(view, entry.side)}: ${entry.words}`, onPly);
    if (view.log_from + i + 1 === view.ply) item.setAttribute("aria-current", "step");
    const mark = sign(view.log_from + i);
    if (mark) head.prepend(mark);
    item.append(head, notes(entry.notes));
    list.append(item);
  });
  bringInto(panel, panel.querySelector("[aria-current]") ?? list);
  if (view.scores) {
    panel.append(scoreTable(view));
    if (view.ply === view.plies) bringInto(panel, panel.lastElementChild);
  }
}

// Scroll a panel, and nothing but it, until a thing in it is shown.
function bringInto(panel, thing) {
  const box = thing.getBoundingClientRect(), frame = panel.getBoundingClientRect();
  if (box.bottom > frame.bottom) panel.scrollTop += box.bottom - frame.bottom;
  else if (box.top < frame.top) panel.scrollTop -= frame.top - box.top;
}

// The log of a game in phases: each phase with what every seat wrote and what became of it.
function fillPhases(panel, view, onPly) {
  const start = element("ol", "log", element("li", "entry opening", goTo(0, "The beginning", onPly), notes(view.opening)));
  panel.append(start);
  for (const phase of view.phases) {
    const head = goTo(phase.step, phase.heading, onPly);
    if (phase.step === view.ply) head.setAttribute("aria-current", "step");
    panel.append(element("h2", "phase", head), phaseList(view, phase));
  }
  if (view.scores) panel.append(scoreTable(view));
  const current = panel.querySelector("[aria-current]");
  panel.scrollTop = current ? current.offsetTop - panel.offsetTop : 0;
}

// What every seat wrote in a phase, in the order of the seats; then whatever was seen besides.
export function phaseList(view, phase) {
  const list = element("ol", "log");
  for (const seat of Object.keys(view.names)) {
    const lines = phase.lines.filter(([side]) => side === seat);
    if (!lines.length) continue;
    const orders = lines.map(([, words, result]) => element("li", result ? "fell" : "", words, result ? element("i", "", ` ${result}`) : null));
    list.append(element("li", `entry ${seat}`, element("b", "", seatName(view, seat)), element("ul", "notes orders", ...orders)));
  }
  if (phase.notes.length) list.append(element("li", "entry", notes(phase.notes)));
  if (phase.secret.length) list.append(element("li", "entry", element("b", "", "In secret"), notes(phase.secret)));
  return list;
}

const goTo = (ply, words, onPly) => press(words, "go", () => onPly(ply));

export const notes = (lines) => element("ul", "notes", ...lines.map((line) => element("li", "", line)));

export function scoreTable(view) {
  const { scores } = view, sides = Object.keys(scores);
  const brought = (source) => source === "total" || sides.some((side) => scores[side][source]);
  const sources = Object.keys(scores[sides[0]]).filter(brought);
  const ofSide = (side) => ({ key: side, style: side, words: whoIs(view, side) });
  // A source is no class of the page: some are called as other things here are.
  const ofSource = (source) => ({ key: source, style: source === "total" ? "total" : "", words: capital(source.replaceAll("_", " ")) });
  // Few sides stand beside each other; many have a line each.
  return sides.length > 3
    ? crossTable(sides.map(ofSide), sources.map(ofSource), (side, source) => scores[side][source])
    : crossTable(sources.map(ofSource), sides.map(ofSide), (source, side) => scores[side][source]);
}

// down, across: key, style and words of each row and column; number(row, column): what stands where they meet.
function crossTable(down, across, number) {
  const heading = (scope, { style, words }) => Object.assign(element("th", style, words), { scope });
  const head = element("tr", "", element("th", "", "Points"), ...across.map((column) => heading("col", column)));
  const cells = (row) => across.map((column) => element("td", column.style, String(number(row.key, column.key))));
  const rows = down.map((row) => element("tr", row.style, heading("row", row), ...cells(row)));
  return element("table", "scores", element("thead", "", head), element("tbody", "", ...rows));
}

export function showRule(box, rule) {
  box.replaceChildren(element("h2", "", rule.title), element("p", "", rule.text));
  if (rule.sources.length) box.append(element("ul", "sources", ...rule.sources.map((s) => element("li", "", s))));
  const close = press("\u2715", "close", () => box.classList.remove("shown"));
  close.setAttribute("aria-label", "Close the rule");
  box.append(close);
  box.classList.add("shown");
}

// A seat as the game calls it.
export const seatName = (view, side) => view.names[side] ?? capital(side);

// A seat with the person in it, where the game has a name of its own for the seat.
export function whoIs(view, side) {
  const [seat, person] = [seatName(view, side), view.people?.[side]];
  return person && person !== seat ? `${person} (${seat})` : seat;
}
