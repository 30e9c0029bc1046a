// Giving the game up, after a question. Fills resign, resign-dialog, resign-words, resign-yes.

import { byId } from "../dom.js";
import { seatName } from "../panels.js";
import { askGame, showFailure, showNewest } from "./asking.js";
import { heldSeats, isPerson, on, state } from "./state.js";

// The seat that resigns: the one whose eyes the tab has, or its first.
function ownSide(view) {
  const own = heldSeats(view).filter((seat) => isPerson(view, seat));
  return own.includes(view.viewer) ? view.viewer : own[0];
}

const mayResign = (view) => !view.replay && !view.over && view.ply === view.plies && Boolean(ownSide(view));

function follows(view, side) {
  const others = Object.keys(view.seats).filter((seat) => seat !== side);
  if (others.length === 1) return `${seatName(view, others[0])} wins then, and the game is over.`;
  if (others.some((seat) => isPerson(view, seat))) return "The others play on; the beginner takes your seat.";
  return "The game ends there.";
}

function openQuestion() {
  const { view } = state;
  const side = ownSide(view);
  byId("resign-words").textContent = `You give the game up as ${seatName(view, side)}. ${follows(view, side)}`;
  byId("resign-dialog").dataset.side = side;
  byId("resign-dialog").showModal();
}

async function resign() {
  const { side } = byId("resign-dialog").dataset;
  byId("resign-dialog").close();
  await showNewest(() => askGame("resign", { side }));
}

on("view", (view) => { byId("resign").disabled = !mayResign(view); });
byId("resign").addEventListener("click", openQuestion);
byId("resign-yes").addEventListener("click", () => resign().catch(showFailure));
