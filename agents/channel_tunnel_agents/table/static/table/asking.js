// Asking the server about the game, and changing it. Fills nothing.

import { ask, Refused } from "../api.js";
import { seatName } from "../panels.js";
import { refuse } from "./notice.js";
import { isNarrow, isWithinTurn, on, ownName, say, state, watcherName } from "./state.js";

const LONG = 8000; // milliseconds of an agent's thinking after which another rival is offered
const AGENT_FAILED = [409, 502, 504]; // it cannot play here, failed, or did not answer in time
const STALE = 409; // the page showed an older version of the game
// Wishes that mean the same whatever has happened meanwhile; of these also "undo", if it was an agent that moved.
const LASTING = ["open", "restart", "rival"];

let looks = 0; // asked for; only the newest is shown
let useGame = async () => {}; // loads what a game adds to the page

export const prepareWith = (use) => { useGame = use; };

function query(extra = {}) {
  const words = { layout: isNarrow() ? "phone" : "table", ...extra };
  if (state.viewer) words.viewer = state.viewer;
  if (!Object.keys(state.tokens).length) Object.assign(words, { watcher: watcherName(), called: ownName() });
  return new URLSearchParams(words).toString();
}

const path = (name, extra) => `games/${state.key}${name ? `/${name}` : ""}?${query(extra)}`;

// A question about the game shown; body: what is asked, undefined: the address says it; extra: words of the address.
export const askGame = (name, body = undefined, { extra = {}, signal = undefined } = {}) => ask(path(name, extra), body, state.tokens, signal);

export async function look() {
  const extra = state.ply === null ? {} : { ply: state.ply };
  await showNewest(() => askGame("", undefined, { extra }));
}

// Show what the newest look finds: answers may come out of order, and an older one would undo a newer.
export async function showNewest(find) {
  const number = ++looks;
  const view = await find();
  if (number === looks) await take(view);
}

const take = (view) => (view.svg ? show(view) : showAround(view));

// Nothing has happened in the game; somebody may have come, gone or taken a name.
async function showAround({ people, ...around }) {
  const renamed = JSON.stringify(people) !== JSON.stringify(state.view.people);
  Object.assign(state.view, around); // but for the people, whose names the look below brings everywhere
  say("around", state.view);
  if (renamed) await look();
}

// Whether something has happened. A look that is under way, or wished for meanwhile, comes before this one.
export async function lookAround() {
  const { key, ply, view } = state, number = looks;
  const at = ply === null ? {} : { ply };
  const found = await askGame("", undefined, { extra: { seen: view.version, ...at } });
  if (number === looks && key === state.key) await take(found);
}

async function show(view) {
  await useGame(view.game);
  const before = state.view;
  state.view = view;
  if (view.ply === view.plies && !view.replay) state.ply = null;
  if (before?.version !== view.version) state.failed = false;
  view.unfolds = before && before.ply === before.plies && isWithinTurn(view) ? before.unfolds ?? before : null; // what the page shows meanwhile
  if (!view.unfolds) say("view", view, before?.unfolds ?? before);
  say("around", view);
}

// The question to an agent is given up: it would answer for a game that has gone on.
export function giveUp() {
  if (!state.thinking) return;
  state.thinking.abort();
  state.thinking = null;
  state.busy = false;
}

const waiting = []; // wishes

on("enter", giveUp);
on("rest", () => { for (const wish of waiting.splice(0)) wish(); });

// Change the game; a stale page is refreshed, every refusal is shown. A wish made while an agent thinks
// comes first: its answer would be one to a game that has gone on. Where it had moved already, the wish is made again.
// While something else is on its way, a lasting wish waits; a second click on a move is none.
export async function change(name, body = {}) {
  const isStep = name === "step", { key } = state, interrupts = Boolean(state.thinking);
  const lasts = LASTING.includes(name) || (name === "undo" && interrupts);
  if (state.busy) {
    if (isStep) return;
    if (interrupts) giveUp();
    else return void (lasts && waiting.push(() => key === state.key && change(name, body)));
  }
  let wasStale = false;
  const { version } = state.view;
  state.busy = true;
  say("asking");
  const asked = isStep ? new AbortController() : null;
  state.thinking = asked;
  if (asked) say("agent");
  const long = asked && setTimeout(() => say("slow", `${whoThinks(state.view)} has been thinking for ${LONG / 1000} seconds.`), LONG);
  try {
    const answer = await askGame(name, { version, ...body }, { signal: asked?.signal });
    state.thinking = null;
    if (key !== state.key) return; // another game has been entered meanwhile
    if (isStep && state.ply !== null) await look(); // who looks back goes on looking back
    else await showNewest(() => answer);
    if (answer.unread?.length) refuse(answer.unread.map(({ line, why }) => `${line}: ${why}`).join("; "));
  } catch (error) {
    if (asked?.signal.aborted || key !== state.key) return;
    if (!(error instanceof Refused)) throw error;
    wasStale = await showRefusal(isStep, error, version);
  } finally {
    clearTimeout(long);
    if (!asked?.signal.aborted) {
      state.busy = false;
      state.thinking = null;
      say("rest");
    }
  }
  if (wasStale && lasts && key === state.key) await change(name, body);
}

const whoThinks = (view) => (view.in_phases ? "An agent" : seatName(view, view.to_play));

// Whether the wish was made for an older version than is shown now; else the refusal is shown.
async function showRefusal(isStep, error, asked) {
  if (error.status === STALE) {
    await look().catch(() => {});
    if (state.view.version !== asked) return true;
  }
  if (error.status === 0) say("lost", error);
  else if (isStep) showFailed(error);
  else refuse(error.message);
  return false;
}

function showFailed(error) {
  const { view } = state;
  state.failed = true;
  state.thinking = null;
  if (view.unfolds) say("view", view, view.unfolds); // as far as it came
  view.unfolds = null;
  say("agent");
  if (AGENT_FAILED.includes(error.status)) say("failed", error.message);
  else refuse(error.message);
}

// The answers of requests that the person has not made by moving: a lost server, or a refusal in words.
export function showFailure(error) {
  if (error.status === 0) say("lost", error);
  else refuse(error.message);
}
