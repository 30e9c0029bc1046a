"""Strengths from results: Bradley-Terry with a side term, and tests of what a single rating hides.

The model (Bradley & Terry 1952; the side term as the order effect of Davidson & Beaver 1977):

    P(agent i in the first seat beats agent j in the second) = sigmoid(r_i - r_j + s)

one binomial regression without intercept over all games, the first agent's strength set to 0. A draw is
half a win. Games of an agent against itself say nothing about strengths but help to estimate s.

Half a win is added to each side of every pairing. Without it an agent that wins every game would have
no finite strength (Ford 1957); with it the estimate is finite and a large number of games outweighs it.

All pairings play the same deals, so games of one deal are not independent: the covariance is
cluster-robust by deal (Liang & Zeger 1986), each added game being a cluster of its own.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components
from scipy.special import expit
from scipy.stats import norm
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from channel_tunnel_agents.statistics import REACH, Estimate, student_reach, wilson

ELO = 400 / math.log(10)  # Elo points per logit
POWER = 0.80  # chance that the additional deals settle a gap as large as estimated
RESERVE = float(norm.ppf(POWER))
ADDED_RESULT = 0.5  # the first seat's result in the game added to every pairing

Points = NDArray[np.float64]
Outcomes = Mapping[tuple[int, int], Points] | Mapping[tuple[int, ...], Points]
"""(the first seat's agent, the second's) -> the first seat's points per deal: 1, 0.5 or 0, (deals,)."""


@dataclass(frozen=True)
class Rung:
    """An agent's place on the ladder."""

    agent: int
    strength: Estimate  # Elo points above the first agent
    above_next: Estimate | None  # Elo points above the next rung; None on the lowest
    further_deals: int | None
    """Deals to add to the two agents' pairing, and to the others in proportion, to settle the gap
    with 80 % power if it is as large as estimated. 0: it is settled; None: lowest rung, or no gap
    at all."""


@dataclass(frozen=True)
class Miss:
    """The first agent's share of a pair's points over both seatings, 0..1."""

    agent: int
    rival: int
    played: float
    expected: float  # according to the model


@dataclass(frozen=True)
class Rating:
    """A fitted model of k agents.

    Attributes:
        parameters: logits: the k strengths, the first one 0, then the terms of the seats: of two that of the first, of more
            one each, the first one 0 (`plackett_luce`).
        covariance: of the parameters; rows and columns of what is 0 are 0.
        deals: (k, k) number of deals of each pairing.
        reach: half the width of a 95 % interval, in standard errors: Student's, with a degree of freedom
            less than there are deals.
    """

    parameters: NDArray[np.float64]
    covariance: NDArray[np.float64]
    deals: NDArray[np.int64]
    reach: float

    def above(self, one: int, other: int) -> Estimate:
        """Elo points of one parameter above another, by their places."""
        value, error = self._gap(one, other)
        return _in_elo(value, self.reach * error)

    def strength(self, agent: int) -> Estimate:
        """Elo points above the first agent."""
        return self.above(agent, 0)

    def seat(self, seat: int) -> Estimate:
        """Elo points that one of more than two seats is worth above the first."""
        agents = len(self.deals)
        return self.above(agents + seat, agents)

    @property
    def side(self) -> Estimate:
        """Elo points that the first of two seats is worth; negative if the second has the advantage."""
        return self.above(-1, 0)  # the first parameter is 0

    @property
    def first_between_equals(self) -> Estimate:
        """Chance that the first of two seats beats an equal, 0..1."""
        side = self.side
        return Estimate(*(float(expit(x / ELO)) for x in (side.value, side.low, side.high)))

    @property
    def ladder(self) -> list[Rung]:
        """Agents from strongest to weakest."""
        order = [int(i) for i in np.argsort(-self.parameters[: len(self.deals)], kind="stable")]
        rungs = [self._rung(i, j) for i, j in itertools.pairwise(order)]
        return [*rungs, Rung(order[-1], self.strength(order[-1]), None, None)]

    def _rung(self, agent: int, below: int) -> Rung:
        more = further_deals(*self._gap(agent, below), int(self.deals[agent, below]), self.reach)
        return Rung(agent, self.strength(agent), self.above(agent, below), more)

    def _gap(self, one: int, other: int) -> tuple[float, float]:
        """Logits of one parameter above another, and their standard error."""
        contrast = np.zeros(len(self.parameters))
        contrast[one] += 1.0
        contrast[other] -= 1.0
        variance = float(contrast @ self.covariance @ contrast)
        return float(contrast @ self.parameters), math.sqrt(max(variance, 0.0))


def _in_elo(value: float, reach: float) -> Estimate:
    """Elo points of so many logits, to either side of which the interval reaches as many."""
    return Estimate(ELO * value, ELO * (value - reach), ELO * (value + reach))


def fit(outcomes: Outcomes) -> Rating:
    """Bradley-Terry with a side term.

    Args:
        outcomes: every ordered pair of the agents 0 to k - 1; entry d of each is the same deal.
    """
    k = 1 + max(max(pairing) for pairing in outcomes)
    parts = [_rows(pairing, points, k) for pairing, points in outcomes.items()]
    design, results, clusters = (np.concatenate(part) for part in zip(*parts, strict=True))
    model = GLM(results, design[:, 1:], family=Binomial())  # the first agent is the anchor
    fitted = model.fit(cov_type="cluster", cov_kwds={"groups": _added_apart(clusters)})
    covariance = np.zeros((k + 1, k + 1))
    covariance[1:, 1:] = fitted.cov_params()
    deals = np.zeros((k, k), np.int64)
    for pairing, points in outcomes.items():
        deals[pairing] = len(points)
    reach = student_reach(max(1, int(deals.max()) - 1))
    return Rating(np.concatenate([[0.0], fitted.params]), covariance, deals, reach)


