"""What each seat gets when all choose their policies well, how sure that is, and the bracket that best responses leave.

The value is that of the empirical game. Two things make it wrong. Other deals would give other means: that is measured
from deal to deal. And other policies would play otherwise: that cannot be seen in the games at hand, so it is taken
from `PolicyError`, which was measured on rulesets whose value was known from much longer training.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.stats import norm

from channel_tunnel_agents.balance.empirical.payoffs import Payoffs
from channel_tunnel_agents.statistics import CONFIDENCE, REACH, Estimate

Shares = NDArray[np.float64]
LEAST_WEIGHT = 1e-6  # of a policy in a mixture; below, the solver's rounding


@dataclass(frozen=True)
class PolicyError:
    """The standard deviation between a value and that of much better players.

    Attributes:
        least: where the bracket is closed.
        per_width: what each point of the bracket's width adds, as another, independent part.
    """

    least: float
    per_width: float

    def of(self, width: float) -> float:
        """For a bracket of some width, 0 to 1."""
        return float(np.hypot(self.least, self.per_width * width))


@dataclass(frozen=True)
class SeatValue:
    """What a seat gets.

    Attributes:
        seat: its name.
        share: its value with a 95 % interval over deals and policies.
        deals_error: standard error from the deals.
        policy_error: standard error from the policies.
        bracket: what it gets if the others answer its mixture best, and if it answers theirs best.
    """

    seat: str
    share: Estimate
    deals_error: float
    policy_error: float
    bracket: tuple[float, float]


@dataclass(frozen=True)
class Solved:
    """The empirical game of a ruleset, solved.

    Attributes:
        payoffs: what the policies got.
        equilibrium: of all policies.
        seats: what each seat gets.
        met: by the policies of all seats, how often they meet in the equilibrium.
    """

    payoffs: Payoffs
    equilibrium: Equilibrium
    seats: tuple[SeatValue, ...]
    met: Mapping[tuple[int, ...], float]

    @property
    def values(self) -> Shares:
        """What each seat gets deal by deal: (D, S)."""
        return _values(self.payoffs, self.met)

    def often(self, share_of: Callable[[tuple[int, ...]], float]) -> float:
        """How often something happens in the equilibrium, from how often it does where some policies meet."""
        return sum(part * share_of(cast) for cast, part in self.met.items())


def solve_game(payoffs: Payoffs, latest_answers: Collection[str], error: PolicyError) -> Solved:
    """Solve an empirical game.

    Args:
        payoffs: what the policies got.
        latest_answers: names of the best responses of the last round; the bracket is what they gain against the
            equilibrium of the others.
        error: of the policies.

    Raises:
        ValueError: all policies are answers.
    """
    plain = [name for name in payoffs.names if name not in latest_answers]
    if not plain:
        raise ValueError("an empirical game needs a policy that is no answer to the others")
    own = payoffs.own()
    of_two = payoffs.is_of_two
    brackets = _brackets(payoffs, own, equilibrium_of(payoffs, plain))
    equilibrium = equilibrium_of(payoffs, payoffs.names)
    met = _met(payoffs, equilibrium)
    seats = []
    for seat, (low, high), per_deal in zip(payoffs.seats, brackets, _values(payoffs, met).T, strict=True):
        deals_error = float(per_deal.std(ddof=1) / np.sqrt(len(per_deal))) if len(per_deal) > 1 else float("nan")
        policy_error = error.of(high - low)
        reach = joint_reach(1 if of_two else len(payoffs.seats)) * float(np.hypot(deals_error, policy_error))
        value = float(per_deal.mean())
        share = Estimate(value, max(0.0, value - reach), min(1.0, value + reach))
        seats.append(SeatValue(seat, share, deals_error, policy_error, (low, high)))
    return Solved(payoffs, equilibrium, tuple(seats), met)


def joint_reach(seats: int) -> float:
    """Half the width of intervals that hold together for some seats, in standard errors."""
    return REACH if seats == 1 else float(norm.ppf(1 - (1 - CONFIDENCE) / (2 * seats)))


def equilibrium_of(payoffs: Payoffs, names: Collection[str]) -> Equilibrium:
    """The equilibrium among some policies, as mixtures over all: of two seats the zero-sum game's, else that of `solve_many`."""
    own, policies = payoffs.own(), [p for p, name in enumerate(payoffs.names) if name in names]
    means = own[:, policies][:, :, policies]
    found = solve_two(means[0]) if payoffs.is_of_two else solve_many(means)
    mixtures = np.zeros((len(own), own.shape[1]))
    mixtures[:, policies] = found.mixtures
    return Equilibrium(mixtures, found.gains)


def _met(payoffs: Payoffs, equilibrium: Equilibrium) -> dict[tuple[int, ...], float]:
    """How often policies meet; all seats play the same one if no seat's share follows from another's."""
    if not payoffs.is_of_two:
        (home,) = equilibrium.support(0)
        return {(home,) * len(payoffs.seats): 1.0}
    rows, columns = equilibrium.mixtures
    return {(p, q): float(rows[p] * columns[q]) for p in equilibrium.support(0) for q in equilibrium.support(1)}


def _values(payoffs: Payoffs, met: Mapping[tuple[int, ...], float]) -> Shares:
    return np.asarray(sum(part * payoffs.shares[cast] for cast, part in met.items()))


def _brackets(payoffs: Payoffs, own: Shares, equilibrium: Equilibrium) -> list[tuple[float, float]]:
    """The least that a seat gets if the others answer an equilibrium best, one of them if they are several, and the most if it
    does so itself."""
    if payoffs.is_of_two:
        rows, columns = equilibrium.mixtures
        low, high = float((rows @ own[0]).min()), float((own[0] @ columns).max())
        return [(low, high), (1 - high, 1 - low)]
    (home,) = equilibrium.support(0)
    seats = range(len(own))
    best = [int(own[seat, :, home].argmax()) for seat in seats]
    found = []
    for seat in seats:
        others = (payoffs.of(k, best[k], home)[:, seat].mean() for k in seats if k != seat)
        found.append((float(min(others)), float(own[seat, best[seat], home])))
    return found


# --- equilibria ---


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
