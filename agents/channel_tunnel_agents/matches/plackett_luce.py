"""Strengths from orders of finish at tables of any size: Plackett-Luce with a term for each seat.

The model (Plackett 1975, Luce 1959): the chance that a seat finishes next, among those that have not finished,
is proportional to exp(r_i + s_k) for agent i in seat k. So agent i finishes ahead of agent j, from equal seats, with
chance sigmoid(r_i - r_j) regardless of who else plays, and for two seats it is the model of `rating`. The strength of
the first agent and the term of the first seat are 0.

Seats with equal scores count by Efron's approximation, as ties do in survival analysis: the same likelihood
is that of Cox's regression with a stratum for each game, by which the tests check this one.

Half a win is added to each side of every pair of agents, and of seats, as in `rating`. All tables play the same
deals: the covariance is cluster-robust by deal (Liang & Zeger 1986), each added game being a cluster of its own.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from channel_tunnel_agents.matches.rating import ADDED_RESULT, Rating
from channel_tunnel_agents.statistics import student_reach

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_PRECISION = 1e-8  # of the gradient, per game


def fit(agents: Ints, scores: NDArray[np.integer], deals: Ints, number: int) -> Rating:
    """Plackett-Luce with seats.

    Args:
        agents: (n, S) by game and seat, 0 to `number` - 1.
        scores: (n, S), the higher the better; equal ones are ties.
        deals: (n,) the deal of each game.
        number: k, of agents.
    """
    seats = agents.shape[1]
    ahead: Ints = (scores[:, None, :] > scores[:, :, None]).sum(axis=2)  # of each seat, how many: (n, S)
    games = _Games.of(agents, ahead, number)
    added = _Games.added(number, seats)
    both = (games, added)
    size = number + seats - 2

    def loss(free: Floats) -> tuple[float, Floats]:
        found = [part.sums(free) for part in both]
        slopes: Floats = np.sum([slope for _, slope in found], axis=0)
        return -sum(value for value, _ in found), -slopes

    def curvature(free: Floats) -> Floats:
        found: Floats = np.sum([part.curvature(free) for part in both], axis=0)
        return found

    best = minimize(
        loss, np.zeros(size), jac=True, hess=curvature, method="trust-exact", options={"gtol": _PRECISION * len(deals)}
    ).x
    cluster = np.unique(deals, return_inverse=True)[1]
    by_game = games.slopes(best)[games.kind]
    sums = [np.bincount(cluster, weights=column) for column in by_game.T]
    by_deal = np.stack(sums, axis=1)
    slopes = np.concatenate([by_deal, added.slopes(best) * added.weight[:, None]])
    bread = np.linalg.inv(curvature(best))
    meat = slopes.T @ slopes * len(slopes) / (len(slopes) - 1)
    return _padded(best, bread @ meat @ bread, number, len(by_deal))


def _padded(free: Floats, covariance: Floats, number: int, deals: int) -> Rating:
    """With the first agent and the first seat, which are 0."""
    size = len(free) + 2
    places = np.setdiff1d(np.arange(size), [0, number])
    parameters, padded = np.zeros(size), np.zeros((size, size))
    parameters[places] = free
    padded[np.ix_(places, places)] = covariance
    return Rating(parameters, padded, np.full((number, number), deals), student_reach(max(1, deals - 1)))


@dataclass(frozen=True)
class _Games:
    """Kinds of games that differ in who sits where or in the order of finish.

    Attributes:
        design: (m, S, p) what a seat's logit is made of.
        share: (m, S, S) when a seat finishes, how much each seat still counts: 1, 0, in a tie between.
        weight: (m,) games of a kind.
        kind: (n,) of each game.
    """

    design: Floats
    share: Floats
    weight: Floats
    kind: Ints

    @classmethod
    def of(cls, agents: Ints, ranks: Ints, number: int) -> _Games:
        """Games as they were played."""
        seats = agents.shape[1]
        rows = np.concatenate([agents, ranks], axis=1)
        kinds, kind, counts = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
        design = np.zeros((len(kinds), seats, number + seats))
        for seat in range(seats):
            design[np.arange(len(kinds)), seat, kinds[:, seat]] = 1.0
            design[:, seat, number + seat] = 1.0
        free = np.delete(design, [0, number], axis=2)
        return cls(free, _shares(kinds[:, seats:]), counts.astype(np.float64), kind.ravel())

    @classmethod
    def added(cls, number: int, seats: int) -> _Games:
        """Games of two, each won half by either: every pair of agents, and every pair of seats."""
        pairs = [*itertools.combinations(range(number), 2)]
        pairs += [*itertools.combinations(range(number, number + seats), 2)]
        design = np.zeros((len(pairs), 2, number + seats))
        for row, pair in enumerate(pairs):
            design[row, [0, 1], pair] = 1.0
        free = np.delete(design, [0, number], axis=2)
        # Efron's tie of two is not half a win for each: both orders, each with half the weight.
        free = np.concatenate([free, free[:, ::-1]])
        shares = _shares(np.tile([0, 1], (len(free), 1)))
        return cls(free, shares, np.full(len(free), ADDED_RESULT), np.arange(len(free)))

    def sums(self, free: Floats) -> tuple[float, Floats]:
        """The log-likelihood of all games, and its gradient (p,)."""
        logits = self.design @ free
        rest = np.einsum("mti,mi->mt", self.share, np.exp(logits))
        value = float(self.weight @ (logits - np.log(rest)).sum(axis=1))
        return value, self.weight @ self.slopes(free)

    def slopes(self, free: Floats) -> Floats:
        """The gradient of one game of each kind: (m, p)."""
        chances = self._chances(free)
        left: Floats = 1.0 - chances.sum(axis=1)
        return np.asarray(np.einsum("mi,mip->mp", left, self.design))

    def curvature(self, free: Floats) -> Floats:
        """The negative Hessian of all games: (p, p)."""
        chances = self._chances(free)
        means = np.einsum("mti,mip->mtp", chances, self.design)
        weighed = self.weight[:, None] * chances.sum(axis=1)
        square = np.einsum("mi,mip,miq->pq", weighed, self.design, self.design, optimize=True)
        return np.asarray(square - np.einsum("m,mtp,mtq->pq", self.weight, means, means, optimize=True))

    def _chances(self, free: Floats) -> Floats:
        """When a seat finishes, the chance of each seat to be the one: (m, S, S)."""
        worth = self.share * np.exp(self.design @ free)[:, None, :]
        return np.asarray(worth / worth.sum(axis=2, keepdims=True))


def _shares(ranks: Ints) -> Floats:
    """`_Games.share` of orders of finish (m, S)."""
    later = ranks[:, None, :] > ranks[:, :, None]
    level = ranks[:, None, :] == ranks[:, :, None]
    tied = level.sum(axis=2)
    before = np.tril(np.ones(level.shape[1:], np.bool_), -1)
    gone = (level & before).sum(axis=2) / tied
    return np.asarray(later + level * (1.0 - gone)[:, :, None], np.float64)
