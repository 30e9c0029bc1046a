"""Games in figures: measures of every agent's games with itself, how long they are, how they end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.report.drawing import INK, MUTED, NEUTRAL, ROW, draw, forest, whole_numbers
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.headline import end_shares
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, Style, count, mean, of_estimate, share
from channel_tunnel_agents.balance.report.page import Chart, Data, PageSection, Row, Table
from channel_tunnel_agents.matches.tables import clock_column
from channel_tunnel_env.outside.sentences import capital
from channel_tunnel_env.outside.terminal import percent

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
TOO_FEW = f"fewer than {FEWEST} deals of each agent"


def levels_with_games(evidence: Evidence) -> list[str]:
    """The agents with enough games against themselves for a claim, the weakest first."""
    return [name for name in evidence.ladder if len(evidence.own_games(name)) >= FEWEST]


def measure_table(evidence: Evidence, key: str, title: str, names: Sequence[str], reading: str = "") -> Table:
    """Measures by name: a row a measure, a column an agent with enough games, the strongest first."""
    agents = levels_with_games(evidence)[::-1]
    measures = [evidence.measures_known[name] for name in names]
    rows: tuple[Row, ...] = tuple(
        (_title(measure), *(_figure(evidence, measure, agent) for agent in agents)) for measure in measures
    )
    return Table(
        key, title, Data(("figure", *agents), rows), f"Each agent against itself, means of a game. {reading}".rstrip()
    )


def _title(measure: Measure) -> str:
    return measure.title.removesuffix(", both seats").removesuffix(", all seats")


def _figure(evidence: Evidence, measure: Measure, agent: str) -> Number:
    own = evidence.own_games(agent)
    style: Style = "share" if measure.unit == "share" else "plain"
    return of_estimate(measure.estimate(own), len(own), style)


def figures(key: str, names: Sequence[str], evidence: Evidence) -> PageSection:
    """A section of measures."""
    title = evidence.game.sections[key]
    if not levels_with_games(evidence):
        return PageSection(key, title, missing=TOO_FEW)
    return PageSection(key, title, (), (measure_table(evidence, f"{key}-table", title, names),))


def length(evidence: Evidence) -> PageSection:
    """Rounds or turns, and decisions, of every agent against itself."""
    clock, more, title = clock_column(evidence.ruleset.spec), evidence.game.length, evidence.game.sections["length"]
    rows: list[Row] = []
    quantiles: list[Row] = []
    for name in levels_with_games(evidence):
        games = evidence.own_games(name)
        quantiles.append((name, *(float(q) for q in games[clock].quantile(QUANTILES))))
        counted = [games[list(columns)].sum(axis=1) for columns in more.values()]
        rows.append((name, mean(games[clock]), round(evidence.choices(name), 1), *map(mean, counted)))
    if not rows:
        return PageSection("length", title, missing=TOO_FEW)
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
    return PageSection("length", title, (), (chart, table))


def _paint_length(clock: str, rows: list[Any], axis: Axes) -> None:
    places = np.arange(len(rows))[::-1]
    for place, (_, low, first, middle, third, high) in zip(places, rows, strict=True):
        axis.plot([low, high], [place, place], color=MUTED, lw=1)
        axis.barh(place, third - first, 0.5, left=first, color=NEUTRAL)
        axis.plot([middle, middle], [place - 0.3, place + 0.3], color=INK, lw=2)
    axis.set_yticks(places, [row[0] for row in rows])
    axis.set_xlabel(clock)
    axis.set_xlim(left=0)
    whole_numbers(axis)
    axis.tick_params(axis="y", length=0)
    axis.grid(axis="x")


def ends(evidence: Evidence) -> PageSection:
    """How games end, and which the rules stop."""
    title, agents = evidence.game.sections["ends"], levels_with_games(evidence)[::-1]
    if not agents:
        return PageSection("ends", title, missing=TOO_FEW)
    found = {agent: end_shares(evidence, agent) for agent in agents}
    rows: list[Row] = [(words, *(found[agent][words] for agent in agents)) for words in found[agents[0]]]
    rows.append(
        ("without a single winner", *(share(evidence.shares_of(agent).max(axis=1) < 1 - 1e-9) for agent in agents))
    )
    table = Table(
        "ends",
        "How games end (each agent in every seat)",
        Data(("end", *agents), tuple(rows)),
        "Share of games; an interval that starts at 0 with none seen says how many there may still be.",
    )
    return PageSection("ends", title, (), (table,))


def lead_chart(
    games: pd.DataFrame,
    seats: tuple[str, ...],
    sources: Mapping[str, str],
    title: str,
    points: str,
    height: tuple[float, float],
) -> tuple[Chart, list[tuple[str, Number]], Number]:
    """The winner's points less the loser's, by source.

    Args:
        games: decided ones of two seats.
        sources: columns of points, without the seat -> what they are called.
        points: what points are called.
        height: of the chart in inches: of its frame, and of each row.

    Returns:
        The chart; the sources, the largest first; all of them together.
    """
    first, second = seats
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
