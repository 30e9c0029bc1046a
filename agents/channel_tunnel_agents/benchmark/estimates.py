"""Figures with 95 % intervals over several rulesets or seeds. Both seatings of a deal are one sample.

Which interval is honest depends on what is claimed. For a fixed list of rulesets, only the deals are random
(`mean_of_fixed`). For the distribution that they were drawn from, the rulesets are a sample, and the deals add what
they add (`mean_of_drawn`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.statistics import REACH, Estimate, estimate_mean, student_reach, wilson

Shares = NDArray[np.float64]
"""Each deal's mean over both seatings: (deals,)."""


def mean_of_fixed(lists: Sequence[Shares]) -> Estimate:
    """The mean over a fixed list of rulesets, each with deals of its own: a Wilson interval of equal standard error."""
    value = float(np.mean([shares.mean() for shares in lists]))
    deals = sum(map(len, lists))
    error = _error_of_fixed(lists)
    reach = student_reach(max(1, deals - len(lists))) / REACH
    size = float(deals)
    if error > 0 and 0 < value < 1:
        size = float(np.clip(value * (1 - value) / (reach * error) ** 2, 1.0, None))
    return wilson(value, size)


def _error_of_fixed(lists: Sequence[Shares]) -> float:
    """The standard error of the mean over a fixed list."""
    spread = [shares.var(ddof=1) / len(shares) if len(shares) > 1 else np.nan for shares in lists]
    return float(np.sqrt(np.sum(spread))) / len(lists)


def mean_of_drawn(lists: Sequence[Shares]) -> Estimate:
    """The mean over the distribution that the rulesets were drawn from; Student's interval, kept within 0 and 1."""
    found = estimate_mean([float(shares.mean()) for shares in lists])
    return Estimate(found.value, max(0.0, found.low), min(1.0, found.high))


def way_to(reached: Sequence[Shares], goal: Estimate, start: float = 0.5) -> Estimate:
    """How much of the way from `start` to a goal is reached by the mean over a fixed list: 0 none, 1 all.

    The delta method, with the goal's own error, which is independent.

    Args:
        goal: a mean share of the same rulesets on other deals; above `start`.
    """
    share = float(np.mean([shares.mean() for shares in reached]))
    length = goal.value - start
    value = (share - start) / length
    goal_error = (goal.high - goal.low) / 2 / REACH
    error = np.hypot(_error_of_fixed(reached), value * goal_error) / length
    return Estimate(value, float(value - REACH * error), float(value + REACH * error))
