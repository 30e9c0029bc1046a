// The games of the person at this browser, as the server keeps them: those to go on with, and the finished ones with
// what became of them. Fills nothing: the first screen gives the places.

import { ask } from "../api.js";
import { element, press, save } from "../dom.js";
import { beginReview } from "./analysis.js";
import { refuse } from "./notice.js";
import { isPerson, keptSeats, levelOf, rivalName, rulesOf, state } from "./state.js";

const FEW = 8; // games that a list begins with
const OPEN = "open", SIGNS = { won: "Won", lost: "Lost", drawn: "Drawn" };
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const times = (number) => ["", "once", "twice"][number] ?? `${number} times`;

let enter, places;

// Two places of the page; onEnter(key, tokens): shows a game.
export async function fillOwn(begun, done, onEnter) {
  enter = onEnter;
  places = { begun, done };
  const { games, left_out: leftOut } = await ask("mine");
  const known = games.filter(({ told }) => rulesOf(told.game));
  const open = known.filter((game) => game.state === OPEN), over = known.filter((game) => game.state !== OPEN);
  fill(begun, "Go on with", open, openLine);
  fill(done, "My games", over, doneLine);
  if (over.length) done.querySelector("h2").after(element("p", "progress", progress(over)));
  if (leftOut) done.append(element("p", "note", `${leftOut.toLocaleString("en")} older games are kept, and not listed.`));
}

function fill(place, heading, games, line) {
  place.hidden = !games.length;
  const rows = games.map(line);
  for (const row of rows.slice(FEW)) row.hidden = true;
  const more = press(`Show all ${games.length}`, "more", () => {
    for (const row of rows) row.hidden = false;
    more.remove();
  });
  place.replaceChildren(element("h2", "", heading), ...rows, ...(games.length > FEW ? [more] : []));
}

const ownSeats = ({ tokens }) => Object.keys(tokens).filter((who) => who !== "host");

// A seat as the first screen calls it, and who the others are: a level, or a person by name.
const seatOf = ({ told, people }, seat) => rulesOf(told.game).sides[seat]?.title ?? people[seat] ?? seat;

function rivals(game) {
  const own = ownSeats(game), others = Object.keys(game.seats).filter((seat) => !own.includes(seat));
  const names = new Set(others.map((seat) => (isPerson(game, seat) ? game.people[seat] ?? "a person" : rivalName(game.seats[seat], game.told.game))));
  return names.size ? ` against ${[...names].join(", ")}` : "";
}

function about(game) {
  const own = ownSeats(game);
  return `${own.length === 1 ? `as ${seatOf(game, own[0])}` : "both sides"}${rivals(game)}`;
}

const whenOf = ({ when }) => day.format(new Date(when * 1000));

function openLine(game) {
  const words = element("span", "", element("b", "", game.told.title), ` \u00b7 ${about(game)} \u00b7 ${game.told.when}`);
  return element("p", "row", press(words, "go-on", () => show(game)), remover(game, "\u2715"));
}

function doneLine(game) {
  const own = ownSeats(game), result = own.length === 1 ? game.told.results[own[0]] : "drawn";
  const words = element("span", "words", element("b", "", game.told.title), ` \u00b7 ${about(game)} \u00b7 `, own.length === 1 ? `${game.told.titles[own[0]]} \u00b7 ` : "", whenOf(game));
  const acts = [
    press("Review", "", () => show(game).then((shown) => shown && beginReview())),
    press("Export", "", () => exportRecord(game).catch((error) => refuse(error.message))),
    remover(game, "Delete"),
  ];
  return element("p", `row ${result}`, element("b", "result", own.length === 1 ? SIGNS[result] : "Played"), words, ...acts);
}

// Deleting is asked for twice.
function remover(game, words) {
  const button = press(words, "away", async () => {
    if (!button.classList.contains("sure")) {
      button.textContent = "Delete for good?";
      button.classList.add("sure");
      return;
    }
    await ask(`games/${game.key}/forget`, {}, game.tokens).catch((error) => refuse(error.message));
    await refill();
  });
  button.setAttribute("aria-label", `Delete: ${game.told.title}, ${whenOf(game)}`);
  return button;
}

const refill = () => fillOwn(places.begun, places.done, enter).catch((error) => refuse(error.message));

// In this tab a seat may have been given away since.
async function show({ key, tokens }) {
  const kept = keptSeats(key);
  try {
    await enter(key, kept.tokens ?? tokens, kept);
    return true;
  } catch (error) {
    refuse(error.message);
    await refill();
    return false;
  }
}

async function exportRecord({ key, tokens }) {
  save(`game-${key}.jsonl`, `${JSON.stringify(await ask(`games/${key}/record`, undefined, tokens))}\n`);
}

// --- progress --------------------------------------------------------------------------------------

// The level of all rivals of one person's game; -1 for another kind of game.
function rivalLevel(game) {
  const own = ownSeats(game), agents = new Set(Object.entries(game.seats).filter(([seat]) => !own.includes(seat)).map(([, agent]) => agent));
  return own.length === 1 && agents.size === 1 ? levelOf([...agents][0], game.told.game) : -1;
}

const hasWon = (game) => game.told.results[ownSeats(game)[0]] === "won";

// What somebody has reached in each game, and what to try next.
function progress(games) {
  const kinds = [...new Set(state.offers.rulesets.map((rules) => rules.game))];
  return kinds.map((kind) => progressIn(kind, games.filter((game) => game.told.game === kind && rivalLevel(game) >= 0))).filter(Boolean).join(" ");
}

function progressIn(kind, games) {
  const { levels, title } = rulesOf(kind);
  if (!games.length) return "";
  const best = Math.max(-1, ...games.filter(hasWon).map(rivalLevel));
  if (best < 0) return `${title}: not won yet in ${games.length === 1 ? "a game" : `${games.length} games`}; ${levels[0].name} is the easiest rival.`;
  const wins = games.filter((game) => hasWon(game) && rivalLevel(game) === best).length, next = levels[best + 1];
  return `${title}: you beat ${levels[best].name} ${times(wins)}${next ? `: try ${next.name}` : ", the strongest"}.`;
}
