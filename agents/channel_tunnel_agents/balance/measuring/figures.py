"""Figures whose intervals are drawn from deals again and again."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.stats import DegenerateDataWarning, bootstrap

from channel_tunnel_agents.statistics import CONFIDENCE, Figure

RESAMPLES = 999
_RESAMPLES_AT_A_TIME = 20  # keeps the bootstrap's arrays small


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
        return bootstrap_deals(squares.shape[1], lambda drawn: shares(squares[:, drawn].mean(axis=-1)))
