// What a policy thinks: the likely moves, what a search finds, the curve of the game, the review.
// Fills judge, judge-note, hint, curve, review, review-of, review-side, thoughts, budget, look-ahead, found.

import { byId, element } from "../dom.js";
import { askGame } from "./asking.js";
import { isShown, markLogWith, pull, showTab } from "./beside.js";
import { drawCurve, fillThoughts } from "./drawn_thoughts.js";
import { refuse } from "./notice.js";
import { Review, sign } from "./review.js";
import { board } from "./stage.js";
import { heldSeats, isNarrow, on, rivalName, rulesOf, say, SILENT, state } from "./state.js";
import { sayStatus } from "./status.js";
import { goTo } from "./time.js";

let curve = null; // {about, points} of the game shown

function question(extra = {}) {
  const asked = { ply: state.view.ply, judge: byId("judge").value, ...extra };
  if (state.viewer) asked.viewer ??= state.viewer;
  return asked;
}

const point = (path) => board.hint(path);

const has = (view, extra) => view.extras.includes(extra);

// Whose chance every percentage tells: the person's; where the tab holds no seat or several, the chosen side's.
function eyes(view) {
  const own = heldSeats(view);
  const side = own.length === 1 ? own[0] : byId("review-side").value;
  return { side, mine: own.length === 1, name: view.names[side] };
}

// Who may be asked, and whose moves may be reviewed.
function fillJudges() {
  byId("judge").replaceChildren(...rulesOf(state.game).judges.map((name) => new Option(rivalName(name), name)));
}

function fillSides(view) {
  const select = byId("review-side");
  const names = Object.entries(view.names);
  if (names.map(String).join() === [...select.options].map((one) => [one.value, one.text].join()).join()) return;
  const before = select.value;
  select.replaceChildren(...names.map(([seat, name]) => new Option(name, seat)));
  if (view.names[before]) select.value = before;
}

// --- the review -----------------------------------------------------------------------------------

const reviewer = new Review(byId("review"), {
  // Which moves there are, the likeliest faults first, and each of them.
  decisions: (side) => askGame("review", question({ side })),
  weigh: (ply, side, signal) => askGame("weigh", question({ ply, side }), { signal }),
  onPly: lookAt,
  onHint: showBetter,
  onDrawn: (drawn) => board.game.compare?.(board, drawn),
  onMarks: drawMarks,
  onTry: (ply) => say("try", ply, reviewer.side, byId("judge").value),
});

// What was found of a move, in words that do not give the better one away.
export const verdictOn = (found) => reviewer.sentences(found)[0];

markLogWith((ply) => sign(reviewer.found.get(ply)));

function showReview(view) {
  fillSides(view);
  const { side, mine, name } = eyes(view);
  byId("review-of").hidden = mine;
  document.body.classList.toggle("reviewing", isShown("analysis") && view.ply < view.plies);
  reviewer.show(view, [state.key, byId("judge").value, side].join(), { side, mine, name });
}

// A judged decision, and on a phone, where the list stands below the board, the better move on it.
async function lookAt(ply) {
  await goTo(ply);
  if (!isNarrow() || board.game.drawer) return;
  const better = board.board.querySelector(".hinted") ?? board.strip.querySelector(".hinted") ?? board.board;
  better.scrollIntoView({ block: "center", behavior: "instant" });
}

// The better move on the board, and in the line above it: on a phone the review is far below.
function showBetter({ path: targets, words }, mark) {
  board.hint(targets);
  sayStatus(`${mark}. Better: ${words}`);
}

function drawMarks() {
  if (curve) drawCurve(byId("curve"), curve.points, state.view, eyes(state.view), reviewer.found, goTo);
}

// From the first decision on, with the judge's view of every position beside the board; every decision
// of the person is judged meanwhile.
export async function beginReview() {
  await goTo(0);
  const judged = has(state.view, "review");
  showTab(judged ? "analysis" : "log");
  pull(true);
  if (judged) reviewer.start();
}

// --- a position -----------------------------------------------------------------------------------

const aboutOf = (view) => [view.version, view.ply, view.viewer].join();

async function analyse() {
  const view = state.view;
  if (!view) return;
  showReview(view);
  if (!has(view, "analysis")) return;
  noteJudge(view);
  const current = () => state.view && aboutOf(state.view) === aboutOf(view);
  if (!view.can_think) {
    byId("thoughts").replaceChildren(element("p", "note", view.over
      ? "The game is over." : "Only the seat that is to move may be thought for; this tab does not hold it."));
  } else {
    await attempt(byId("thoughts"), async () => {
      const found = await askGame("think", question());
      if (current()) fillThoughts(byId("thoughts"), found, eyes(view), point);
    });
  }
  await attempt(byId("curve"), async () => {
    await curvePoints(view);
    if (current()) drawMarks();
  });
  byId("look-ahead").disabled = byId("hint").disabled = !view.can_think;
}

// The curve of the whole game, asked for once for each version, viewer and judge.
async function curvePoints(view) {
  const about = [state.key, view.version, view.viewer, byId("judge").value].join();
  if (curve?.about === about) return;
  const { points } = await askGame("curve", question({ ply: view.plies }));
  curve = { about, points };
}

// A question to an agent: what takes long says so.
async function attempt(box, work) {
  const slow = setTimeout(() => box.replaceChildren(element("p", "note", "Thinking")), SILENT);
  try {
    await work();
  } catch (error) {
    box.replaceChildren(element("p", "note", error.message));
  } finally {
    clearTimeout(slow);
  }
}

function noteJudge(view) {
  const rules = state.offers.rulesets.find((r) => r.title === view.title);
  byId("judge-note").hidden = !rules?.frozen.includes(byId("judge").value);
  byId("judge-note").textContent = "This policy was trained for other rules and has not adapted to these.";
}

async function searchAhead() {
  const box = byId("found");
  box.replaceChildren(element("p", "note", "Searching"));
  await attempt(box, async () => {
    const found = await askGame("search", question({ milliseconds: Number(byId("budget").value) }));
    fillThoughts(box, found, eyes(state.view), point);
  });
}

export async function hint() {
  if (!state.view?.can_think) return;
  const slow = setTimeout(() => sayStatus("Thinking of a hint"), SILENT);
  try {
    const found = await askGame("think", question());
    board.hint(found.moves[0].path);
    sayStatus(`Hint: ${found.moves[0].words}`);
  } catch (error) {
    refuse(error.message);
  } finally {
    clearTimeout(slow);
  }
}

on("game", fillJudges);
on("view", (view, before) => {
  showReview(view);
  if (before && before.version === view.version && before.ply === view.ply && before.viewer === view.viewer) return;
  byId("found").replaceChildren();
  if (isShown("analysis")) analyse();
});
on("tab", (name) => {
  showReview(state.view);
  if (name === "analysis") analyse();
});
byId("judge").addEventListener("change", analyse);
byId("review-side").addEventListener("change", analyse);
byId("hint").addEventListener("click", hint);
byId("look-ahead").addEventListener("click", searchAhead);
