"""How long games are."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.report.drawing import INK, MUTED, NEUTRAL, ROW, draw, whole_numbers
from channel_tunnel_agents.balance.report.evidence import Played
from channel_tunnel_agents.balance.report.numbers import FEWEST, mean
from channel_tunnel_agents.balance.report.page import Chart, Data, PageSection, Row, Table
from channel_tunnel_agents.balance.report.words import capital
from channel_tunnel_agents.matches.tables import clock_column
from channel_tunnel_env.outside.percent import percent

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def length(evidence: Played) -> PageSection:
    """Rounds or turns, and decisions, of every agent against itself."""
    clock, more = clock_column(evidence.ruleset.spec), evidence.game.length
    rows: list[Row] = []
    quantiles: list[Row] = []
    for i in evidence.by_strength:
        name = evidence.agents[i]
        games = evidence.own_games(name)
        if len(games) < FEWEST:
            continue
        found = [float(q) for q in games[clock].quantile(QUANTILES)]
        quantiles.append((name, *found))
        counted = [games[list(columns)].sum(axis=1) for columns in more.values()]
        choices = round(evidence.choices(name), 1)
        rows.append((name, mean(games[clock]), choices, *map(mean, counted)))
    if not rows:
        return PageSection(
            "length", evidence.game.sections["length"], missing=f"fewer than {FEWEST} deals of each agent"
        )
    columns = ("agent", clock, "decisions", *more)
    chart = Chart(
        clock,
        f"{capital(clock)} a game (each agent against itself)",
        draw("length", partial(_paint, clock, quantiles), 0.75 + ROW * 1.3 * len(quantiles)),
        Data(("agent", *(f"{percent(q, 0)} quantile" for q in QUANTILES)), tuple(quantiles)),
        "The bar holds the middle half of the games, the thin line nine in ten, the stroke the median.",
        f"Quantiles of the {clock} by agent",
    )
    whose = "both" if len(evidence.results.seats) == 2 else "all"
    table = Table(
        "length",
        f"{capital(clock)} and decisions",
        Data(columns, tuple(rows)),
        f"Means of a game. Decisions are those of {whose} seats that left a choice; forced ones are taken by the program.",
    )
    return PageSection("length", evidence.game.sections["length"], (), (chart, table))


def _paint(clock: str, rows: list[Any], axis: Axes) -> None:
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
