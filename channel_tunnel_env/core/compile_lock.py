"""One process compiles a kernel; others that need it at the same time wait, then load it.

Workers that start together would otherwise all compile the same rules. The lock is a file beside the
compiled code. Without such locks (Windows), each process compiles for itself, as numba does.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from numba.core.compiler_lock import global_compiler_lock

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LONGEST_WAIT = 300.0
"""Seconds after which a process compiles for itself: the one before it may have been suspended."""
_PAUSE = 0.02


def compile_in_turn(dispatcher: Any) -> None:
    """Make a dispatcher that has a cache compile while no other process compiles the same function."""
    # Private names of numba: without them each process compiles for itself.
    files = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if files is None or fcntl is None:
        return
    dispatcher.compile = _in_turn(dispatcher.compile, f"{files._index_path}.lock")


def _in_turn(compile_or_load: Callable[[Any], Any], path: str) -> Callable[[Any], Any]:
    def compile_alone(signature: Any) -> Any:
        # Numba's own lock comes first: in the other order two threads could wait for each other.
        with global_compiler_lock, _held(path):
            return compile_or_load(signature)

    return compile_alone


@contextlib.contextmanager
def _held(path: str) -> Iterator[None]:
    """Hold the lock file, or nothing if it cannot be written or is not freed in time."""
    try:
        file = Path(path).open("ab")  # noqa: SIM115 - closed below, which frees the lock
    except OSError:
        yield
        return
    with file:
        _wait_for(file)
        yield


def _wait_for(file: Any) -> None:
    end = time.monotonic() + LONGEST_WAIT
    while time.monotonic() < end:
        try:
            # Not blocking: a wait in the system could not be given up after LONGEST_WAIT.
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE)
        except OSError:
            return None  # a file system without locks
    return None  # waited long enough: go on without the lock
