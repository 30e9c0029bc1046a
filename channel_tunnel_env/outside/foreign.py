"""Code that is not ours, of games, agents and callbacks from elsewhere: nothing that it does ends the program unsaid."""

from __future__ import annotations

import traceback
from asyncio import CancelledError
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
