"""The three numbers most worth turning, each with the command that tries it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from channel_tunnel_agents.balance.changing.levers import sweep_command
from channel_tunnel_agents.balance.changing.parameters import Value, value_text
from channel_tunnel_agents.balance.measuring.games import turned_game
from channel_tunnel_agents.balance.measuring.significance import LEVEL, MAY_BE_LUCK, how_sure
from channel_tunnel_agents.balance.report.evidence import Evidence, Played
from channel_tunnel_agents.balance.report.measurements import LEVERS
from channel_tunnel_agents.balance.report.numbers import Number, of_dict
from channel_tunnel_agents.balance.report.page import Data, NextStep, PageSection, Steps
from channel_tunnel_agents.balance.report.words import capital, count
from channel_tunnel_env.faces.registry import changes_in_words

KEY = "levers"
TITLE = "Levers most worth trying"


def levers(evidence: Evidence) -> PageSection:
    """Each lever's effect on deals that played no part in choosing it."""
    found = evidence.measures.get(LEVERS.name)
    if found is None:
        return PageSection(KEY, TITLE, missing=evidence.why_missing(LEVERS.name))
    share = f"{evidence.game.first}'s share"
    steps = tuple(lever_step(evidence, found, row, share) for row in found["chosen"])
    rows = tuple((*lever_cells(evidence, row), row["p_holm"]) for row in found["chosen"])
    keys = {row["key"] for row in found["tried"]}
    item = Steps(
        "levers",
        "",
        steps,
        Data(_columns(evidence), rows),
        f"Tried: {len(keys)} {_what(found)}, on up to {count(found['deals'])} deals, on fewer what promised "
        f"less; the figures above are of {count(found['fresh'])} other deals, which played no part in the choice. "
        f"{found['agent']} plays both {evidence.game.place}s and {what_it_knows(evidence, found)}; sure: {LEVEL}.",
    )
    return PageSection(KEY, TITLE, (_lead(evidence, found),), (item,))


def _columns(evidence: Evidence) -> tuple[str, ...]:
    effects = turned_game(evidence.ruleset).effects.values()
    share = f"{evidence.game.first}'s share"
    return ("lever", "from", "to", share, "change", *(e.title for e in effects), "p (Holm)")


def _what(found: dict[str, Any]) -> str:
    if all(type(row["value"]) is int for row in found["tried"]):
        return "numbers, each one step down and up"
    return "figures: each number one step down and up, each switch at all its settings"


def what_it_knows(evidence: Played, found: Mapping[str, Any]) -> str:
    """What the agent knows of a step."""
    if found["agent"] in evidence.results.searching:
        return "tries its moves by the turned rule"
    reads = found["agent"] in evidence.results.reading
    return "reads the turned rule" if reads else "was not made for the step"


def _lead(evidence: Evidence, found: dict[str, Any]) -> str:
    game = evidence.game
    if not found["lean"]:
        return (
            f"These games do not show which {game.place} is better off, so here is what moves {game.first}'s share "
            "most, one step at a time, either way."
        )
    weaker = capital(game.seats[0 if found["lean"] > 0 else 1])
    if not any(change_of(row).excludes_zero for row in found["chosen"]):
        return f"{weaker} needs help, but no single step is shown to bring any. These came nearest:"
    return f"{weaker} needs help. {_one_step_of(found)} helped it most:"


def _one_step_of(found: dict[str, Any]) -> str:
    numbers = all(type(row["value"]) is int for row in found["chosen"])
    return "One step of these numbers" if numbers else "These changes"


def lever_step(evidence: Played, found: Mapping[str, Any], row: Mapping[str, Any], what: str) -> NextStep:
    """What a lever is turned to, how that moved something, and the command that tries it further."""
    other = evidence.ruleset.with_values({row["key"]: row["value"]})
    told = " ".join(changes_in_words(evidence.ruleset, other)).removesuffix(".")
    change = change_of(row)
    effect = f"{what} {change}, {_how_sure(row, change)}"
    if change.excludes_zero and found["lean"] * row["change"]["value"] < 0:
        effect += ", the wrong way"
    command = sweep_command(evidence.settings.ruleset, found["agent"], row)
    return NextStep(f"{told}: {effect}.", command)


def _how_sure(row: Mapping[str, Any], change: Number) -> str:
    sure = how_sure(row["p_holm"], change)
    return f"which {sure}" if sure == MAY_BE_LUCK else sure


def change_of(row: Mapping[str, Any]) -> Number:
    """A lever's change of the balance."""
    return of_dict(row["change"], row["deals"], "change")


def lever_cells(evidence: Played, row: Mapping[str, Any]) -> tuple[Any, ...]:
    """A lever, from and to, its figure, the change, and what else it does."""
    effects = turned_game(evidence.ruleset).effects
    return (
        row["key"],
        *(_shown(row[name]) for name in ("base", "value")),
        of_dict(row["share"], row["deals"], "share"),
        change_of(row),
        *(
            of_dict(row["effects"][name], row["deals"], "change" if effect.is_share else "signed")
            for name, effect in effects.items()
        ),
    )


def _shown(value: Value) -> int | str:
    """A number as such, a switch as its word."""
    return value if type(value) is int else value_text(value)
