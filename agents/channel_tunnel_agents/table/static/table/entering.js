// Entering a game: one that begins, one that the address names, a record. Fills nothing.
//
// Address: #game=KEY (with &seats=side.secret,... from an invitation), #record=FILE&line=3&ply=57.

import { ask } from "../api.js";
import { askGame, look } from "./asking.js";
import { patiently, refuse } from "./notice.js";
import { keepSeats, keptSeats, say, setAddress, state } from "./state.js";

const isReplay = (key) => key.startsWith("r");

export async function enter(key, tokens, { ply = null, curtain = false, given = {} } = {}) {
  Object.assign(state, { key, tokens, given, ply, curtain, viewer: "", running: !isReplay(key), failed: false, view: null });
  if (!isReplay(key)) {
    keepSeats();
    setAddress(`game=${key}`, new URLSearchParams(location.hash.slice(1)).get("game") !== key);
  }
  say("enter");
  if (!isReplay(key) && Object.keys(tokens).some((who) => who !== "host")) ask(`games/${key}/sit`, {}, tokens).catch((error) => refuse(error.message));
  state.rules = await patiently(askGame("rules"));
  await patiently(look());
  say("entered");
}

// A new game, or one that goes on from a decision of the game shown.
// friend: the seat of somebody who is sent its link; this tab does not hold it.
export async function start({ fork, body, curtain, friend = null }) {
  const { key, tokens: all } = await patiently(fork ? ask(`games/${state.key}/fork`, body, state.tokens) : ask("games", body));
  const { [friend]: given, ...tokens } = all;
  await enter(key, tokens, { curtain, given: friend ? { [friend]: given } : {} });
  if (friend) say("invite", friend);
}

// The rematch: who set the game up deals it, the others follow with the seats that they hold.
export async function rematch() {
  const { key, tokens, given, curtain, view } = state;
  const next = view.next || (await ask(`games/${key}/rematch`, {}, tokens)).key;
  await enter(next, tokens, { curtain, given });
}

// A record has an end: whoever asks for what lies beyond it sees that.
export async function openRecord(body, wanted = 0) {
  const opened = await patiently(ask("records", body)), ply = Math.min(wanted, opened.plies);
  if (body.file) setAddress(`record=${encodeURIComponent(body.file)}&line=${opened.line}&ply=${ply}`);
  await enter(opened.key, {}, { ply });
  state.recordFile = body.file ?? null;
  state.recordLine = opened.line;
}

// What the address asks for; true if it named something.
export async function followAddress() {
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
  const kept = keptSeats(key);
  const tokens = { ...(kept.tokens ?? {}) };
  for (const seat of (words.get("seats") ?? "").split(",").filter(Boolean)) {
    const [side, secret] = seat.split(".");
    tokens[side] = secret;
  }
  await enter(key, tokens, { curtain: kept.curtain ?? false, given: kept.given ?? {} });
  return true;
}
