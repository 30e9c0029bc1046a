"""The scripted players of every game, by name."""

from __future__ import annotations

from channel_tunnel_agents.base import Agent, SearchAgent
from channel_tunnel_agents.players import carcassonne
from channel_tunnel_agents.players.heuristic import ARCHETYPES, HeuristicAgent
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games import DEFAULT_GAME

SCRIPTED = {DEFAULT_GAME: tuple(ARCHETYPES), carcassonne.GAME: carcassonne.NAMES}
"""Game -> the names of its scripted players. A name belongs to one game."""


def game_of(name: str) -> str | None:
    """The game of a scripted player; None if there is none of this name."""
    return next((game for game, names in SCRIPTED.items() if name in names), None)


def make_scripted(name: str, ruleset: Ruleset | None, seed: int) -> Agent | SearchAgent:
    """The scripted player of a name, for a ruleset of its game."""
    if name in carcassonne.NAMES:
        return carcassonne.make_scripted(name, seed)
    return HeuristicAgent(seed, ARCHETYPES[name], name, ruleset)
