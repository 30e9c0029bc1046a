"""Agents that do what agents must not, for `--agent tests.table.bad_agents:NAME`."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray


def hang(observations: Any, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Never answers."""
    while True:
        time.sleep(0.01)


def hang_too(observations: Any, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Never answers, and does nothing else meanwhile."""
    while True:
        pass


def fail(observations: Any, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Raises, with more words than anybody reads and some that steer a terminal."""
    raise ValueError("\x1b[31mbroken\n" + "x" * 100_000)


def leave(observations: Any, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Asks the process to end."""
    raise SystemExit(1)


def crash(observations: Any, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Takes the process with it."""
    os._exit(1)


def count_threads(observations: Any, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Says how many threads torch computes with."""
    import torch

    raise ValueError(f"{torch.get_num_threads()} threads")


def cheat(observations: Any, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Answers what is no action."""
    return np.full(len(masks), -1)


class Unmade:
    """Cannot be made."""

    def __init__(self) -> None:
        raise RuntimeError("no weights")


COMPILED: list[bool] = []


def compile_first(observations: Any, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Takes long over its first decision."""
    if not COMPILED:
        time.sleep(2)
        COMPILED.append(True)
    return masks.argmax(axis=1)
