"""Paired comparison of two sets of games on the same deals.

Every measure is tested, so some would differ by chance: p-values are corrected over all of
them by Holm's method (see `significance`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.knowledge import WHAT_IT_KNOWS, kind_of
from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.measuring.measures import Singles, check_seats, measures_of
from channel_tunnel_agents.balance.measuring.significance import (
    ALPHA,
    LEVEL,
    MAY_BE_LUCK,
    Tested,
    corrected,
    how_sure,
    paired_p,
)
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.matches.tournament import Results, Tournament
from channel_tunnel_agents.sheet import Sheet, estimate_cell
from channel_tunnel_agents.statistics import Estimate, estimate_change
from channel_tunnel_env.faces.registry import changes_in_words
from channel_tunnel_env.outside.sentences import capital
from channel_tunnel_env.outside.terminal import percent
from channel_tunnel_env.rulesets.ruleset import builtin_file, load_ruleset

LEAST_DEALS = 2  # with fewer no figure has an interval
MOST_NOISE = 12  # most measures shown that are not significant


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


Compared = Mapping[str, Sequence[Difference]]
"""Agent -> its comparison."""


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
    found = estimate_change(change, largest)
    if measure.unit == "share":  # of few deals the interval would reach beyond what is possible
        found = Estimate(found.value, *(float(end) for end in np.clip([found.low, found.high], -largest, largest)))
    return Difference(measure, measure.estimate(first), measure.estimate(second), found, change, paired_p(change))


def _size(difference: Difference) -> float:
    """The change in rough standard deviations, to order equally certain differences."""
    reach = difference.change.high - difference.change.low
    return difference.change.value / reach if reach > 0 else 0.0


# --- tables and sentences ---------------------------------------------------------------------------


def rules_lines(one: Results, other: Results) -> list[str]:
    """What the second ruleset changes, in sentences; nothing where two agents are compared."""
    if one.ruleset.digest == other.ruleset.digest and one.tournament.agents != other.tournament.agents:
        return []
    changes = changes_in_words(one.ruleset, other.ruleset)
    if not changes:
        return [f"{other.ruleset.name} changes no rule of {one.ruleset.name}.", ""]
    head = f"What {other.ruleset.name} changes in {one.ruleset.name}:"
    return [head, *(f"- {line}" for line in changes), ""]


def of_sides(found: Compared, one: str, other: str) -> list[Sheet | str]:
    """The first seat's share of wins before and after, a row and a sentence per agent; nothing at tables of more than two."""
    sides = _sides(found)
    if not sides:
        return []
    rows = tuple((agent, *cells(d), f"{d.deals:,}") for agent, d in sides.items())
    columns = ("agent", Path(one).name, Path(other).name, "change", "deals")
    (what,) = {d.measure.title for d in sides.values()}
    return [Sheet(f"{capital(what)}, the same deals", columns, rows), *side_sentences(found, one, other)]


def cells(found: Difference) -> tuple[str, str, str]:
    """The figure in both sets, and its change."""
    unit = found.measure.unit
    return estimate_cell(found.one, unit), estimate_cell(found.other, unit), estimate_cell(found.change, unit, True)


def _sides(found: Compared) -> dict[str, Difference]:
    return {agent: d for agent, differences in found.items() for d in differences if d.measure.seats}


def side_sentences(found: Compared, one: str, other: str) -> list[str]:
    """What the change does to the sides, a plain sentence per agent."""
    return [_side_sentence(agent, d, one, other) for agent, d in _sides(found).items()]


