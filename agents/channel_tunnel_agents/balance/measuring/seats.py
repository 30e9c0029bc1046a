"""How evenly a table shares the win: every seat against the even share, the best against the worst.

The same agent sits in every seat, or every agent in every seat in turn, so that what is left is the seats. The unit of
sampling is the deal: games of one deal share its luck, and a deal's shares over all its games add up to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.stats import f as f_distribution

from channel_tunnel_agents.balance.measuring.measure import Measure, column
from channel_tunnel_agents.matches.tournament_report import seat_title
from channel_tunnel_agents.statistics import CONFIDENCE, Estimate, estimate_part

GAP = "seat_gap"
EVEN = 0.5
"""Of two seats an equal share."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SeatShares:
    """What each seat has of the win.

    Attributes:
        shares: by seat; their intervals hold together with 95 % confidence (Bonferroni; of two, one follows from the other).
        gap: the best seat's share less the worst seat's.
        p: of no difference between the seats (Hotelling's T squared on the means of deals).
        deals: independent units.
    """

    shares: tuple[Estimate, ...]
    gap: Estimate
    p: float
    deals: int


def measure_seats(shares: ArrayLike) -> SeatShares:
    """Compare the seats.

    Args:
        shares: (n, S) of every deal; a row adds up to 1, or to less where seats that nobody plays have a part.
    """
    found = np.asarray(shares, np.float64)
    seats = found.shape[1]
    follows = seats == 2 and np.allclose(found.sum(axis=1), 1)  # what the other one has
    each = 1 - (1 - CONFIDENCE) / (1 if follows else seats)
    own = tuple(estimate_part(seat, each) for seat in found.T)
    return SeatShares(own, best_over_worst(found), p_of_even(found), len(found))


def of_deals(shares: Floats, deals: ArrayLike) -> Floats:
    """The mean of the games of every deal: (deals, S)."""
    number = np.unique(np.asarray(deals), return_inverse=True)[1]
    count = np.bincount(number)[:, None]
    sums = np.stack([np.bincount(number, weights=seat) for seat in shares.T], axis=1)
    return np.asarray(sums / count)


def best_over_worst(shares: Floats, confidence: float = CONFIDENCE) -> Estimate:
    """The best seat's share less the worst seat's, from the shares (n, S) of independent deals.

    Luck makes some seat the best even where all are alike, so the interval may not be that of the two seats which
    came out first and last: it joins those of all pairs, which hold together. It begins at 0 unless some pair differs.
    """
    pairs = list(combinations(range(shares.shape[1]), 2))
    each = 1 - (1 - confidence) / len(pairs)
    # From -1..1 to a share, whose interval stays within bounds where deals are nearly all alike.
    found = [estimate_part((shares[:, i] - shares[:, j] + 1) / 2, each) for i, j in pairs]
    gaps = [sorted((2 * e.low - 1, 2 * e.high - 1)) for e in found]
    low = max(max(low, -high) for low, high in gaps)
    high = max(max(high, -low) for low, high in gaps)
    means = shares.mean(axis=0)
    return Estimate(float(np.ptp(means)), max(low, 0.0), high)


def p_of_even(shares: Floats) -> float:
    """The p-value of equal seats, from the shares (n, S) of independent deals; 1 where nothing ever differs, NaN with
    too few deals."""
    apart = shares - shares.mean(axis=1, keepdims=True)
    free = np.round(apart, 12)[:, :-1]  # the last one follows from the others
    n, k = free.shape
    if n <= k + 1:
        return float("nan")
    means, spread = free.mean(axis=0), np.cov(free, rowvar=False).reshape(k, k)
    if not means.any():
        return 1.0
    squared = n * means @ np.linalg.pinv(spread) @ means
    if np.linalg.matrix_rank(spread) < k:  # some seats always have the same: those alone settle it
        steady = np.ptp(free, axis=0) == 0
        return 0.0 if (means[steady] != 0).any() else float("nan")
    return float(f_distribution.sf(squared * (n - k) / (k * (n - 1)), k, n - k))


# --- as measures ----------------------------------------------------------------------------------


def shares_in(games: pd.DataFrame, seats: Sequence[str]) -> Floats:
    """The share of each seat in a table of games at a table of more than two: (n, S)."""
    return np.asarray(games[[f"share_{seat}" for seat in seats]].to_numpy(np.float64))


def seat_measures(seats: Sequence[str], played: Sequence[str]) -> dict[str, Measure]:
    """What is measured at every table of more than two: the seats' shares and the gap between them.

    Args:
        played: the seats that somebody plays; the gap is between these.
    """

    def gap(games: pd.DataFrame) -> Floats:
        # Of the seats that are best and worst in these games: their mean is the gap, and two tables of games can be
        # compared deal by deal.
        shares = shares_in(games, played)
        means = shares.mean(axis=0)
        return np.asarray(shares[:, means.argmax()] - shares[:, means.argmin()])

    def estimate_gap(games: pd.DataFrame, confidence: float) -> Estimate:
        return best_over_worst(of_deals(shares_in(games, played), games["deal"]), confidence)

    found = [
        Measure(f"share_{seat}", f"{seat_title(seat)}: share of the win", "share", column(f"share_{seat}"))
        for seat in seats
    ]
    title = "the best seat's share of the win less the worst seat's"
    found.append(Measure(GAP, title, "share", gap, estimator=estimate_gap, span=2.0))
    return {measure.name: measure for measure in found}
