"""Actions: what is used, what never is, and how much choice there is."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.report.drawing import MUTED, ROW, draw, legend_above, name_rows
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.numbers import FEWEST, count, mean
from channel_tunnel_agents.balance.report.page import Chart, Data, Row, Shown, Table, Words
from channel_tunnel_agents.games.tunnel_1987.report.names import BRITAIN, FRANCE, SIDE_NAMES, SPACE_NAMES
from channel_tunnel_env.games.tunnel_1987.engine.actions import action_id, block_of
from channel_tunnel_env.outside.terminal import percent

OFTEN_LEGAL = 100  # decisions; with fewer, never being chosen says nothing


def actions(evidence: Evidence) -> Shown:
    """Use by space and option, what was legal and never chosen, and branching."""
    own = evidence.own_games(evidence.agent)
    if len(own) < FEWEST:
        return f"{len(own)} deals are too few for a claim"
    rows: tuple[Row, ...] = tuple(
        (text, *(mean(own[f"placed_{space}_{option}_{side}"]) for side in SIDE_NAMES))
        for space, options in SPACE_NAMES.items()
        for option, text in enumerate(options)
    )
    chart = Chart(
        "placements",
        f"Placements a game by space and action ({evidence.agent} against itself)",
        draw("placements", partial(_paint, rows), 0.9 + ROW * 1.5 * len(rows)),
        Data(("space and action", "Britain", "France"), rows),
        f"Means with 95 % intervals, n {count(len(own))} games.",
        "Bars of placements by space, action and side",
    )
    return [_lead(evidence)], [chart, _kinds(evidence), _branching(evidence), _never(evidence)]


def _lead(evidence: Evidence) -> str:
    options = evidence.options
    decisions = options["decisions"].sum()
    average = (options["options"] * options["decisions"]).sum() / decisions
    narrow = options.loc[options["options"] <= 2, "decisions"].sum() / decisions
    forced = int(options.loc[options["options"] <= 1, "decisions"].sum())
    asked = "none of them" if not forced else f"{percent(forced / decisions)} of them"
    return (
        f"A decision offers {average:.1f} actions on average; {percent(narrow)} of the "
        f"{count(int(decisions))} decisions offer one or two, {asked} a single one. Moves without a "
        "choice are taken by the program and are not counted."
    )


def _paint(rows: tuple[Any, ...], axis: Axes) -> None:
    places = np.arange(len(rows))[::-1]
    looks = ((1, "B  Britain", BRITAIN, 0.2), (2, "F  France", FRANCE, -0.2))
    for k, label, colour, shift in looks:
        numbers = [row[k] for row in rows]
        values = [number.value for number in numbers]
        reach = [number.high - number.value for number in numbers]
        axis.barh(
            places + shift,
            values,
            0.38,
            color=colour,
            label=label,
            xerr=reach,
            error_kw={"ecolor": MUTED, "elinewidth": 1},
        )
    name_rows(axis, places, [row[0] for row in rows])
    axis.set_xlabel("placements a game")
    legend_above(axis)


def _kinds(evidence: Evidence) -> Table:
    """Every kind of choice: how often it was possible and taken."""
    table = evidence.actions.copy()
    table["block"] = [block_of(action_id(name)).title for name in table["action"]]
    table["meaning"] = [block_of(action_id(name)).meaning for name in table["action"]]
    rows = []
    for (block, meaning), mine in table.groupby(["block", "meaning"], sort=False):
        if not mine["legal"].any():
            continue
        names = mine.groupby("action", sort=False)[["legal", "taken"]].sum()
        legal = names["legal"] > 0
        unused = int((legal & (names["taken"] == 0)).sum())
        rows.append((str(block), str(meaning), int(names["taken"].sum()), int(legal.sum()), unused))
    columns = ("choice", "meaning", "times taken", "actions of this kind", "of them never taken")
    return Table(
        "choices",
        "Every kind of choice",
        Data(columns, tuple(rows)),
        "Counts, not estimates, over all games of this agent against itself.",
        names=2,
        folded=True,
    )


def _branching(evidence: Evidence) -> Table:
    rows = []
    for side, name in SIDE_NAMES.items():
        mine = evidence.options[evidence.options["side"] == side]
        decisions = mine["decisions"].sum()
        if not decisions:
            continue
        spread = mine["options"].repeat(mine["decisions"])
        forced = int(mine.loc[mine["options"] == 1, "decisions"].sum())
        rows.append((name, int(decisions), forced, round(float(spread.mean()), 1), int(spread.median())))
    columns = ("side", "decisions", "without a choice", "actions (mean)", "median")
    return Table(
        "branching",
        "How much choice",
        Data(columns, tuple(rows)),
        "Counts over all decisions of this agent against itself, not estimates.",
    )


def _never(evidence: Evidence) -> Table | Words:
    sums = evidence.actions.groupby("action", sort=False)[["legal", "taken"]].sum()
    found = sums[(sums["legal"] >= OFTEN_LEGAL) & (sums["taken"] == 0)]
    rows = tuple((str(name), int(row["legal"])) for name, row in found.iterrows())
    heading = f"Legal {OFTEN_LEGAL} times or more and never chosen"
    if not rows:
        return Words((f"Nothing: {evidence.agent} chose each of them at least once.",), heading)
    return Table(
        "never-chosen",
        heading,
        Data(("action", "decisions at which it was legal"), rows),
        f"By {evidence.agent} in either seat. A weak agent overlooks things; a strong one's list is worth a look.",
        folded=len(rows) > 10,
    )
