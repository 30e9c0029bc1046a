// What Eurotunnel Diplomacy needs of the page beyond the drawing: orders are written into a list, changed there or on
// the map until they are sent; the map is moved and zoomed.

import { element, press, whilePointed } from "../dom.js";
import { PanZoom } from "./pan_zoom.js";

export const style = "static/games/eurotunnel.css";
// On the first screen.
export const card = { name: "Eurotunnel Diplomacy", minutes: "an hour or two", picture: "static/games/eurotunnel.svg" };
export const help = "An order is two clicks or more on the map: your unit, then where it goes; or a button such as "
  + "Support, and then the places: the unit that is helped, and where it goes (itself again: it holds). Or type orders, "
  + "such as A PAR - BUR, into the list. What is written "
  + "can be changed until Send (Enter in the list). Drag the map to move it, turn the wheel, pinch, or press + and "
  + "\u2212 to zoom, 0 to see all of it.";
export const drawer = true; // on a phone the orders are a drawer over the map
export const walks = ".target.legal"; // the arrow keys go from choice to choice

const view = new PanZoom({ least: 58, most: 260, largest: 400, all: "Show the whole map", fills: true, cover: () => [...document.querySelectorAll(".side.pulled, .coach:not([hidden])")] });
let typed = false; // what is shown next follows from orders that were typed
let openKey = null; // a question without a place on the map whose answers are listed

const isButton = (step) => step.startsWith("button:");

export function isOffered(step, board) {
  return isButton(step) && (board.path.length > 0 || !isListed(board, step));
}

// Answers that are not about the map stand in the list alone, unless there is nothing else.
const isListed = (board, step) => board.moves.length > 8 && !/draw|Play on/.test(step);

export function nameButton(button, step, move, whole) {
  button.textContent = isButton(step) ? step.replace("button:", "") : move.words;
  if (step.startsWith("button:PERMIT")) button.textContent = move.words;
  button.setAttribute("aria-label", whole ? move.words : button.textContent);
}

// What to click next.
export function pathWords(path, next) {
  if (!path.length) return "";
  const steps = [...next.keys()];
  const [unit] = path, kind = path.findLast(isButton);
  const places = path.slice(path.indexOf(kind) + 1).filter((step) => !isButton(step));
  if (steps.every(isButton)) return path.length > 1 ? "Which coast?" : `${unit}: choose a button`;
  if (kind === "button:Support") return places.length ? `Where does ${places[0]} go, which ${unit} supports? Press it again if it holds` : `${unit} supports which unit?`;
  if (kind === "button:Convoy") return places.length ? `${unit} convoys ${places[0]}: where to?` : `${unit} convoys which army?`;
  if (kind) return `${unit}, ${kind.replace("button:", "").toLowerCase()}: where to?`;
  return `${unit}: where to?`;
}

// --- the map --------------------------------------------------------------------------------------

export function shown(board) {
  const next = board.view?.draft?.rows.find((row) => !row.words) ?? board.view?.draft?.rows[0];
  view.show(board.board, next?.target ? board.find(next.target) : null);
}

export const uncovered = () => view.uncover();

export const seek = (group) => view.bringIntoSight(group);

export function settled(board) {
  view.settle();
  if (document.activeElement !== document.body || !board.playing) return;
  (board.strip.querySelector("button") ?? board.board.querySelector(".legal"))?.focus({ preventScroll: true });
}

// A province is marked by its outline, above the land and the orders, and below what a lesson shows; names and units keep their colours.
export function frame(board, group, kind) {
  const map = board.board.querySelector("svg.map");
  const ring = group.querySelector("path").cloneNode();
  ring.setAttribute("class", `ring ${kind}`);
  ring.removeAttribute("style");
  map.insertBefore(ring, map.querySelector(":scope > :is(.ring.shown, .code, .sea-code)"));
}

// Orders that were judged and those that may be better, in place of the last ones; with a key.
export function compare(board, { shapes, key }) {
  const box = board.board.querySelector(".view");
  box.querySelector(".last-orders, .compared").outerHTML = shapes;
  box.querySelector(".key")?.remove();
  box.insertAdjacentHTML("beforeend", key);
  view.focus = box.querySelector(".compared .other:not(:empty)") ?? box.querySelector(".compared");
  view.settle();
}

export const isLike = (one, other) => !isButton(one) && !isButton(other);

// A province, its name and who owns it, above what the signs mean.
export const describe = (group, rule) => ({ ...rule, title: group.getAttribute("aria-label") });

export const buttons = (board) => (board.view.draft && !(board.path.length && board.canCancel()) ? [sendButton(board)] : []);

// It is the main action once nothing is left to write.
function sendButton(board) {
  const { rows, missing, more, chosen } = board.view.draft;
  const due = rows.length ? "" : more; // permissions may always be left as they are
  const open = rows.filter((row) => !row.words && row.usual);
  const button = press("", missing.length || open.length || due ? "send" : "main send", board.onSend);
  button.dataset.target = "send"; // for a lesson
  button.disabled = missing.length > 0;
  button.title = missing.length ? `still asked: ${missing.join(", ")}` : open.length ? `${open.length} as they are: ${open.map((row) => row.usual).join(", ")}` : "";
  const votes = rows.every((row) => row.key === "vote");
  button.textContent = missing.length ? `Send: ${missing.length} still asked` : due ? (chosen.length ? `Send: ${parseInt(due, 10)} more could be built` : "Send no orders") : open.length && !votes ? `Send: ${open.length} stay where they are` : "Send";
  return button;
}

