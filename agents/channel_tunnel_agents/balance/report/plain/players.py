"""What the plain answer calls an agent: its level at the table, or its own name."""

from __future__ import annotations

from channel_tunnel_agents.games import agents_of
from channel_tunnel_env import Ruleset


def player_name(agent: str, ruleset: Ruleset) -> str:
    """Such as "Player" for `heuristic`; an agent that is no level has its own name."""
    levels = agents_of(ruleset.spec.name).levels
    return next((level.name for level in levels if level.agent == agent), agent)


def about_player(agent: str, ruleset: Ruleset) -> str:
    """How it plays, in a sentence; "" for an agent that is no level."""
    levels = agents_of(ruleset.spec.name).levels
    return next((level.words for level in levels if level.agent == agent), "")
