// The table: which game this tab shows, whose seats it holds, what is on the screen and what happens next.
//
// Address: #game=KEY (with &seats=side.secret,... from an invitation), #record=FILE&line=3&ply=57.

import { ask, Refused } from "./api.js";
import { drawCurve, fillThoughts } from "./analysis.js";
import { Review, sign } from "./review.js";
import { Coach } from "./coach.js";
import { News } from "./news.js";
import { BoardClicks } from "./board.js";
import { Rulebook } from "./rulebook.js";
import { NewDialog, ReplayDialog } from "./dialogs.js";
import { capital, fillLog, fillMoves, narrowMoves, scoreTable, seatName, showRule, element } from "./panels.js";

const NARROW = 700; // pixels: below, the board stands in one column
const STILL = matchMedia("(prefers-reduced-motion: reduce)").matches; // nothing is slowed down to be watched
const PACE = STILL ? 0 : 400; // milliseconds between an agent's decisions ...
const SLOWLY = STILL ? 0 : 1100; // ... and of one that a person plays against
const REPLAY_PACE = STILL ? 0 : 700;
const POLL = 1500; // milliseconds between looks at another person's seat
const RETRY = 2000; // milliseconds between tries to reach the server again
const LONG = 8000; // milliseconds of an agent's thinking after which another rival is offered
const SILENT = 500; // milliseconds of thinking that are not mentioned
const AGENT_FAILED = [409, 502, 504]; // it cannot play here, failed, or did not answer in time
const PERSON = "person";

const byId = (id) => document.getElementById(id);

const state = {
  key: null, // of the game shown
  game: null, // whose module is in use
  tokens: {}, // side or "host" -> secret
  view: null,
  ply: null, // looked back to; null: now
  viewer: "", // whose eyes; "": the tab's own
  curtain: false,
  seenBy: null, // side that the curtain was last lifted for
  running: true, // a watched game or a replay plays
  failed: false, // an agent has; it is asked again when the person wants it, or once the game has changed
  timer: null,
  busy: false,
  thinking: null, // AbortController of the question to an agent
  looks: 0, // asked for; only the newest is shown
  rules: {},
};

let board, newDialog, replayDialog, rulebook, coach, news, reviewer, offers;

// --- talking to the server ------------------------------------------------------------------------

const isNarrow = () => window.innerWidth < NARROW;
const layout = () => (isNarrow() ? "phone" : "table");

function query(extra = {}) {
  const words = { layout: layout(), ...extra };
  if (state.viewer) words.viewer = state.viewer;
  return new URLSearchParams(words).toString();
}

const isWatched = (view) => view.replay || !Object.values(view.seats).includes(PERSON);

// Whether agents go on by themselves: against a person always, in a watched game until it is paused.
const agentsGoOn = (view) => !state.failed && (state.running || !isWatched(view));

const path = (name, extra) => `games/${state.key}${name ? `/${name}` : ""}?${query(extra)}`;

async function look() {
  const extra = state.ply === null ? {} : { ply: state.ply };
  await showNewest(() => ask(path("", extra), undefined, state.tokens));
}

// Show what the newest look finds: answers may come out of order, and an older one would undo a newer.
async function showNewest(find) {
  const number = ++state.looks;
  const view = await find();
  if (number === state.looks && view.svg) await render(view);
}

