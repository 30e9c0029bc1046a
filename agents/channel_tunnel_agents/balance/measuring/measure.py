"""A measure: a named figure of games, with intervals.

A measure has one value per deal, so two rulesets can be compared deal by deal. What is measured in a game is
listed in `measures`; here stands what those lists are made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.statistics import CONFIDENCE, Estimate, estimate_mean, estimate_share
from channel_tunnel_env.outside.documents import quote
from channel_tunnel_env.outside.hints import did_you_mean

Floats = NDArray[np.float64]
Values = Callable[[pd.DataFrame], Floats]
"""Rows (n,) of the games table -> values (n,)."""


@dataclass(frozen=True)
class Measure:
    """A figure of games.

    Attributes:
        name: what the user types.
        title: description in words.
        unit: unit of its values: share (0..1), points, rounds, million, times, ...
        of: computes its values (n,) from the rows (n,) of the games table.
        seats: of only the first seat's share of wins: what sentences call the two seats.
        estimator: rows of the games table, confidence -> its mean with an interval, where that is not the mean of `of`
            by deal.
        span: of a share: how far two of its values may lie apart.
    """

    name: str
    title: str
    unit: str
    of: Values
    seats: tuple[str, str] | None = None
    estimator: Callable[[pd.DataFrame, float], Estimate] | None = None
    span: float = 1.0

    def estimate(self, games: pd.DataFrame, confidence: float = CONFIDENCE) -> Estimate:
        """Its mean over the games, clustered by deal.

        Args:
            games: rows (n,) of the games table.
            confidence: of the interval, between 0 and 1.

        Returns:
            The mean with its interval.
        """
        if self.estimator is not None:
            return self.estimator(games, confidence)
        estimate = estimate_share if self.unit == "share" else estimate_mean
        return estimate(self.of(games), games["deal"], confidence)


def column(name: str) -> Values:
    """The values of a column."""
    return lambda games: games[name].to_numpy(np.float64)


def total(names: Sequence[str]) -> Values:
    """The sum of some columns."""
    return lambda games: games[list(names)].sum(axis=1).to_numpy(np.float64)


def ended(causes: Iterable[str]) -> Values:
    """1 where the game ended by one of these causes."""
    wanted = list(causes)
    return lambda games: games["end_cause"].isin(wanted).to_numpy(np.float64)


def distance() -> Measure:
    """How far apart the scores lie."""
    return Measure(
        "distance",
        "points between winner and loser",
        "points",
        lambda games: games["margin"].abs().to_numpy(np.float64),
    )


def close(points: int) -> Measure:
    """The games in which the scores differ by at most `points`."""
    return Measure(
        "close",
        f"games decided by {points} points or fewer",
        "share",
        lambda games: (games["margin"].abs() <= points).to_numpy(np.float64),
    )


def find_measures(names: Iterable[str], known: Mapping[str, Measure]) -> list[Measure]:
    """Measures by name.

    Raises:
        AgentError: an unknown name, with the nearest ones.
    """
    found = []
    for name in names:
        try:
            found.append(known[name])
        except KeyError:
            raise AgentError(f"measure {quote(name)}: unknown{did_you_mean(name, known, 3)}") from None
    return found
