"""What is known of each game, a folder each, and what other packages bring.

spec            what a game's folder must hold
plain           what is taken for a game that brings nothing
tunnel_1987, carcassonne, eurotunnel    the games of this package

A distribution adds one by an entry point of the group `channel_tunnel.agents`: `name of the game = package`; the
package's module `spec` holds `SPEC`, an `AgentSpec`. All rooms ask here; none names a game. A game's folder may
import every room, and no room imports it.

May import: base. Types of the rooms above are named in `spec`, and loaded there by nobody.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from channel_tunnel_agents.games.spec import AgentSpec
from channel_tunnel_env.errors import PluginError
from channel_tunnel_env.games import BUILT_IN, game_names, plugin_cache
from channel_tunnel_env.outside.foreign import foreign_code, words_of

GROUP = "channel_tunnel.agents"
"""The group of entry points: `name of the game = package`."""
T = TypeVar("T")


def agents_of(game: str) -> AgentSpec:
    """What is known of a game: its own `SPEC`, or what is taken for a game without one.

    Raises:
        KeyError: there is no such game.
        PluginError: what another distribution brings for it cannot be used.
    """
    if game not in game_names():
        raise KeyError(game)
    return _load(game)


@plugin_cache
def _load(game: str) -> AgentSpec:
    if game in BUILT_IN:
        found: Any = importlib.import_module(f"{__name__}.{game}.spec").SPEC
    elif points := _points().get(game):
        found = _brought(game, points)
    else:
        found = importlib.import_module(f"{__name__}.plain").make_spec(game)
    assert isinstance(found, AgentSpec)
    return found


def _brought(game: str, points: list[EntryPoint]) -> AgentSpec:
    """What a distribution brings for a game."""
    whose = " and ".join(_name_of(point) for point in points)
    if len(points) > 1:
        raise PluginError(f"the agents of {game}: {whose} both bring them; remove one of them")
    module = f"{points[0].value}.spec"
    try:
        with foreign_code():
            spec = getattr(importlib.import_module(module), "SPEC", None)
    except Exception as error:
        raise PluginError(
            f"the agents of {game} of {whose}: {module} cannot be imported: {words_of(error)}"
        ) from error
    if not isinstance(spec, AgentSpec):
        raise PluginError(
            f"the agents of {game} of {whose}: {module} holds no SPEC of the type AgentSpec"
        )
    return spec


@plugin_cache
def _points() -> dict[str, list[EntryPoint]]:
    """Game -> who brings agents for it; the games of this package have theirs."""
    found: dict[str, list[EntryPoint]] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        found.setdefault(point.name, []).append(point)
    return found


def _name_of(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


class PerGame(Mapping[str, T], Generic[T]):
    """One part of every game that has it, by the game's name, loaded when it is asked for.

    Games whose agents cannot be used are left out of its keys; asking for one says why.

    Args:
        part: a game's `AgentSpec` -> the part, or None if the game has none.
    """

    def __init__(self, part: Callable[[AgentSpec], T | None]) -> None:
        self._part = part

    def __getitem__(self, game: str) -> T:
        found = self._part(agents_of(game))
        if found is None:
            raise KeyError(game)
        return found

    def __iter__(self) -> Iterator[str]:
        for game in game_names():
            try:
                found = self._part(agents_of(game))
            except PluginError:
                continue
            if found is not None:
                yield game

    def __len__(self) -> int:
        return sum(1 for _ in self)


AGENT_SPECS: Mapping[str, AgentSpec] = PerGame(lambda spec: spec)
"""What is known of each game."""


def loaded(part: Callable[[], T] | None) -> T | None:
    """A part of an `AgentSpec`; None if the game has none."""
    return None if part is None else part()
