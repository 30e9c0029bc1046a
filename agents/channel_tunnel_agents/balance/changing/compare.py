"""Paired comparison of two sets of games on the same deals, and where agents disagree about it.

Every measure is tested, so some would differ by chance: p-values are corrected over all of
them by Holm's method (see `significance`).

Agents disagree about a change of the rules where the change of a figure, taken deal by deal for each agent, differs by
more than luck, over all pairs and figures together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.measuring.measures import Singles, check_seats, measures_of
from channel_tunnel_agents.balance.measuring.significance import Tested, corrected, paired_p
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.matches.tournament import Results, Tournament
from channel_tunnel_agents.statistics import Estimate, estimate_change
from channel_tunnel_env.rulesets.ruleset import builtin_file, load_ruleset

LEAST_DEALS = 2  # with fewer no figure has an interval


@dataclass(frozen=True)
class Difference(Tested):
    """A measure in both sets, and the second minus the first.

    Attributes:
        changes: the second minus the first, deal by deal (n,).
        p: p-value of no difference, see `paired_p`.
        p_holm: corrected for the number of measures.
    """

    measure: Measure
    one: Estimate
    other: Estimate
    change: Estimate
    changes: NDArray[np.float64]
    p: float
    p_holm: float = 1.0

    @property
    def deals(self) -> int:
        """Deals played in both."""
        return len(self.changes)

    @property
    def differing(self) -> int:
        """Deals whose values differ."""
        return int(np.count_nonzero(self.changes))


def two_sides(
    one: str, other: str, agents: Sequence[str], ruleset: str, deals: int, seed: int
) -> dict[str, Tournament]:
    """The tournaments to compare: two rulesets with the same agents, or two agents on one ruleset.

    Returns:
        Name -> tournament of agents against themselves, on the same deals.

    Raises:
        AgentError: neither two rulesets nor two agents, the same one twice, rulesets of two games, or one of a
            game in which nothing is measured; too few deals for an interval.
        RulesetError: a wrong ruleset.
    """
    if one == other:
        raise AgentError(f"compare: {one!r} given twice; two different ones are needed")
    if deals < LEAST_DEALS:
        raise AgentError(f"deals: {deals}; at least {LEAST_DEALS} are needed")
    are_rulesets = [is_ruleset(name) for name in (one, other)]
    if any(are_rulesets) and not all(are_rulesets):
        given, rules = sorted((one, other), key=is_ruleset)
        raise AgentError(f"compare: {rules!r} is a ruleset and {given!r} is not; expected two rulesets or two agents")
    rulesets = [load_ruleset(name) for name in ([one, other] if all(are_rulesets) else [ruleset])]
    for each in rulesets:
        measures_of(each)  # refuses what cannot be measured
    games = [each.spec.name for each in rulesets]
    if len(set(games)) > 1:
        what = " and ".join(f"{each.name} of {game}" for each, game in zip(rulesets, games, strict=True))
        raise AgentError(f"compare: {what}; two rulesets of one game are needed")
    check_seats(rulesets)
    if all(are_rulesets):
        return {name: Tournament(tuple(agents), deals, seed, name, mirror=True) for name in (one, other)}
    return {name: Tournament((name,), deals, seed, ruleset, mirror=True) for name in (one, other)}


def is_ruleset(name: str) -> bool:
    """Whether a name is that of a ruleset: a built-in one or a YAML file."""
    return builtin_file(name) is not None or Path(name).suffix in (".yaml", ".yml")


def compare_results(one: Results, other: Results) -> dict[str, list[Difference]]:
    """Agent -> its comparison, single cards included; of two agents, under the second one's name."""
    own = measures_of(one.ruleset)
    singles = own.singles(one.ruleset, other.ruleset) if own.singles else None
    measures = [*own.known.values(), *(singles.measures if singles else ())]
    found = {}
    for first, second in zip(one.tournament.agents, other.tournament.agents, strict=True):
        games = own_games(one, first, singles), own_games(other, second, singles)
        found[second] = compare(*games, measures)
    return found


def own_games(results: Results, agent: str, singles: Singles | None) -> pd.DataFrame:
    """An agent's games against itself, with the columns of single cards if there are any."""
    seat = results.seats[0]

    def of_agent(table: str) -> pd.DataFrame:
        rows = results.store.read(table)
        return rows[rows[seat] == agent]

    games = of_agent("games")
    return singles.join(games, of_agent(singles.table)) if singles else games


def compare(one: pd.DataFrame, other: pd.DataFrame, measures: Sequence[Measure]) -> list[Difference]:
    """The differences, corrected for their number; significant ones come first. Arguments are those of `differences`."""
    return sorted(corrected(differences(one, other, measures)), key=lambda d: (d.p_holm, d.p, -abs(_size(d))))


def differences(one: pd.DataFrame, other: pd.DataFrame, measures: Sequence[Measure]) -> list[Difference]:
    """The differences of two games tables, in the order of the measures and not corrected.

    Args:
        one, other: games of the same deals, one per deal; deals that only one table has are
            ignored.
    """
    first, second = (games.set_index("deal", drop=False) for games in (one, other))
    shared = first.index.intersection(second.index)
    first, second = first.loc[shared], second.loc[shared]
    return [_difference(measure, first, second) for measure in measures]


def _difference(measure: Measure, first: pd.DataFrame, second: pd.DataFrame) -> Difference:
    values = measure.of(first), measure.of(second)
    change = values[1] - values[0]
    # The largest change of a deal: known for a share, else as far as any two games lie apart.
    largest = measure.span if measure.unit == "share" else float(np.nanmax(values) - np.nanmin(values))
    estimates = measure.estimate(first), measure.estimate(second), estimate_change(change, largest)
    return Difference(measure, *estimates, change, paired_p(change))


def _size(difference: Difference) -> float:
    """The change in rough standard deviations, to order equally certain differences."""
    reach = difference.change.high - difference.change.low
    return difference.change.value / reach if reach > 0 else 0.0


# --- agents that disagree ---------------------------------------------------------------------------


Disagreement = tuple[tuple[str, str], Difference]
"""Two agents, and how the second one's change of a measure differs from the first one's."""


def find_disagreements(found: Mapping[str, Sequence[Difference]]) -> list[Disagreement]:
    """Every measure for every pair of agents, the surest first; corrected over all together.

    Args:
        found: agent -> its comparison of the same two rulesets on the same deals.
    """
    pairs, gaps = [], []
    for pair in combinations(found, 2):
        there = {d.measure.name: d for d in found[pair[0]]}
        pairs += [pair] * len(there)
        gaps += [_gap(there[d.measure.name], d) for d in found[pair[1]]]
    return sorted(zip(pairs, corrected(gaps), strict=True), key=lambda each: (each[1].p_holm, each[1].p))


def _gap(one: Difference, other: Difference) -> Difference:
    deals = min(one.deals, other.deals)  # a slow agent plays the first of them
    gap = other.changes[:deals] - one.changes[:deals]
    ends = [float(np.ptp(d.changes)) for d in (one, other)]
    largest = 2.0 if one.measure.unit == "share" else max(sum(ends), float(np.abs(gap).max()))
    return Difference(one.measure, one.change, other.change, estimate_change(gap, largest), gap, paired_p(gap))
