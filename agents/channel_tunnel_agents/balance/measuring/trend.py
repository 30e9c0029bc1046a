"""Whether the first seat's share of wins grows or falls with skill.

Two things make a trend. The slope of a straight line through all games, by the number of the level, differs from 0.
And no level lies on the wrong side of a weaker one by more than luck: shares that surely rise and fall are no trend,
whatever their line says. The levels play the same deals, so deals are the sampling unit of both tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from channel_tunnel_agents.balance.measuring.significance import MAY_BE_LUCK, holm, how_sure, paired_p
from channel_tunnel_agents.statistics import Estimate, student_reach

TURNS_BACK = 0.05  # family-wise error rate of calling equal levels a turn
Points = NDArray[np.float64]


@dataclass(frozen=True)
class Trend:
    """How a share changes from each level to the next.

    Attributes:
        slope: change per level, -1 to 1, with its 95 % interval.
        p: p-value of no slope; NaN where no game differs from another.
        turns_back: whether some level lies against the slope of a weaker one by more than luck.
    """

    slope: Estimate
    p: float
    turns_back: bool

    @property
    def certainty(self) -> str:
        """In a word of `how_sure`."""
        if self.turns_back:
            return MAY_BE_LUCK
        return how_sure(self.p, self.slope)


def find_trend(levels: Sequence[Points]) -> Trend:
    """Test the shares of levels against their order.

    Args:
        levels: the weakest first, two or more; of each the first seat's points, 0 to 1, by deal (n,). All play the
            same deals in the same order; one with fewer games the first of them.
    """
    slope, p = _slope(levels)
    return Trend(slope, p, _turns_back(levels, np.sign(slope.value)))


def _slope(levels: Sequence[Points]) -> tuple[Estimate, float]:
    """Least squares over all games, with the standard error and Student's t clustered by deal."""
    points = np.concatenate(levels)
    deal = np.concatenate([np.arange(len(level)) for level in levels])
    place = np.repeat(np.arange(len(levels), dtype=float), [len(level) for level in levels])
    place -= place.mean()
    spread = float(np.square(place).sum())
    slope = float(place @ points) / spread
    residuals = points - points.mean() - slope * place
    of_deal = np.bincount(deal, weights=place * residuals) / spread
    deals = len(of_deal)
    error = float(np.sqrt(np.square(of_deal).sum() * deals / (deals - 1)))
    if not error > 0:
        return Estimate(slope, slope, slope), float("nan")
    reach = student_reach(deals - 1) * error
    p = 2 * float(student.sf(abs(slope) / error, deals - 1))
    return Estimate(slope, slope - reach, slope + reach), p


def _turns_back(levels: Sequence[Points], direction: float) -> bool:
    """Whether any level lies against the direction of a weaker one, corrected for the number of pairs."""
    changes = []
    for weak, strong in combinations(levels, 2):
        deals = min(len(weak), len(strong))
        changes.append(strong[:deals] - weak[:deals])
    against = [change.mean() * direction < 0 for change in changes]
    corrected = holm([paired_p(change) for change in changes])
    return bool((corrected[against] < TURNS_BACK).any())
