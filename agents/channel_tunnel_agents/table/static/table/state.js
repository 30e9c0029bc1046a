// What the page knows of the game that it shows, and what its parts say to each other. Fills nothing.

import { keptDigits } from "../api.js";

export const NARROW = 700; // pixels: below, the board stands in one column
export const STILL = matchMedia("(prefers-reduced-motion: reduce)").matches; // nothing is slowed down to be watched
export const SILENT = 500; // milliseconds of thinking that are not mentioned
const PERSON = "person";

export const state = {
  offers: null, // rulesets, agents and judges of this server
  key: null, // of the game shown
  game: null, // which game it is: whose part of the page is in use
  opens: [], // its phases that begin a turn; none: every decision is shown
  tokens: {}, // side or "host" -> secret
  view: null,
  ply: null, // looked back to; null: now
  viewer: "", // whose eyes; "": the tab's own
  given: {}, // secrets of seats that this tab has given away, to show their links again
  curtain: false,
  running: true, // a watched game or a replay plays
  failed: false, // an agent has; it is asked again when the person wants it, or once the game has changed
  busy: false,
  thinking: null, // AbortController of the question to an agent
  rules: {}, // of things on the board: title, text, sources
  recordFile: null, // of a replay from the server's folder, with
  recordLine: null,
};

// --- what the parts say ---------------------------------------------------------------------------

// enter: another game is to be shown; entered: it is; invite(seat): its link is to be shown; game: another game's part of the page is in use;
// view(view, before): a look at the game is to be shown; path(path, next): the clicks so far;
// around(view): of who is there; agent: one is asked, or has failed; slow(words), failed(words): of an agent that is asked; asking: a wish is on its
// way; rest: nothing is under way any more; lost(error): the server does not answer; tab(name): another one is shown;
// try(ply, side, judge): a marked move is to be tried again.
const heard = {};

export const on = (event, act) => { (heard[event] ??= []).push(act); };

// Those who listen act in the order in which they began to, which is that of the imports in table.js.
export function say(event, ...words) {
  for (const act of heard[event] ?? []) act(...words);
}

// --- what follows from a view ---------------------------------------------------------------------

export const isNarrow = () => window.innerWidth < NARROW;

export const isWatched = (view) => view.replay || !Object.values(view.seats).includes(PERSON);

// Whether agents go on by themselves: against a person always, in a watched game until it is paused.
export const agentsGoOn = (view) => !state.failed && (state.running || !isWatched(view));

// Whether an agent against whom this tab plays goes on with a turn that it has begun: its turn is shown as one thing.
export function isWithinTurn(view) {
  const begun = view.waits_for_agent && view.log.at(-1)?.side === view.to_play;
  return Boolean(begun && view.held.includes("host") && !isWatched(view) && !state.failed && state.opens.length && !state.opens.includes(view.phase));
}

// Whether this tab has asked an agent, or is about to.
export const isThinking = (view) => view.held.includes("host") && (state.thinking !== null || agentsGoOn(view));

export const heldSeats = (view) => view.held.filter((who) => who !== "host");

export const isWatching = (view) => !view.replay && !view.held.length;

// The people that this tab waits for though they have left.
export const awayFrom = (view) => Object.keys(view.seats).filter((seat) => isPerson(view, seat) && !view.held.includes(seat) && !view.here.includes(seat));

export const isPerson = (view, seat) => view.seats[seat] === PERSON;

// Which level an agent is, also under rules for which it was not trained; -1 for none.
export const levelOf = (agent, game) => rulesOf(game).levels.findIndex((level) => level.agent === agent.replace(/^frozen:/, ""));

// An agent by the name of its level, as the first screen calls it.
export const rivalName = (agent, game = state.game) => rulesOf(game).levels[levelOf(agent, game)]?.name ?? agent;

// The ruleset that a game begins with: of the first game the one proposed.
export function rulesOf(game) {
  const all = state.offers.rulesets.filter((rules) => rules.game === game);
  return all.find((rules) => rules.name === state.offers.first) ?? all[0];
}

// --- where it is kept -----------------------------------------------------------------------------

// In this tab: the secrets of the seats of a game.
export function keepSeats() {
  const { key, tokens, given, curtain } = state;
  sessionStorage.setItem(`game:${key}`, JSON.stringify({ tokens, given, curtain }));
}

export const keptSeats = (key) => JSON.parse(sessionStorage.getItem(`game:${key}`) ?? "{}");

// What the person at this browser is called; "" for nothing.
const NAME = "name";

export const ownName = () => localStorage.getItem(NAME) ?? "";

export const keepName = (name) => localStorage.setItem(NAME, name);

// In this tab: that its person has been asked for a name, and gave none.
const NAMELESS = "nameless";

export const staysNameless = () => sessionStorage.getItem(NAMELESS) !== null;

export const stayNameless = () => sessionStorage.setItem(NAMELESS, "yes");

// What this tab calls itself where it only watches.
export const watcherName = () => keptDigits(sessionStorage, "watcher", 8);

// isNew: whether the browser's Back leads to what was shown before.
export function setAddress(words, isNew = false) {
  history[isNew ? "pushState" : "replaceState"](null, "", words ? `#${words}` : location.pathname + location.search);
}

// Whether the list of games is shown, and not the game that was shown before.
export const isInList = () => document.body.classList.contains("welcoming");