// Change the game; a stale page is refreshed, every refusal is shown. Whatever is wished while an agent
// thinks comes first: its answer would be one to a game that has gone on.
async function change(name, body) {
  if (state.busy) {
    if (!state.thinking || name === "step") return;
    state.thinking.abort();
  }
  state.busy = true;
  clearTimeout(state.timer);
  const asked = name === "step" ? new AbortController() : null;
  state.thinking = asked;
  if (asked) showStatus();
  const long = asked && setTimeout(() => offerRival(`${state.view.in_phases ? "An agent" : seatName(state.view, state.view.to_play)} has been thinking for ${LONG / 1000} seconds.`, true), LONG);
  try {
    const answer = await ask(path(name), { version: state.view.version, ...body }, state.tokens, asked?.signal);
    state.thinking = null;
    if (name === "step" && state.ply !== null) await look(); // who looks back goes on looking back
    else await showNewest(() => answer);
    if (answer.unread?.length) refuse(answer.unread.map(({ line, why }) => `${line}: ${why}`).join("; "));
  } catch (error) {
    if (asked?.signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    await showRefusal(name, error);
  } finally {
    clearTimeout(long);
    if (!asked?.signal.aborted) {
      state.busy = false;
      state.thinking = null;
      schedule();
    }
  }
}

async function showRefusal(name, error) {
  if (error.status === 0) return void loseTouch(error);
  const before = state.view.version;
  if (error.status === 409) await look().catch(() => {});
  if (state.view.version !== before) return; // the page was stale, and is not any more
  if (name === "step") {
    state.failed = true;
    state.thinking = null;
    showStatus();
  }
  if (name === "step" && AGENT_FAILED.includes(error.status)) offerRival(error.message);
  else refuse(error.message);
}

// An agent fails or takes long: ask it again, if it does not think still, or play against another one.
function offerRival(words, thinks = false) {
  const seat = seatOfAgent(words), holder = state.view.seats[seat];
  if (!holder || holder === PERSON) return;
  state.rivalSeat = seat;
  refuse(words);
  const select = byId("rival-name");
  const rules = offers.rulesets.find((r) => r.game === state.view.game);
  const others = rules.agents.filter((name) => name !== holder);
  select.replaceChildren(...others.map((name) => new Option(rivalName(name), name)));
  const usual = rules.levels.find((level) => level.name === "Player")?.agent;
  if (others.includes(usual)) select.value = usual;
  byId("rival-seat").textContent = `${seatName(state.view, seat)} played by`;
  byId("try-again").hidden = thinks;
  byId("rival").hidden = false;
}

// The seat of an agent that fails: the one to play; of many that answer a phase the first that the words name.
function seatOfAgent(words) {
  const { in_phases: inPhases, seats, to_play: toPlay } = state.view;
  if (!inPhases) return toPlay;
  const agents = Object.keys(seats).filter((seat) => seats[seat] !== PERSON);
  return agents.find((seat) => words.includes(`'${seats[seat]}'`)) ?? agents[0];
}

function takeRival() {
  state.failed = false;
  change("rival", { side: state.rivalSeat, agent: byId("rival-name").value });
}

function tryAgain() {
  hideRefusal();
  state.failed = false;
  change("step", {});
}

// --- the game's own part of the page -------------------------------------------------------------

// Load what a game adds to the page: its module, and its style if it has one.
async function use(game) {
  board.game = await import(`./games/${game}.js`);
  state.game = game;
  document.querySelector("#menu .lesson").dataset.game = game;
  coach?.name();
  byId("how-to-click").textContent = board.game.help;
  const { style } = board.game;
  if (style && !document.querySelector(`link[href="${style}"]`)) {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: style });
    const loaded = new Promise((resolve) => { link.onload = link.onerror = resolve; });
    document.head.append(link);
    await loaded;
  }
}

// --- entering a game ------------------------------------------------------------------------------

async function enter(key, tokens, { ply = null, curtain = false } = {}) {
  Object.assign(state, {
    key, tokens, ply, curtain, viewer: "", seenBy: null, running: !key.startsWith("r"), failed: false, view: null,
  });
  if (!key.startsWith("r")) {
    sessionStorage.setItem(`game:${key}`, JSON.stringify({ tokens, curtain }));
    setAddress(`game=${key}`);
  }
  byId("found").replaceChildren();
  state.rules = await ask(path("rules"), undefined, tokens);
  await look();
  if (state.view.replay) showTab("log");
  else showTab("moves");
}

function setAddress(words) {
  history.replaceState(null, "", `#${words}`);
}

async function start({ fork, body, curtain }) {
  const founded = fork
    ? await ask(`games/${state.key}/fork`, body, state.tokens)
    : await ask("games", body);
  await enter(founded.key, founded.tokens, { curtain });
}

async function openRecord(body, ply = 0) {
  const opened = await ask("records", body);
  if (body.file) setAddress(`record=${encodeURIComponent(body.file)}&line=${opened.line}&ply=${ply}`);
  await enter(opened.key, {}, { ply });
  state.recordFile = body.file ?? null;
  state.recordLine = opened.line;
}

