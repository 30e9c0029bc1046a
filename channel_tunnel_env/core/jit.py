"""Compilation: `compiled` is numba's njit with a disk cache that cannot go stale.

Numba decides whether a cached kernel is current by looking only at the file of that function, so a
change in an inlined helper in another file would go unnoticed. Here the cache folder is named by a
digest of all the engine's sources: changed sources use another folder (see `kernel_cache`).
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba import types

from channel_tunnel_env.core.compile_lock import compile_in_turn
from channel_tunnel_env.core.kernel_cache import cache_folder, seal_files
from channel_tunnel_env.core.notice import announce
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
