"""What the plain answer calls an agent: its level at the table, of whom it is a tuned copy, or its own name."""

from __future__ import annotations

from channel_tunnel_agents.base import FROZEN
from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.names import is_tuned
from channel_tunnel_env import Ruleset

RANDOM_AGENT = "random"
RANDOM = ("Random", "Takes any move that is allowed.")
"""Its name and words where it is no level of the game."""


def player_name(agent: str, ruleset: Ruleset) -> str:
    """Such as "Amateur" for `heuristic`; a tuned copy that of its parent; any other has its own name."""
    levels = agents_of(ruleset.spec.name).levels
    named = {level.agent: level.name for level in levels}
    agent = agent.removeprefix(FROZEN)
    parent = _parent(agent)
    if parent in named:
        return f"{named[parent]}'s tuned copy"
    return named.get(agent, RANDOM[0] if agent == RANDOM_AGENT else agent)


def about_player(agent: str, ruleset: Ruleset) -> str:
    """How it plays, in a sentence; "" for an agent that is no level."""
    levels = agents_of(ruleset.spec.name).levels
    parent = next((level.name for level in levels if level.agent == _parent(agent)), "")
    if parent:
        return f"{parent}, after some minutes of practice on these rules alone."
    usual = RANDOM[1] if agent == RANDOM_AGENT else ""
    return next((level.words for level in levels if level.agent == agent), usual)


def _parent(agent: str) -> str:
    """Of whom an agent is the tuned copy, by the name of its folder; "" if it is none."""
    return agent.partition(":")[2].partition("-")[0] if is_tuned(agent) else ""
