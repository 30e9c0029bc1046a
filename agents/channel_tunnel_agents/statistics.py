"""Figures with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm, t

from channel_tunnel_env.outside.terminal import percent

CONFIDENCE = 0.95
REACH = float(norm.ppf((1 + CONFIDENCE) / 2))  # half the width of an interval, in standard errors
LEAST_DEALS = 30  # differing deals from which on the t-distribution describes a mean
LEAST_PART = 0.25  # ... or this part of all deals, if there are fewer


def student_reach(freedom: int, confidence: float = CONFIDENCE) -> float:
    """Half the width of an interval, in standard errors, for the given degrees of freedom."""
    return float(t.ppf((1 + confidence) / 2, freedom))


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval.

    Attributes:
        value: the estimate.
        low: the lower end.
        high: the upper end.
    """

    value: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval excludes 0, so that the sign is certain."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True)
class Figure(Estimate):
    """An estimate with its 95 % interval and n, usually the number of games it rests on."""

    n: int


def rate_of(wins: float, games: int) -> Figure:
    """A share of games with its 95 % Wilson interval; NaN of no games."""
    if not games:
        return Figure(np.nan, np.nan, np.nan, 0)
    found = wilson(round(wins) / games, games)
    return Figure(wins / games, found.low, found.high, games)


def percent_words(share: Estimate, before_interval: str = " ") -> str:
    """A share and its interval: "71.0 % [64.0, 78.0]"."""
    return f"{percent(share.value)}{before_interval}[{100 * share.low:.1f}, {100 * share.high:.1f}]"


