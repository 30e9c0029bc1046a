"""Work for processes that are kept; each of them imports this file alone, and not what a test does."""

from __future__ import annotations

import os


def whose(task: int) -> int:
    return os.getpid()


def refuse(task: int) -> int:
    raise ValueError(task)
