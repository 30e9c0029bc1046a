"""Where the winner's lead comes from, in a game of two seats."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.report.drawing import MUTED, draw, forest
from channel_tunnel_agents.balance.report.numbers import Number, mean
from channel_tunnel_agents.balance.report.page import Chart, Data
from channel_tunnel_agents.balance.report.words import count


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
        draw("lead", partial(_paint, rows, points), height[0] + height[1] * len(rows)),
        Data(("source", "winner's points less loser's"), (*rows, ("all", total))),
        f"In all {total} {points}, n {count(len(games))} games.",
        "The winner's lead by source",
    )
    return chart, rows, total


def _paint(rows: list[tuple[str, Number]], points: str, axis: Axes) -> None:
    axis.axvline(0, color=MUTED, lw=0.8)
    forest(axis, [row[0] for row in rows], [row[1] for row in rows])
    axis.set_xlabel(points)
