// The end of a game. Fills end-dialog, end-title, end-why, end-points, end-scores, end-review, end-rematch.

import { byId } from "../dom.js";
import { scoreTable } from "../panels.js";
import { beginReview } from "./analysis.js";
import { rematch } from "./entering.js";
import { refuse } from "./notice.js";
import { on, state } from "./state.js";

function show(view) {
  byId("end-title").textContent = view.ending.title;
  byId("end-why").textContent = view.ending.why;
  byId("end-points").textContent = view.ending.points;
  byId("end-points").hidden = !view.ending.points;
  byId("end-scores").replaceChildren(scoreTable(view));
  byId("end-rematch").hidden = !view.held.includes("host");
  if (!document.querySelector("dialog[open]")) byId("end-dialog").showModal();
}

on("view", (view, before) => {
  if (before && before.version !== view.version && view.over && state.ply === null && !view.replay) show(view);
});
byId("end-rematch").addEventListener("click", () => {
  byId("end-dialog").close();
  rematch().catch((error) => refuse(error.message));
});
byId("end-review").addEventListener("click", () => {
  byId("end-dialog").close();
  beginReview();
});
