// Who comes by a link and has no name yet is asked for one, beside the board: nothing waits for the answer.
// Fills who, who-words, who-name, who-error, who-away.

import { byId, showError } from "../dom.js";
import { seatName } from "../panels.js";
import { lookAround } from "./asking.js";
import { call, MOST_LETTERS, ownSeat } from "./people.js";
import { isWatching, keepName, on, ownName, state, stayNameless, staysNameless } from "./state.js";

// Who set the game up was asked there.
function isAsked(view) {
  if (view.replay || view.ended || view.held.includes("host") || ownName() || staysNameless()) return false;
  const seat = ownSeat(view);
  return seat ? !view.people[seat] : isWatching(view);
}

function ask() {
  const { view } = state, seat = ownSeat(view);
  byId("who").hidden = !isAsked(view);
  byId("who-words").textContent = `${seat ? `You are ${seatName(view, seat)}` : "You watch"}. Your name?`;
  showError(byId("who-error"), "");
}

const hide = () => { byId("who").hidden = true; };

// A name is kept once the server has taken it; of somebody who watches, it takes it with the next look.
async function tell(name) {
  const seat = ownSeat(state.view);
  if (seat) await call(seat, name);
  keepName(name);
  if (seat) return;
  try {
    await lookAround();
  } catch (error) {
    keepName("");
    throw error;
  }
}

async function answer() {
  const name = byId("who-name").value.trim();
  if (!name) return void away();
  try {
    await tell(name);
    hide();
  } catch (error) {
    showError(byId("who-error"), error.message);
  }
}

function away() {
  stayNameless();
  hide();
}

byId("who-name").maxLength = MOST_LETTERS;
on("enter", hide);
on("entered", ask);
on("around", (view) => { if (!isAsked(view)) hide(); });
byId("who").addEventListener("submit", (event) => { event.preventDefault(); answer(); });
byId("who-away").addEventListener("click", away);
