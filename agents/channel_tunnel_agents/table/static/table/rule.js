// The rule of what is pointed at. Fills rule.

import { byId } from "../dom.js";
import { showRule } from "../panels.js";
import { state } from "./state.js";

// game: its part of the page, which may say more than the rule.
export function showRuleOf(node, game) {
  const group = node.closest?.("[data-rule]");
  const rule = group && state.rules[group.dataset.rule];
  if (rule) showRule(byId("rule"), game.describe ? game.describe(group, rule) : rule);
}

export const hideRule = () => byId("rule").classList.remove("shown");
