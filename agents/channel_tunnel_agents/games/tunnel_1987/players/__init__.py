"""The scripted players of 1987 Channel Tunnel."""

from __future__ import annotations

from channel_tunnel_agents.games.tunnel_1987.players.heuristic import ARCHETYPES, HeuristicAgent
from channel_tunnel_env import Ruleset

NAMES = tuple(ARCHETYPES)


def make_scripted(name: str, ruleset: Ruleset | None = None, seed: int = 0) -> HeuristicAgent:
    """The scripted player with a name of NAMES, for a ruleset."""
    return HeuristicAgent(seed, ARCHETYPES[name], name, ruleset)