// What the address asks for; true if it named something.
async function followAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const whole = (name) => (words.has(name) && /^\d+$/.test(words.get(name)) ? Number(words.get(name)) : undefined);
  if (words.has("record")) {
    const body = { file: words.get("record") };
    if (whole("line")) body.line = whole("line");
    await openRecord(body, whole("ply") ?? 0);
    return true;
  }
  if (!words.has("game")) return false;
  const key = words.get("game");
  const kept = JSON.parse(sessionStorage.getItem(`game:${key}`) ?? "{}");
  const tokens = { ...(kept.tokens ?? {}) };
  for (const seat of (words.get("seats") ?? "").split(",").filter(Boolean)) {
    const [side, secret] = seat.split(".");
    tokens[side] = secret;
  }
  await enter(key, tokens, { curtain: kept.curtain ?? false });
  return true;
}

// --- what is on the screen ------------------------------------------------------------------------

async function render(view) {
  if (view.game !== state.game) await use(view.game);
  const before = state.view;
  state.view = view;
  if (view.ply === view.plies && !view.replay) state.ply = null;
  if (before?.version !== view.version) state.failed = false;
  hideRefusal();
  if (needsCurtain(view)) drawCurtain(view);
  board.view = view;
  board.show(view.svg, view.moves, view.may_play);
  showStatus();
  const inMoves = byId("moves").contains(document.activeElement);
  fillAnswers(view);
  if (inMoves) (byId("moves").querySelector("input.next") ?? byId("moves").querySelector(".next, .move") ?? byId("moves")).focus({ preventScroll: true });
  if (view.scores) byId("moves").append(scoreTable(view));
  if (!byId("log").hidden) fillLog(byId("log"), view, goTo, markOf);
  fillViewers(view);
  fillTime(view);
  fillMenu(view);
  fillAbout(view);
  news.show(state.key, view);
  Object.assign(coach, { key: state.key, of: state.game });
  coach.show(view);
  showReview(view);
  if (before && before.version !== view.version && view.over && state.ply === null && !view.replay) showEnd(view);
  if (!before || before.version !== view.version || before.ply !== view.ply || before.viewer !== view.viewer) {
    byId("found").replaceChildren();
    if (!byId("analysis").hidden) analyse();
  }
  schedule();
}

// The moves; in a game of phases what is written, and the answers to what is asked.
function fillAnswers(view) {
  if (view.in_phases && view.draft) board.game.fillDraft(byId("moves"), board);
  else fillMoves(byId("moves"), view, play, (target) => board.hint(target));
}

function showStatus() {
  const { view } = state, words = statusWords(view);
  document.title = `${words} · Channel Tunnel`;
  byId("status").textContent = words;
  byId("status").className = `status ${view.over ? "over" : view.may_play ? "yours" : ""} ${view.to_play ?? ""}`;
}

function statusWords(view) {
  if (view.over) return view.question;
  if (view.in_phases) return phaseWords(view);
  const side = seatName(view, view.to_play);
  if (view.replay) return `Replay: ${side} to decide. ${view.question}`;
  if (view.ply < view.plies) return `Looking back at decision ${view.ply} of ${view.plies}: ${side} to decide`;
  if (view.may_play) {
    const other = view.held.filter((who) => who !== "host").length > 1;
    return `${other ? side : `You are ${side}`}: ${view.question}`;
  }
  if (!view.waits_for_agent) return `Waiting for ${side}`;
  const agent = `${side} (${rivalName(view.seats[view.to_play])})`;
  if (isThinking(view)) return `${agent} is thinking`;
  return isWatched(view) && !state.failed ? `Paused: ${agent} is to move` : `Waiting for ${agent}`;
}

// Whether this tab has asked an agent, or is about to.
const isThinking = (view) => view.held.includes("host") && (state.thinking !== null || agentsGoOn(view));

function phaseWords(view) {
  if (view.replay) return `Replay: ${view.question}`;
  if (view.ply < view.plies) return `Looking back: ${view.question}`;
  if (view.may_play) return `${heldSeats(view).length > 1 ? "" : "You are "}${seatName(view, view.viewer)}. ${view.question}`;
  if (!view.waits_for_agent) return `${view.question}. Waiting for the others`;
  if (isThinking(view)) return `${view.question}. The others write`;
  return isWatched(view) && !state.failed ? `Paused: ${view.question}` : `${view.question}. Waiting for the others`;
}

// An agent by the name of its level, as the first screen calls it.
const rivalName = (agent) => offers.levels.find((level) => level.agent === agent)?.name ?? agent;

