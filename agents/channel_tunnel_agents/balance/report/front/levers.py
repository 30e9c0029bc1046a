"""The three numbers most worth turning, each with the command that tries it."""

from __future__ import annotations

from typing import Any

from channel_tunnel_agents.balance.levers import sweep_command
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.measurements_1987 import LEVERS
from channel_tunnel_agents.balance.report.numbers import Number, of_dict
from channel_tunnel_agents.balance.report.page import Data, Section, Step, Steps
from channel_tunnel_agents.balance.report.words import count
from channel_tunnel_agents.balance.report.words_1987 import SIDE_NAMES
from channel_tunnel_agents.balance.significance import LEVEL, survives
from channel_tunnel_env.ruleset_changes import changes_in_words

KEY = "levers"
TITLE = "Levers most worth trying"
COLUMNS = ("lever", "from", "to", "Britain's share", "change", "rounds", "stopped", "p (Holm)")


def levers(evidence: Evidence) -> Section:
    """Each lever's effect on deals that played no part in choosing it."""
    found = evidence.measures.get(LEVERS)
    if found is None:
        return Section(KEY, TITLE, missing=evidence.why_missing(LEVERS))
    steps = tuple(_step(evidence, found, row) for row in found["chosen"])
    rows = tuple(_row(row) for row in found["chosen"])
    keys = {row["key"] for row in found["tried"]}
    item = Steps(
        "levers",
        "",
        steps,
        Data(COLUMNS, rows),
        f"Tried: {len(keys)} numbers, each one step down and up, on {count(found['deals'])} deals; the "
        f"figures above are of {count(found['fresh'])} other deals, which played no part in the choice. "
        f"{found['agent']} plays both sides and is not told of the step; sure: {LEVEL}.",
    )
    return Section(KEY, TITLE, (_lead(found),), (item,))


def _lead(found: dict[str, Any]) -> str:
    if not found["lean"]:
        return (
            "These games do not show which side is better off, so here is what moves Britain's share most, "
            "one step at a time, either way."
        )
    weaker = SIDE_NAMES["britain" if found["lean"] > 0 else "france"]
    return f"{weaker} needs help. One step of these numbers helped it most:"


def _step(evidence: Evidence, found: dict[str, Any], row: dict[str, Any]) -> Step:
    other = evidence.ruleset.with_values({row["key"]: row["value"]})
    told = " ".join(changes_in_words(evidence.ruleset, other)).removesuffix(".")
    change = _change(row)
    effect = f"Britain's share {change}, {_how_sure(row, change)}"
    if change.excludes_zero and found["lean"] * row["change"]["value"] < 0:
        effect += ", the wrong way"
    return Step(f"{told}: {effect}.", sweep_command(evidence.settings.ruleset, found["agent"], row))


def _how_sure(row: dict[str, Any], change: Number) -> str:
    if survives(row["p_holm"]):
        return "surely"
    return "probably" if change.excludes_zero else "which may be luck"


def _change(row: dict[str, Any]) -> Number:
    return of_dict(row["change"], row["deals"], "change")


def _row(row: dict[str, Any]) -> tuple[Any, ...]:
    return (
        row["key"],
        row["base"],
        row["value"],
        of_dict(row["share"], row["deals"], "share"),
        _change(row),
        of_dict(row["rounds"], row["deals"], "signed"),
        of_dict(row["stopped"], row["deals"], "change"),
        row["p_holm"],
    )
