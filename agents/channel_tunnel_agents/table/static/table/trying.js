// A marked move of a review is tried again in a copy of the game, of which no file is kept, and judged there.
// Fills trying, trying-words, trying-again, trying-back.

import { ask } from "../api.js";
import { byId } from "../dom.js";
import { verdictOn } from "./analysis.js";
import { askGame, showFailure } from "./asking.js";
import { showTab } from "./beside.js";
import { enter } from "./entering.js";
import { patiently } from "./notice.js";
import { isPerson, on, rulesOf, state } from "./state.js";

const NOT_YET = [403, 409]; // the move has not been made, or what it belongs to has not ended

let tried = null; // what of which game, and the key of the copy

async function begin(wish) {
  const { from, seats, ply, open } = wish;
  const made = await patiently(ask(`games/${from.key}/fork`, { ply, seats, luck: "same", open, kept: false }, from.tokens));
  tried = { ...wish, key: made.key, isJudged: false };
  byId("trying-words").textContent = "Try again: make another move than the one that was marked.";
  await enter(made.key, made.tokens);
  byId("trying").hidden = false;
}

// Other people's seats are played by an agent meanwhile.
function beginHere(ply, side, judge) {
  const { view, key, tokens, given, curtain } = state, { stand_in: standIn } = rulesOf(view.game);
  const holders = Object.entries(view.seats).map(([seat, holder]) => [seat, seat !== side && isPerson(view, seat) ? standIn : holder]);
  return begin({ ply, side, judge, open: view.in_phases, seats: Object.fromEntries(holders), from: { key, tokens, given, curtain } });
}

async function judge() {
  const { key, ply, side, judge: asked } = tried;
  tried.isJudged = true;
  try {
    const found = await askGame("weigh", { ply, side, judge: asked });
    if (tried.key === key) byId("trying-words").textContent = `${found.mark ? "Not yet." : "Well found."} ${verdictOn(found)}`;
  } catch (error) {
    tried.isJudged = false;
    if (!NOT_YET.includes(error.status)) showFailure(error);
  }
}

async function goBack() {
  const { key, tokens, ...more } = tried.from;
  await enter(key, tokens, { ...more, ply: tried.ply });
  showTab("analysis");
}

on("enter", () => { byId("trying").hidden = true; });
on("try", (...wish) => beginHere(...wish).catch(showFailure));
on("view", (view) => {
  if (tried?.key === state.key && view.plies <= tried.ply) tried.isJudged = false; // taken back
  if (tried?.key === state.key && !tried.isJudged && view.plies > tried.ply) judge();
});
byId("trying-again").addEventListener("click", () => begin(tried).catch(showFailure));
byId("trying-back").addEventListener("click", () => goBack().catch(showFailure));