// The round, and the rules if they are not the usual ones.
function fillAbout(view) {
  const usual = offers.rulesets.find((r) => r.name === offers.first)?.title === view.title;
  const when = view.in_phases ? "" : `${capital(view.clock)} ${view.round}`; // the line above the map says it
  byId("about").textContent = `${when}${usual ? "" : ` \u00b7 ${view.title}`}`;
  byId("about").title = view.title;
}

function fillViewers(view) {
  const names = { all: "everything", public: "everybody", ...view.names };
  const select = byId("viewer");
  select.replaceChildren(...view.viewers.map((name) => {
    const made = document.createElement("option");
    made.value = name;
    made.textContent = names[name];
    return made;
  }));
  const follows = heldSeats(view).length > 1;
  if (follows) select.prepend(new Option("who is to move", ""));
  select.value = follows ? state.viewer : view.viewer;
  select.disabled = view.viewers.length < 2;
}

function fillTime(view) {
  const watched = isWatched(view);
  byId("time").hidden = !view.plies && !watched;
  const slider = byId("slider");
  slider.max = view.plies;
  slider.value = view.ply;
  slider.setAttribute("aria-valuetext", `decision ${view.ply} of ${view.plies}`);
  byId("where").textContent = `${view.ply} / ${view.plies}`;
  byId("first").disabled = byId("back").disabled = view.ply === 0;
  byId("last").disabled = view.ply === view.plies;
  const byAgents = view.waits_for_agent && !view.over;
  byId("forth").disabled = view.ply === view.plies && !byAgents;
  byId("run").hidden = !watched;
  byId("run").disabled = view.ply === view.plies && !byAgents;
  const plays = state.running && !state.failed && !byId("run").disabled;
  byId("run").textContent = plays ? "Pause" : "Play";
  byId("run").setAttribute("aria-label", plays ? "Pause" : "Play");
}

function fillMenu(view) {
  const host = view.held.includes("host");
  const shown = view.over || view.open;
  byId("undo").disabled = !view.draft?.can_undo && (!host || !view.plies);
  byId("restart").disabled = !host || !view.plies;
  byId("lay-open").disabled = !host || shown;
  byId("save-record").disabled = !(shown || view.replay);
  byId("save-record").title = byId("save-record").disabled ? "once the game is over or the table laid open" : "";
  byId("save-position").disabled = view.viewer === "public";
  byId("fork").disabled = view.viewer === "public" || view.over;
  showExtras(view);
  const invited = otherSeats(view);
  byId("invite").hidden = !invited.length;
  if (invited.length) byId("invite").textContent = `Copy link to ${seatName(view, invited[0])}'s seat`;
}

const heldSeats = (view) => view.held.filter((who) => who !== "host");

// The seats that this tab holds beside its own, and can give away.
const otherSeats = (view) => Object.keys(view.seats).filter((seat) => view.seats[seat] === PERSON && state.tokens[seat]).slice(1);

// What not every game has: marked in the page by data-extra.
function showExtras({ extras }) {
  for (const part of document.querySelectorAll("[data-extra]")) part.hidden = !extras.includes(part.dataset.extra);
}

function refuse(words) {
  byId("refusal-text").textContent = words;
  byId("refusal").classList.remove("notice");
  byId("refusal").hidden = false;
  byId("rival").hidden = true;
}

// The same box, for news.
function tell(words) {
  refuse(words);
  byId("refusal").classList.add("notice");
}

function hideRefusal() {
  byId("refusal").hidden = true;
}

// --- the curtain between two people ---------------------------------------------------------------

function needsCurtain(view) {
  return state.curtain && view.may_play && state.seenBy !== view.to_play && heldSeats(view).length > 1;
}

function drawCurtain(view) {
  byId("curtain-text").textContent = `${seatName(view, view.to_play)} is to move. Hand over the screen.`;
  byId("curtain").hidden = false;
  document.querySelector("main").inert = true;
  byId("curtain-open").focus();
}

function liftCurtain() {
  state.seenBy = state.view.to_play;
  byId("curtain").hidden = true;
  document.querySelector("main").inert = false;
  byId("main").focus();
}

// --- moving and waiting ---------------------------------------------------------------------------

function play(action, move) {
  if (!state.view.may_play) return;
  if (state.view.in_phases) write(move.asked, action);
  else change("play", { action });
}

// In a game of phases: an answer is written into the draft, or taken out of it; then the draft is sent.
const write = (asked, action, given = true) => change("write", { asked, action, given });

