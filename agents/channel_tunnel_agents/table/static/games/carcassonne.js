// What Carcassonne needs of the page beyond the drawing: the tile is turned before it is laid, and the table,
// which grows, is moved and zoomed.

import { element, press, withKey } from "../dom.js";
import { PanZoom } from "./pan_zoom.js";

export const style = "static/games/carcassonne.css";
// On the first screen.
export const card = { name: "Carcassonne with The Tunnel", minutes: "30 to 60 minutes", picture: "static/games/carcassonne.svg" };
export const help = "A turn is up to four clicks: a place for the tile; the tile itself or Turn (T), until it lies "
  + "as you like, then Lay it (Enter); a follower on one of its pieces, or none; a tunnel mouth, or no token. Drag "
  + "the table to move it, turn the wheel, pinch, or press + and \u2212 to zoom, 0 to see all of it.";
export const opens = ["cell"];
export const walks = ".target.legal"; // the arrow keys go from choice to choice

const MOUTHS = 140; // pixels of a tile whose mouths, three at most beside each other, are 40 wide: a thumb has room
const view = new PanZoom({ least: 40, most: 190, largest: 130, all: "Show all tiles", fills: true, onLook: drawRulers });
let rotations = []; // the targets of the tile's rotations that fit
let shownRotation = 0;
let byKeyboard = false; // how the page was used last
document.addEventListener("keydown", () => { byKeyboard = true; }, true);
document.addEventListener("pointerdown", () => { byKeyboard = false; }, true);

const isRotation = (step) => step.startsWith("rotate ");
const isClaim = (step) => step.startsWith("claim ");

export const seek = (group) => view.bringIntoSight(group);

// A turn that was judged and the one that may be better, above the tiles; with a key.
export function compare(board, { shapes, key }) {
  const box = board.board.querySelector(".view");
  box.querySelector(".tiles .compared")?.remove();
  box.querySelector(".key")?.remove();
  box.querySelector(".tiles").insertAdjacentHTML("beforeend", shapes);
  box.insertAdjacentHTML("beforeend", key);
  view.bringIntoSight(box.querySelector(".tiles .other"));
}

export function isOffered(step, board) {
  if (isRotation(step)) return step === rotations[shownRotation];
  return step.startsWith("button:") || (board.isNarrow() && !step.startsWith("cell ") && !isClaim(step));
}

export function nameButton(button, step, move, whole, board) {
  if (isRotation(step)) button.classList.add("main");
  const chosen = board.path.length && board.find(board.path[0]).getAttribute("aria-label"); // the mouth is known: one row holds what is left to say
  const words = chosen ? move.words.replace(new RegExp(`( on| to|:) ${chosen}(?= to|$)`), "") : move.words;
  button.replaceChildren(...(isRotation(step) ? withKey("Lay it", "Enter") : [whole ? words : words.replace(/^First token/, "A token")])); // a mouth may serve several moves
  if (chosen) button.setAttribute("aria-label", move.words);
}

export function pathWords(path) {
  return path.length ? "Which token?" : "";
}

// More buttons below the board while the tile is turned.
export function buttons(board) {
  if (!rotations.length || !board.playing) return [];
  const another = press(withKey("Another place", "Esc"), "quiet", board.onUndo);
  if (rotations.length < 2) return [another];
  const turns = press(withKey("Turn", "T"), "", () => turn(board));
  turns.dataset.target = rotations.toSpliced(shownRotation, 1).join(" or "); // a lesson that asks for one of these marks it
  return [turns, another];
}

export function shown(board) {
  keepLight(board);
  rotations = board.moves.map((move) => move.action).filter(isRotation);
  shownRotation = 0;
  showRotation(board);
  markNewest(board.board);
  // On a phone a follower is placed by tapping its piece, a token by tapping a mouth: these are shown large meanwhile.
  const steps = board.isNarrow() ? board.moves.flatMap((move) => move.paths.map(([step]) => step)) : [];
  const mouth = steps.findLast((step) => step.startsWith("mouth "));
  const focus = mouth ? board.find(mouth) : focusOf(board);
  view.show(board.board, focus);
  view.closeUp(mouth || steps.some(isClaim) ? focus : null, mouth ? MOUTHS : undefined);
}

