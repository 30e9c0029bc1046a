"""What each seat gets when all choose their policies well, how sure that is, and the bracket that best responses leave.

The value is that of the empirical game. Two things make it wrong. Other deals would give other means: that is measured
from deal to deal. And other policies would play otherwise: that cannot be seen in the games at hand, so it is taken
from `PolicyError`, which was measured on rulesets whose value was known from much longer training.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from channel_tunnel_agents.balance.empirical.equilibrium import Equilibrium, Shares, solve_many, solve_two
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
    values: Shares


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
    plain = [name for name in payoffs.names if name not in answers]
    if not plain:
        raise ValueError("an empirical game needs a policy that is no answer to the others")
    own = payoffs.own()
    of_two = payoffs.is_of_two
    brackets = _brackets(payoffs, own, equilibrium_of(payoffs, plain))
    equilibrium = equilibrium_of(payoffs, payoffs.names)
    values = _values(payoffs, equilibrium)
    seats = []
    for seat, (low, high), per_deal in zip(payoffs.seats, brackets, values.T, strict=True):
        deals_error = float(per_deal.std(ddof=1) / np.sqrt(len(per_deal))) if len(per_deal) > 1 else float("nan")
        policy_error = error.of(high - low)
        reach = joint_reach(1 if of_two else len(payoffs.seats)) * float(np.hypot(deals_error, policy_error))
        value = float(per_deal.mean())
        share = Estimate(value, max(0.0, value - reach), min(1.0, value + reach))
        seats.append(SeatValue(seat, share, deals_error, policy_error, (low, high)))
    return Solved(payoffs, equilibrium, tuple(seats), values)


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


def _values(payoffs: Payoffs, equilibrium: Equilibrium) -> Shares:
    """Per deal, what the seats get in an equilibrium: (D, S). All play the same policy if no seat's share follows from another's."""
    if not payoffs.is_of_two:
        (home,) = equilibrium.support(0)
        return payoffs.of(0, home, home)
    rows, columns = equilibrium.mixtures
    played = [(p, q) for p in equilibrium.support(0) for q in equilibrium.support(1)]
    return np.asarray(sum(rows[p] * columns[q] * payoffs.shares[p, q] for p, q in played))


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