def place(games: Sequence[tuple[bool, float, Points]], side: float) -> Estimate:
    """An agent's strength in Elo points against rivals whose strengths are given.

    The model of `fit` with one unknown. The rivals' strengths are taken as they are, so the interval is about the
    deals alone.

    Args:
        games: one entry for each seating: whether the agent has the first seat, the rival's strength in Elo points,
            and the agent's points per deal: 1, 0.5 or 0, (deals,). Entry d of each is the same deal.
        side: Elo points that the first seat is worth.
    """
    results, offsets, clusters = [], [], []
    for is_first, rival, points in games:
        results.append(np.append(points, ADDED_RESULT))
        offsets.append(np.full(len(points) + 1, ((side if is_first else -side) - rival) / ELO))
        clusters.append(np.append(np.arange(len(points)), -1))
    results_, deals = np.concatenate(results), max(len(points) for _, _, points in games)
    model = GLM(results_, np.ones((len(results_), 1)), family=Binomial(), offset=np.concatenate(offsets))
    groups = _added_apart(np.concatenate(clusters))
    fitted = model.fit(cov_type="cluster", cov_kwds={"groups": groups})
    value, error = float(fitted.params[0]), math.sqrt(float(fitted.cov_params()[0, 0]))
    return _in_elo(value, student_reach(max(1, deals - 1)) * error)


def _rows(
    pairing: tuple[int, ...], points: NDArray[np.float64], k: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """A pairing's design (n + 1, k + 1), results (n + 1,), deals (n + 1,); -1 is the added game."""
    first, second = pairing
    row = np.zeros(k + 1)
    row[first] += 1.0
    row[second] -= 1.0
    row[-1] = 1.0
    return (np.tile(row, (len(points) + 1, 1)), np.append(points, ADDED_RESULT), np.append(np.arange(len(points)), -1))


def _added_apart(clusters: NDArray[np.int64]) -> NDArray[np.int64]:
    """Each added game (-1) gets a cluster of its own."""
    added = np.flatnonzero(clusters < 0)
    apart = clusters.copy()
    apart[added] = clusters.max() + 1 + np.arange(len(added))
    return apart


def further_deals(gap: float, error: float, deals: int, reach: float = REACH) -> int | None:
    """Additional deals needed to settle a gap, by the normal approximation.

    The standard error falls with the square root of the number of deals. A gap as large as
    estimated is found with 80 % power when it is z(0.975) + z(0.80) = 2.8 errors wide.

    Args:
        gap: the estimate.
        error: its standard error after `deals` deals, in the same unit.
        reach: half the width of its interval, in standard errors.

    Returns:
        0 if the 95 % interval already excludes 0; None for no gap at all.
    """
    if abs(gap) > reach * error:
        return 0
    if gap == 0:
        return None
    return math.ceil(deals * (((reach + RESERVE) * error / gap) ** 2 - 1))


def points_between(outcomes: Outcomes) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Points of the row's agent against the column's over both seatings, and games: (k, k) each."""
    k = 1 + max(max(pairing) for pairing in outcomes)
    points, games = np.zeros((k, k)), np.zeros((k, k), np.int64)
    for (i, j), found in outcomes.items():
        points[i, j] += found.sum()
        points[j, i] += len(found) - found.sum()
        games[i, j] += len(found)
        games[j, i] += len(found)
    return points, games


def widest_miss(rating: Rating, outcomes: Outcomes) -> Miss:
    """The pair whose share of points deviates most from the model.

    If the deviation is large, strengths depend on who else plays, and the pair's own share says more.
    """
    points, games = points_between(outcomes)
    k = len(games)
    strengths, side = rating.parameters[:-1], rating.parameters[-1]
    chance = expit(strengths[:, None] - strengths[None, :] + side)  # of the first seat, the row's agent
    expected = rating.deals * chance + (rating.deals * (1 - chance)).T
    misses = [
        Miss(i, j, float(points[i, j] / games[i, j]), float(expected[i, j] / games[i, j]))
        for i in range(k)
        for j in range(i)
    ]
    return max(misses, key=lambda miss: abs(miss.played - miss.expected))


def cycles(outcomes: Outcomes) -> list[tuple[int, int, int]]:
    """Triples (a, b, c): a beats b beats c beats a, each at the 5 % level; a is the least index.

    One agent beats another when the 95 % Wilson interval of its share of the points over both seatings
    lies above a half. A strength per agent cannot express a cycle.
    """
    points, games = points_between(outcomes)

    def beats(one: int, other: int) -> bool:
        return wilson(points[one, other] / games[one, other], games[one, other]).low > 0.5

    return [
        (a, b, c)
        for a, *rest in itertools.combinations(range(len(games)), 3)
        for b, c in (rest, rest[::-1])
        if beats(a, b) and beats(b, c) and beats(c, a)
    ]


def separated_groups(outcomes: Outcomes) -> list[list[int]]:
    """Groups of agents that the results alone cannot rank: one group never scored against another.

    A single group means that every strength is finite without the added half wins (Ford 1957: the
    graph "scored against" is strongly connected).
    """
    points, _ = points_between(outcomes)
    count, label = connected_components(points > 0, directed=True, connection="strong")
    return [[int(i) for i in np.flatnonzero(label == group)] for group in range(count)]