def _side_sentence(agent: str, found: Difference, one: str, other: str) -> str:
    before, after = (percent(each.value) for each in (found.one, found.other))
    first, second = found.measure.seats or ("", "")
    head = f"Played by {agent}, {first} wins {before} before and {after} after: "
    if agent == other:  # two agents
        head = f"{capital(first)} wins {before} if {one} plays both sides, and {after} if {other} does: "
    if not found.differing:
        return head + "no game went differently."
    change, low, high = (100 * x for x in (found.change.value, found.change.low, found.change.high))
    sure = how_sure(found.p_holm, found.change)
    size = f"{abs(change):.1f} points for {first if change > 0 else second}, {sure}"
    if sure == MAY_BE_LUCK:
        size = f"{change:+.1f} points, which {sure}"
    return head + f"{size}; 95 % interval [{low:+.1f}, {high:+.1f}]."


def of_knowledge(results: Results) -> list[str]:
    """What each of several agents knows of the rules; nothing of a single one."""
    agents, policies = results.tournament.agents, results.store.plan["policies"]
    if len(agents) < 2:
        return []
    kinds = {name: kind_of(name, results.searching, results.reading, policies[name]) for name in agents}
    return ["", *(f"- {name}: {WHAT_IT_KNOWS[kind]}" for name, kind in kinds.items())]


def of_measures(found: Compared, one: str, other: str) -> list[Sheet | str]:
    """The differences of each agent, and what they come to."""
    parts: list[Sheet | str] = []
    for agent, differences in found.items():
        if not are_identical(differences):
            parts.append(comparison_sheet(differences, one, other, agent))
        parts.append(verdict(differences))
    return parts


def comparison_sheet(differences: Sequence[Difference], one: str, other: str, agent: str) -> Sheet:
    """The significant differences, then the next ones, most certain first."""
    significant = [d for d in differences if d.is_significant]
    others = [d for d in differences if d.differing and not d.is_significant]
    rows = tuple(
        (
            d.measure.title,
            *cells(d),
            f"{d.differing:,} of {d.deals:,}",
            f"{d.p_holm:.2g}",
            "yes" if d.is_significant else "no",
        )
        for d in significant + others[:MOST_NOISE]
    )
    columns = ("measure", Path(one).name, Path(other).name, "change", "deals differ", "p (Holm)", "significant?")
    return Sheet(f"{other} less {one}, the same deals ({agent})", columns, rows)


def are_identical(differences: Sequence[Difference]) -> bool:
    """Whether no deal differs in any measure."""
    return not any(d.differing for d in differences)


def verdict(differences: Sequence[Difference]) -> str:
    """The result of the comparison, in words."""
    if are_identical(differences):
        return f"Identical on every deal: {differences[0].deals:,} deals, not one measure of one game differs."
    significant = [d for d in differences if d.is_significant]
    if not significant:
        return (
            f"Nothing is significant: of {len(differences)} measures none differs by more than their number "
            f"would by luck ({LEVEL}). Effects smaller than the intervals may exist."
        )
    names = ", ".join(d.measure.title for d in significant[:5])
    more = f" and {len(significant) - 5} more" if len(significant) > 5 else ""
    return f"{len(significant)} of {len(differences)} measures differ by more than luck ({LEVEL}): {names}{more}."


def comparison_dict(found: Compared, one: str, other: str, rules: Sequence[str]) -> dict[str, Any]:
    """Every figure, JSON-serialisable; NaN as null."""
    return {
        "one": one,
        "other": other,
        "alpha": ALPHA,
        "changes": [line.removeprefix("- ") for line in rules if line.startswith("- ")],
        "sentences": side_sentences(found, one, other),
        "measures": [
            {
                "agent": agent,
                "name": d.measure.name,
                "title": d.measure.title,
                "unit": d.measure.unit,
                "one": plain(d.one),
                "other": plain(d.other),
                "change": plain(d.change),
                "deals": d.deals,
                "differing": d.differing,
                "p": d.p,
                "p_holm": d.p_holm,
                "significant": d.is_significant,
            }
            for agent, differences in found.items()
            for d in differences
        ],
    }


def plain(found: Estimate) -> dict[str, float | None]:
    """An estimate as JSON values."""
    return {key: None if value != value else value for key, value in asdict(found).items()}
