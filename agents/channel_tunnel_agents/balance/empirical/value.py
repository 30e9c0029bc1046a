"""What each seat gets when all choose their policies well, how sure that is, and the bracket that best responses leave.

The value is that of the empirical game. Two things make it wrong. Other deals would give other means: that is measured
from deal to deal. And other policies would play otherwise: that cannot be seen in the games at hand, so it is taken
from `PolicyError`, which was measured on rulesets whose value was known from much longer training.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from channel_tunnel_agents.balance.empirical.equilibrium import Equilibrium, solve_many, solve_two
from channel_tunnel_agents.balance.empirical.payoffs import Payoffs
from channel_tunnel_agents.statistics import CONFIDENCE, REACH, Estimate


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

    @property
    def needs_training(self) -> bool:
        """Better policies would narrow the interval more than further deals."""
        return self.policy_error > self.deals_error


@dataclass(frozen=True)
class Solved:
    """The empirical game of a ruleset, solved.

    Attributes:
        payoffs: what the policies got.
        equilibrium: of all policies.
        seats: what each seat gets.
        values: what it gets deal by deal: (D, S).
    """

    payoffs: Payoffs
    equilibrium: Equilibrium
    seats: tuple[SeatValue, ...]
    values: NDArray[np.float64]


def solve_game(payoffs: Payoffs, answers: Collection[str], error: PolicyError) -> Solved:
    """Solve an empirical game.

    Args:
        payoffs: what the policies got.
        answers: names of those that were trained as best responses to the others; the bracket is what they gain
            against the equilibrium of the others.
        error: of the policies.

    Raises:
        ValueError: all policies are answers.
    """
    plain = [p for p, name in enumerate(payoffs.names) if name not in answers]
    if not plain:
        raise ValueError("an empirical game needs a policy that is no answer to the others")
    solve = _TwoSeats if len(payoffs.seats) == 2 else _ManySeats
    game = solve(payoffs)
    brackets = game.brackets(plain)
    equilibrium = game.solve(list(range(len(payoffs.names))))
    values = game.values(equilibrium)  # (D, S)
    seats = []
    for place, seat in enumerate(payoffs.seats):
        low, high = brackets[place]
        own = values[:, place]
        deals_error = float(own.std(ddof=1) / np.sqrt(len(own))) if len(own) > 1 else float("nan")
        policy_error = error.of(high - low)
        reach = joint_reach(len(payoffs.seats)) * float(np.hypot(deals_error, policy_error))
        value = float(own.mean())
        share = Estimate(value, max(0.0, value - reach), min(1.0, value + reach))
        seats.append(SeatValue(seat, share, deals_error, policy_error, (low, high)))
    return Solved(payoffs, equilibrium, tuple(seats), values)


def joint_reach(seats: int) -> float:
    """Half the width of intervals that hold together for all seats, in standard errors; of two, one follows from the other."""
    return REACH if seats == 2 else float(norm.ppf(1 - (1 - CONFIDENCE) / (2 * seats)))


class _TwoSeats:
    """The zero-sum game of two seats."""

    def __init__(self, payoffs: Payoffs) -> None:
        self._payoffs = payoffs
        self._first = payoffs.first()

    def solve(self, policies: list[int]) -> Equilibrium:
        """The equilibrium among some policies, as mixtures over all."""
        found = solve_two(self._first[np.ix_(policies, policies)])
        mixtures = np.zeros((2, len(self._first)))
        mixtures[:, policies] = found.mixtures
        return Equilibrium(mixtures, found.gains)

    def values(self, equilibrium: Equilibrium) -> NDArray[np.float64]:
        """Per deal, what the seats get in an equilibrium: (D, 2)."""
        rows, columns = equilibrium.mixtures
        return np.asarray(
            sum(
                rows[p] * columns[q] * self._payoffs.shares[p, q]
                for p in equilibrium.support(0)
                for q in equilibrium.support(1)
            )
        )

    def brackets(self, plain: list[int]) -> list[tuple[float, float]]:
        """What the seats get if the others, or they themselves, answer the equilibrium of some policies best."""
        rows, columns = self.solve(plain).mixtures
        low, high = float((rows @ self._first).min()), float((self._first @ columns).max())
        return [(low, high), (1 - high, 1 - low)]


class _ManySeats:
    """The game of more seats, as far as one seat at a time leaves a profile that all play."""

    def __init__(self, payoffs: Payoffs) -> None:
        self._payoffs = payoffs
        self._own = payoffs.own()

    def solve(self, policies: list[int]) -> Equilibrium:
        """The profile of one of some policies that leaves a single seat the least to gain, as mixtures over all."""
        found = solve_many(self._own[np.ix_(range(len(self._own)), policies, policies)])
        mixtures = np.zeros((len(self._own), self._own.shape[1]))
        mixtures[:, policies] = found.mixtures
        return Equilibrium(mixtures, found.gains)

    def values(self, equilibrium: Equilibrium) -> NDArray[np.float64]:
        """Per deal, what the seats get where all play the same policy: (D, S)."""
        (home,) = equilibrium.support(0)
        return self._payoffs.of(0, home, home)

    def brackets(self, plain: list[int]) -> list[tuple[float, float]]:
        """The least a seat gets if one of the others answers best, and the most if it does so itself."""
        (home,) = self.solve(plain).support(0)
        seats = range(len(self._own))
        best = [int(self._own[seat, :, home].argmax()) for seat in seats]
        found = []
        for seat in seats:
            others = (self._payoffs.of(k, best[k], home)[:, seat].mean() for k in seats if k != seat)
            found.append((float(min(others)), float(self._own[seat, best[seat], home])))
        return found
