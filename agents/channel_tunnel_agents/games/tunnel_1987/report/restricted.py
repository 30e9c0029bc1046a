"""Restricted play: what a side loses without an action, or when it must take it."""

from __future__ import annotations

from functools import partial
from typing import Any

from matplotlib.axes import Axes

from channel_tunnel_agents.balance.measuring.restricted import measure_restrictions
from channel_tunnel_agents.balance.measuring.significance import LEVEL, how_sure, is_significant
from channel_tunnel_agents.balance.report.drawing import INK, ROW, draw, forest, percentage_points
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.measurements import on_own_deals
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, count, of_dict
from channel_tunnel_agents.balance.report.page import Chart, Data, Shown, Table
from channel_tunnel_agents.games.tunnel_1987.report.names import SIDE_COLOURS, SIDE_MARKERS, SIDE_NAMES
from channel_tunnel_env.games.tunnel_1987.words import title

SHOWN = 24  # bars
PART = 16  # of the deals
TRIED = 184  # approximately: 46 families, two modes, two sides

RESTRICTIONS = on_own_deals(
    "restrictions",
    "restricted",
    measure_restrictions,
    lambda job: job.settings.share_of_deals(PART),
    lambda job: TRIED,
    slow=True,
)


def restricted(evidence: Evidence) -> Shown:
    """Families of actions forbidden to one side, or forced on it."""
    found = evidence.measures.get("restrictions")
    if found is None:
        return evidence.why_missing("restrictions")
    deals = max((row["n"] for row in found), default=0)
    if deals < FEWEST:
        return f"{deals} deals are too few for a claim"
    ranked = sorted(found, key=lambda row: row["effect"]["value"])
    sure = [row for row in ranked if is_significant(row["p_holm"])]
    charts = [_chart(evidence, sure, deals)] if sure else []
    return _lead(sure, len(found)), [*charts, _table(ranked)]


def _name(row: dict[str, Any]) -> str:
    family = title(row["family"])
    how = f"no {family}" if row["mode"] == "ban" else f"{family} whenever legal"
    return f"{SIDE_NAMES[row['side']]}: {how}"


def _effect(row: dict[str, Any]) -> Number:
    return of_dict(row["effect"], row["n"], "change")


def _lead(sure: list[dict[str, Any]], tried: int) -> tuple[str, ...]:
    better = [row for row in sure if row["effect"]["value"] > 0]
    lines = [
        f"{len(sure)} of {tried} restrictions surely change the result. An agent does not plan for "
        "its restriction, so these costs are upper bounds."
    ]
    if better:
        best = max(better, key=lambda row: row["effect"]["value"])
        lines.append(
            f"{len(better)} make the restricted side win more often, such as {_name(best)} "
            f"({_effect(best)}): a sign that the agent overrates something, or that a plan is too good."
        )
    return tuple(lines)


def _chart(evidence: Evidence, sure: list[dict[str, Any]], deals: int) -> Chart:
    """The largest effects, the worst for the restricted side first."""
    widest = sorted(sure, key=lambda row: -abs(row["effect"]["value"]))[:SHOWN]
    rows = sorted(widest, key=lambda row: row["effect"]["value"])
    data = tuple((_name(row), _effect(row)) for row in rows)
    return Chart(
        "restrictions-chart",
        f"The largest sure effects on the restricted side's chance ({evidence.agent} plays)",
        draw("restricted", partial(_paint, rows), 0.7 + ROW * len(rows)),
        Data(("restriction", "change of the chance to win"), data),
        "On the same deals, one side restricted and its rival not. Squares: Britain; circles: France. n "
        f"{count(deals)} deals per row; sure: {LEVEL}.",
        "Effects of restrictions",
    )


def _paint(rows: list[dict[str, Any]], axis: Axes) -> None:
    axis.axvline(0, color=INK, lw=0.8)
    colours = [SIDE_COLOURS[row["side"]] for row in rows]
    markers = [SIDE_MARKERS[row["side"]] for row in rows]
    forest(axis, [_name(row) for row in rows], [_effect(row) for row in rows], colours, markers)
    percentage_points(axis)


def _table(rows: list[dict[str, Any]]) -> Table:
    cells = tuple(
        (
            row["sentence"],
            "banned" if row["mode"] == "ban" else "forced",
            SIDE_NAMES[row["side"]],
            _effect(row),
            of_dict(row["bound"], row["n"], "share"),
            how_sure(row["p_holm"], _effect(row)),
        )
        for row in rows
    )
    columns = ("family of actions", "how", "side", "change", "decisions bound", "how sure?")
    return Table(
        "restrictions",
        "Every restriction",
        Data(columns, cells),
        "'Decisions bound': share of the side's decisions at which the restriction took something away.",
        folded=True,
    )
