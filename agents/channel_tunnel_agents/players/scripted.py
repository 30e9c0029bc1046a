"""The scripted players of every game, by name."""

from __future__ import annotations

from collections.abc import Mapping

from channel_tunnel_agents.base import Agent, SearchAgent
from channel_tunnel_agents.games import PerGame, loaded
from channel_tunnel_agents.games.spec import AgentSpec, ScriptedPlayers
from channel_tunnel_env import Ruleset


def _names(spec: AgentSpec) -> tuple[str, ...]:
    players = loaded(spec.scripted)
    return players.NAMES if players is not None else ()


SCRIPTED: Mapping[str, tuple[str, ...]] = PerGame(_names)
"""Game -> the names of its scripted players. Players of several games may share a name."""
_PLAYERS: Mapping[str, ScriptedPlayers] = PerGame(lambda spec: loaded(spec.scripted))


def games_of(name: str) -> tuple[str, ...]:
    """The games that have a scripted player of a name."""
    return tuple(game for game, names in SCRIPTED.items() if name in names)


def make_scripted(name: str, game: str, ruleset: Ruleset | None, seed: int) -> Agent | SearchAgent:
    """The scripted player of a name in a game, for a ruleset of it."""
    return _PLAYERS[game].make_scripted(name, ruleset, seed)
