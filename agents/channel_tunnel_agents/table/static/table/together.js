// What a seat decides several times in a row, asked as one: how many of each.
// Fills together-dialog, together-form, together-title, together-rows, together-note, together-cancel.

import { byId, capital, element } from "../dom.js";
import { chip } from "../panels.js";
import { on } from "./state.js";

let asked = null; // {first, most, forced, rows, onAnswer}

const chosen = (name) => Number(byId("together-form").elements[`of ${name}`].value);

function row({ name, actions }, action) {
  const numbers = actions.map((one, n) => {
    const input = Object.assign(element("input"), { type: "radio", name: `of ${name}`, value: n, checked: actions.includes(action) ? one === action : !n });
    return element("label", "", input, String(n));
  });
  const legend = element("legend", "", chip(name), ` ${capital(name)}`);
  return element("fieldset", "numbers", legend, ...numbers);
}

// What is left to choose, and what OK does.
function follow() {
  const { most, rows } = asked;
  const kept = rows.reduce((sum, { name }) => sum + chosen(name), 0);
  for (const input of byId("together-rows").querySelectorAll("input")) {
    input.disabled = Number(input.value) > chosen(input.name.replace("of ", "")) + most - kept;
  }
  byId("together-note").textContent = `You keep ${kept}; you may keep ${most} for the next round. All others are given back.`;
}

// move: one that has more to ask with it; onAnswer(actions): what the seat decides, in order.
export function askTogether({ action, together }, onAnswer) {
  asked = { ...together, onAnswer, first: together.rows.some(({ actions }) => actions.includes(action)) ? [] : [action] };
  byId("together-title").textContent = together.title;
  byId("together-rows").replaceChildren(...together.rows.map((one) => row(one, action)));
  follow();
  byId("together-dialog").showModal();
  byId("together-rows").querySelector("input:checked").focus();
}

// Where what is forced is answered by itself, nothing is asked once no more may be chosen.
function answer() {
  const { first, forced, rows, onAnswer } = asked;
  let left = asked.most;
  const open = rows.filter(({ name }) => {
    const isAsked = left > 0 || !forced;
    left -= chosen(name);
    return isAsked;
  });
  onAnswer([...first, ...open.map(({ name, actions }) => actions[chosen(name)])]);
}

on("enter", () => byId("together-dialog").close());
byId("together-rows").addEventListener("change", follow);
byId("together-form").addEventListener("submit", answer);
byId("together-cancel").addEventListener("click", () => byId("together-dialog").close());
