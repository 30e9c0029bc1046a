// Who is to move, and when. Fills status, about.

import { byId, capital } from "../dom.js";
import { seatName, whoIs } from "../panels.js";
import { board } from "./stage.js";
import { awayFrom, heldSeats, isPerson, isThinking, isWatched, on, rivalName, state } from "./state.js";

// Pixels that it covers at the top of a phone.
export const statusHeight = () => byId("status").getBoundingClientRect().height;

// Words about the decision in place of the usual ones, until the next look.
export function sayStatus(words) {
  byId("status").textContent = words;
}

function showStatus() {
  const { view } = state;
  if (!view) return;
  const words = statusWords(view);
  document.title = `${words} \u00b7 Channel Tunnel`;
  sayStatus(words);
  byId("status").className = `status ${view.over ? "over" : view.may_play ? "yours" : ""} ${view.to_play ?? ""}`;
}

function statusWords(view) {
  if (view.over) return view.question;
  if (view.in_phases) return phaseWords(view);
  const side = seatName(view, view.to_play);
  if (view.replay) return `Replay: ${side} to decide. ${view.question}`;
  if (view.ply < view.plies) return `Looking back at decision ${view.ply} of ${view.plies}: ${side} to decide`;
  if (view.may_play) return `${heldSeats(view).length > 1 ? side : `You are ${side}`}: ${view.question}`;
  if (!view.waits_for_agent) return `Waiting for ${whoIs(view, view.to_play)}${awayWords(view, [view.to_play])}`;
  const agent = `${side} (${rivalName(view.seats[view.to_play])})`;
  if (isThinking(view)) return `${agent} is thinking`;
  return isPaused(view) ? `Paused: ${agent} is to move` : `Waiting for ${agent}`;
}

function phaseWords(view) {
  if (view.replay) return `Replay: ${view.question}`;
  if (view.ply < view.plies) return `Looking back: ${view.question}`;
  if (view.may_play) return `${heldSeats(view).length > 1 ? "" : "You are "}${seatName(view, view.viewer)}. ${view.question}${view.draft?.more && !view.draft.rows.length ? `. ${view.draft.more}` : ""}`;
  if (!view.waits_for_agent) return `${view.question}. Waiting for the others${awayWords(view, Object.keys(view.seats))}`;
  if (isThinking(view)) return `${view.question}. The others write`;
  return isPaused(view) ? `Paused: ${view.question}` : `${view.question}. Waiting for the others`;
}

// Of some seats that are waited for, those whose people have left.
function awayWords(view, seats) {
  const away = awayFrom(view).filter((seat) => seats.includes(seat));
  if (!away.length) return "";
  return seats.length === 1 ? ", who is not here" : `. Not here: ${away.map((seat) => whoIs(view, seat)).join(", ")}`;
}

const isPaused = (view) => isWatched(view) && !state.failed;

// Who plays against you, where that is one agent.
function rivalOf(view) {
  const agents = view.replay ? [] : Object.keys(view.seats).filter((seat) => !isPerson(view, seat));
  return agents.length === 1 ? `against ${rivalName(view.seats[agents[0]])}` : "";
}

// The round, the rules if they are not the usual ones, and the rival.
function fillAbout(view) {
  const { offers } = state;
  const usual = offers.rulesets.find((r) => r.name === offers.first)?.title === view.title;
  const when = view.in_phases ? "" : `${capital(view.clock)} ${view.round}`; // the line above the map says it
  byId("about").textContent = [when, usual ? "" : view.title, rivalOf(view)].filter(Boolean).join(" \u00b7 ");
  byId("about").title = view.title;
}

on("view", showStatus);
on("view", fillAbout);
on("agent", showStatus);
// Somebody who is waited for may have come or gone; who looks back reads of what is shown there.
on("around", (view) => { if (!view.over && !view.may_play && !view.waits_for_agent && !view.replay && view.ply === view.plies) showStatus(); });
on("running", showStatus);
on("path", (path, next) => {
  const words = state.view?.may_play ? board.game.pathWords(path, next) : "";
  if (state.view) sayStatus(words || statusWords(state.view));
});
