"""A figure of the report: a value, its interval, and the number it rests on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agents.statistics import Estimate, estimate_mean, estimate_share


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
    """The mean of figures from 0 to 1, such as points or yes and no; see `estimate_share`.

    Args:
        values: (n,) one a game; entries that are NaN do not count.
        deals: (n,) the deal of each game; None: every game has a deal of its own.
    """
    found = estimate_share(values, deals)
    return Figure(found.value, found.low, found.high, int(np.isfinite(values).sum()))
