// What happens by itself: an agent's decision, the next ply of a replay, a look at what others do, a server that
// answers again. Fills nothing.

import { change, look, lookAround, showFailure } from "./asking.js";
import { refuse, tell } from "./notice.js";
import { pace } from "./pace.js";
import { agentsGoOn, isInList, isWatched, on, state } from "./state.js";
import { goTo } from "./time.js";

const PACE = 400; // milliseconds between an agent's decisions at the usual pace ...
const SLOWLY = 700; // ... and before the turn of one that a person plays against
const REPLAY_PACE = 700;
const POLL = 1500; // milliseconds between looks at what others do, and at who is there
const RETRY = 2000; // milliseconds between tries to reach the server again

let timer = null, isOffline = false, isPolling = false;

function schedule() {
  clearTimeout(timer);
  const view = state.view;
  if (!view || document.hidden || isInList()) return;
  if (isOffline) {
    timer = setTimeout(findAgain, RETRY);
  } else if (state.running && view.ply < view.plies && (view.replay || state.ply !== null)) {
    timer = setTimeout(() => goTo(view.ply + 1, true), REPLAY_PACE * pace());
  } else if (state.ply === null && view.waits_for_agent && view.held.includes("host")) {
    if (agentsGoOn(view)) timer = setTimeout(() => change("step"), paceOf(view) * pace());
  }
}

// Before an agent's decision; before a phase that agents answer at once, only where this tab had nothing to write.
function paceOf(view) {
  if (view.unfolds) return 0;
  if (view.in_phases) return view.draft ? 0 : SLOWLY;
  return isWatched(view) ? PACE : SLOWLY;
}

// The server does not answer: look again every other second, and go on where the game stands.
function loseTouch(error) {
  isOffline = true;
  refuse(error.message);
  schedule();
}

async function findAgain() {
  try {
    await look();
    isOffline = false;
    tell("The server answers again.");
    schedule();
  } catch (error) {
    if (error.status !== 0) isOffline = false;
    showFailure(error);
  }
}

// Also where nobody else is to move: people come, go and take names.
async function poll() {
  if (isPolling || isOffline || document.hidden || isInList() || !state.view || state.view.replay) return;
  const { key } = state;
  isPolling = true;
  await lookAround().catch((error) => { if (key === state.key) showFailure(error); });
  isPolling = false;
}

on("view", schedule);
on("asking", () => clearTimeout(timer));
on("rest", schedule);
on("running", schedule);
on("lost", loseTouch);
setInterval(poll, POLL);
document.addEventListener("visibilitychange", schedule);
window.addEventListener("online", () => { if (isOffline) findAgain(); });
