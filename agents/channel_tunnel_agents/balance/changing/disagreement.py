"""Do agents disagree about what a change of the rules does?

The change of a figure from one ruleset to the other is taken deal by deal for each agent; agents
disagree where these changes differ by more than luck, over all pairs and figures together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from channel_tunnel_agents.balance.changing.compare import Difference
from channel_tunnel_agents.balance.measuring.significance import holm, is_significant, paired_p
from channel_tunnel_agents.statistics import Estimate, estimate_change


@dataclass(frozen=True)
class Disagreement:
    """How a change as one agent plays it differs from the same change as another does.

    Attributes:
        one, other: the two agents' changes of a measure.
        gap: the other's change minus the first's, deal by deal.
    """

    agents: tuple[str, str]
    one: Difference
    other: Difference
    gap: Estimate
    p: float
    p_holm: float = 1.0

    @property
    def is_significant(self) -> bool:
        """Whether the gap stands out from the noise of that many."""
        return is_significant(self.p_holm)


def find_disagreements(found: Mapping[str, Sequence[Difference]]) -> list[Disagreement]:
    """Every measure for every pair of agents, the surest first; corrected over all together.

    Args:
        found: agent -> its comparison of the same two rulesets on the same deals.
    """
    gaps = []
    for first, second in combinations(found, 2):
        there = {d.measure.name: d for d in found[first]}
        gaps += [_gap((first, second), there[d.measure.name], d) for d in found[second]]
    corrected = holm([gap.p for gap in gaps])
    told = [replace(gap, p_holm=float(p)) for gap, p in zip(gaps, corrected, strict=True)]
    return sorted(told, key=lambda gap: (gap.p_holm, gap.p))


def _gap(agents: tuple[str, str], one: Difference, other: Difference) -> Disagreement:
    deals = min(len(one.changes), len(other.changes))  # a slow agent plays the first of them
    gap = other.changes[:deals] - one.changes[:deals]
    ends = [float(np.ptp(d.changes)) for d in (one, other)]
    largest = 2.0 if one.measure.unit == "share" else max(sum(ends), float(np.abs(gap).max()))
    return Disagreement(agents, one, other, estimate_change(gap, largest), paired_p(gap))


def about_the_sides(found: Sequence[Disagreement]) -> list[Disagreement]:
    """Those about the first seat's share of wins, one per pair of agents."""
    return [gap for gap in found if gap.one.measure.seats]
