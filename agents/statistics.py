"""Figures with intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binomtest, norm, t

CONFIDENCE = 0.95
REACH = float(norm.ppf((1 + CONFIDENCE) / 2))  # half an interval, in standard errors


@dataclass(frozen=True)
class Rate:
    """A share of games with its 95 % Wilson interval."""

    wins: float
    games: int

    @property
    def share(self) -> float:
        """The share itself."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """95 % Wilson score interval."""
        found = binomtest(round(self.wins), self.games).proportion_ci(CONFIDENCE, "wilson")
        return float(found.low), float(found.high)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.share:.1%} [{low:.1%}, {high:.1%}]"


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the sign is settled."""
        return self.low > 0 or self.high < 0


def estimate_mean(values: ArrayLike, deals: ArrayLike | None = None) -> Estimate:
    """The mean of figures of games, with a 95 % t interval clustered by deal.

    Args:
        values: (n,) one a game; entries that are NaN do not count.
        deals: (n,) the deal of each game; None: every game has a deal of its own.

    Returns:
        NaN where there is nothing to average, and no interval (NaN) with a single deal.

    Games of one deal share its luck, so the deal is the unit: the error is that of a ratio of sums over deals.
    """
    figures = np.asarray(values, np.float64)
    there = np.isfinite(figures)
    figures = figures[there]
    if not figures.size:
        return Estimate(np.nan, np.nan, np.nan)
    mean = float(figures.mean())
    residuals = figures - mean
    if deals is not None:
        cluster = np.unique(np.asarray(deals)[there], return_inverse=True)[1]
        residuals = np.bincount(cluster, weights=residuals).astype(np.float64)
    n = residuals.size
    if n < 2:
        return Estimate(mean, np.nan, np.nan)
    error = float(np.sqrt(np.square(residuals).sum() * n / (n - 1)) / figures.size)
    reach = float(t.ppf((1 + CONFIDENCE) / 2, n - 1)) * error
    return Estimate(mean, mean - reach, mean + reach)
