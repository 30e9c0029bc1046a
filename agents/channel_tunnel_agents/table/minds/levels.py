"""The rivals that each game offers: agents by name, and levels for somebody who knows no agent's name."""

from __future__ import annotations

from collections.abc import Mapping

from channel_tunnel_agents.games import PerGame, loaded
from channel_tunnel_agents.games.spec import RANDOM, AgentSpec, Level


def _agents(spec: AgentSpec) -> tuple[str, ...]:
    players = loaded(spec.scripted)
    scripted = players.NAMES if players is not None else ()
    return (RANDOM, *scripted, *spec.searchers[:1], *spec.shipped, *spec.searchers[1:])


AGENTS: Mapping[str, tuple[str, ...]] = PerGame(_agents)
"""Game -> the names of its agents, on offer without being named on the command line."""
LEVELS: Mapping[str, tuple[Level, ...]] = PerGame(lambda spec: spec.levels)
"""Game -> rivals from the weakest to the strongest."""
