"""What each seat has of a finished game: shares of 1."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.games import agents_of
from channel_tunnel_env import BatchGame


def shares_of(batch: BatchGame) -> NDArray[np.float64]:
    """The share of each seat in finished games: (B, S).

    A winner has 1. In a draw two seats have a half each; with more seats, those with the highest score have equal parts.
    """
    field = agents_of(batch.spec.name).share_field
    if field is not None:
        kept: NDArray[np.float64] = batch.states[field].astype(np.float64)
        return kept
    winner = batch.states["winner"].astype(np.int64)
    won = winner[:, None] == np.arange(len(batch.seats))
    leading = _leading(batch)
    parts = leading / leading.sum(axis=1, keepdims=True)
    found: NDArray[np.float64] = np.where(winner[:, None] == batch.spec.outcome.draw, parts, won)
    return found


def _leading(batch: BatchGame) -> NDArray[np.bool_]:
    """The seats that share a draw: (B, S)."""
    totals: NDArray[Any] = batch.scores()[:, :, -1]
    if len(batch.seats) == 2:
        return np.ones(totals.shape, np.bool_)
    leading: NDArray[np.bool_] = totals == totals.max(axis=1, keepdims=True)
    return leading
