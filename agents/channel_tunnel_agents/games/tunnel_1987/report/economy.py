"""Where points and money come from."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.report.drawing import (
    FIRST,
    INK,
    MUTED,
    NEUTRAL,
    ROW,
    SECOND,
    STRESS,
    draw,
    legend_above,
    stacked,
)
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.games import lead_chart
from channel_tunnel_agents.balance.report.numbers import FEWEST, count, mean
from channel_tunnel_agents.balance.report.page import Chart, Data, Row, Shown, Table
from channel_tunnel_agents.games.tunnel_1987.report.names import SIDE_NAMES, SOURCE_NAMES

LOOKS = {  # source -> colour and hatch; bars of the same tone differ by their pattern
    "cards": (FIRST, ""),
    "technology": (SECOND, ""),
    "centre": (STRESS, ""),
    "topographical_analysis": (NEUTRAL, ""),
    "political_duel": (NEUTRAL, "////"),
    "european_speech": (NEUTRAL, "...."),
    "media_relations": (NEUTRAL, "xxxx"),
    "agenda": (NEUTRAL, "||||"),
    "head_start": (MUTED, "////"),
    "deviation": (MUTED, "\\\\\\\\"),
}
DEEDS = {
    "tbm": "tokens bored",
    "income": "income (M)",
    "barrier_money": "paid at barriers (M)",
    "align_money": "paid to align (M)",
    "money": "money left over (M)",
    "cards": "cards developed",
    "stored": "tokens in storage at the end",
    "deviation": "deviation at the end",
    "drift": "deviation drawn in all",
    "counter_a": "technology track A",
    "counter_b": "technology track B",
    "placements": "placements",
    "kept_discs": "discs kept over rounds",
    "discs": "discs left over",
    "did_plan": "Plan actions",
    "did_tunnel": "Tunnel actions",
    "did_finance": "Finance actions",
    "did_technology": "Technology actions",
    "did_develop": "Development actions",
}


def economy(evidence: Evidence) -> Shown:
    """Score by source per side and result, the winner's lead, and what each side did."""
    own = evidence.own_games(evidence.agent)
    decided = own[own["winner"] != "draw"]
    if len(decided) < FEWEST:
        return f"{len(decided)} decided games are too few"
    sources = [name for name in LOOKS if any(decided[f"points_{name}_{side}"].any() for side in SIDE_NAMES)]
    words = {f"points_{source}": SOURCE_NAMES[source] for source in sources}
    title = "Where the winner's lead comes from"
    gap, rows, total = lead_chart(evidence, decided, words, title, (0.7, ROW * 1.15))
    lead = f"The winner leads by {total} victory points on average; most of it comes from {rows[0][0]} ({rows[0][1]})."
    return [lead], [_by_result(evidence, decided, sources), gap, _deeds(decided)]


def _by_result(evidence: Evidence, games: pd.DataFrame, sources: list[str]) -> Chart:
    groups = {
        f"{name} {result}": (side, games[(games["winner"] == side) == (result == "wins")])
        for side, name in SIDE_NAMES.items()
        for result in ("wins", "loses")
    }
    numbers = {
        source: [mean(mine[f"points_{source}_{side}"], "signed") for side, mine in groups.values()]
        for source in sources
    }
    parts = {SOURCE_NAMES[s]: [n.value if n.shown else 0.0 for n in numbers[s]] for s in sources}
    looks = [LOOKS[source] for source in sources]
    rows: tuple[Row, ...] = tuple((name, *(numbers[source][i] for source in sources)) for i, name in enumerate(groups))
    return Chart(
        "score",
        f"Victory points by source ({evidence.agent} against itself)",
        draw("score", partial(_paint_score, list(groups), parts, looks), 3.0),
        Data(("side and result", *(SOURCE_NAMES[s] for s in sources)), rows),
        "Means of a game; what lies left of 0 is taken off. Winners by deviation may have fewer points "
        f"than losers. n {count(len(games))} games.",
        "Stacked bars of points by source",
    )


def _paint_score(names: list[str], parts: dict[str, list[float]], looks: list[tuple[str, str]], axis: Axes) -> None:
    stacked(axis, names, parts, looks)
    axis.axvline(0, color=INK, lw=0.8)
    axis.set_xlabel("victory points")
    legend_above(axis)


def _deeds(games: pd.DataFrame) -> Table:
    """Means of both sides, and the winner minus the loser."""
    britain = (games["winner"] == "britain").to_numpy()
    rows: list[Row] = []
    for key, text in DEEDS.items():
        values = {side: games[f"{key}_{side}"].astype(float) for side in SIDE_NAMES}
        gap = (values["britain"] - values["france"]).to_numpy()
        by_side = (mean(values[side]) for side in SIDE_NAMES)
        rows.append((text, *by_side, mean(np.where(britain, gap, -gap), "signed")))
    columns = ("a game", "Britain", "France", "winner less loser")
    return Table(
        "economy",
        "What each side earns, spends and does",
        Data(columns, tuple(rows)),
        "'Winner less loser' says what goes with winning, not what causes it.",
    )
