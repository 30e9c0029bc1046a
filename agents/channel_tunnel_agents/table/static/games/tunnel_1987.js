// What 1987 Channel Tunnel needs of the page beyond the drawing: which buttons stand below the board, and
// what is said while a move is clicked.

import { chip } from "../panels.js";

// On the first screen.
export const card = { name: "1987 Channel Tunnel", minutes: "30 to 45 minutes", picture: "static/games/tunnel_1987.svg" };
export const help = "A placement is two clicks: your discs, then Plan, Tunnel ... on a space (or the other way "
  + "round). Everything else asks for one or two things on the board, or for a button below it.";

export const opens = ["turn", "window"];

const MOTION = 450; // milliseconds of a stack from a rival's hand to its space
let stacks = {}; // space -> what lay there in the drawing before

export function shown(board) {
  const before = stacks;
  stacks = Object.fromEntries([...board.board.querySelectorAll("[data-target^='space:']")].map((space) => [space.dataset.target, space.getAttribute("aria-label")]));
  if (!board.board.classList.contains("arrived")) return;
  for (const [space, label] of Object.entries(stacks)) {
    const discs = before[space] && before[space] !== label ? board.find(space).querySelector(":scope > g:not([data-target]):has(> circle)") : null;
    const from = discs && board.find(`disc:${board.view.log.at(-1).side}:${discs.firstElementChild.classList[0]}`);
    if (from) slide(discs, from);
  }
}

// A drawn thing comes from where another one is.
function slide(thing, from) {
  const here = thing.getBoundingClientRect(), there = from.getBoundingClientRect(), { a: scale } = thing.ownerSVGElement.getScreenCTM();
  const way = `${(there.x - here.x) / scale}px ${(there.y - here.y) / scale}px`;
  thing.animate({ translate: [way, "0 0"] }, { duration: MOTION, easing: "ease-in-out", id: "stack" });
}

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
