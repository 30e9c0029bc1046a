"""The games, one folder each, and those that other packages bring. No game imports another.

A game is a package with a module `spec`, which holds `SPEC` (see `core.spec`), the modules of `faces.registry.PARTS`,
and a folder `rulesets`. A distribution adds one by an entry point of the group `channel_tunnel.games` that names the
package.

The version of its environments' ids is the constant VERSION of the module `spec`, a literal such as "v0": it is read
from the text, so that `import channel_tunnel_env` can register the ids and imports no game for it.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import ParamSpec, TypeVar, cast

from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.errors import PluginError
from channel_tunnel_env.outside.foreign import Home, find_homes, foreign_code, only_home, words_of

BUILT_IN = ("tunnel_1987", "carcassonne", "eurotunnel")
DEFAULT_GAME = BUILT_IN[0]
"""The game of a ruleset without `game:`."""
GROUP = "channel_tunnel.games"
"""The group of entry points: `name of the game = package`."""

P = ParamSpec("P")
T = TypeVar("T")
_FORGETTERS: list[Callable[[], None]] = [machine_of.cache_clear]

FIRST_VERSION = "v0"
"""The version of the ids of a game that states none."""
_STATED_VERSION = re.compile(r"""^VERSION(?:: \w+)? = ["'](v\d+)["']""", re.MULTILINE)


def plugin_cache(function: Callable[P, T]) -> Callable[P, T]:
    """`functools.cache` for answers that depend on the distributions that are installed; see `forget_plugins`."""
    kept = cache(function)
    _FORGETTERS.append(kept.cache_clear)
    return cast("Callable[P, T]", kept)


def forget_plugins() -> None:
    """Look again, at the next question, for games and for what agents know of them.

    For programs that install a distribution while they run.
    """
    for forget in _FORGETTERS:
        forget()


@plugin_cache
def _homes() -> dict[str, list[Home]]:
    """Name of a game -> where it is found; two places for a name that is taken twice."""
    return find_homes(GROUP, "the game", {name: f"{__name__}.{name}" for name in BUILT_IN})


def game_names() -> tuple[str, ...]:
    """The names of all games, those of this package first."""
    return tuple(_homes())


def is_game(name: object) -> bool:
    """Whether there is a game of that name."""
    return isinstance(name, str) and name in _homes()


@plugin_cache
def find_game(name: str) -> GameSpec:
    """The game with a name of `game_names`.

    Raises:
        PluginError: the distribution that brings it provides no whole game, or two bring the same name.
        KeyError: there is no such game.
    """
    home = _home_of(name)
    spec = getattr(load_part(name, "spec"), "SPEC", None)
    if not isinstance(spec, GameSpec):
        raise home.problem(f"{home.package}.spec holds no SPEC of the type GameSpec")
    if spec.name != name:
        raise home.problem(f"{home.package}.spec.SPEC has the name {spec.name!r}")
    return spec


@plugin_cache
def has_part(name: str, part: str) -> bool:
    """Whether a game has a module, such as "faces.table"; the module itself is not imported.

    Raises:
        PluginError: the folder above it cannot be imported, or two distributions bring a game of that name.
        KeyError: there is no such game.
    """
    return _home_of(name).has(part)


def load_part(name: str, part: str) -> ModuleType:
    """A module of a game, such as "spec" or "faces.table"; "": the game's package.

    Raises:
        PluginError: it cannot be imported, or two distributions bring a game of that name.
        KeyError: there is no such game.
    """
    return _home_of(name).load(part)


def plugin_problems() -> dict[str, str]:
    """Games of other distributions that do not work, by name, and why."""
    problems = {}
    for name, homes in _homes().items():
        if name in BUILT_IN:
            for home in homes[1:]:
                what = "the name is that of a game of this package; it is not used"
                problems[name] = str(home.problem(what))
        else:
            try:
                find_game(name)
                if has_part(name, "game"):
                    load_part(name, "game")
                ruleset_folder(name)
            except PluginError as error:
                problems[name] = str(error)
    return problems


@plugin_cache
def ruleset_folder(name: str) -> Path:
    """The folder of a game's built-in rulesets; nothing of the game is imported.

    Raises:
        PluginError: its package is not there, or two distributions bring a game of that name.
        KeyError: there is no such game.
    """
    home = _home_of(name)
    if name in BUILT_IN:
        return Path(__file__).parent / name / "rulesets"
    try:
        with foreign_code():
            found = importlib.util.find_spec(home.package)
    except Exception as error:  # a parent package that fails
        raise home.problem(f"{home.package}: {words_of(error)}") from error
    if found is None or not found.submodule_search_locations:
        raise home.problem(f"there is no package {home.package}")
    return Path(next(iter(found.submodule_search_locations))) / "rulesets"


def environment_version(name: str) -> str:
    """The version of the ids of a game's environments; nothing of the game is imported.

    Raises:
        PluginError: as `ruleset_folder`.
        KeyError: there is no such game.
    """
    spec = ruleset_folder(name).parent / "spec.py"
    text = spec.read_text(encoding="utf-8", errors="replace") if spec.is_file() else ""
    stated = _STATED_VERSION.search(text)
    return stated[1] if stated else FIRST_VERSION


def ruleset_folders() -> dict[str, Path]:
    """Game -> the folder of its built-in rulesets, of all games that are found."""
    folders = {}
    for name in game_names():
        try:
            folders[name] = ruleset_folder(name)
        except PluginError:
            continue
    return folders


def _home_of(name: str) -> Home:
    return only_home(_homes()[name])
