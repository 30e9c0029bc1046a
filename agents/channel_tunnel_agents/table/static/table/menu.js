// The bar and what is below "More": another game, its files, who else plays, whose eyes.
// Fills all-games, new-game, open-rules, undo, menu, restart, fork, lay-open, open-replay, save-position, save-record,
// to-design, viewer, show-keys.

import { byId, save } from "../dom.js";
import { askGame, change, look, showFailure } from "./asking.js";
import { refuse } from "./notice.js";
import { mayUndo, undo } from "./stage.js";
import { heldSeats, on, setAddress, state } from "./state.js";

export const closeMenu = () => { byId("menu").open = false; };

function fill(view) {
  const host = view.held.includes("host");
  const shown = view.ended || view.open;
  byId("undo").disabled = !mayUndo(view);
  byId("restart").disabled = !host || !view.plies;
  byId("lay-open").disabled = !host || shown;
  byId("save-record").disabled = !(shown || view.replay);
  byId("save-record").title = byId("save-record").disabled ? "once the game is over or the table laid open" : "";
  byId("save-position").disabled = view.viewer === "public";
  byId("fork").disabled = view.viewer === "public" || view.over;
}

function fillViewers(view) {
  const names = { all: "everything", public: "everybody", ...view.names };
  const select = byId("viewer");
  select.replaceChildren(...view.viewers.map((name) => new Option(names[name], name)));
  const follows = heldSeats(view).length > 1;
  if (follows) select.prepend(new Option("who is to move", ""));
  select.value = follows ? state.viewer : view.viewer;
  select.disabled = view.viewers.length < 2;
}

// --- files ---------------------------------------------------------------------------------------

async function saveFrom(name, file, space) {
  const extra = name === "position" && state.ply !== null ? { ply: state.ply } : {};
  const found = await askGame(name, undefined, { extra }).catch((error) => refuse(error.message));
  if (found) save(file, `${JSON.stringify(found, null, space)}\n`);
}

// --- wiring ---------------------------------------------------------------------------------------

// dialogs: what the buttons open; rules: the rulebook; keys: the list of keys.
export function wireMenu({ newDialog, replayDialog, welcome, openRules, showKeys }) {
  const fork = () => {
    const { ply, open, viewer, game, title, seats } = state.view;
    newDialog.show({ ply, open: open || viewer === "all", game, title, seats: Object.keys(seats).length });
  };
  byId("to-design").hidden = !state.offers.design;
  byId("new-game").addEventListener("click", () => newDialog.show());
  byId("all-games").addEventListener("click", () => {
    if (location.hash) setAddress("", true);
    welcome.show();
  });
  byId("open-rules").addEventListener("click", () => openRules());
  byId("open-replay").addEventListener("click", () => replayDialog.show());
  byId("fork").addEventListener("click", fork);
  byId("show-keys").addEventListener("click", showKeys);
}

on("view", fill);
on("view", fillViewers);
byId("undo").addEventListener("click", undo);
byId("restart").addEventListener("click", () => change("restart"));
byId("lay-open").addEventListener("click", () => change("open"));
byId("save-position").addEventListener("click", () => saveFrom("position", "position.json", 1));
byId("save-record").addEventListener("click", () => saveFrom("record", "game.jsonl", 0));
byId("menu").addEventListener("click", (event) => { if (event.target.closest("button")) closeMenu(); });
byId("viewer").addEventListener("change", (event) => { state.viewer = event.target.value; look().catch(showFailure); });
