// The end of a game. Fills end-dialog, end-title, end-why, end-points, end-scores, end-review, end-rematch, rematch.

import { byId } from "../dom.js";
import { scoreTable } from "../panels.js";
import { beginReview } from "./analysis.js";
import { rematch } from "./entering.js";
import { refuse, tell } from "./notice.js";
import { on, state } from "./state.js";

function show(view) {
  byId("end-title").textContent = view.ending.title;
  byId("end-why").textContent = view.ending.why;
  byId("end-points").textContent = view.ending.points;
  byId("end-points").hidden = !view.ending.points;
  byId("end-scores").replaceChildren(scoreTable(view));
  fillRematch(view);
  if (!document.querySelector("dialog[open]")) byId("end-dialog").showModal();
}

// Who set the game up deals the next one; the others follow once it is there.
const mayRematch = (view) => view.held.includes("host") || Boolean(view.next);

function fillRematch(view) {
  for (const id of ["end-rematch", "rematch"]) byId(id).textContent = view.next ? "To the rematch" : "Rematch";
  byId("end-rematch").hidden = !mayRematch(view);
  byId("rematch").hidden = !(view.ended && mayRematch(view));
}

let told = null; // the rematch that was announced last

function around(view) {
  fillRematch(view);
  if (!view.next || view.next === told || view.held.includes("host")) return;
  told = view.next;
  if (!document.querySelector("dialog[open]")) tell("A rematch is set up. Go to it under More.");
}

const goToRematch = () => {
  byId("end-dialog").close();
  rematch().catch((error) => refuse(error.message));
};

on("around", around);
on("view", (view, before) => {
  if (before && before.version !== view.version && view.over && state.ply === null && !view.replay) show(view);
});
byId("end-rematch").addEventListener("click", goToRematch);
byId("rematch").addEventListener("click", goToRematch);
byId("end-review").addEventListener("click", () => {
  byId("end-dialog").close();
  beginReview();
});
