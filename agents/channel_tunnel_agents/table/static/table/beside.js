// Beside the board: the moves, the log, and which of the three tabs is shown.
// On a phone all of it may be a drawer over the board: a game whose module says so. Fills moves, log, analysis, tab-moves,
// tab-log, tab-analysis, drawer. What stands in analysis belongs to analysis.js.

import { byId } from "../dom.js";
import { fillLog, fillMoves, narrowMoves, scoreTable } from "../panels.js";
import { board, play } from "./stage.js";
import { on, say, state } from "./state.js";
import { goTo } from "./time.js";

const PANELS = { moves: byId("moves"), log: byId("log"), analysis: byId("analysis") };
const TABS = { moves: byId("tab-moves"), log: byId("tab-log"), analysis: byId("tab-analysis") };

let sign = () => null; // what marks a decision in the log

export const markLogWith = (marks) => { sign = marks; };

export const isShown = (name) => !PANELS[name].hidden;

export function showTab(name) {
  for (const tab of Object.keys(TABS)) {
    const chosen = tab === name;
    PANELS[tab].hidden = !chosen;
    TABS[tab].setAttribute("aria-selected", String(chosen));
    TABS[tab].tabIndex = chosen ? 0 : -1;
  }
  if (!state.view) return;
  if (name === "log") fillLog(PANELS.log, state.view, goTo, sign);
  say("tab", name);
}

// The drawer of a phone.
export function pull(open) {
  byId("drawer").closest(".side").classList.toggle("pulled", open);
  byId("drawer").setAttribute("aria-expanded", String(open));
  byId("drawer").textContent = open ? "\u25be" : "\u25b4";
  if (!open) board.game?.uncovered?.();
}

export const toggleTab = (name) => showTab(isShown(name) ? "moves" : name);

// The moves; in a game of phases what is written, and the answers to what is asked.
function fillAnswers(view) {
  if (view.in_phases && view.draft) board.game.fillDraft(PANELS.moves, board);
  else fillMoves(PANELS.moves, view, play, (target) => board.hint(target));
}

// Where the keyboard goes on, unless it is somewhere already.
export function focusMoves() {
  const active = document.activeElement; // it may be in a dialog that is closed
  if (active === document.body || !active.checkVisibility()) PANELS.moves.focus({ preventScroll: true });
}

// The next or the last of the listed moves gets the focus.
export function walkMoves(by) {
  const list = document.activeElement.closest(".faults") ?? PANELS.moves;
  const buttons = [...list.querySelectorAll("button.move, button.fault")];
  const next = buttons.indexOf(document.activeElement) + by;
  buttons[Math.max(0, Math.min(buttons.length - 1, next))]?.focus();
}

on("view", (view) => {
  const { moves, log } = PANELS;
  const inMoves = moves.contains(document.activeElement);
  fillAnswers(view);
  TABS.moves.textContent = board.game.movesTitle?.(view) ?? "Moves";
  if (inMoves) (moves.querySelector("input.next") ?? moves.querySelector(".next, .move") ?? moves).focus({ preventScroll: true });
  if (view.scores) moves.append(scoreTable(view));
  if (isShown("log")) fillLog(log, view, goTo, sign);
});
on("path", (path) => {
  if (state.view?.draft) board.game.narrow(PANELS.moves, board);
  else narrowMoves(PANELS.moves, state.view?.moves ?? [], path);
});
on("entered", () => { pull(false); showTab(state.view.replay ? "log" : "moves"); });
on("game", () => {
  document.body.classList.toggle("with-drawer", Boolean(board.game.drawer));
  document.body.dataset.game = state.game; // whose colours the seats have
});
for (const dialog of document.querySelectorAll("dialog")) dialog.addEventListener("close", () => { if (state.view) focusMoves(); });
byId("drawer").addEventListener("click", () => pull(byId("drawer").getAttribute("aria-expanded") !== "true"));

for (const [name, tab] of Object.entries(TABS)) {
  tab.addEventListener("click", () => { pull(true); showTab(name); });
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const shown = Object.keys(TABS).filter((one) => !TABS[one].hidden);
    const other = shown[(shown.indexOf(name) + step + shown.length) % shown.length];
    showTab(other);
    TABS[other].focus();
    event.stopPropagation();
  });
}