// What comes in after a rival's turn: the tile slides, then the follower on it steps down.
function markNewest(board) {
  [...board.querySelectorAll(".tiles > [data-tile]")].at(-1)?.classList.add("newest");
  const box = board.querySelector(".tiles .last")?.getBoundingClientRect();
  for (const part of box ? board.querySelectorAll(".tiles > :is([class^='seat'], .lying)") : []) {
    const { x, y, width, height } = part.getBoundingClientRect();
    const [dx, dy] = [x + width / 2 - box.x, y + height / 2 - box.y];
    if (dx > 0 && dy > 0 && dx < box.width && dy < box.height) part.classList.add("stepped");
  }
}

// What was completed is lit for a moment, also where the next decision draws the table anew meanwhile.
const LIT = 2600; // milliseconds; as in carcassonne.css
let lights = []; // {light, since}
let litAt = {}; // the game, and how far it was, when they were drawn

function keepLight({ board, view }) {
  const now = performance.now(), old = lights, shown = { game: location.hash, ply: view.ply };
  const goesOn = shown.game === litAt.game && shown.ply >= litAt.ply;
  litAt = shown;
  const isSame = (one, other) => one.innerHTML === other.innerHTML;
  lights = [...board.querySelectorAll(".lit")].map((light) => (
    { light, since: old.find((one) => isSame(one.light, light))?.since ?? now }
  ));
  for (const one of goesOn ? old : []) {
    if (now - one.since >= LIT || lights.some(({ light }) => isSame(light, one.light))) continue;
    board.querySelector(".tiles").append(one.light);
    lights.push(one);
  }
  for (const { light, since } of lights) {
    light.style.animationDelay = `${since - now}ms`;
    setTimeout(() => light.remove(), since + LIT - now);
  }
}

// Where the eye should be: the tile that is turned or was laid just now.
function focusOf(board) {
  return board.find(rotations[0] ?? "") ?? board.board.querySelector(".tiles .last");
}

function showRotation(board) {
  for (const [i, name] of rotations.entries()) board.find(name).classList.toggle("aside", i !== shownRotation);
}

function turn(board) {
  shownRotation = (shownRotation + 1) % rotations.length;
  const words = document.activeElement.textContent;
  showRotation(board);
  board.goOn();
  const again = [...board.strip.children].find((child) => child.textContent === words);
  if (byKeyboard) (again ?? board.strip.querySelector("button.main")).focus({ preventScroll: true });
}

// Along two edges of the table: how far columns and rows are from the start tile, in the words of the list of moves.
const TILE = 100, ROOM = 56; // units of a tile; pixels of one in which a whole word has room

function drawRulers(box, { x, y, scale }) {
  let ruler = box.querySelector(".ruler");
  if (!ruler) {
    ruler = element("div", "ruler");
    ruler.setAttribute("aria-hidden", "true");
    box.append(ruler);
  }
  const words = (n, [less, more]) => {
    const way = n < 0 ? less : more;
    return n ? `${Math.abs(n)} ${scale * TILE < ROOM ? way[0].toUpperCase() : way}` : "start";
  };
  const along = (from, long, style, ways, edge) => {
    const first = Math.ceil((from + 30 / scale) / TILE - 0.5), last = Math.floor((from + long / scale) / TILE - 0.5);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
      const mark = element("span", style, words(first + i, ways));
      mark.style[edge] = `${((first + i + 0.5) * TILE - from) * scale}px`;
      return mark;
    });
  };
  ruler.replaceChildren(
    ...along(x, box.clientWidth, "across", ["west", "east"], "left"),
    ...along(y, box.clientHeight, "down", ["north", "south"], "top"),
  );
}

// A click on the tile that is not laid yet turns it; Enter lays it.
export function tapped(target, board, key) {
  if (!isRotation(target) || rotations.length < 2 || key === "Enter") return false;
  turn(board);
  return true;
}

// The keyboard goes on where there is something to choose.
export function settled(board, inside) {
  view.settle();
  const active = document.activeElement;
  const lost = active === document.body || (inside && !active.closest(".legal, #strip"));
  if (!lost || !board.playing || !byKeyboard) return;
  const lay = board.strip.querySelector("button.main");
  (lay ?? board.board.querySelector(".legal") ?? board.strip.querySelector("button"))?.focus({ preventScroll: true });
}

const lay = (board) => {
  if (!rotations.length || !board.playing || document.activeElement.closest("#strip, .panel, .bar, .side")) return false;
  board.step(rotations[shownRotation]);
  return true;
};

// Keys of this game; true: dealt with.
export const keys = {
  t: (board) => rotations.length > 1 && board.playing && (turn(board), true),
  Enter: lay,
  Escape: (board) => rotations.length > 0 && board.playing && (board.onUndo(), true),
  ...view.keys,
};
