"""How long games are."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.report.drawing import (
    INK,
    MUTED,
    NEUTRAL,
    ROW,
    draw,
    whole_numbers,
)
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.numbers import FEWEST, mean
from channel_tunnel_agents.balance.report.page import Chart, Data, Row, Section, Table
from channel_tunnel_agents.balance.report.settings import SECTIONS

TITLE = SECTIONS["length"]
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def length(evidence: Evidence) -> Section:
    """Rounds and decisions of every agent against itself."""
    rows: list[Row] = []
    quantiles: list[Row] = []
    for i in evidence.by_strength:
        name = evidence.agents[i]
        games = evidence.own_games(name)
        if len(games) < FEWEST:
            continue
        found = [float(q) for q in games["rounds"].quantile(QUANTILES)]
        quantiles.append((name, *found))
        tunnels = games["tbm_britain"] + games["tbm_france"]
        rows.append((name, mean(games["rounds"]), mean(games["decisions"]), mean(tunnels)))
    if not rows:
        return Section("length", TITLE, missing=f"fewer than {FEWEST} deals of each agent")
    columns = ("agent", "rounds", "decisions", "tokens bored, both sides")
    chart = Chart(
        "rounds",
        "Rounds a game (each agent against itself)",
        draw("length", partial(_paint, quantiles), 0.75 + ROW * 1.3 * len(quantiles)),
        Data(("agent", *(f"{q:.0%} quantile" for q in QUANTILES)), tuple(quantiles)),
        "The bar holds the middle half of the games, the thin line nine in ten, the stroke the median.",
        "Quantiles of the rounds by agent",
    )
    table = Table(
        "length",
        "Rounds and decisions",
        Data(columns, tuple(rows)),
        "Means of a game. Decisions are those of both sides that left a choice; forced ones are taken by the program.",
    )
    return Section("length", TITLE, (), (chart, table))


def _paint(rows: list[Any], axis: Axes) -> None:
    places = np.arange(len(rows))[::-1]
    for place, (_, low, first, middle, third, high) in zip(places, rows, strict=True):
        axis.plot([low, high], [place, place], color=MUTED, lw=1)
        axis.barh(place, third - first, 0.5, left=first, color=NEUTRAL)
        axis.plot([middle, middle], [place - 0.3, place + 0.3], color=INK, lw=2)
    axis.set_yticks(places, [row[0] for row in rows])
    axis.set_xlabel("rounds")
    axis.set_xlim(left=0)
    whole_numbers(axis)
    axis.tick_params(axis="y", length=0)
    axis.grid(axis="x")
