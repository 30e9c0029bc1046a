"""The rivals that each game offers: agents by name, and levels for somebody who knows no agent's name."""

from __future__ import annotations

from collections.abc import Mapping

from channel_tunnel_agents.games import PerGame, agents_of
from channel_tunnel_agents.games.spec import RANDOM, Level
from channel_tunnel_agents.players.scripted import names_in


def agents_in(game: str) -> tuple[str, ...]:
    """The names of a game's agents, on offer without being named on the command line."""
    spec = agents_of(game)
    return (RANDOM, *names_in(game), *spec.searchers[:1], *spec.shipped, *spec.searchers[1:])


LEVELS: Mapping[str, tuple[Level, ...]] = PerGame(lambda spec: spec.levels)
"""Game -> rivals from the weakest to the strongest."""
