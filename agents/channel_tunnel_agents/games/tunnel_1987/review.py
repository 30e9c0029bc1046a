"""How moves of 1987 Channel Tunnel are judged: each decision by itself, by a policy that the person chooses."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.table.minds.reviewed import (
    MeasureOfRecords,
    MoveGain,
    ReviewedGame,
    Stretch,
    lead,
    suspect_by_policy,
)
from channel_tunnel_env import BatchGame, Game


def _astray(states: NDArray[Any], seat: int, batch: BatchGame) -> NDArray[Any]:
    limit = batch.rulesets[0].data.deviation.limit
    return np.where(states["deviation"][:, seat] > limit, 100.0, 0.0)


def _held(name: str) -> MeasureOfRecords:
    """A field of the record, summed over its other dimensions."""

    def measure(states: NDArray[Any], seat: int, batch: BatchGame) -> NDArray[Any]:
        return np.asarray(states[name][:, seat].reshape(len(states), -1).sum(axis=1), dtype=np.float64)

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


def _weigh(policy: Any, stretch: Stretch) -> dict[str, Any]:
    # loads what a report needs, which playing does without
    from channel_tunnel_agents.table.minds.review import weigh_move

    return weigh_move(policy, cast(Game, stretch.start), stretch.actions[0])


GAME = ReviewedGame(suspect=suspect_by_policy, weigh=_weigh, gains=GAINS)
