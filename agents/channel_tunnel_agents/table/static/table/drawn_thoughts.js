// A policy's view: bars for the likely moves, what a search found, and Britain's chance as a curve.

import { capital, element, press, shape, whilePointed } from "../dom.js";

const WIDTH = 236, HEIGHT = 130, LEFT = 48, RIGHT = 10, TOP = 10, BOTTOM = 22; // as wide as a panel that scrolls: letters keep their 12 pixels

export const percent = (share) => `${Math.round(share * 100)} %`;

// Whose chance is told: a side, and how the person reads it.
const chanceOf = (side, chance) => (side === "france" ? 1 - chance : chance); // from Britain's
const whose = ({ side, mine }) => (mine ? "Your" : `${capital(side)}'s`);

export function fillThoughts(box, found, eyes, onPoint) {
  box.replaceChildren();
  const searched = found.moves.some((move) => move.chance !== undefined && move.chance !== null);
  if (found.chance !== undefined) {
    box.append(element("p", "note", `${whose(eyes)} chance to win: ${percent(chanceOf(eyes.side, found.chance))}`));
  }
  if (found.worlds !== undefined) {
    box.append(element("p", "note", found.worlds
      ? `${whose(eyes)} chance after each move, ${found.worlds} worlds each`
      : "The policy sees one move only: nothing to search."));
  }
  const list = element("ol", "bars");
  for (const move of found.moves) {
    const shown = !searched ? move.share : eyes.side === found.side ? move.chance : 1 - move.chance;
    const bar = element("span", `bar ${found.side}`);
    bar.style.width = `${Math.max(1, shown * 100)}%`;
    const words = element("span", "words", move.words, move.best ? " (its choice)" : "");
    const point = () => onPoint(move.path);
    const button = press([words, element("span", "share", percent(shown)), bar], move.best ? "thought best" : "thought", point);
    button.title = "Show on the board";
    whilePointed(button, point, () => onPoint([]));
    list.append(element("li", "", button));
  }
  box.append(list);
}

// eyes: whose chance; judged: decisions that a review has judged, by number.
export function drawCurve(box, points, { plies, ply }, eyes, judged, onPly) {
  box.replaceChildren();
  if (!points.length) {
    box.append(element("p", "note", "Nothing yet: a point is added at each decision that this seat may judge."));
    return;
  }
  const x = (n) => LEFT + ((WIDTH - LEFT - RIGHT) * n) / Math.max(plies, 1);
  const y = (chance) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance);
  const seen = (chance) => chanceOf(eyes.side, chance);
  const last = points.at(-1);
  const label = `${whose(eyes)} chance over the game, ${percent(seen(last[1]))} at decision ${last[0]}`;
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  for (const [chance, label] of [[1, eyes.mine ? "You" : capital(eyes.side)], [0.5, "50 %"], [0, eyes.mine ? "Rival" : capital(eyes.side === "france" ? "britain" : "france")]]) {
    svg.append(shape("line", { class: chance === 0.5 ? "axis mid" : "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: y(chance), y2: y(chance) }));
    svg.append(shape("text", { class: "label", x: LEFT - 4, y: y(chance) + 3, "text-anchor": "end" }, label));
  }
  svg.append(shape("line", { class: "now", x1: x(ply), x2: x(ply), y1: TOP, y2: HEIGHT - BOTTOM }));
  svg.append(shape("polyline", { class: "line", points: points.map(([n, c]) => `${x(n)},${y(seen(c))}`).join(" ") }));
  for (const [n, chance, side] of points) {
    const mark = judged.get(n)?.mark;
    const size = mark ? 4.5 : points.length > 60 ? 1.8 : 2.8;
    const dot = shape("circle", { class: mark ? `fault-dot ${mark}` : `dot ${side}`, cx: x(n), cy: y(seen(chance)), r: size });
    dot.append(shape("title", {}, `Decision ${n} (${capital(side)}): ${percent(seen(chance))}${mark ? `, ${mark}` : ""}`));
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