const writeLines = (text) => change("orders", { text });

const send = () => change("send", {});

function followPath(path, next) {
  hideRefusal();
  const words = state.view?.may_play ? board.game.pathWords(path, next) : "";
  if (state.view) byId("status").textContent = words || statusWords(state.view);
  if (state.view?.draft) board.game.narrow(byId("moves"), board);
  else narrowMoves(byId("moves"), state.view?.moves ?? [], path);
}

async function why(clicks) {
  if (state.ply !== null && !state.view.replay) return void refuse("You are looking back. Go to the last decision to move.");
  try {
    const answer = await ask(path("why"), { version: state.view.version, clicks }, state.tokens);
    refuse(answer.why);
  } catch (error) {
    refuse(error.message);
  }
}

// What happens by itself: an agent's decision, the next ply of a replay, a look at another's seat.
function schedule() {
  clearTimeout(state.timer);
  const view = state.view;
  if (!view || document.hidden) return;
  if (state.offline) {
    state.timer = setTimeout(findAgain, RETRY);
    return;
  }
  if (state.running && view.ply < view.plies && (view.replay || state.ply !== null)) {
    state.timer = setTimeout(() => goTo(view.ply + 1, true), REPLAY_PACE);
  } else if (state.ply === null && view.waits_for_agent && view.held.includes("host")) {
    if (agentsGoOn(view)) state.timer = setTimeout(() => change("step", {}), paceOf(view));
  } else if (state.ply === null && !view.replay && !view.may_play && !view.over) {
    state.timer = setTimeout(poll, POLL);
  }
}

// Before an agent's decision; before a phase that agents answer at once, only where this tab had nothing to write.
function paceOf(view) {
  if (view.in_phases) return view.draft ? 0 : SLOWLY;
  return isWatched(view) ? PACE : SLOWLY;
}

// The server does not answer: look again every other second, and go on where the game stands.
function loseTouch(error) {
  state.offline = true;
  refuse(error.message);
  schedule();
}

async function findAgain() {
  try {
    await look();
    state.offline = false;
    tell("The server answers again.");
    schedule();
  } catch (error) {
    if (error.status === 0) return void loseTouch(error);
    state.offline = false;
    refuse(error.message);
  }
}

async function poll() {
  try {
    await showNewest(() => ask(path("", { seen: state.view.version }), undefined, state.tokens));
  } catch (error) {
    if (error.status === 0) return void loseTouch(error);
    refuse(error.message);
  }
  schedule();
}

// Look at a decision; by hand it stops what runs.
async function goTo(ply, byItself = false) {
  const view = state.view;
  if (!view) return;
  ply = Math.max(0, Math.min(view.plies, ply));
  const live = !view.replay;
  if (!byItself && view.replay) state.running = false;
  state.ply = live && ply === view.plies ? null : ply;
  if (live && state.ply !== null && !byItself) state.running = false;
  if (live && state.ply === null && !isWatched(view)) state.running = true;
  if (view.replay && state.recordFile) {
    setAddress(`record=${encodeURIComponent(state.recordFile)}&line=${state.recordLine}&ply=${ply}`);
  }
  try {
    await look();
  } catch (error) {
    if (error.status === 0) loseTouch(error);
    else refuse(error.message);
  }
}

// The rival's turn once more, from before its first decision to now.
function showAgain(ply) {
  goTo(ply, true);
  state.running = !STILL;
}

// The next decision; in a watched game it is asked for, and the game rests then.
function forth() {
  const view = state.view;
  if (view.ply < view.plies) return goTo(view.ply + 1);
  if (isWatched(view)) state.running = false;
  if (view.waits_for_agent) return change("step", {});
}

function run() {
  state.running = state.failed || !state.running;
  state.failed = false;
  fillTime(state.view);
  showStatus();
  schedule();
}

// --- analysis -------------------------------------------------------------------------------------

const question = (extra = {}) => {
  const asked = { ply: state.view.ply, judge: byId("judge").value, ...extra };
  if (state.viewer) asked.viewer ??= state.viewer;
  return asked;
};

const clickable = { onMove: play, onPoint: (target) => board.hint(target), legal: () => false };

// Whose chance every percentage tells: the person's; where the tab holds no seat or both, the chosen side's.
function eyes(view) {
  const own = view.held.filter((who) => who !== "host");
  return own.length === 1 ? { side: own[0], mine: true } : { side: byId("review-side").value, mine: false };
}

