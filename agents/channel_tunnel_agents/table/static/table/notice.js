// What the page tells: in the box above the board why something is refused, and news of the table; in its middle that a game takes long
// to open. Fills refusal, refusal-text, refusal-close, waiting.

import { byId } from "../dom.js";
import { on } from "./state.js";

// kind: "" of a refusal, "notice" of news, "stuck" where another rival can be chosen below the words.
function show(words, kind) {
  byId("refusal-text").textContent = words;
  byId("refusal").className = `refusal ${kind}`;
  byId("refusal").hidden = false;
}

export const refuse = (words) => show(words, "");
export const tell = (words) => show(words, "notice");
export const askForRival = (words) => show(words, "stuck");

export function hideRefusal() {
  byId("refusal").hidden = true;
}

const SOON = 800; // milliseconds until a wait is mentioned: the first game of each kind is compiled

export async function patiently(promise) {
  const shown = setTimeout(() => byId("waiting").showPopover(), SOON);
  try {
    return await promise;
  } finally {
    clearTimeout(shown);
    byId("waiting").hidePopover();
  }
}

byId("refusal-close").addEventListener("click", hideRefusal);
on("view", hideRefusal);
on("path", hideRefusal);
