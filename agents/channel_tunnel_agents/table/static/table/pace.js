// How fast a rival's turn and a replay go by; kept in this browser. Fills pace.

import { byId } from "../dom.js";
import { say, STILL } from "./state.js";

const KEPT = "pace", AT_ONCE = "0", USUAL = "1";

const choice = byId("pace");
choice.value = localStorage.getItem(KEPT) ?? (STILL ? AT_ONCE : USUAL);
if (!choice.value) choice.value = USUAL;
choice.addEventListener("change", () => {
  localStorage.setItem(KEPT, choice.value);
  say("running");
});

// By what a pause is multiplied; 0: there is none.
export const pace = () => Number(choice.value);
