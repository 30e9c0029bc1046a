// Through the decisions: the slider and its buttons. Fills time, first, back, run, forth, last, slider, where.

import { byId } from "../dom.js";
import { change, look, showFailure } from "./asking.js";
import { pace } from "./pace.js";
import { isWatched, on, say, setAddress, state } from "./state.js";

// Look at a decision; by hand it stops what runs.
export async function goTo(ply, byItself = false) {
  const view = state.view;
  if (!view) return;
  ply = Math.max(0, Math.min(view.plies, ply));
  const live = !view.replay;
  state.ply = live && ply === view.plies ? null : ply;
  if (!byItself && state.ply !== null) state.running = false;
  if (live && state.ply === null && !isWatched(view)) state.running = true;
  if (view.replay && state.recordFile) {
    setAddress(`record=${encodeURIComponent(state.recordFile)}&line=${state.recordLine}&ply=${ply}`);
  }
  await look().catch(showFailure);
}

export const back = () => state.view && goTo(state.view.ply - 1);

export const toEnd = () => state.view && goTo(state.view.plies);

// The rival's turn once more, from before its first decision to now.
export function showAgain(ply) {
  goTo(ply, true);
  state.running = pace() > 0;
}

// The next decision; in a watched game it is asked for, and the game rests then.
export function forth() {
  const view = state.view;
  if (!view) return;
  if (view.ply < view.plies) return goTo(view.ply + 1);
  if (isWatched(view)) state.running = false;
  if (view.waits_for_agent) return change("step");
}

export function run() {
  if (byId("run").hidden || byId("run").disabled) return;
  state.running = state.failed || !state.running;
  state.failed = false;
  fill(state.view);
  say("running");
}

function fill(view) {
  const watched = isWatched(view);
  byId("time").hidden = !view.plies && !watched;
  const slider = byId("slider");
  slider.max = view.plies;
  slider.value = view.ply;
  slider.setAttribute("aria-valuetext", `decision ${view.ply} of ${view.plies}`);
  byId("where").textContent = `${view.ply} / ${view.plies}`;
  byId("first").disabled = byId("back").disabled = view.ply === 0;
  byId("last").disabled = view.ply === view.plies;
  const byAgents = view.waits_for_agent && !view.over;
  byId("forth").disabled = view.ply === view.plies && !byAgents;
  byId("run").hidden = !watched;
  byId("run").disabled = view.ply === view.plies && !byAgents;
  const plays = state.running && !state.failed && !byId("run").disabled;
  byId("run").textContent = plays ? "Pause" : "Play";
  byId("run").setAttribute("aria-label", plays ? "Pause" : "Play");
}

on("view", fill);
byId("slider").addEventListener("input", (event) => goTo(Number(event.target.value)));
byId("first").addEventListener("click", () => goTo(0));
byId("back").addEventListener("click", back);
byId("forth").addEventListener("click", forth);
byId("last").addEventListener("click", toEnd);
byId("run").addEventListener("click", run);
