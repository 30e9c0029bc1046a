"""How games end: by cause, side and round."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.report.drawing import (
    GRID,
    NEUTRAL,
    ROW,
    draw,
    legend_above,
    per_cent,
    stacked,
    whole_numbers,
)
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.games import TOO_FEW
from channel_tunnel_agents.balance.report.numbers import FEWEST, share
from channel_tunnel_agents.balance.report.page import Chart, Data, Item, Row, Shown, Table
from channel_tunnel_agents.games.tunnel_1987.report.names import BRITAIN, END_NAMES, FRANCE, SIDE_NAMES, STOPPED

PARTS = {
    "Britain at the centre": ("britain", "centre", BRITAIN, ""),
    "Britain, rival off course": ("britain", "deviation", BRITAIN, "////"),
    "France at the centre": ("france", "centre", FRANCE, ""),
    "France, rival off course": ("france", "deviation", FRANCE, "////"),
}
REST = "other ends"
LOOKS = [*((colour, hatch) for _, _, colour, hatch in PARTS.values()), (NEUTRAL, "")]


def endings(evidence: Evidence) -> Shown:
    """Tables and charts of the ends."""
    enough = evidence.levels
    if not enough:
        return TOO_FEW
    items: list[Item] = [_by_agent(evidence, enough), _table(evidence, enough)]
    if evidence.strongest in enough:
        items.append(_by_round(evidence))
    return _lead(evidence), items


def _lead(evidence: Evidence) -> tuple[str, ...]:
    own = evidence.own_games(evidence.strongest)
    centre = own[own["end_cause"] == "centre"]
    if len(centre) < FEWEST:
        return ()
    wins = share((centre["winner"] == "britain").to_numpy())
    reacher = np.where(centre["tbm_britain"] > centre["tbm_france"], "britain", "france")
    first = share(centre["winner"].astype(str).to_numpy() == reacher)
    return (
        f"Of the games of {evidence.strongest_text} that end at the centre Britain wins {wins}; "
        f"whoever gets there first wins {first} of them{', the rest go to the rival on points' if first.value < 1 else ''} "
        f"(n {len(centre):,}).",
    )


def _part(games: pd.DataFrame, winner: str, cause: str) -> pd.Series:
    return (games["winner"] == winner) & (games["end_cause"] == cause)


def _by_agent(evidence: Evidence, agents: list[str]) -> Chart:
    tables = [evidence.own_games(name) for name in agents]
    parts = {
        label: [float(_part(games, winner, cause).mean()) for games in tables]
        for label, (winner, cause, _, _) in PARTS.items()
    }
    parts[REST] = [max(0.0, 1 - sum(p[i] for p in parts.values())) for i in range(len(agents))]
    rows: tuple[Row, ...] = tuple(
        (name, *(parts[label][i] for label in parts), len(tables[i])) for i, name in enumerate(agents)
    )
    return Chart(
        "ends-by-agent",
        "Who wins, and how (each agent against itself)",
        draw("endings", partial(_paint, agents, parts), 1.35 + ROW * len(agents)),
        Data(("agent", *parts, "games"), rows),
        "Hatched: the rival lost by deviation. Weakest agent on top.",
        "Ends by agent as stacked bars",
    )


def _paint(names: list[str], parts: dict[str, list[float]], axis: Axes) -> None:
    stacked(axis, names, parts, LOOKS)
    axis.set_xlim(0, 1)
    per_cent(axis)
    legend_above(axis)


def _table(evidence: Evidence, agents: list[str]) -> Table:
    rows = []
    for name in agents:
        games = evidence.own_games(name)
        for winner in ("britain", "france", "draw"):
            for cause in games["end_cause"].cat.categories:
                mine = _part(games, winner, cause)
                if mine.any():
                    label = SIDE_NAMES.get(winner, "drawn")
                    rounds = float(games.loc[mine, "rounds"].mean())
                    rows.append((name, label, END_NAMES[cause], share(mine), rounds))
    columns = ("agent", "winner", "how it ended", "share of games", "mean round")
    return Table(
        "ends",
        "Every end that occurred",
        Data(columns, tuple(rows)),
        "Ends called 'stopped' are stalemates: the rules break the game off and score it.",
        names=3,
        folded=len(rows) > 12,
    )


def _by_round(evidence: Evidence) -> Chart:
    own = evidence.own_games(evidence.strongest)
    rounds = np.arange(1, int(own["rounds"].max()) + 1)
    counts = {
        label: np.bincount(own.loc[_part(own, w, c), "rounds"], minlength=len(rounds) + 1)[1:]
        for label, (w, c, _, _) in PARTS.items()
    }
    stopped = own["end_cause"].isin(STOPPED) | (own["winner"] == "draw")
    counts[REST] = np.bincount(own.loc[stopped, "rounds"], minlength=len(rounds) + 1)[1:]
    rows = tuple((int(r), *(int(counts[label][i]) for label in counts)) for i, r in enumerate(rounds))
    return Chart(
        "ends-by-round",
        f"When it ends ({evidence.strongest_text})",
        draw("ends-round", partial(_paint_rounds, rounds, counts, len(own)), 3.0),
        Data(("round", *counts), rows),
        f"n {len(own):,} games.",
        "Ends by round as stacked columns",
    )


def _paint_rounds(rounds: np.ndarray, counts: dict[str, np.ndarray], games: int, axis: Axes) -> None:
    bottom = np.zeros(len(rounds))
    for (label, values), (colour, hatch) in zip(counts.items(), LOOKS, strict=True):
        if values.any():
            axis.bar(
                rounds,
                values / games,
                0.85,
                bottom,
                color=colour,
                hatch=hatch,
                label=label,
                edgecolor=GRID,
                linewidth=0.4,
            )
            bottom += values / games
    axis.set_xlabel("round")
    whole_numbers(axis)
    per_cent(axis, x=False)
    legend_above(axis)
