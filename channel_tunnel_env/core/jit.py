"""Compilation: `compiled` is numba's njit with a disk cache that cannot go stale.

Numba decides whether a cached kernel is current by looking only at the file of that function, so a
change in an inlined helper in another file would go unnoticed. Here the cache folder is named by a
digest of all the engine's sources: changed sources use another folder (see `kernel_cache`). At a first start one process
compiles and says so; others wait for it.
"""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import types
from numba.core import event
from numba.core.compiler_lock import global_compiler_lock

from channel_tunnel_env.core.kernel_cache import cache_folder, seal_files
from channel_tunnel_env.core.rule_compiler import RuleCompiler

F = TypeVar("F", bound=Callable[..., Any])


def _named_by_content(record: types.Record) -> tuple[str, tuple[str, ...]]:
    """What a record is called in the names of machine code."""
    return "Record", (hashlib.sha256(str(record).encode()).hexdigest()[:16],)


# Numba calls it by a number that counts up in each process. Code of two games that two processes left in the cache then
# has one name, and whoever loads both plays the second game by the first one's code.
types.Record.mangling_args = property(_named_by_content)

_INTERPRETED = bool(numba.config.DISABLE_JIT)
_CACHE_FOLDER = None if _INTERPRETED else cache_folder()  # interpreted, nothing is kept: no folder is made


def kernel(function: F) -> F:
    """Compile an entry point that Python calls; cached on disk, releases the GIL while it runs.

    Numba's cache folder is set only during the lookup, so other code in the process that uses numba
    keeps its own.
    """
    if _INTERPRETED:
        return function
    before = numba.config.CACHE_DIR
    keeps = _CACHE_FOLDER is not None
    numba.config.CACHE_DIR = str(_CACHE_FOLDER) if keeps else before
    try:
        dispatcher = _dispatcher(function, keeps)
    except RuntimeError as error:  # the folder takes nothing more, nor does any other
        name = getattr(function, "__name__", "a kernel")
        warnings.warn(f"{name}: compiled by every process: {error}", RuntimeWarning, stacklevel=2)
        dispatcher = _dispatcher(function, False)
    finally:
        numba.config.CACHE_DIR = before
    if _CACHE_FOLDER is not None:
        seal_files(dispatcher, _CACHE_FOLDER)
    compile_in_turn(dispatcher)
    return announce(dispatcher)  # type: ignore[no-any-return]


def _dispatcher(function: F, keeps: bool) -> Any:
    # nogil: parts of a batch run side by side. numpy's error model: a division by zero raises nothing.
    return numba.njit(cache=keeps, nogil=True, error_model="numpy")(function)


def compiled(function: F) -> F:
    """Compile a rule: only kernels can call it, and it becomes part of their machine code.

    It has no wrapper for Python. Under NUMBA_DISABLE_JIT=1 it stays plain Python.
    """
    if _INTERPRETED:
        return function
    rule = numba.njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=RuleCompiler)(
        function
    )
    _compile_once_for_all_integers(rule)
    return rule  # type: ignore[no-any-return]


def _compile_once_for_all_integers(rule: Any) -> None:
    """Let every call of a rule pass its signed integers as int64.

    Numba recompiles a rule for every width of its arguments, and for every constant among them: a third of the
    time of a first start. The widened value is the same, and LLVM takes constants into what it inlines.
    """
    template_of = rule.get_call_template

    def get_call_template(args: Any, keywords: Any) -> Any:
        return template_of(tuple(map(_widened, args)), {name: _widened(kind) for name, kind in keywords.items()})

    rule.get_call_template = get_call_template


def _widened(kind: Any) -> Any:
    """The type as which an argument is passed."""
    plain = types.unliteral(kind)  # the type of a constant names its value
    # Unsigned numbers keep their type: the hashes of `rng` wrap at 64 bits.
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else kind


def direct(function: Callable[..., Any], *sample: Any) -> Callable[..., Any]:
    """A kernel's machine code for the types of `sample`, without numba's own type dispatch.

    A call through numba takes 6 us with structured arrays, this one 0.4 us. The caller must pass
    arguments of exactly the sample's types, so use this only with the caller's own buffers.
    """
    if _INTERPRETED:
        return function
    signature = tuple(numba.typeof(argument) for argument in sample)
    overloads = function.overloads  # type: ignore[attr-defined]
    if signature not in overloads:
        function.compile(signature)  # type: ignore[attr-defined]
    return overloads[signature].entry_point  # type: ignore[no-any-return]


# --- one line on standard error when compilation makes the first call slow ------------------------
# Printed at most once per process, and not if the code comes from the cache. CHANNEL_TUNNEL_QUIET=1 silences it. It is also
# silent in worker processes and under pytest, whose tests read standard error.


COMPILE = "numba:compile"  # numba sends it when it compiles, not when it finds code in its cache
QUIET = "CHANNEL_TUNNEL_QUIET"
LINE = "channel_tunnel_env: compiling for this machine, up to half a minute; the next start is faster"

_announced: set[Any] = set()  # kernels


class _Notice(event.Listener):
    """Prints the line at the first compilation of a kernel, then unregisters itself."""

    def on_start(self, happened: Any) -> None:
        if happened.data["dispatcher"] not in _announced:
            return  # another package's function
        event.unregister(COMPILE, self)
        if not _is_quiet():
            with contextlib.suppress(AttributeError, OSError, ValueError):  # none, broken, closed
                print(LINE, file=sys.stderr, flush=True)

    def on_end(self, happened: Any) -> None:
        pass  # a listener must have it


def announce(kernel: Any) -> Any:
    """Print the line if this kernel is the first to be compiled; returns the kernel."""
    _announced.add(kernel)
    return kernel


def _is_quiet() -> bool:
    is_worker = multiprocessing.parent_process() is not None
    return bool(is_worker or os.environ.get(QUIET) or "PYTEST_CURRENT_TEST" in os.environ)


event.register(COMPILE, _Notice())


# --- one process compiles a kernel; others that need it wait, then load it ------------------------
# Workers that start together would otherwise all compile the same rules. The lock is a file beside the compiled code.
# Without such locks (Windows), each process compiles for itself, as numba does.


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
