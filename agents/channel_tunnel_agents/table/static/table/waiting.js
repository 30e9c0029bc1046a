// What the page says while a game takes long to open: the first one of each kind is compiled.
// Fills waiting.

import { byId } from "../dom.js";

const SOON = 800; // milliseconds

export async function patiently(promise) {
  const shown = setTimeout(() => byId("waiting").showPopover(), SOON);
  try {
    return await promise;
  } finally {
    clearTimeout(shown);
    byId("waiting").hidePopover();
  }
}
