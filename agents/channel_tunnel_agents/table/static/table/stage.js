// The board, the buttons below it, what a person does there, and the rule of what is pointed at. Fills board, strip,
// how-to-click, rule.

import { byId, element } from "../dom.js";
import { showRule } from "../panels.js";
import { askGame, change, look, prepareWith, showFailure } from "./asking.js";
import { BoardClicks } from "./board.js";
import { refuse } from "./notice.js";
import { pace } from "./pace.js";
import { isNarrow, NARROW, on, say, state, STILL } from "./state.js";
import { askTogether } from "./together.js";

// --- what a person does ---------------------------------------------------------------------------

export function play(action, move) {
  if (!state.view.may_play) return;
  const { together } = state.view.moves.find((one) => one.action === action) ?? {};
  if (state.view.in_phases) write(move.asked, action);
  else if (together) askTogether({ action, together }, ([first, ...then]) => act("play", { action: first, then }));
  else act("play", { action });
}

// Who does something has read what was shown about the board, which on a phone lies over the list.
function act(what, body) {
  hideRule();
  change(what, body);
}

// In a game of phases: an answer is written into the draft, or taken out of it; then the draft is sent.
const write = (asked, action, given = true) => act("write", { asked, action, given });

export const mayUndo = (view) => Boolean(view?.draft?.can_undo || (view?.held.includes("host") && (view.plies || view.over)));

export const undo = () => { if (mayUndo(state.view)) act("undo"); };

async function why(clicks) {
  if (state.ply !== null && !state.view.replay) return void refuse("You are looking back. Go to the last decision to move.");
  try {
    refuse((await askGame("why", { version: state.view.version, clicks })).why);
  } catch (error) {
    refuse(error.message);
  }
}

export const board = new BoardClicks(byId("board"), byId("strip"), {
  onMove: play,
  onWrite: write,
  onLines: (text) => act("orders", { text }),
  onSend: () => act("send"),
  onRefused: why,
  onPath: (path, next) => {
    if (path.length) hideRule();
    say("path", path, next);
  },
  onUndo: undo,
  isNarrow,
});

// --- what is shown --------------------------------------------------------------------------------

// Load what a game adds to the page: its module, and its style if it has one.
export async function use(game) {
  if (game === state.game) return;
  board.game = await import(`../games/${game}.js`);
  state.game = game;
  state.opens = board.game.opens ?? [];
  byId("how-to-click").textContent = board.game.help;
  say("game");
  const { style } = board.game;
  if (style && !document.querySelector(`link[href="${style}"]`)) {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: style });
    const loaded = new Promise((resolve) => { link.onload = link.onerror = resolve; });
    document.head.append(link);
    await loaded;
  }
}

// What not every game has: marked in the page by data-extra.
export function showExtras({ extras }) {
  for (const part of document.querySelectorAll("[data-extra]")) part.hidden = !extras.includes(part.dataset.extra);
}

export const hasExtra = (name) => !state.view || state.view.extras.includes(name);

prepareWith(use);
on("view", (view, before) => {
  board.view = view;
  byId("board").classList.toggle("arrived", Boolean(before?.waits_for_agent && view.plies > before.plies && pace() && !STILL));
  const moment = view.in_phases ? view.phases.length : view.ply; // in a phase the plies of others pass too
  board.show(view.svg, view.moves, view.may_play, JSON.stringify([state.key, moment, view.moves, view.draft]));
  showExtras(view);
});

// --- pointing at things ---------------------------------------------------------------------------

const HELP = "Point at anything on the board, or move to it with the keyboard, for its rule.";

const hideRule = () => byId("rule").classList.remove("shown");

// A game may say more of a thing than its rule.
function pointAt({ target }) {
  const group = target.closest?.("[data-rule]");
  const rule = group && state.rules[group.dataset.rule];
  if (rule) showRule(byId("rule"), board.game.describe?.(group, rule) ?? rule);
}

// The rules of another game are not those of the one shown before.
on("game", () => byId("rule").replaceChildren(element("p", "note", HELP)));
for (const name of ["pointerover", "focusin"]) {
  byId("board").addEventListener(name, (event) => { if (!isNarrow()) pointAt(event); });
}
// On a phone the rule covers part of the board: a tap shows it where it is no move, a long press always.
byId("board").addEventListener("click", (event) => { if (!event.target.closest(".legal, .chosen")) pointAt(event); });
byId("board").addEventListener("contextmenu", (event) => { event.preventDefault(); pointAt(event); });
for (const dialog of document.querySelectorAll("dialog")) dialog.addEventListener("close", () => board.game.settled?.(board, true));
matchMedia(`(max-width: ${NARROW - 1}px)`).addEventListener("change", () => { if (state.key) look().catch(showFailure); });

// Drop what is begun, and what is shown about it.
export function drop() {
  board.cancel();
  hideRule();
}
