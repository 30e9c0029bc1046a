"""Whether a difference is significant, corrected for multiple comparisons."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binomtest, ttest_1samp
from statsmodels.stats.multitest import multipletests

from channel_tunnel_agents.statistics import LEAST_DEALS

ALPHA = 0.01
"""Family-wise error rate: the chance that luck alone makes any difference significant, however many
are tested."""
LEVEL = f"{100 * ALPHA:g} % in all, Holm"
"""ALPHA in words, as all tables and sentences put it."""


def survives(p_holm: float | None) -> bool:
    """Whether a corrected p-value is significant; None and NaN are not."""
    return p_holm is not None and p_holm < ALPHA


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
    corrected = np.array(p_values, np.float64)
    there = np.isfinite(corrected)
    if there.any():
        corrected[there] = multipletests(corrected[there], method="holm")[1]
    return corrected
