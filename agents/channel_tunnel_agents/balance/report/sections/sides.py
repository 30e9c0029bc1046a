"""The advantage of a seat at every level of skill."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.empirical.verdict import FAIR
from channel_tunnel_agents.balance.report.drawing import (
    FIRST_SEAT,
    GRID,
    INK,
    MUTED,
    NEUTRAL,
    ROW,
    SECOND_SEAT,
    draw,
    forest,
    per_cent,
)
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.game import ReportedGame
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, mean, of_estimate
from channel_tunnel_agents.balance.report.page import Chart, Data, PageSection, Table
from channel_tunnel_agents.balance.report.verdict import EVEN, SLIGHT, judge_fairness
from channel_tunnel_agents.balance.report.words import capital, count
from channel_tunnel_agents.statistics import REACH
from channel_tunnel_env.outside.percent import percent

LEVELS = 3
LADDER_ROW = "all agents together"
MARGIN_BINS = 25


def sides(evidence: Evidence) -> PageSection:
    """The first seat's share of wins for every agent against itself, and over all games, adjusted for
    skill."""
    game = evidence.game
    rows = [(evidence.agents[i], evidence.first_share(i)) for i in evidence.by_strength]
    rows.append((LADDER_ROW, _between_equals(evidence)))
    reading = (
        f"Each agent plays both {game.place}s of the same deals, so skill cancels out and what is left is the "
        f"{game.place}. The line is the 95 % interval: where the truth most likely lies. The band is 48 to 52 %. "
        f"'{LADDER_ROW}' uses every game of every pairing: {game.first}'s chance between equals once "
        "strength is accounted for (a Bradley-Terry model with a side term)."
    )
    chart = Chart(
        "side-advantage",
        f"{game.at_first}'s share of wins, weakest agent on top",
        draw("sides", partial(_paint, game, rows), 0.75 + ROW * len(rows)),
        Data(("agent", f"{capital(game.labels[0])} wins"), tuple(rows)),
        reading,
        f"{game.at_first}'s share of wins by agent, with intervals",
    )
    return PageSection(
        "sides", evidence.game.sections["sides"], _lead(evidence), (chart, _table(game, rows), *_margin(evidence))
    )


def _between_equals(evidence: Evidence) -> Number:
    deals = max(match.games for match in evidence.results.matches.values())
    return of_estimate(evidence.report.rating.first_between_equals, deals, "share")


def _paint(game: ReportedGame, rows: list[tuple[str, Number]], axis: Axes) -> None:
    axis.axvspan(EVEN - FAIR, EVEN + FAIR, color=GRID, lw=0)
    axis.axvline(EVEN, color=MUTED, lw=0.8)
    markers = ["D" if name == LADDER_ROW else "o" for name, _ in rows]
    forest(axis, [name for name, _ in rows], [n for _, n in rows], None, markers)
    ends = [x for _, n in rows if n.shown for x in (n.low, n.high)]
    reach = max([0.04, *(abs(x - EVEN) for x in ends)]) * 1.1
    axis.set_xlim(EVEN - reach, EVEN + reach)
    axis.set_xlabel(game.first_better)
    per_cent(axis)


def _table(game: ReportedGame, rows: list[tuple[str, Number]]) -> Table:
    answers = [(name, number, judge_fairness(number, game.seats)) for name, number in rows]
    cells = tuple((name, number, fair.answer, fair.known) for name, number, fair in answers)
    columns = ("agent", f"{capital(game.labels[0])} wins", "within 48 to 52 %?", "what the games leave possible")
    reading = (
        f"'Slightly': by at most {percent(SLIGHT, 0)}. To tell a share of 50 % to one point takes about "
        f"{count(round((REACH / 0.01) ** 2 / 4))} deals."
    )
    return Table("side-table", "The same as a table", Data(columns, cells), reading)


def _lead(evidence: Evidence) -> tuple[str, ...]:
    side = evidence.report.rating.side
    value = of_estimate(side, evidence.results.tournament.deals, "signed")
    few = len(evidence.agents) < LEVELS
    levels = (f"Fewer than {LEVELS} levels of skill were played; name more with --agents.",) * few
    if not value.shown:
        return (*levels, f"There are too few games for a claim about the {evidence.game.place}s.")
    game = evidence.game
    better = game.seats[0 if value.value > 0 else 1]
    if not value.excludes_zero:
        return (*levels, f"Which {game.place} is the better one over all levels of skill together is not settled.")
    ends = sorted((abs(value.low), abs(value.high)))
    size = Number(abs(value.value), ends[0], ends[1], value.n, "whole")
    return (
        *levels,
        f"Over all levels of skill together playing {better} is worth as much as being {size} Elo points "
        "stronger (100 Elo points are a chance of 64 %). What counts for the rules is the strongest "
        "level.",
    )


def _margin(evidence: Evidence) -> tuple[Chart | Table, ...]:
    own = evidence.own_games(evidence.strongest)
    if len(own) < FEWEST:
        return ()
    game, margin = evidence.game, own["margin"].to_numpy(np.float64)
    limit = max(1, math.ceil(float(np.quantile(np.abs(margin), 0.995))))
    width = max(1, math.ceil((2 * limit + 1) / MARGIN_BINS))
    half = width * (math.ceil((limit + 0.5) / width)) + width / 2
    edges = np.arange(-half, half + width / 2, width)
    counts, _ = np.histogram(np.clip(margin, edges[0], edges[-1]), edges)
    middles = (edges[:-1] + edges[1:]) / 2
    rows = tuple((float(x), int(n)) for x, n in zip(middles, counts, strict=True))
    average = mean(margin, "signed")
    return (
        Chart(
            "margin",
            f"{game.at_first}'s lead in victory points at the end ({evidence.strongest_text})",
            draw("margin", partial(_paint_margin, game, middles, counts, width)),
            Data(("lead", "games"), rows),
            f"On average {average} points, n {count(len(own))}." + game.margin_note,
            "Histogram of the final lead",
        ),
    )


def _paint_margin(game: ReportedGame, middles: np.ndarray, counts: np.ndarray, width: float, axis: Axes) -> None:
    colours = [SECOND_SEAT if x < 0 else FIRST_SEAT if x > 0 else NEUTRAL for x in middles]
    axis.bar(middles, counts / counts.sum(), width * 0.9, color=colours)
    axis.axvline(0, color=INK, lw=0.8)
    axis.set_xlabel(game.first_ahead)
    axis.set_ylabel("share of games")
    per_cent(axis, x=False)
