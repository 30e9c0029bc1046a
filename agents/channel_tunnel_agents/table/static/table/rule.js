// The rule of what is pointed at. Fills rule.

import { byId, element } from "../dom.js";
import { showRule } from "../panels.js";
import { on, state } from "./state.js";

const HELP = "Point at anything on the board, or move to it with the keyboard, for its rule.";

// game: its part of the page, which may say more than the rule.
export function showRuleOf(node, game) {
  const group = node.closest?.("[data-rule]");
  const rule = group && state.rules[group.dataset.rule];
  if (rule) showRule(byId("rule"), game.describe ? game.describe(group, rule) : rule);
}

// The rules of another game are not those of the one shown before.
on("game", () => byId("rule").replaceChildren(element("p", "note", HELP)));

export const hideRule = () => byId("rule").classList.remove("shown");
