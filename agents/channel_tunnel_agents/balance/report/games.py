"""Games in figures: measures of every agent's games with itself, how long they are, how they end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.report.drawing import (
    INK,
    MUTED,
    NEUTRAL,
    ROW,
    draw,
    forest,
    name_rows,
    whole_numbers,
)
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, count, mean, share
from channel_tunnel_agents.balance.report.page import Chart, Data, Row, Shown, Table
from channel_tunnel_agents.matches.tables import clock_column
from channel_tunnel_env.outside.sentences import capital
from channel_tunnel_env.outside.terminal import percent

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
TOO_FEW = f"fewer than {FEWEST} deals of each agent"
SEEN_NONE = "Share of games; an interval that starts at 0 with none seen says how many there may still be."
"""How to read a table of ends."""


def measure_table(evidence: Evidence, key: str, title: str, names: Sequence[str], reading: str = "") -> Table:
    """Measures by name: a row a measure, a column an agent with enough games, the strongest first."""
    agents = evidence.levels[::-1]
    rows: tuple[Row, ...] = tuple(
        (measure_title(evidence, name), *(evidence.figure(name, agent) for agent in agents)) for name in names
    )
    return Table(
        key, title, Data(("figure", *agents), rows), f"Each agent against itself, means of a game. {reading}".rstrip()
    )


def measure_title(evidence: Evidence, name: str) -> str:
    """What a measure is called where it is said that it is of all seats."""
    return evidence.measures_known[name].title.removesuffix(", both seats").removesuffix(", all seats")


def figures(key: str, names: Sequence[str], evidence: Evidence) -> Shown:
    """A section of measures."""
    if not evidence.levels:
        return TOO_FEW
    return (), [measure_table(evidence, f"{key}-table", evidence.game.sections[key].title, names)]


def unused_rules(evidence: Evidence, unused: list[tuple[str, list[str]]], remark: str = "") -> tuple[str, Table]:
    """What no game of any agent ever used: a sentence, and the table behind it.

    Args:
        unused: what never occurred, by kind of rule.
        remark: on what never occurs, a sentence and a space.
    """
    dead = sum(bool(names) for _, names in unused)
    table = Table(
        "unused",
        "Never in any game",
        Data(("rule", "never occurred"), tuple((what, ", ".join(names) or "none") for what, names in unused)),
        f"Over all {count(len(evidence.games))} games of all agents. {remark}What the ruleset switches off is not counted.",
        names=2,
    )
    return (
        f"{dead} of {len(unused)} kinds of rules {'holds' if dead == 1 else 'hold'} something that never occurred.",
        table,
    )


def length(evidence: Evidence) -> Shown:
    """Rounds or turns, and decisions, of every agent against itself."""
    clock, more = clock_column(evidence.ruleset.spec), evidence.game.length
    rows: list[Row] = []
    quantiles: list[Row] = []
    for name in evidence.levels:
        games = evidence.own_games(name)
        quantiles.append((name, *(float(q) for q in games[clock].quantile(QUANTILES))))
        counted = [games[list(columns)].sum(axis=1) for columns in more.values()]
        rows.append((name, mean(games[clock]), round(evidence.choices(name), 1), *map(mean, counted)))
    if not rows:
        return TOO_FEW
    chart = Chart(
        clock,
        f"{capital(clock)} a game (each agent against itself)",
        draw("length", partial(_paint_length, clock, quantiles), 0.75 + ROW * 1.3 * len(quantiles)),
        Data(("agent", *(f"{percent(q, 0)} quantile" for q in QUANTILES)), tuple(quantiles)),
        "The bar holds the middle half of the games, the thin line nine in ten, the stroke the median.",
        f"Quantiles of the {clock} by agent",
    )
    table = Table(
        "length",
        f"{capital(clock)} and decisions",
        Data(("agent", clock, "decisions", *more), tuple(rows)),
        f"Means of a game. Decisions are those of {evidence.game.all} that left a choice; forced ones are taken by the program.",
    )
    return (), [chart, table]


def _paint_length(clock: str, rows: list[Any], axis: Axes) -> None:
    places = np.arange(len(rows))[::-1]
    for place, (_, low, first, middle, third, high) in zip(places, rows, strict=True):
        axis.plot([low, high], [place, place], color=MUTED, lw=1)
        axis.barh(place, third - first, 0.5, left=first, color=NEUTRAL)
        axis.plot([middle, middle], [place - 0.3, place + 0.3], color=INK, lw=2)
    name_rows(axis, places, [row[0] for row in rows])
    axis.set_xlabel(clock)
    axis.set_xlim(left=0)
    whole_numbers(axis)


def end_shares(evidence: Evidence, agent: str) -> dict[str, Number]:
    """How often an agent's games with itself end in each way, those that the rules stop marked."""
    outcome, found = evidence.ruleset.spec.outcome, evidence.own_games(agent)["end_cause"]
    first = outcome.first_stop or len(outcome.end_causes)
    return {
        f"{'stopped: ' * (k >= first)}{cause.replace('_', ' ')}": share((found == cause).to_numpy(np.float64))
        for k, cause in enumerate(outcome.end_causes)
        if k
    }


def ends(evidence: Evidence) -> Shown:
    """How games end, and which the rules stop."""
    agents = evidence.levels[::-1]
    if not agents:
        return TOO_FEW
    found = {agent: end_shares(evidence, agent) for agent in agents}
    rows: list[Row] = [(words, *(found[agent][words] for agent in agents)) for words in found[agents[0]]]
    rows.append(
        ("without a single winner", *(share(evidence.shares_of(agent).max(axis=1) < 1 - 1e-9) for agent in agents))
    )
    title = "How games end (each agent in every seat)"
    return (), [Table("ends", title, Data(("end", *agents), tuple(rows)), SEEN_NONE)]


def lead_chart(
    evidence: Evidence, games: pd.DataFrame, sources: Mapping[str, str], title: str, height: tuple[float, float]
) -> tuple[Chart, list[tuple[str, Number]], Number]:
    """The winner's points less the loser's, by source.

    Args:
        games: decided ones of two seats.
        sources: columns of points, without the seat -> what they are called.
        height: of the chart in inches: of its frame, and of each row.

    Returns:
        The chart; the sources, the largest first; all of them together.
    """
    (first, second), points = evidence.results.seats, evidence.game.points
    sign = np.where(games["winner"] == first, 1.0, -1.0)
    rows = [
        (words, mean(sign * (games[f"{name}_{first}"] - games[f"{name}_{second}"]), "signed"))
        for name, words in sources.items()
    ]
    rows.sort(key=lambda row: -row[1].value)
    total = mean(sign * games["margin"], "signed")
    chart = Chart(
        "lead",
        title,
        draw("lead", partial(_paint_lead, rows, points), height[0] + height[1] * len(rows)),
        Data(("source", "winner's points less loser's"), (*rows, ("all", total))),
        f"In all {total} {points}, n {count(len(games))} games.",
        "The winner's lead by source",
    )
    return chart, rows, total


def _paint_lead(rows: list[tuple[str, Number]], points: str, axis: Axes) -> None:
    axis.axvline(0, color=MUTED, lw=0.8)
    forest(axis, [row[0] for row in rows], [row[1] for row in rows])
    axis.set_xlabel(points)
