"""One line on standard error when compilation makes the first call slow.

It is printed at most once per process, and not if the code comes from the cache.
`CHANNEL_TUNNEL_QUIET=1` silences it. It is also silent in worker processes and under pytest, whose
tests read standard error.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
from typing import Any

from numba.core import event

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
