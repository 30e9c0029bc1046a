"""What the plain answer calls an agent: its level at the table, which of the trained policies it is, or its own name."""

from __future__ import annotations

import re

from channel_tunnel_agents.base import FROZEN
from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.names import is_tuned
from channel_tunnel_env import Ruleset

RANDOM_AGENT = "random"
RANDOM = ("Random", "Takes any move that is allowed.")
"""Its name and words where it is no level of the game."""
TRAINED = re.compile(r"-(?:(self)|answer-[0-9a-f]+)-(\d+)$")
"""The end of a trained policy's name: how it was trained, and its seed."""


def player_name(agent: str, ruleset: Ruleset) -> str:
    """Such as "Amateur" for `heuristic` and "Trained policy 1" for one that was trained for the rules."""
    levels = agents_of(ruleset.spec.name).levels
    named = {level.agent: level.name for level in levels}
    agent = agent.removeprefix(FROZEN)
    found = TRAINED.search(agent) if is_tuned(agent) else None
    if found:
        return f"{'Trained policy' if found[1] else 'Best response'} {found[2]}"
    return named.get(agent, RANDOM[0] if agent == RANDOM_AGENT else agent)


def about_player(agent: str, ruleset: Ruleset) -> str:
    """How it plays, in a sentence; "" for an agent that is no level."""
    levels = agents_of(ruleset.spec.name).levels
    if is_tuned(agent):
        return "Was trained for these rules only."
    usual = RANDOM[1] if agent == RANDOM_AGENT else ""
    return next((level.words for level in levels if level.agent == agent), usual)
