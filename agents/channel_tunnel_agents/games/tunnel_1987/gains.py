"""What a review says that a move of 1987 Channel Tunnel gains or gives up."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.table.minds.review import MeasureOfRecords, MoveGain, lead
from channel_tunnel_env import BatchGame


def _astray(states: NDArray[Any], seat: int, batch: BatchGame) -> NDArray[Any]:
    limit = batch.rulesets[0].data.deviation.limit
    return np.where(states["deviation"][:, seat] > limit, 100.0, 0.0)


def _held(name: str) -> MeasureOfRecords:
    """A field of the record, summed over whatever else it is counted by."""

    def measure(states: NDArray[Any], seat: int, batch: BatchGame) -> NDArray[Any]:
        return np.asarray(
            states[name][:, seat].reshape(len(states), -1).sum(axis=1), dtype=np.float64
        )

    return measure


GAINS = (
    MoveGain("{} % less risk of going astray", "{} % more risk of going astray", 1, _astray, False),
    MoveGain("{} points of lead", "{} points of lead", 0.3, lead),
    MoveGain("{} tunnel spaces", "{} tunnel spaces", 0.15, _held("tbm")),
    MoveGain("{} less deviation", "{} more deviation", 0.15, _held("deviation"), False),
    MoveGain("{} technology spaces", "{} technology spaces", 0.15, _held("counter")),
    MoveGain("{} cards built", "{} cards built", 0.15, _held("kind_count")),
    MoveGain("{} M", "{} M", 0.3, _held("money_total")),
    MoveGain("{} discs", "{} discs", 0.5, _held("discs")),
)
"""What one move may leave a player with more of than another, the weightiest first."""
