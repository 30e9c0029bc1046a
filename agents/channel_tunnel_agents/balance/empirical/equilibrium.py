"""Equilibria of small empirical games.

Two seats play a zero-sum game, whose equilibrium is a linear program. At a table of more seats, equilibria are neither
unique nor easy to find; there the profile in which all seats play one policy is chosen that leaves a single seat the
least to gain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

Shares = NDArray[np.float64]
LEAST_WEIGHT = 1e-6  # of a policy in a mixture; below, the solver's rounding


@dataclass(frozen=True)
class Equilibrium:
    """How often each seat plays each policy.

    Attributes:
        mixtures: per seat, the probability of each policy: (S, P).
        gains: per seat, what its best policy of the game would add to its share: (S,), 0 in an exact equilibrium.
    """

    mixtures: Shares
    gains: Shares

    def support(self, seat: int) -> list[int]:
        """Policies that a seat plays at all, the most frequent first."""
        order = np.argsort(-self.mixtures[seat], kind="stable")
        return [int(p) for p in order if self.mixtures[seat, p] > 0]


def solve_two(first: Shares) -> Equilibrium:
    """The equilibrium of two seats.

    Args:
        first: the first seat's mean share (P, Q) with its policy in the row and the second seat's in the column; the
            second seat gets the rest of 1.

    Returns:
        Mixtures (2, P) of a square game; a game that is not square is solved by `_maximin` of each seat.
    """
    rows, columns = _maximin(first), _maximin(1 - first.T)
    mixtures = np.stack([rows, columns])
    value = float(rows @ first @ columns)
    gains = np.array([(first @ columns).max() - value, value - (rows @ first).min()])
    return Equilibrium(mixtures, np.maximum(gains, 0))


def _maximin(shares: Shares) -> Shares:
    """The mixture of rows (P,) whose least share against any column is greatest."""
    policies, answers = shares.shape
    # Variables: the mixture, then the share it is sure of, which is to be as large as can be.
    objective = np.append(np.zeros(policies), -1.0)
    sure = np.hstack([-shares.T, np.ones((answers, 1))])
    total = np.append(np.ones(policies), 0.0)[None]
    bounds = [(0.0, 1.0)] * policies + [(None, None)]
    found = linprog(objective, sure, np.zeros(answers), total, [1.0], bounds, method="highs")
    mixture = np.where(found.x[:-1] > LEAST_WEIGHT, found.x[:-1], 0.0)
    return np.asarray(mixture / mixture.sum())


def solve_many(own: Shares) -> Equilibrium:
    """The profile of one policy in all seats that leaves a single seat the least to gain.

    Args:
        own: (S, P, P): what a seat gets with a policy (second axis) while all others play another one (third axis).
    """
    seats, policies, _ = own.shape
    at_home = own[:, np.arange(policies), np.arange(policies)]
    gains = own.max(axis=1) - at_home  # (S, P)
    best = int(gains.max(axis=0).argmin())
    mixtures = np.zeros((seats, policies))
    mixtures[:, best] = 1.0
    return Equilibrium(mixtures, gains[:, best])
