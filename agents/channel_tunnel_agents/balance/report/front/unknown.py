"""What the agents of the page could not know about these rules."""

from __future__ import annotations

import shlex

from channel_tunnel_agents.balance.measuring.knowledge import WHAT_IT_KNOWS, kind_of, unseen_lines
from channel_tunnel_agents.balance.report.evidence import Played
from channel_tunnel_agents.balance.report.page import Item, NextStep, PageSection, Steps, Words
from channel_tunnel_agents.program import command_words

KEY = "unknown"


def unknown(evidence: Played) -> PageSection:
    """By kind of agent: who was trained for these rules, who looks ahead, and who plays by habit."""
    kinds = {
        name: kind_of(name, evidence.slow, evidence.reading, evidence.policies.get(name)) for name in evidence.agents
    }
    lines = [f"{name}: {WHAT_IT_KNOWS[kind]}" for name, kind in kinds.items() if kind != "blind"]
    lines += unseen_lines(evidence.reading, [evidence.ruleset])
    if "frozen" in kinds.values() and evidence.base is not None:
        changes = " ".join(evidence.base.changes[:3])
        lines.append(f"So those who learnt other rules could not know this: {changes}")
    items: list[Item] = []
    if "trained" not in kinds.values():
        ruleset = evidence.settings.ruleset
        run = f"runs/{evidence.ruleset.name}"
        command = shlex.join(
            [*command_words("train"), evidence.game.players.preset, "--run", run, "--ruleset", ruleset]
        )
        text = (
            "Players who learn these rules may find what none of these agents sees. This lets an agent "
            f"learn them; then name ppo:{run} with --agents."
        )
        items.append(Steps("learn", "", (NextStep(text, command),)))
    return PageSection(KEY, "What these agents could not know", (), (Words(tuple(lines)), *items))
