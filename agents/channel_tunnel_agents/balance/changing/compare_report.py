"""A comparison as a table, with a sentence that sums it up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from channel_tunnel_agents.balance.changing.compare import Difference, Disagreement
from channel_tunnel_agents.balance.measuring.knowledge import WHAT_IT_KNOWS, kind_of
from channel_tunnel_agents.balance.measuring.significance import ALPHA, LEVEL, MAY_BE_LUCK, how_sure
from channel_tunnel_agents.matches.tournament import Results
from channel_tunnel_agents.sheet import Sheet, estimate_cell
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_env.faces.registry import changes_in_words
from channel_tunnel_env.outside.sentences import capital
from channel_tunnel_env.outside.terminal import percent

MOST_NOISE = 12  # most measures shown that are not significant
MOST_GAPS = 8  # most disagreements shown
Compared = Mapping[str, Sequence[Difference]]
"""Agent -> its comparison."""


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


def of_disagreements(found: Sequence[Disagreement], results: Results) -> list[Sheet | str]:
    """Whether agents disagree about the sides, what each of them knows of the rules, and where their changes differ by
    more than luck, side by side; nothing of a single agent."""
    if not found:
        return []
    parts: list[Sheet | str] = [""]
    for agents, gap in [each for each in found if each[1].measure.seats]:  # one per pair of agents
        value, low, high = (100 * x for x in (gap.change.value, gap.change.low, gap.change.high))
        names = " and ".join(agents)
        verb = "disagree" if gap.is_significant else "do not surely disagree"
        parts.append(
            f"{names} {verb} about the sides: the change differs by {value:+.1f} points [{low:+.1f}, {high:+.1f}]."
        )
    policies = results.store.plan["policies"]
    for agent in results.tournament.agents:
        kind = kind_of(agent, results.searching, results.reading, policies[agent])
        parts.append(f"- {agent}: {WHAT_IT_KNOWS[kind]}")
    rows = tuple(
        (
            gap.measure.title,
            " / ".join(agents),
            *(estimate_cell(each, gap.measure.unit, True) for each in (gap.one, gap.other, gap.change)),
        )
        for agents, gap in found
        if gap.is_significant
    )[:MOST_GAPS]
    if rows:
        columns = ("measure", "agents", "first", "second", "differs by")
        parts.append(Sheet(f"Changes about which agents disagree ({LEVEL})", columns, rows, names=2))
    return parts


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


def comparison_dict(
    found: Compared, one: str, other: str, rules: Sequence[str], gaps: Sequence[Disagreement]
) -> dict[str, Any]:
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
        "disagreements": [
            {
                "agents": list(agents),
                "name": gap.measure.name,
                "gap": plain(gap.change),
                "p": gap.p,
                "p_holm": gap.p_holm,
                "significant": gap.is_significant,
            }
            for agents, gap in gaps
        ],
    }


def plain(found: Estimate) -> dict[str, float | None]:
    """An estimate as JSON values."""
    return {key: None if value != value else value for key, value in asdict(found).items()}
