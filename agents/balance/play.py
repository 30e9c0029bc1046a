"""Games of a batch played to their end, with a look at every decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.arena import deal_seeds
from agents.base import AnyAgent, choose_actions
from channel_tunnel_env import BatchGame
from channel_tunnel_env.engine.constants import BRITAIN, DRAW

Watch = Callable[[NDArray[np.intp], NDArray[np.int64]], object]
"""Called before every step: rows that go on (n,), the actions of all rows (B,)."""

CHUNK = 512  # deals of one task: the same for any number of workers


def play_out(
    batch: BatchGame, britain: AnyAgent, france: AnyAgent, watch: Watch | None = None
) -> None:
    """Play every game of a batch to its end, one agent a seat.

    Args:
        watch: sees the batch as it stands when the actions are chosen; it must not change it.
    """
    running = np.ones(batch.num_games, np.bool_)
    while running.any():
        actions = np.full(batch.num_games, -1, np.int64)
        for seat, agent in enumerate((britain, france)):
            rows = np.flatnonzero(running & (batch.to_play == seat))
            if rows.size:
                actions[rows] = choose_actions(agent, batch, rows)
        if watch is not None:
            watch(np.flatnonzero(running), actions)
        batch.step(actions)
        running &= ~batch.dones


def britain_points(batch: BatchGame) -> NDArray[np.float64]:
    """Of finished games: 1 for Britain's win, 0.5 for a draw, 0 for a loss: (B,)."""
    winner = batch.states["winner"]
    return np.where(winner == DRAW, 0.5, (winner == BRITAIN).astype(np.float64))


def britain_margin(batch: BatchGame) -> NDArray[np.float64]:
    """Britain's victory points less France's, as things stand: (B,)."""
    totals = batch.scores()[:, :, -1].astype(np.float64)
    return np.asarray(totals[:, 0] - totals[:, 1])


def chunks(total: int, size: int = CHUNK) -> list[tuple[int, int]]:
    """First and behind-last deal of every task."""
    return [(start, min(start + size, total)) for start in range(0, total, size)]


def chunk_seed(seed: int, start: int, *salt: int) -> int:
    """A seed for the agents of the task that begins with deal `start`."""
    return int(np.random.SeedSequence([seed, start, *salt]).generate_state(1)[0])


def chunk_deals(seed: int, start: int, stop: int) -> NDArray[np.int64]:
    """Game seeds of the deals of a task, the same deals as every match of that seed has."""
    return deal_seeds(stop, seed)[start:]


def check_count(name: str, number: int, least: int = 1) -> None:
    """Refuse too few of something.

    Raises:
        ValueError: the number is below the least.
    """
    if number < least:
        raise ValueError(f"{name} {number}: {least} or more is needed")


def freeze(array: NDArray[Any]) -> NDArray[Any]:
    """The array, no longer writeable."""
    array.setflags(write=False)
    return array