// Until everybody has sent.
const takeBackButton = (board) => press("Take back and change", "", board.onUndo);

// How much is written, where the list is folded.
export function movesTitle({ draft }) {
  if (!draft?.rows.length) return "Orders";
  return `Orders ${draft.rows.filter((row) => row.words).length}/${draft.rows.length}`;
}

// --- the list -------------------------------------------------------------------------------------

const SIGNS = { A: "army", F: "fleet", "-": "moves to", H: "holds: it stays", S: "supports", C: "takes an army over the sea", BT: "digs a tunnel to", "~": "goes through a tunnel to", R: "retreats to", D: "disbands" };

// What the signs in the written lines mean, one line below them.
function legend({ rows }) {
  const used = new Set(rows.flatMap(({ words, title }) => (words || title).split(" ")));
  return element("p", "note", Object.entries(SIGNS).filter(([sign]) => used.has(sign)).map((pair) => pair.join(" ")).join(" \u00b7 "));
}

export function fillDraft(panel, board) {
  if (board.asksAnew) openKey = null;
  const { draft, may_play: mayWrite } = board.view;
  panel.replaceChildren(element("h2", "", draft.sent ? "Sent: waiting for the others" : "Written, not yet sent"));
  const rows = draft.rows.map((row) => draftRow(row, panel, board, mayWrite));
  const next = rows.find((_, i) => !draft.rows[i].words) ?? rows[0];
  next?.querySelector("button").classList.add("next");
  panel.append(element("ul", "moves written", ...rows, ...draft.chosen.map((choice) => chosenRow(choice, board, mayWrite))));
  if (draft.rows.length) panel.append(legend(draft));
  if (draft.sent && draft.can_undo) panel.append(element("p", "row end", takeBackButton(board)));
  if (!mayWrite) return;
  panel.append(linesForm(board), element("div", "options"));
  narrow(panel, board);
  typed = false;
}

// Orders as text; lines that were refused stay, to be mended.
function linesForm(board) {
  const field = element("input", typed ? "next" : ""), form = element("form", "lines", field);
  field.name = "lines";
  field.maxLength = 4000;
  field.autocomplete = "off";
  field.placeholder = "or type: A PAR - BUR";
  field.setAttribute("aria-label", "Orders, parted by commas");
  field.value = (board.view.unread ?? []).map(({ line }) => line).join(", ");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!field.value.trim()) return;
    typed = true;
    board.onLines(field.value);
  });
  return form;
}

function draftRow(row, panel, board, mayWrite) {
  const words = row.words || (row.usual ? `${row.title}: nothing written` : `${row.title}: still asked`);
  const button = press(element("span", "", words), `move${row.words ? "" : " open"}`, () => choose(row, panel, board));
  button.dataset.key = row.key;
  button.disabled = !mayWrite;
  return element("li", "", button, row.words && mayWrite ? away(`Take back ${row.words}`, () => board.onWrite(row.key, "", false)) : null);
}

function chosenRow(choice, board, mayWrite) {
  const words = element("span", "move chosen-one", choice.words);
  return element("li", "", words, mayWrite ? away(`Take back: ${choice.words}`, () => board.onWrite("", choice.action, false)) : null);
}

function away(words, act) {
  const button = press("\u2715", "away", act);
  button.setAttribute("aria-label", words);
  return button;
}

function choose(row, panel, board) {
  openKey = row.key;
  board.choose(row.target);
  panel.querySelector(".options .move")?.focus({ preventScroll: true });
}

// Below the list: the answers to the question that is open, as far as the clicks lead to them.
export function narrow(panel, board) {
  const box = panel.querySelector(".options");
  if (!box) return;
  const { path } = board, { draft } = board.view;
  const row = draft.rows.find((one) => (path.length ? one.target === path[0] : one.key === openKey && !one.target));
  for (const button of panel.querySelectorAll(".written .move")) button.classList.toggle("chosen-row", Boolean(row) && button.dataset.key === row.key);
  const fits = (move) => move.asked === (row?.key ?? "") && move.paths.some((steps) => path.every((step, i) => steps[i] === step));
  const moves = board.moves.filter((move) => (row || draft.more) && fits(move));
  box.replaceChildren();
  if (moves.length) box.append(element("h2", "", row ? row.title : draft.more), element("ul", "moves pairs", ...moves.map((move) => option(move, board))));
}

function option(move, board) {
  const button = press(element("span", "", move.words), "move", () => board.take(move));
  button.dataset.action = move.action;
  whilePointed(button, () => board.hint(move.paths[0].filter((step) => !isButton(step))), () => board.hint([]));
  return element("li", "", button);
}

// Keys of this game; true: dealt with.
export const { keys } = view;