const markOf = (ply) => sign(reviewer.found.get(ply));

function showReview(view) {
  const { side, mine } = eyes(view);
  byId("review-of").hidden = mine;
  document.body.classList.toggle("reviewing", !byId("analysis").hidden && view.ply < view.plies);
  reviewer.show(view, [state.key, byId("judge").value, side].join(), side, mine);
}

// The better move on the board, and in the line above it: on a phone the review is far below.
function showBetter({ path: targets, words }, mark) {
  board.hint(targets);
  byId("status").textContent = `${mark}. Better: ${words}`;
}

// What a review asks: which decisions there are, and each of them.
const reviewed = {
  async decisions(side) {
    const { points } = await ask(path("curve"), question({ ply: state.view.plies, viewer: side }), state.tokens);
    return points.filter(([, , mover]) => mover === side).map(([ply]) => ply);
  },
  weigh: (ply, side, signal) => ask(path("weigh"), question({ ply, viewer: side }), state.tokens, signal),
};

function drawMarks() {
  const view = state.view;
  if (state.curve) drawCurve(byId("curve"), state.curve.points, view, eyes(view), reviewer.found, goTo);
}

async function analyse() {
  const view = state.view;
  if (!view) return;
  noteJudge(view);
  showReview(view);
  const asked = [view.version, view.ply, view.viewer].join();
  const current = () => state.view && [state.view.version, state.view.ply, state.view.viewer].join() === asked;
  if (!view.can_think) {
    byId("thoughts").replaceChildren(element("p", "note", view.over
      ? "The game is over." : "Only the seat that is to move may be thought for; this tab does not hold it."));
  } else {
    await attempt(byId("thoughts"), async () => {
      const found = await ask(path("think"), question(), state.tokens);
      if (current()) fillThoughts(byId("thoughts"), found, eyes(view), clickable);
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
  if (state.curve?.about !== about) {
    const { points } = await ask(path("curve"), question({ ply: view.plies }), state.tokens);
    state.curve = { about, points };
  }
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
  const rules = offers.rulesets.find((r) => r.title === view.title);
  const stranger = rules?.frozen.includes(byId("judge").value);
  byId("judge-note").hidden = !stranger;
  byId("judge-note").textContent = "This policy was trained for other rules and has not adapted to these.";
}

async function searchAhead() {
  const box = byId("found");
  box.replaceChildren(element("p", "note", "Searching"));
  await attempt(box, async () => {
    const found = await ask(path("search"), question({ milliseconds: Number(byId("budget").value) }), state.tokens);
    fillThoughts(box, found, eyes(state.view), clickable);
  });
}

async function hint() {
  const slow = setTimeout(() => { byId("status").textContent = "Thinking of a hint"; }, SILENT);
  try {
    const found = await ask(path("think"), question(), state.tokens);
    board.hint(found.moves[0].path);
    byId("status").textContent = `Hint: ${found.moves[0].words}`;
  } catch (error) {
    refuse(error.message);
  } finally {
    clearTimeout(slow);
  }
}

// --- the end, the rulebook ------------------------------------------------------------------------

function showEnd(view) {
  byId("end-title").textContent = view.ending.title;
  byId("end-why").textContent = view.ending.why;
  byId("end-points").textContent = view.ending.points;
  byId("end-points").hidden = !view.ending.points;
  byId("end-scores").replaceChildren(scoreTable(view));
  byId("end-rematch").hidden = !view.held.includes("host");
  if (!document.querySelector("dialog[open]")) byId("end-dialog").showModal();
}

async function rematch() {
  byId("end-dialog").close();
  try {
    const founded = await ask(`games/${state.key}/rematch`, {}, state.tokens);
    await enter(founded.key, founded.tokens, { curtain: state.curtain });
  } catch (error) {
    refuse(error.message);
  }
}

// From the first decision on, with the judge's view of every position beside the board; every decision
// of the person is judged meanwhile.
async function review() {
  byId("end-dialog").close();
  await goTo(0);
  const judged = state.view.extras.includes("analysis");
  showTab(judged ? "analysis" : "log");
  if (judged) reviewer.start();
}

function openRules(section = null) {
  const chosen = document.getElementById("new-form").elements.ruleset.value;
  const source = state.key ? `games/${state.key}/rulebook` : `rulebook?ruleset=${encodeURIComponent(chosen)}`;
  rulebook.show(source, state.tokens, section).catch((error) => refuse(error.message));
}

// --- tabs, rules, files ---------------------------------------------------------------------------

const TABS = ["moves", "log", "analysis"];

function showTab(name) {
  for (const tab of TABS) {
    const chosen = tab === name;
    byId(tab).hidden = !chosen;
    byId(`tab-${tab}`).setAttribute("aria-selected", String(chosen));
    byId(`tab-${tab}`).tabIndex = chosen ? 0 : -1;
  }
  if (!state.view) return;
  showReview(state.view);
  if (name === "log") fillLog(byId("log"), state.view, goTo, markOf);
  if (name === "analysis") analyse();
}

const hasExtra = (name) => !state.view || state.view.extras.includes(name);

const toggleTab = (name) => showTab(byId(name).hidden ? name : "moves");

function ruleOf(node) {
  const group = node.closest?.("[data-rule]");
  const rule = group && state.rules[group.dataset.rule];
  if (rule && board.game.describe) showRule(byId("rule"), board.game.describe(group, rule));
  else if (rule) showRule(byId("rule"), rule);
}

function save(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function saveFrom(name, file, space) {
  try {
    const extra = name === "position" && state.ply !== null ? { ply: state.ply } : {};
    const content = await ask(path(name, extra), undefined, state.tokens);
    save(file, `${JSON.stringify(content, null, space)}\n`);
  } catch (error) {
    refuse(error.message);
  }
}

async function invite() {
  const [side] = otherSeats(state.view);
  const link = `${location.origin}${location.pathname}${offers.entrance}#game=${state.key}&seats=${side}.${state.tokens[side]}`;
  const { [side]: given, ...kept } = state.tokens;
  state.tokens = kept; // the seat is given away
  sessionStorage.setItem(`game:${state.key}`, JSON.stringify({ tokens: kept, curtain: false }));
  await look();
  const copied = await navigator.clipboard.writeText(link).then(() => "It is copied.", () => "");
  tell(`Open this link in another tab to play ${seatName(state.view, side)}; this tab plays the other side from now on. ${copied} ${link}`);
}

// --- wiring ---------------------------------------------------------------------------------------

const KEYS = {
  n: () => newDialog.show(),
  r: () => replayDialog.show(),
  b: () => { if (hasExtra("rulebook")) openRules(); },
  u: () => byId("undo").click(),
  h: () => { if (state.view?.can_think) hint(); },
  a: () => { if (hasExtra("analysis")) toggleTab("analysis"); },
  l: () => toggleTab("log"),
  m: () => showTab("moves"),
  "?": () => byId("keys-dialog").showModal(),
  ArrowLeft: () => state.view && goTo(state.view.ply - 1),
  ArrowRight: () => state.view && forth(),
  Home: () => goTo(0),
  End: () => state.view && goTo(state.view.plies),
  " ": () => { if (!byId("run").hidden && !byId("run").disabled) run(); },
  Escape: () => { hideRefusal(); board.cancel(); byId("menu").open = false; byId("rule").classList.remove("shown"); },
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const field = event.target.closest("input, select, textarea");
  if (field && event.key !== "Escape") return;
  if (event.key === " " && event.target.closest("button, summary, [role=button]")) return;
  if (event.target.closest("[role=tablist]") && event.key.startsWith("Arrow")) return;
  if (event.target.closest("#board") && board.walk(event.key)) return void event.preventDefault();
  if ((event.key === "ArrowDown" || event.key === "ArrowUp") && event.target.closest(".moves, .panel")) {
    const buttons = [...byId("moves").querySelectorAll("button.move")];
    const next = buttons.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    buttons[Math.max(0, Math.min(buttons.length - 1, next))]?.focus();
    event.preventDefault();
    return;
  }
  const own = board.game.keys?.[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (own?.(board)) return void event.preventDefault();
  const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function wireTabs() {
  for (const name of TABS) {
    byId(`tab-${name}`).addEventListener("click", () => showTab(name));
    byId(`tab-${name}`).addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const shown = TABS.filter((tab) => !byId(`tab-${tab}`).hidden);
      const other = shown[(shown.indexOf(name) + step + shown.length) % shown.length];
      showTab(other);
      byId(`tab-${other}`).focus();
      event.stopPropagation();
    });
  }
}

function wire() {
  byId("new-game").addEventListener("click", () => newDialog.show());
  byId("open-rules").addEventListener("click", () => openRules());
  byId("end-rematch").addEventListener("click", rematch);
  byId("end-review").addEventListener("click", review);
  byId("open-replay").addEventListener("click", () => replayDialog.show());
  byId("undo").addEventListener("click", () => change("undo", {}));
  byId("restart").addEventListener("click", () => change("restart", {}));
  byId("lay-open").addEventListener("click", () => change("open", {}));
  byId("fork").addEventListener("click", () => newDialog.show({ ply: state.view.ply, open: state.view.open || state.view.viewer === "all", game: state.view.game, title: state.view.title }));
  byId("invite").addEventListener("click", invite);
  byId("save-position").addEventListener("click", () => saveFrom("position", "position.json", 1));
  byId("save-record").addEventListener("click", () => saveFrom("record", "game.jsonl", 0));
  byId("show-keys").addEventListener("click", () => byId("keys-dialog").showModal());
  byId("menu").addEventListener("click", (event) => { if (event.target.closest("button")) byId("menu").open = false; });
  byId("refusal-close").addEventListener("click", hideRefusal);
  byId("rival-take").addEventListener("click", takeRival);
  byId("try-again").addEventListener("click", tryAgain);
  byId("viewer").addEventListener("change", (event) => { state.viewer = event.target.value; look().catch((e) => refuse(e.message)); });
  byId("slider").addEventListener("input", (event) => goTo(Number(event.target.value)));
  byId("first").addEventListener("click", () => goTo(0));
  byId("back").addEventListener("click", () => goTo(state.view.ply - 1));
  byId("forth").addEventListener("click", forth);
  byId("last").addEventListener("click", () => goTo(state.view.plies));
  byId("run").addEventListener("click", run);
  byId("judge").addEventListener("change", analyse);
  byId("review-side").addEventListener("change", analyse);
  byId("hint").addEventListener("click", hint);
  byId("look-ahead").addEventListener("click", searchAhead);
  byId("curtain-open").addEventListener("click", liftCurtain);
  for (const name of ["pointerover", "focusin"]) {
    byId("board").addEventListener(name, (event) => { if (!isNarrow()) ruleOf(event.target); });
  }
  // On a phone the rule covers part of the board: a tap shows it where it is no move, a long press always.
  byId("board").addEventListener("click", (event) => { if (!event.target.closest(".legal, .chosen")) ruleOf(event.target); });
  byId("board").addEventListener("contextmenu", (event) => { event.preventDefault(); ruleOf(event.target); });
  for (const dialog of document.querySelectorAll("dialog")) dialog.addEventListener("close", () => board.game.settled?.(board, true));
  document.addEventListener("keydown", onKey);
  document.addEventListener("visibilitychange", schedule);
  window.addEventListener("online", () => { if (state.offline) findAgain(); });
  window.addEventListener("hashchange", () => followAddress().catch((e) => refuse(e.message)));
  matchMedia(`(max-width: ${NARROW - 1}px)`).addEventListener("change", () => { if (state.key) look().catch((e) => refuse(e.message)); });
  wireTabs();
}

async function begin() {
  board = new BoardClicks(byId("board"), byId("strip"), { onMove: play, onWrite: write, onLines: writeLines, onSend: send, onRefused: why, onPath: followPath, onUndo: () => byId("undo").click(), isNarrow });
  offers = await ask("offers");
  const first = offers.rulesets.find((r) => r.name === offers.first);
  await use(first.game);
  showExtras(first);
  wire();
  rulebook = new Rulebook();
  reviewer = new Review(byId("review"), { ...reviewed, onPly: (ply) => goTo(ply), onHint: showBetter, onMarks: drawMarks });
  news = new News({ onPly: (ply) => goTo(ply), onShow: showAgain });
  coach = new Coach(board, { onEnter: enter, onRules: openRules });
  byId("to-design").hidden = !offers.design;
  replayDialog = new ReplayDialog(offers, openRecord);
  newDialog = new NewDialog(offers, start, () => replayDialog.show(), () => coach.name());
  for (const name of offers.judges) {
    const made = document.createElement("option");
    made.textContent = name;
    byId("judge").append(made);
  }
  if (!(await followAddress())) newDialog.show();
}

begin().catch((error) => {
  refuse(error.message);
  newDialog?.show();
});
