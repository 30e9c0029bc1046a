"""The scripted players of every game, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from channel_tunnel_agents.base import Agent, SearchAgent
from channel_tunnel_agents.games import Parts
from channel_tunnel_env import Ruleset


class ScriptedPlayers(Protocol):
    """The module with the scripted players of a game."""

    @property
    def NAMES(self) -> tuple[str, ...]:  # noqa: N802, a constant of the module
        """Their names."""

    def make_scripted(self, name: str, ruleset: Ruleset | None, seed: int) -> Agent | SearchAgent:
        """The player with a name of NAMES, for a ruleset of the game; None: its own."""


PLAYERS: Mapping[str, ScriptedPlayers] = Parts("players", "", ScriptedPlayers)


def names_in(game: str) -> tuple[str, ...]:
    """The names of a game's scripted players. Players of several games may share a name."""
    return PLAYERS[game].NAMES if game in PLAYERS else ()


def games_of(name: str) -> tuple[str, ...]:
    """The games that have a scripted player of a name."""
    return tuple(game for game, players in PLAYERS.items() if name in players.NAMES)


def make_scripted(name: str, game: str, ruleset: Ruleset | None, seed: int) -> Agent | SearchAgent:
    """The scripted player of a name in a game, for a ruleset of it."""
    return PLAYERS[game].make_scripted(name, ruleset, seed)
