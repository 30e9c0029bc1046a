// Who is at the table: names, links to seats with their codes, who watches.
// Fills people, people-dialog, people-list, people-watching, people-error, people-link, people-link-title, people-link-note,
// people-code, people-address, people-copy, people-watch, watching.

import { ask } from "../api.js";
import { byId, element, press, showError } from "../dom.js";
import { seatName, whoIs } from "../panels.js";
import { askGame, look, lookAround, showFailure, showNewest } from "./asking.js";
import { heldSeats, isPerson, isWatching, keepName, keepSeats, on, ownName, rivalName, state } from "./state.js";

export const MOST_LETTERS = 20; // of a name, as the server has it

export const ownSeat = (view) => heldSeats(view).find((seat) => isPerson(view, seat));

const refused = (error) => showError(byId("people-error"), error?.message ?? "");

// --- names ----------------------------------------------------------------------------------------

export async function call(side, called) {
  await showNewest(() => askGame("name", { side, called }));
}

// The seat that somebody sits down at gets the name that this browser keeps.
function sitDown() {
  const seat = ownSeat(state.view);
  const name = ownName();
  if (!seat || !name || state.view.people[seat] || state.view.over) return;
  call(seat, name).catch(showFailure);
}

async function rename(side, field) {
  try {
    await call(side, field.value);
    refused(null);
    if (side === ownSeat(state.view)) keepName(field.value.trim());
  } catch (error) {
    refused(error);
    field.value = state.view.people[side] ?? "";
  }
}

function nameField(view, side) {
  const field = element("input");
  Object.assign(field, { value: view.people[side] ?? "", maxLength: MOST_LETTERS, placeholder: "a name", autocomplete: "off", spellcheck: false });
  field.setAttribute("aria-label", `Name of ${seatName(view, side)}`);
  field.addEventListener("change", () => rename(side, field));
  field.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); field.blur(); } });
  return field;
}

// --- the list -------------------------------------------------------------------------------------

function line(view, side) {
  const row = element("li", side, element("b", "", view.people[side] ? whoIs(view, side) : seatName(view, side)));
  if (isPerson(view, side) && !view.replay) row.append(element("span", "note", view.here.includes(side) ? "is here" : "is not here"));
  if (!isPerson(view, side)) row.append(element("span", "note", view.replay ? "" : rivalName(view.seats[side])));
  else if (state.tokens[side]) row.append(nameField(view, side));
  if (isPerson(view, side) && (state.given[side] || (state.tokens[side] && side !== ownSeat(view)))) {
    row.append(press(state.given[side] ? "Link again" : "Link to this seat", "", () => giveAway(side).catch(refused)));
  }
  return row;
}

let listed = ""; // what the list was filled with

const ofList = ({ names, people, here, replay, seats }) => JSON.stringify([state.key, names, people, here, replay, seats, state.given, state.tokens]);

function fillList(view) {
  listed = ofList(view);
  byId("people-list").replaceChildren(...Object.keys(view.seats).map((side) => line(view, side)));
}

// What comes by itself changes nothing under a pointer, or while somebody types, unless there is news.
function renewList(view) {
  if (listed !== ofList(view) && !byId("people-list").contains(document.activeElement)) fillList(view);
}

function fillWatching(view) {
  const { watching } = view;
  const named = watching.filter(Boolean);
  const others = watching.length - named.length;
  const words = [...named, ...(others ? [named.length ? `${others} more` : `${others} without a name`] : [])].join(", ");
  byId("people-watching").textContent = watching.length ? `Watching: ${words}.` : "No one is watching.";
  const looksOn = isWatching(view) || view.replay; // one of those that are counted
  const many = watching.length > (looksOn ? 1 : 0) ? `${watching.length} watching` : "";
  const told = [isWatching(view) ? "You watch" : "", many].filter(Boolean).join(" \u00b7 ");
  byId("watching").hidden = !told;
  byId("watching").textContent = told;
  byId("watching").title = words;
}

async function open() {
  byId("people-link").hidden = true;
  refused(null);
  fillList(state.view);
  byId("people-dialog").showModal();
  await lookAround();
}

// --- links ----------------------------------------------------------------------------------------

// The seat goes to the one who opens its link; this tab keeps the link, and does not look with that seat's eyes any more.
async function giveAway(side) {
  const token = state.given[side] ?? state.tokens[side];
  const found = await ask(`games/${state.key}/link`, { side }, { [side]: token });
  const { [side]: gone, ...kept } = state.tokens;
  Object.assign(state, { tokens: kept, given: { ...state.given, [side]: token } });
  keepSeats();
  await look();
  fillList(state.view);
  showLink(found, `${seatName(state.view, side)}'s seat`, "The person who opens this link plays the seat; this tab doesn't play it any more.");
}

async function inviteToWatch() {
  showLink(await askGame("link", {}), "To watch", "People who open this link see what everybody sees, and can't move anything.");
}

function showLink({ link, svg, far }, title, note) {
  refused(null);
  byId("people-link-title").textContent = title;
  const near = "It works only on this machine: to play with others in your network, start the table with --host 0.0.0.0.";
  byId("people-link-note").textContent = far ? `${note} The code is for a telephone in the same network.` : `${note} ${near}`;
  byId("people-code").innerHTML = svg;
  byId("people-address").href = link;
  byId("people-address").textContent = link;
  byId("people-copy").textContent = "Copy";
  byId("people-link").hidden = false;
  byId("people-link-title").focus();
  byId("people-link").scrollIntoView({ block: "nearest" });
}

async function copy() {
  const link = byId("people-address").textContent;
  const done = await navigator.clipboard.writeText(link).then(() => true, () => false);
  byId("people-copy").textContent = done ? "Copied" : "Copy it by hand";
}

on("entered", sitDown);
on("invite", (seat) => open().then(() => giveAway(seat)).catch(showFailure));
on("around", fillWatching);
on("around", renewList);
on("view", (view) => { byId("people").disabled = view.replay; });
byId("people").disabled = true;
byId("people").addEventListener("click", () => open().catch(showFailure));
byId("people-watch").addEventListener("click", () => inviteToWatch().catch(refused));
byId("people-copy").addEventListener("click", copy);
