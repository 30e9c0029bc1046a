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


def bootstrap_deals(
    value: NDArray[np.float64], deals: int, statistic: Callable[[NDArray[np.intp]], NDArray[np.float64]]
) -> list[Figure]:
    """Figures (k,) with 95 % percentile bootstrap intervals over deals; seeded.

    Args:
        value: (k,) of all deals.
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
    triples = zip(value, found.low, found.high, strict=True)
    return [Figure(float(each), float(low), float(high), deals) for each, low, high in triples]


def bootstrap_shares(
    squares: NDArray[np.float64], shares: Callable[[NDArray[np.float64]], NDArray[np.float64]]
) -> list[Figure]:
    """Shares of a variance (k,) as `bootstrap_deals`; NaN where there is no variance.

    Args:
        squares: (m, deals) squared differences; the first are those of the whole variance.
        shares: their means (m, ...) -> the k shares (k, ...).
    """
    value, deals = shares(squares.mean(axis=1)), squares.shape[1]
    if not squares[0].any():
        return [Figure(float(each), np.nan, np.nan, deals) for each in value]
    with warnings.catch_warnings(), np.errstate(invalid="ignore"):
        # A resample of deals without variance has no shares: its NaN makes the interval NaN.
        warnings.simplefilter("ignore", DegenerateDataWarning)
        return bootstrap_deals(value, deals, lambda drawn: shares(squares[:, drawn].mean(axis=-1)))
