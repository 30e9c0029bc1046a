"""Games played out from wherever they stand, all at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.base import AgentError
from channel_tunnel_env import BatchGame
from channel_tunnel_env.batch import NO_ACTION
from channel_tunnel_env.engine.constants import BRITAIN, DRAW, OVER

Rows = NDArray[np.intp]


def play_out(
    batch: BatchGame, decide: Callable[[Rows], NDArray[np.integer[Any]]]
) -> NDArray[np.float64]:
    """Play every game of a batch to its end.

    Args:
        decide: the actions (n,) of the given rows (n,), none of them over.

    Returns:
        Britain's points (B,): 1 for a win, 0.5 for a draw, 0 for a loss. France's are what is left of 1.
    """
    actions = np.empty(batch.num_games, np.int64)
    rows = np.flatnonzero(batch.states["phase"] != OVER)
    while rows.size:
        actions[:] = NO_ACTION
        actions[rows] = decide(rows)
        batch.step(actions)
        rows = rows[~batch.dones[rows]]
    winner = batch.states["winner"]
    return np.where(winner == DRAW, 0.5, winner == BRITAIN)


def check_numbers(deals: int, seed: int) -> None:
    """Refuse what no measurement can start with.

    Raises:
        AgentError: fewer than one deal, or a seed below 0.
    """
    if deals < 1:
        raise AgentError(f"deals: {deals}; at least 1 is needed")
    if seed < 0:
        raise AgentError(f"seed: {seed}; expected 0 or more")
