"""How the user started this program, so that printed commands work when copied, and Ctrl-C, which first asks it to stop.

`channel-tunnel tournament ...` works wherever the package is installed; `python evaluate.py
tournament ...` does the same in a checkout.
"""

from __future__ import annotations

import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any

from channel_tunnel_env.entry import TRACEBACK, error_line
from channel_tunnel_env.outside.terminal import printable

INSTALLED = "channel-tunnel"
_script: ContextVar[str | None] = ContextVar("script", default=None)


@contextmanager
def started_by(script: str | None) -> Iterator[None]:
    """Context in which `train.py` or `evaluate.py` was started; None: the installed command."""
    token = _script.set(script)
    try:
        yield
    finally:
        _script.reset(token)


def program() -> str:
    """The prefix of messages."""
    return _script.get() or INSTALLED


def command_words(command: str) -> list[str]:
    """The first words of a command line, such as "train" or "sweep"."""
    if _script.get() is None:
        return [INSTALLED, command]
    return ["python", "train.py"] if command == "train" else ["python", "evaluate.py", command]


def complain(error: Exception | str, status: int) -> int:
    """Print an error on one line of stderr, with its traceback if `TRACEBACK` is set; returns the exit status."""
    from rich.console import Console  # takes a while, and most commands end well

    if isinstance(error, Exception) and os.environ.get(TRACEBACK):
        traceback.print_exception(error)
    text = printable(error) if isinstance(error, str) else error_line(error)
    # Verbatim: a path or a command must not be wrapped, nor its brackets read as markup.
    Console(stderr=True, soft_wrap=True).print(f"{program()}: {text}", style="red", highlight=False, markup=False)
    return status


# --- Ctrl-C ---------------------------------------------------------------------------------------


SIGNALS = (signal.SIGINT, signal.SIGTERM)
STOPPING = "stopping after this update; Ctrl-C again ends at once"
"""What a training says at the first signal."""


class StopRequest:
    """While active, records the first SIGINT or SIGTERM; the second raises KeyboardInterrupt.

    Args:
        say: called once, at the first signal.
        signals: that ask; a Ctrl-C reaches other processes of the command as well.

    Attributes:
        asked: whether there was a signal.

    Signals reach only the main thread; entered in another thread, this does nothing.
    """

    def __init__(self, say: Callable[[], object] = lambda: None, signals: tuple[signal.Signals, ...] = SIGNALS) -> None:
        self.asked = False
        self._say, self._signals = say, signals
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> StopRequest:
        if threading.current_thread() is threading.main_thread():
            for number in self._signals:
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        self._say()
