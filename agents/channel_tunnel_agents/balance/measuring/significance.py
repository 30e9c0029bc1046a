"""Whether a difference is significant, corrected for multiple comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binomtest, norm, ttest_1samp

from channel_tunnel_agents.statistics import LEAST_DEALS, REACH, Estimate

ALPHA = 0.01
"""Family-wise error rate: the chance that luck makes any difference significant, however many
are tested."""
LEVEL = f"{100 * ALPHA:g} % in all, Holm"
"""ALPHA in words, as all tables and sentences put it."""

SURELY, PROBABLY, MAY_BE_LUCK = "surely", "probably", "may be luck"
CERTAINTY = (
    f"{SURELY}: more than luck explains ({LEVEL}); {PROBABLY}: by itself, but not among so many; {MAY_BE_LUCK}: neither"
)
"""The words of `how_sure`, explained."""


def is_significant(p_holm: float | None) -> bool:
    """Whether a corrected p-value is significant; None and NaN are not."""
    return p_holm is not None and p_holm < ALPHA


class Tested:
    """A figure whose p-value `p` was found together with others: `p_holm` is corrected for their number."""

    p: float
    p_holm: float

    @property
    def is_significant(self) -> bool:
        """Whether it stands out from the noise of that many figures."""
        return is_significant(self.p_holm)


T = TypeVar("T", bound=Tested)


def corrected(tested: Sequence[T]) -> list[T]:
    """The same figures, each with its `p_holm` over all of them."""
    found = zip(tested, holm([each.p for each in tested]), strict=True)
    return [replace(each, p_holm=float(p)) for each, p in found]  # type: ignore[type-var]


def how_sure(p: float | None, found: Estimate) -> str:
    """How sure it is that a change is not luck, in the words of every sentence and table.

    Args:
        p: its p-value, corrected where several were tested together.
        found: the change with its 95 % interval.

    Returns:
        "surely" where it is significant, "probably" where only its interval excludes 0, else "may be luck".
    """
    if is_significant(p):
        return SURELY
    return PROBABLY if found.excludes_zero else MAY_BE_LUCK


def noticeable(change: Estimate, tests: int) -> float:
    """How large a change must be for four reports of five on as many deals to call it sure, beside so many other tests."""
    error = (change.high - change.low) / (2 * REACH)
    return error * float(norm.ppf(1 - ALPHA / (2 * tests)) + norm.ppf(0.8))


def paired_p(differences: ArrayLike) -> float:
    """The p-value of no change: of a paired t-test, of a sign test if fewer than `LEAST_DEALS` differ.

    Args:
        differences: (n,) one per deal.

    Returns:
        The p-value; 1 if nothing ever differed, NaN with a single deal.
    """
    found = np.asarray(differences, np.float64)
    if found.size < 2:
        return float("nan")
    differing = np.count_nonzero(found)
    if differing == 0:
        return 1.0
    if differing < LEAST_DEALS:
        return float(binomtest(np.count_nonzero(found > 0), differing).pvalue)
    if np.ptp(found) == 0:
        return 0.0  # every deal differs by the same amount: the t-statistic is infinite
    return float(ttest_1samp(found, 0).pvalue)


def holm(p_values: Sequence[float]) -> NDArray[np.float64]:
    """p-values (n,) corrected for n tests by Holm's method; NaN stays NaN and is not counted."""
    # Not by statsmodels, whose every call collects garbage, which takes a tenth of a second.
    corrected = np.array(p_values, np.float64)
    there = np.flatnonzero(np.isfinite(corrected))
    ranked = there[np.argsort(corrected[there], kind="stable")]
    steps = corrected[ranked] * np.arange(len(ranked), 0, -1)
    corrected[ranked] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected
