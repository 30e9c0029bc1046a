"""Code that is not ours.

Games, agents and callbacks from elsewhere: nothing that they do ends the program unsaid. Optional libraries: what needs
one that is missing says what to install.

Packages that hold a game, or what is known of one: where they are found, and how their modules are loaded. Such a package is
this project's own, or another distribution's, which names it by an entry point.
"""

from __future__ import annotations

import importlib
import traceback
from asyncio import CancelledError
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from channel_tunnel_env.errors import ForeignExitError, PluginError


@contextmanager
def foreign_code(interrupts: bool = False) -> Iterator[None]:
    """Context, or decorator, that turns what would end the program, such as sys.exit, into an error.

    Args:
        interrupts: KeyboardInterrupt too, for a process in which Ctrl-C does not raise it.

    Raises:
        ForeignExitError: names what was raised, and where.
    """
    try:
        yield
    except (Exception, GeneratorExit, CancelledError):
        raise
    except BaseException as error:
        is_interrupt = isinstance(error, KeyboardInterrupt) and not interrupts
        if is_interrupt or isinstance(error.__context__, BrokenPipeError):
            raise  # at a broken pipe rich ends the program: its reader has enough
        raise ForeignExitError(f"code from elsewhere would end the program: {words_of(error)}") from error


def words_of(error: BaseException) -> str:
    """What was raised and where, such as "KeyError: 'map' (spec.py, line 3)"."""
    if isinstance(error, ForeignExitError) and error.__cause__ is not None:
        error = error.__cause__
    place = traceback.extract_tb(error.__traceback__)[-1]
    what = f"{type(error).__name__}: {error}".removesuffix(": ")
    return f"{what} ({Path(place.filename).name}, line {place.lineno})"


# --- libraries of extras --------------------------------------------------------------------------


class MissingExtra(ImportError):
    """A library of an extra that is not installed."""


@contextmanager
def needing(what: str, extras: str) -> Iterator[None]:
    """Context in which a missing library is reported as a requirement of what needs it.

    Args:
        what: begins the sentence.
        extras: what `pip install 'channel-tunnel-env[...]'` brings it, such as "play,table".

    Raises:
        MissingExtra: a library is missing; says what to install. Who said so within is believed.
    """
    try:
        yield
    except MissingExtra:
        raise
    except ImportError as error:
        raise MissingExtra(
            f"{what} needs more than the core ({error}): pip install 'channel-tunnel-env[{extras}]'"
        ) from None


DISTRIBUTIONS = {"resvg_py": "resvg-py", "PIL": "pillow", "pygame": "pygame-ce"}


def need(module: str) -> ModuleType:
    """A module of the extra `render`.

    Raises:
        ImportError: the module is missing; the message says what to install.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        distribution = DISTRIBUTIONS.get(module.partition(".")[0], module)
        raise ImportError(f"drawing pixels needs {distribution}: pip install 'channel-tunnel-env[render]'") from None


OURS = "channel-tunnel-env"


@dataclass(frozen=True)
class Home:
    """A package that holds something about a game.

    Attributes:
        what: it holds, such as "the game shaft_bluff".
        package: its dotted name.
        distribution: who brings it, such as "shaft-bluff 1.0".
    """

    what: str
    package: str
    distribution: str

    def has(self, part: str) -> bool:
        """Whether it has a module, such as "faces.table"; only the packages above that one are imported.

        Raises:
            PluginError: one of them cannot be imported.
        """
        folder, _, last = part.rpartition(".")
        if folder and not self.has(folder):
            return False
        above = self.load(folder)
        return hasattr(above, "__path__") and find_spec(f"{above.__name__}.{last}") is not None

    def load(self, part: str) -> ModuleType:
        """A module, such as "spec" or "faces.table"; "": the package.

        Raises:
            PluginError: it cannot be imported. Errors of this project's own modules pass.
        """
        module = f"{self.package}.{part}".rstrip(".")
        try:
            with foreign_code():
                return importlib.import_module(module)
        except Exception as error:
            if self.distribution == OURS:
                raise
            raise self.problem(f"{module} cannot be imported: {words_of(error)}") from error

    def problem(self, words: str) -> PluginError:
        """What is wrong, with whose it is."""
        return PluginError(f"{self.what} of {self.distribution}: {words}")


def find_homes(group: str, what: str, own: Mapping[str, str]) -> dict[str, list[Home]]:
    """The packages that hold something about games, by the game's name; several for a name that is taken twice.

    Args:
        group: of the entry points: `name of the game = package`.
        what: the packages hold, such as "the game"; the name follows.
        own: this project's packages by the name of the game; they come first.
    """
    homes = {name: [Home(f"{what} {name}", package, OURS)] for name, package in own.items()}
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        brought = point.dist
        distribution = f"{brought.name} {brought.version}" if brought else point.value
        home = Home(f"{what} {point.name}", point.value, distribution)
        if home not in homes.setdefault(point.name, []):
            homes[point.name].append(home)
    return homes


def only_home(homes: list[Home]) -> Home:
    """The package that is used of those with one name: this project's, or the one that there is.

    Raises:
        PluginError: two distributions bring one.
    """
    if len(homes) > 1 and homes[0].distribution != OURS:
        both = " and ".join(home.distribution for home in homes)
        raise PluginError(f"{homes[0].what}: {both} both bring a package; remove one of them")
    return homes[0]


def lacks(module: object, protocol: type) -> list[str]:
    """The functions and constants of a protocol that a module does not have."""
    names = {*vars(protocol), *protocol.__annotations__}
    return sorted(name for name in names if name[0] != "_" and not hasattr(module, name))
