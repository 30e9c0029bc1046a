"""How fast this machine is: work done in a second of one core's time, by kind.

Processor time is taken, so that other programs matter little. The figures of two machines say how their budgets of time
compare: half the speed, and 100 ms are worth 50.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable

import numba
import numpy as np

from channel_tunnel_env import BatchGame
from channel_tunnel_env.tracks.card import CardMachine

ROUNDS = 3
GAMES, STEPS = 256, 400
ROWS, INNER, OUTER, PRODUCTS = 32, 1024, 256, 60


def _games() -> float:
    """Decisions of random play a second: the engine's kernels."""
    batch = BatchGame(GAMES, "standard", seed=1, observe=False)
    rng = np.random.default_rng(1)
    begun = time.process_time()
    for _ in range(STEPS):
        masks = batch.masks
        batch.step((masks * rng.random(masks.shape, np.float32)).argmax(axis=1))
        if batch.dones.any():
            batch.reset(seeds=np.arange(GAMES))
    return GAMES * STEPS / (time.process_time() - begun)


def _products() -> float:
    """Operations of matrix products a second, in thousand millions: what a network's layers are."""
    rng = np.random.default_rng(1)
    one, other = rng.random((ROWS, INNER), np.float32), rng.random((INNER, OUTER), np.float32)
    begun = time.process_time()
    for _ in range(PRODUCTS):
        one @ other
    return 2 * ROWS * INNER * OUTER * PRODUCTS / (time.process_time() - begun) / 1e9


KINDS: dict[str, Callable[[], float]] = {"games": _games, "products": _products}


def this_machine() -> CardMachine:
    """Where we are; its speed is that of the best of some rounds: the first compiles what is not compiled yet."""
    return CardMachine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        numpy=np.__version__,
        numba=numba.__version__,
        speed={name: float(f"{max(work() for _ in range(ROUNDS)):.3g}") for name, work in KINDS.items()},
    )


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:  # noqa: PTH123
            named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        return named[0] if named else platform.machine()
    except OSError:
        return platform.processor() or platform.machine()
