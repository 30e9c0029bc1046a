// What 1987 Channel Tunnel needs of the page beyond the drawing: which buttons stand below the board, and
// what is said while a move is clicked.

import { chip } from "../panels.js";

// On the first screen.
export const card = { name: "1987 Channel Tunnel", minutes: "30 to 45 minutes", picture: "static/games/tunnel_1987.svg" };
export const help = "A placement is two clicks: your discs, then Plan, Tunnel ... on a space (or the other way "
  + "round). Everything else asks for one or two things on the board, or for a button below it.";

export const opens = ["turn", "window"];

const PASS = "button:pass";

// Below the board: what it does not show. On a phone the next thing to tap may be out of sight, so
// there everything but the spaces is offered: first the discs, then what they can do.
export function isOffered(step, board) {
  const [kind] = step.split(":");
  if (kind === "button" || kind === "number") return true;
  return board.isNarrow() && kind !== "space" && (kind !== "option" || board.path.length > 0);
}

export function nameButton(button, step, move, whole, board) {
  const [kind, ...rest] = step.split(":");
  if (kind === "number") button.textContent = rest[0];
  else if (kind === "disc") button.append(chip(rest[1]), countOf(rest, board) || rest[1]);
  else if (kind === "option") button.textContent = move.words.replace(/^\d+ \w+ on /, "");
  else if (step === PASS && board.isNarrow()) button.textContent = "Pass"; // one row holds it beside the discs
  else button.textContent = whole ? move.words : `${move.words.split(":")[0]} ...`;
  if (kind === "number" || kind === "disc" || step === PASS) button.setAttribute("aria-label", whole ? move.words : `${rest[1]} discs`);
}

function countOf([side, colour], board) {
  return parseInt(board.find(`disc:${side}:${colour}`)?.getAttribute("aria-label").replace(/^.*: /, ""), 10);
}

// What to click next, after the clicks so far; "" where the question of the game says it.
export function pathWords(path, next) {
  if (!path.length) return "";
  const [kind, side, colour] = path.at(-1).split(":");
  const [to, toSide] = [...next.keys()][0].split(":");
  if (to === "number") return ""; // the game's own question
  if (kind === "disc" && (to === "option" || to === "space")) return `Now choose where your ${colour} discs go`;
  if (kind === "option" && to === "disc") return "Now choose which discs to place";
  if (kind === "disc" && to === "disc") return toSide === side ? "Now choose the second disc" : "Now choose the disc to take from your rival";
  if (to === "disc") return "Now choose the disc to give";
  return to === "option" ? "Now choose the action" : "Now choose one of the ringed things";
}
