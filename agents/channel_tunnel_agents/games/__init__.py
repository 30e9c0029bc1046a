"""What is known of each game, a folder each, and what other packages bring.

spec            what a game's folder must hold
plain           parts of a game without its own
tunnel_1987, carcassonne, eurotunnel    the games of this package

A distribution adds one by an entry point of the group `channel_tunnel.agents`: `name of the game = package`; the
package's module `spec` holds `SPEC`, an `AgentSpec`. Its other modules are found by their names: the room that needs a
part says in a `Parts` where it is and what it must be. No room names a game. A game's folder may import every
room, and no room imports it.

May import: base.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar, cast

from channel_tunnel_agents.games.spec import AgentSpec
from channel_tunnel_env.errors import PluginError
from channel_tunnel_env.games import BUILT_IN, find_game, game_names, is_game, plugin_cache
from channel_tunnel_env.outside.foreign import Home, find_homes, lacks, only_home

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
    home = _home_of(game)
    if home is None:
        find_game(game)  # or its own problem is named
        return AgentSpec(title=game)
    spec = getattr(home.load("spec"), "SPEC", None)
    if not isinstance(spec, AgentSpec):
        raise home.problem(f"{home.package}.spec holds no SPEC of the type AgentSpec")
    return spec


@plugin_cache
def _homes() -> dict[str, list[Home]]:
    """Game -> who brings agents for it."""
    return find_homes(GROUP, "the agents of", {name: f"{__name__}.{name}" for name in BUILT_IN})


def _home_of(game: str) -> Home | None:
    """The package with a game's agents; None if no package brings one."""
    homes = _homes().get(game)
    return only_home(homes) if homes else None


@plugin_cache
def _has(game: str, module: str) -> bool:
    """Whether a game's agents have a module; the module itself is not imported."""
    home = _home_of(game)
    return home is not None and home.has(module)


class ByGame(Mapping[str, T], Generic[T]):
    """Something of every game that has it, by the game's name.

    Games whose agents cannot be used are left out of the keys; asking for one says why.
    """

    def _find(self, game: str) -> Any:
        """What the game has; None: nothing."""
        raise NotImplementedError

    def __getitem__(self, game: str) -> T:
        found = self._find(game) if is_game(game) else None
        if found is None:
            raise KeyError(game)
        return cast("T", found)

    def __iter__(self) -> Iterator[str]:
        for game in game_names():
            try:
                has = game in self if game in BUILT_IN else self._find(game) is not None
            except PluginError:
                continue
            if has:
                yield game

    def __len__(self) -> int:
        return sum(1 for _ in self)


class PerGame(ByGame[T]):
    """A fact of the `AgentSpec` of every game that has it.

    Args:
        fact: a game's `AgentSpec` -> the fact, or None if the game has none.
    """

    def __init__(self, fact: Callable[[AgentSpec], T | None]) -> None:
        self._fact = fact

    def _find(self, game: str) -> T | None:
        return self._fact(agents_of(game))


class Parts(ByGame[T]):
    """A part of every game that has it, loaded when it is asked for: the package of the game's agents has the module.

    Args:
        module: its path below the package.
        name: of the object in the module; "": the part is the module itself.
        kind: the type of the object; a protocol of the module.
        plain: the function of `games.plain` that makes the part, or None, of a game without the module.
    """

    def __init__(self, module: str, name: str, kind: type[Any], plain: str = "") -> None:
        self._module, self._name, self._kind, self._plain = module, name, kind, plain

    def _find(self, game: str) -> Any:
        home = _home_of(game)
        if home is None or not _has(game, self._module):
            plain = getattr(_plain(), self._plain) if self._plain else None
            return plain and plain(game)
        module = home.load(self._module)
        place = f"{home.package}.{self._module}"
        if not self._name:
            if lacking := lacks(module, self._kind):
                raise home.problem(f"{place} holds no {', '.join(lacking)}")
            return module
        found = getattr(module, self._name, None)
        if not isinstance(found, self._kind):
            raise home.problem(f"{place} holds no {self._name} of the type {self._kind.__name__}")
        return found

    def __contains__(self, game: object) -> bool:
        if not is_game(game):
            return False
        assert isinstance(game, str)
        return _has(game, self._module) or (bool(self._plain) and self._find(game) is not None)


def _plain() -> Any:
    return importlib.import_module(f"{__name__}.plain")


AGENT_SPECS: Mapping[str, AgentSpec] = PerGame(lambda spec: spec)
"""What is known of each game."""
