// A policy's view: bars for the likely moves, what a search found, and Britain's chance as a curve.

import { capital, element } from "./panels.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 250, HEIGHT = 130, LEFT = 48, RIGHT = 10, TOP = 10, BOTTOM = 22;

export const percent = (share) => `${Math.round(share * 100)} %`;

export function fillThoughts(box, found, { onMove, onPoint, legal }) {
  box.replaceChildren();
  const searched = found.moves.some((move) => move.chance !== undefined && move.chance !== null);
  if (found.chance !== undefined) {
    box.append(element("p", "note", `Britain's chance to win: ${percent(found.chance)}`));
  }
  if (found.worlds !== undefined) {
    box.append(element("p", "note", found.worlds
      ? `${capital(found.side)}'s chance after each move, ${found.worlds} worlds each`
      : "The policy sees one move only: nothing to search."));
  }
  const list = element("ol", "bars");
  for (const move of found.moves) {
    const shown = searched ? move.chance : move.share;
    const bar = element("span", `bar ${found.side}`);
    bar.style.width = `${Math.max(1, shown * 100)}%`;
    const button = element("button", move.best ? "thought best" : "thought",
      element("span", "words", move.words, move.best ? " (its choice)" : ""),
      element("span", "share", percent(shown)), bar);
    button.type = "button";
    button.title = "Show on the board";
    button.addEventListener("click", () => (legal(move.action) && button.dataset.armed ? onMove(move.action) : onPoint(move.path)));
    button.addEventListener("pointerenter", () => onPoint(move.path));
    button.addEventListener("pointerleave", () => onPoint([]));
    button.addEventListener("focus", () => onPoint(move.path));
    button.addEventListener("blur", () => onPoint([]));
    list.append(element("li", "", button));
  }
  box.append(list);
}

function shape(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

export function drawCurve(box, points, plies, ply, onPly) {
  box.replaceChildren();
  if (!points.length) {
    box.append(element("p", "note", "Nothing yet: a point is added at each decision that this seat may judge."));
    return;
  }
  const x = (n) => LEFT + ((WIDTH - LEFT - RIGHT) * n) / Math.max(plies, 1);
  const y = (chance) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance);
  const last = points.at(-1);
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  svg.setAttribute("aria-label", `Britain's chance over the game, ${percent(last[1])} at decision ${last[0]}`);
  for (const [chance, label] of [[1, "Britain"], [0.5, "50 %"], [0, "France"]]) {
    svg.append(shape("line", { class: chance === 0.5 ? "axis mid" : "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: y(chance), y2: y(chance) }));
    svg.append(shape("text", { class: "label", x: LEFT - 4, y: y(chance) + 3, "text-anchor": "end" }, label));
  }
  svg.append(shape("line", { class: "now", x1: x(ply), x2: x(ply), y1: TOP, y2: HEIGHT - BOTTOM }));
  svg.append(shape("polyline", { class: "line", points: points.map(([n, c]) => `${x(n)},${y(c)}`).join(" ") }));
  for (const [n, chance, side] of points) {
    const dot = shape("circle", { class: `dot ${side}`, cx: x(n), cy: y(chance), r: points.length > 60 ? 1.8 : 2.8 });
    dot.append(shape("title", {}, `Decision ${n} (${capital(side)}): Britain ${percent(chance)}`));
    svg.append(dot);
  }
  svg.append(shape("text", { class: "label", x: LEFT, y: HEIGHT - 6 }, "decision 0"));
  svg.append(shape("text", { class: "label", x: WIDTH - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }, String(plies)));
  svg.addEventListener("click", (event) => {
    const place = svg.getBoundingClientRect();
    const share = ((event.clientX - place.left) / place.width) * WIDTH;
    const n = Math.round(((share - LEFT) / (WIDTH - LEFT - RIGHT)) * plies);
    onPly(Math.min(plies, Math.max(0, n)));
  });
  box.append(svg);
}
