"""What the agents of the page could not know about these rules."""

from __future__ import annotations

import shlex

from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.page import Item, Section, Step, Steps, Words
from channel_tunnel_agents.balance.report.words import listed
from channel_tunnel_agents.base import FROZEN
from channel_tunnel_agents.program import command_words

KEY = "unknown"
BLIND = "random"


def unknown(evidence: Evidence) -> Section:
    """By kind of agent: who was trained for these rules, who looks ahead, and who plays by habit."""
    kinds: dict[str, list[str]] = {}
    for name in evidence.agents:
        kinds.setdefault(_kind(evidence, name), []).append(name)
    lines = [
        _LINES[kind].format(names=listed(names)) for kind, names in kinds.items() if kind in _LINES
    ]
    if "frozen" in kinds and evidence.base is not None:
        changes = " ".join(evidence.base.changes[:3])
        lines.append(f"So nobody of them could know this: {changes}")
    items: list[Item] = []
    if "trained" not in kinds:
        ruleset = evidence.settings.ruleset
        run = f"runs/{evidence.ruleset.name}"
        command = shlex.join([*command_words("train"), "demo", "--run", run, "--ruleset", ruleset])
        text = (
            "Players who learn these rules may find what none of these agents sees. This lets an agent "
            f"learn them; then name ppo:{run} with --agents."
        )
        items.append(Steps("learn", "", (Step(text, command),)))
    return Section(KEY, "What these agents could not know", (), (Words(tuple(lines)), *items))


_LINES = {
    "frozen": "{names}: learnt other rules. What is new here is to them as if it were not there.",
    "trained": (
        "{names}: trained on these rules, yet a better player may find what they miss. The command exploit "
        "looks for that."
    ),
    "scripted": (
        "{names}: told the numbers of these rules, but with plans that were written for the standard game. "
        "They invent no new ones."
    ),
    "search": "{names}: looks ahead in these rules and so adapts to them, but only as far as it looks.",
}


def _kind(evidence: Evidence, name: str) -> str:
    if name == BLIND:
        return BLIND
    if name in evidence.results.searching:
        return "search"
    if evidence.policies.get(name) is None:
        return "frozen" if name.startswith(FROZEN) else "scripted"
    return "frozen" if name.startswith(FROZEN) else "trained"
