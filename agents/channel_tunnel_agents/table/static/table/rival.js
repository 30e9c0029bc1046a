// An agent that fails or takes long: it is asked again, or another one takes its seat.
// Fills rival-seat, rival-name, rival-take, try-again.

import { byId } from "../dom.js";
import { seatName } from "../panels.js";
import { change } from "./asking.js";
import { askForRival, hideRefusal } from "./notice.js";
import { isPerson, on, rivalName, state } from "./state.js";

let seat = null; // whose agent it is

// words: what is wrong; thinks: whether the agent thinks still, and need not be asked again.
function offer(words, thinks) {
  const { view, offers } = state;
  seat = seatOfAgent(view, words);
  const holder = view.seats[seat];
  if (!holder || isPerson(view, seat)) return;
  askForRival(words);
  const rules = offers.rulesets.find((r) => r.game === view.game);
  const others = rules.agents.filter((name) => name !== holder);
  byId("rival-name").replaceChildren(...others.map((name) => new Option(rivalName(name), name)));
  if (others.includes(rules.stand_in)) byId("rival-name").value = rules.stand_in;
  byId("rival-seat").textContent = `${seatName(view, seat)} played by`;
  byId("try-again").hidden = thinks;
}

// The seat of an agent that fails: the one to play; of many that answer a phase the first that the words name.
function seatOfAgent(view, words) {
  const { in_phases: inPhases, seats, to_play: toPlay } = view;
  if (!inPhases) return toPlay;
  const agents = Object.keys(seats).filter((one) => !isPerson(view, one));
  return agents.find((one) => words.includes(`'${seats[one]}'`)) ?? agents[0];
}

function takeRival() {
  state.failed = false;
  change("rival", { side: seat, agent: byId("rival-name").value });
}

function tryAgain() {
  hideRefusal();
  state.failed = false;
  change("step");
}

on("slow", (words) => offer(words, true));
on("failed", (words) => offer(words, false));
byId("rival-take").addEventListener("click", takeRival);
byId("try-again").addEventListener("click", tryAgain);
