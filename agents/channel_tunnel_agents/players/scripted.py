"""The scripted players of every game, by name."""

from __future__ import annotations

from channel_tunnel_agents.base import Agent, SearchAgent
from channel_tunnel_agents.players import carcassonne, eurotunnel
from channel_tunnel_agents.players.heuristic import ARCHETYPES, HeuristicAgent
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games import DEFAULT_GAME

SCRIPTED = {
    DEFAULT_GAME: tuple(ARCHETYPES),
    carcassonne.GAME: carcassonne.NAMES,
    eurotunnel.GAME: eurotunnel.NAMES,
}
"""Game -> the names of its scripted players. Players of several games may share a name."""


def games_of(name: str) -> tuple[str, ...]:
    """The games that have a scripted player of a name."""
    return tuple(game for game, names in SCRIPTED.items() if name in names)


def make_scripted(name: str, game: str, ruleset: Ruleset | None, seed: int) -> Agent | SearchAgent:
    """The scripted player of a name in a game, for a ruleset of it."""
    if game == carcassonne.GAME:
        return carcassonne.make_scripted(name, seed)
    if game == eurotunnel.GAME:
        return eurotunnel.make_scripted(name, seed)
    return HeuristicAgent(seed, ARCHETYPES[name], name, ruleset)
