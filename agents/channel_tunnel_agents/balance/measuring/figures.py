"""A figure of the report: a value, its interval, and the number it rests on."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import DegenerateDataWarning, bootstrap

from channel_tunnel_agents.statistics import CONFIDENCE, Estimate, estimate_mean, estimate_share

RESAMPLES = 999
_RESAMPLES_AT_A_TIME = 20  # keeps the bootstrap's arrays small


@dataclass(frozen=True)
class Figure(Estimate):
    """An estimate with its 95 % interval and n, usually the number of games it rests on."""

    n: int

    def __str__(self) -> str:
        return f"{self.value:.3g} [{self.low:.3g}, {self.high:.3g}], n {self.n}"


def figures_of(
    values: NDArray[np.float64], lows: NDArray[np.float64], highs: NDArray[np.float64], n: int
) -> list[Figure]:
    """Figures from arrays of values and interval ends, (k,) each, all with the same n."""
    triples = zip(values, lows, highs, strict=True)
    return [Figure(float(value), float(low), float(high), n) for value, low, high in triples]


def bootstrap_deals(
    deals: int, statistic: Callable[[NDArray[np.intp]], NDArray[np.float64]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ends (k,) of 95 % percentile bootstrap intervals over deals; seeded.

    Args:
        statistic: maps resampled deals (draws, deals) to the k figures of each draw (k, draws).
    """
    found = bootstrap(
        (np.arange(deals),),
        lambda drawn, axis: statistic(drawn),
        n_resamples=RESAMPLES,
        batch=_RESAMPLES_AT_A_TIME,
        vectorized=True,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    return found.low, found.high


def bootstrap_shares(
    squares: NDArray[np.float64], shares: Callable[[NDArray[np.float64]], NDArray[np.float64]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ends (k,) of intervals, as `bootstrap_deals`, of shares of a variance; NaN where there is no variance.

    Args:
        squares: (m, deals) squared differences; the first are those of the whole variance.
        shares: their means (m, ...) -> the k shares (k, ...).
    """
    if not squares[0].any():
        nothing = np.full(len(shares(squares.mean(axis=1))), np.nan)
        return nothing, nothing
    with warnings.catch_warnings(), np.errstate(invalid="ignore"):
        # A resample of deals without variance has no shares: its NaN makes the interval NaN.
        warnings.simplefilter("ignore", DegenerateDataWarning)
        return bootstrap_deals(
            squares.shape[1], lambda drawn: shares(squares[:, drawn].mean(axis=-1))
        )


def mean_figure(values: ArrayLike, deals: ArrayLike | None = None) -> Figure:
    """The mean of per-game figures, ignoring NaN; see `estimate_mean`.

    Args:
        values: (n,) one per game.
        deals: (n,) the deal of each game; None: every game is its own deal.
    """
    found = estimate_mean(values, deals)
    return Figure(found.value, found.low, found.high, int(np.isfinite(values).sum()))


def share_figure(values: ArrayLike, deals: ArrayLike | None = None) -> Figure:
    """The mean of per-game figures from 0 to 1, such as points or yes/no; see `estimate_share`.

    Args:
        values: (n,) one per game; NaN entries are ignored.
        deals: (n,) the deal of each game; None: every game is its own deal.
    """
    found = estimate_share(values, deals)
    return Figure(found.value, found.low, found.high, int(np.isfinite(values).sum()))
