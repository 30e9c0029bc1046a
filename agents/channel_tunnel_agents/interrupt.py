"""Ctrl-C that lets work stop cleanly: the first requests a stop, the second forces it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)
STOPPING = "stopping after this update; Ctrl-C again ends at once"
"""What a training says at the first signal."""


class StopRequest:
    """While active, records the first SIGINT or SIGTERM; the second raises KeyboardInterrupt.

    Args:
        say: called once, at the first signal.

    Attributes:
        asked: whether there was a signal.

    Signals reach only the main thread; entered in another thread, this does nothing.
    """

    def __init__(self, say: Callable[[], object] = lambda: None) -> None:
        self.asked = False
        self._say = say
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> StopRequest:
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
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
