// What every key does. Fills keys-dialog.

import { byId } from "../dom.js";
import { hint } from "./analysis.js";
import { focusMoves, showTab, toggleTab, walkMoves } from "./beside.js";
import { closeMenu } from "./menu.js";
import { hideRefusal } from "./notice.js";
import { board, drop, hasExtra, undo } from "./stage.js";
import { back, forth, goTo, run, toEnd } from "./time.js";

export const showKeys = () => byId("keys-dialog").showModal();

function escape() {
  hideRefusal();
  drop();
  closeMenu();
}

function actsOf({ newDialog, replayDialog, openRules }) {
  return {
    n: () => newDialog.show(),
    r: () => replayDialog.show(),
    b: () => { if (hasExtra("rulebook")) openRules(); },
    u: undo,
    h: hint,
    a: () => { if (hasExtra("review")) toggleTab("analysis"); },
    l: () => toggleTab("log"),
    m: () => { showTab("moves"); focusMoves(); },
    "?": showKeys,
    ArrowLeft: back,
    ArrowRight: forth,
    Home: () => goTo(0),
    End: toEnd,
    " ": run,
    Escape: escape,
  };
}

export function wireKeys(opened) {
  const acts = actsOf(opened);
  document.addEventListener("keydown", (event) => onKey(event, acts));
}

function onKey(event, acts) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const field = event.target.closest("input, select, textarea");
  if (field && event.key !== "Escape") return;
  if (event.key === " " && event.target.closest("button, summary, [role=button]")) return;
  if (event.target.closest("[role=tablist]") && event.key.startsWith("Arrow")) return;
  if (event.target.closest("#board") && board.walk(event.key)) return void event.preventDefault();
  if ((event.key === "ArrowDown" || event.key === "ArrowUp") && event.target.closest(".moves, .panel")) {
    walkMoves(event.key === "ArrowDown" ? 1 : -1);
    return void event.preventDefault();
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (board.game.keys?.[key]?.(board)) return void event.preventDefault();
  if (!acts[key]) return;
  event.preventDefault();
  acts[key]();
}
