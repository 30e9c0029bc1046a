// The curtain between two people at one screen. Fills curtain, curtain-text, curtain-open.

import { byId } from "../dom.js";
import { whoIs } from "../panels.js";
import { heldSeats, on, state } from "./state.js";

const page = document.querySelector("main");
let seenBy = null; // side that the curtain was last lifted for

const isNeeded = (view) => state.curtain && view.may_play && seenBy !== view.to_play && heldSeats(view).length > 1;

function draw(view) {
  byId("curtain-text").textContent = `${whoIs(view, view.to_play)} is to move. Hand over the screen.`;
  byId("curtain").hidden = false;
  page.inert = true;
  byId("curtain-open").focus();
}

function lift() {
  seenBy = state.view.to_play;
  byId("curtain").hidden = true;
  page.inert = false;
  page.focus();
}

on("enter", () => { seenBy = null; });
on("view", (view) => { if (isNeeded(view)) draw(view); });
byId("curtain-open").addEventListener("click", lift);