def estimate_mean(values: ArrayLike, deals: ArrayLike | None = None, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of per-game figures, with a t interval clustered by deal.

    Args:
        values: (n,) one per game; NaN entries are ignored.
        deals: (n,) the deal of each game; None: every game is its own deal.
        confidence: of the interval, 0 to 1.

    Returns:
        The mean, NaN if there is nothing to average; no interval (NaN) with a single deal.

    Games of one deal share its luck, so the deal is the sampling unit: the standard error is that
    of a ratio of sums over deals.
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
    reach = student_reach(n - 1, confidence) * error
    return Estimate(mean, mean - reach, mean + reach)


def estimate_change(changes: ArrayLike, largest: float = 1.0) -> Estimate:
    """The mean change of a figure between two games of every deal, with a 95 % interval.

    Args:
        changes: (n,) one per deal, -largest to largest; NaN entries are ignored.
        largest: the largest change that a deal can make: 1 for a share.

    Returns:
        With `LEAST_DEALS` deals that differ from the usual change, or a quarter of all, `estimate_mean`. Fewer do not
        show what other deals may do, and none would give an interval without any width. What is more and what is less than
        usual then have a Wilson interval each, as shares of what is possible, combined as Newcombe (1998, method 10) does
        for paired shares.
    """
    found = np.asarray(changes, np.float64)
    found = found[np.isfinite(found)]
    values, counts = np.unique(found, return_counts=True)
    if found.size < 2 or _show_spread(found.size - int(counts.max()), found.size):
        return estimate_mean(found)
    mean, usual = float(found.mean()), float(values[counts.argmax()])  # of most deals no change, as a rule
    most, least = largest - usual, largest + usual
    up, down = _part(np.maximum(found - usual, 0), most), _part(np.maximum(usual - found, 0), least)
    # A deal that rises does not fall: the two shares are negatively correlated.
    odds = [part.value / (1 - part.value) if part.value < 1 else 0.0 for part in (up, down)]
    shared = np.sqrt(odds[0] * odds[1])
    below = _joined(most * (up.value - up.low), least * (down.high - down.value), shared)
    above = _joined(most * (up.high - up.value), least * (down.value - down.low), shared)
    return Estimate(mean, mean - below, mean + above)


def _show_spread(differing: int, deals: int) -> bool:
    """Whether enough deals differ from the others to show how far deals may lie apart."""
    return differing >= min(LEAST_DEALS, LEAST_PART * deals)


def _joined(one: float, other: float, correlation: float) -> float:
    return float(np.sqrt(one**2 + 2 * correlation * one * other + other**2))


def _part(sizes: NDArray[np.float64], largest: float) -> Estimate:
    return estimate_share(np.minimum(sizes / largest, 1.0)) if largest > 0 else Estimate(0, 0, 0)


def estimate_share(values: ArrayLike, deals: ArrayLike | None = None, confidence: float = CONFIDENCE) -> Estimate:
    """`estimate_mean` for figures from 0 to 1, with a Wilson interval, which stays between them.

    Games of one deal share its luck, and a part of a game varies less than a result. The interval is that of the
    number of independent results with the same standard error as `estimate_mean` finds (the effective sample size
    of Korn & Graubard 1998).
    """
    figures = np.asarray(values, np.float64)
    there = np.isfinite(figures)
    figures = figures[there]
    if not figures.size:
        return Estimate(np.nan, np.nan, np.nan)
    mean = float(figures.mean())
    numbers = np.arange(figures.size) if deals is None else np.asarray(deals)[there]
    size = _effective_size(figures, numbers)
    return wilson(mean, size, confidence)


def wilson(share: float, size: float, confidence: float = CONFIDENCE) -> Estimate:
    """A share of so many independent results with its Wilson interval; `size` need not be whole, so scipy's does not serve."""
    z2 = norm.ppf((1 + confidence) / 2) ** 2 / size
    middle, half = share + z2 / 2, np.sqrt(z2 * (share * (1 - share) + z2 / 4))
    low, high = np.clip([(middle - half) / (1 + z2), (middle + half) / (1 + z2)], 0.0, 1.0)
    # Rounding may put a share of 1 above its interval.
    return Estimate(share, min(float(low), share), max(float(high), share))


def mean_figure(values: ArrayLike) -> Figure:
    """`estimate_mean` of per-game figures (n,), with how many there are."""
    return _with_count(estimate_mean(values), values)


def share_figure(values: ArrayLike, deals: ArrayLike | None = None) -> Figure:
    """`estimate_share` of per-game figures (n,) from 0 to 1, such as points or yes/no, with how many there are."""
    return _with_count(estimate_share(values, deals), values)


def _with_count(found: Estimate, values: ArrayLike) -> Figure:
    return Figure(found.value, found.low, found.high, int(np.isfinite(values).sum()))


def estimate_part(values: ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """`estimate_share` of what a seat has of each deal (n,), 0 to 1, where rules may divide the win.

    Nearly all deals that are divided alike do not show how far deals may lie apart. The interval is then that of how
    many are not, each of which may go to either side; as if each deal were won or lost, it would be far too wide.
    """
    figures = np.asarray(values, np.float64)
    part, unlike, count = _divided_alike(figures, np.arange(figures.size))
    if not 0 < part < 1 or _show_spread(unlike, count):
        return estimate_share(figures, confidence=confidence)
    mean, most = float(figures.mean()), wilson(unlike / count, count, confidence).high
    return Estimate(mean, part * (1 - most), part + (1 - part) * most)


def _divided_alike(figures: NDArray[np.float64], deals: NDArray[Any]) -> tuple[float, int, int]:
    """The commonest mean of a deal's figures, how many deals have another, and how many there are."""
    cluster, games = np.unique(deals, return_inverse=True, return_counts=True)[1:]
    of_deal = np.round(np.bincount(cluster, weights=figures) / games, 12)
    means, times = np.unique(of_deal, return_counts=True)
    commonest = int(times.argmax())
    return float(means[commonest]), int(len(of_deal) - times[commonest]), len(of_deal)


def _effective_size(figures: NDArray[np.float64], deals: NDArray[Any]) -> float:
    """The effective number of independent results; the number of deals if the error is undefined."""
    games = np.unique(deals, return_counts=True)[1]
    if len(games) == figures.size and np.isin(figures, (0.0, 1.0)).all():
        return float(figures.size)
    found = estimate_mean(figures, deals)
    error = (found.high - found.low) / 2 / REACH
    if not error > 0:
        return float(len(games))
    # Deals that are nearly all alike do not show how much deals may differ: then as if each game were won or lost.
    _, unlike, count = _divided_alike(figures, deals)
    most = np.inf if _show_spread(unlike, count) else figures.size
    return float(np.clip(found.value * (1 - found.value) / error**2, 1.0, most))
