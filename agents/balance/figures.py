"""A figure of the report: a value, its interval, and the number it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from statsmodels.stats.proportion import proportion_confint

from agents.statistics import CONFIDENCE, REACH, Estimate, estimate_mean


@dataclass(frozen=True)
class Figure(Estimate):
    """An estimate with its 95 % interval and n, as a rule the games it rests on."""

    n: int

    def __str__(self) -> str:
        return f"{self.value:.3g} [{self.low:.3g}, {self.high:.3g}], n {self.n}"


def figures_of(
    values: NDArray[np.float64], lows: NDArray[np.float64], highs: NDArray[np.float64], n: int
) -> list[Figure]:
    """Figures from arrays of values and ends of intervals, (k,) each, that rest on the same n."""
    triples = zip(values, lows, highs, strict=True)
    return [Figure(float(value), float(low), float(high), n) for value, low, high in triples]


def mean_figure(values: ArrayLike, deals: ArrayLike | None = None) -> Figure:
    """The mean of figures of games, entries that are NaN left out; see `estimate_mean`.

    Args:
        values: (n,) one a game.
        deals: (n,) the deal of each game; None: every game has a deal of its own.
    """
    found = estimate_mean(values, deals)
    return Figure(found.value, found.low, found.high, int(np.isfinite(values).sum()))


def share_figure(values: ArrayLike, deals: ArrayLike | None = None) -> Figure:
    """The mean of figures from 0 to 1, such as points or yes and no, with a 95 % Wilson interval.

    Args:
        values: (n,) one a game; entries that are NaN do not count.
        deals: (n,) the deal of each game; None: every game has a deal of its own.

    Returns:
        NaN where there is nothing to average.

    Games of one deal share its luck. The interval is then that of as many independent games as would
    have the error found by `estimate_mean` (the effective sample size of Korn & Graubard 1998).
    """
    figures = np.asarray(values, np.float64)
    there = np.isfinite(figures)
    figures = figures[there]
    n = figures.size
    if not n:
        return Figure(np.nan, np.nan, np.nan, 0)
    mean = float(figures.mean())
    size = float(n) if deals is None else _effective_size(figures, np.asarray(deals)[there])
    low, high = proportion_confint(mean * size, size, alpha=1 - CONFIDENCE, method="wilson")
    return Figure(mean, float(low), float(high), n)


def _effective_size(figures: NDArray[np.float64], deals: NDArray[Any]) -> float:
    """Independent games that would say as much; as many as deals where the error cannot be told."""
    clusters = len(np.unique(deals))
    if clusters == figures.size:
        return float(clusters)
    found = estimate_mean(figures, deals)
    error = (found.high - found.low) / 2 / REACH
    if not error > 0:
        return float(clusters)
    return float(np.clip(found.value * (1 - found.value) / error**2, 1.0, figures.size))
