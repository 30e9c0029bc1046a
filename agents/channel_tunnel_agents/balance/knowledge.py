"""What an agent knows of the rules it plays: learnt, told, found by looking ahead, or nothing."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from channel_tunnel_agents.base import FROZEN

Kind = Literal["blind", "search", "scripted", "frozen", "trained"]
BLIND = "random"
WHAT_IT_KNOWS: dict[Kind, str] = {
    "blind": "plays by chance, whatever the rules.",
    "frozen": "learnt other rules. What is new here is to it as if it were not there.",
    "trained": (
        "trained on these rules, yet a better player may find what it misses. The command exploit looks "
        "for that."
    ),
    "scripted": (
        "told the numbers of these rules, but with plans that were written for the standard game. It "
        "invents no new ones."
    ),
    "search": "looks ahead in these rules and so adapts to them, but only as far as it looks.",
}


def kind_of(name: str, searching: Collection[str], policy: str | None) -> Kind:
    """How an agent comes to its moves.

    Args:
        searching: names of the agents that look ahead.
        policy: digest of its policy, None if it has none.
    """
    if name == BLIND:
        return "blind"
    if name in searching:
        return "search"
    if name.startswith(FROZEN):
        return "frozen"
    return "scripted" if policy is None else "trained"
