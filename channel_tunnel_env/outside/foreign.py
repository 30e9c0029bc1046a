"""Code that is not ours.

Games, agents and callbacks from elsewhere: nothing that they do ends the program unsaid. Optional libraries: what needs
one that is missing says what to install.
"""

from __future__ import annotations

import importlib
import traceback
from asyncio import CancelledError
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from channel_tunnel_env.errors import ForeignExitError


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


def load_agents_module(name: str, what: str, extras: str) -> Any:
    """A module of `channel_tunnel_agents`; nothing else here imports that package.

    Raises:
        MissingExtra: the module or a library that it needs is missing; says what to install.
    """
    with needing(what, extras):
        return importlib.import_module(name)


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
