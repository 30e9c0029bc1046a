"""Compilation: `compiled` is numba's njit with a disk cache that cannot go stale.

Numba decides whether a cached kernel is current from the file of that one function, so a change in
an inlined helper of another file would go unnoticed. Here the cache folder is named by a digest of
all of the engine's sources: other sources, other folder.
"""

from __future__ import annotations

import getpass
import hashlib
import os
import sys
import tempfile
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

from channel_tunnel_env.engine.notice import announce

F = TypeVar("F", bound=Callable[..., Any])


def sources_digest(folder: Path = Path(__file__).parent) -> str:
    """16 hex digits over every Python file below the folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    """Where compiled code is kept: NUMBA_CACHE_DIR, else the user's cache folder."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"])
    if sys.platform == "win32":
        home = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Caches"
    else:
        home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return home / "channel_tunnel_env"


def _code_flags() -> str:
    """Settings that change the machine code and that numba's own index does not hold."""
    flags = {"b": numba.config.BOUNDSCHECK, "d": numba.config.DEBUGINFO_DEFAULT}
    return "".join(f"-{name}" for name, value in flags.items() if value)


def cache_folder() -> Path:
    """The folder of the present sources, made if need be; a temporary one where home is read-only."""
    name = f"kernels-{sources_digest()}{_code_flags()}"
    folder = _cache_root() / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    folder = Path(tempfile.gettempdir()) / f"channel_tunnel_env-{getpass.getuser()}" / name
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


_CACHE_FOLDER = None if numba.config.DISABLE_JIT else str(cache_folder())


def kernel(function: F) -> F:
    """Compile an entry point that Python calls: cached on disk, the GIL released while it runs.

    Numba's cache folder is set only while it is looked up, so other users of numba in the process
    keep their own.
    """
    if _CACHE_FOLDER is None:
        return function
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = _CACHE_FOLDER
    try:
        return announce(numba.njit(cache=True, nogil=True, error_model="numpy")(function))  # type: ignore[no-any-return]
    finally:
        numba.config.CACHE_DIR = before


def compiled(function: F) -> F:
    """Compile a rule: callable from kernels alone, and part of their machine code.

    It gets no wrapper and, where numba's internals are as known, no machine code of its own, which
    takes a third off a cold start. Under NUMBA_DISABLE_JIT=1 it stays plain Python.
    """
    if _CACHE_FOLDER is None:
        return function
    dispatcher = numba.njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(
        function
    )
    if hasattr(getattr(dispatcher, "_compiler", None), "_customize_flags"):
        dispatcher._compiler._customize_flags = _without_machine_code
        dispatcher.add_overload = types.MethodType(_add_overload, dispatcher)
    return dispatcher  # type: ignore[no-any-return]


def _without_machine_code(flags: Any) -> Any:
    flags.no_compile = True
    return flags


def _add_overload(dispatcher: Any, result: Any) -> None:
    """Dispatcher.add_overload for a function without an entry point.

    Numba finds a callee's code by its entry point; a bound method of an object of its own stands in.
    """
    stand_in = [].append
    result = result._replace(entry_point=stand_in)
    dispatcher.targetctx.insert_user_function(stand_in, result.fndesc, [result.library])
    arguments = tuple(result.signature.args)
    dispatcher._insert([argument._code for argument in arguments], stand_in, False)
    dispatcher.overloads[arguments] = result


def direct(function: Callable[..., Any], *sample: Any) -> Callable[..., Any]:
    """A kernel's machine code for the types of `sample`, without numba's own type dispatch.

    A call through numba takes 6 us with structured arrays, this one 0.4 us. The caller must pass
    arguments of exactly the sample's types: only for buffers that it owns.
    """
    if _CACHE_FOLDER is None:
        return function
    signature = tuple(numba.typeof(argument) for argument in sample)
    overloads = function.overloads  # type: ignore[attr-defined]
    if signature not in overloads:
        function.compile(signature)  # type: ignore[attr-defined]
    return overloads[signature].entry_point  # type: ignore[no-any-return]
