"""The course of games: what the seats have round by round, and how often the lead changes hands."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from channel_tunnel_agents.balance.measuring.series import Curves, Grid, count_changes, curves_of, grid_of, leaders_of
from channel_tunnel_agents.balance.report.drawing import FIRST, NEUTRAL, SEAT_COLOURS, SEAT_MARKERS, draw
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.numbers import FEWEST, count, mean, share
from channel_tunnel_agents.balance.report.page import Chart, Data, Row, Shown, Table
from channel_tunnel_agents.matches.tables import GAME_TABLES, SERIES
from channel_tunnel_env.outside.sentences import capital, listed

HEIGHT, PANEL = 2.3, 1.25  # of a chart, and of a row of panels
COLUMNS = 2  # of panels
TICKS, PANEL_TICKS = 6, 3
MARKERS = 8  # of a line
MOST_CHANGES = 4  # from here on they are one row of the table


def course(evidence: Evidence) -> Shown:
    """What each seat has as the page's agent's games with itself go on."""
    series = GAME_TABLES[evidence.ruleset.spec.name].series
    if series is None:
        return "the game declares nothing that runs through it"
    table = evidence.own_table(SERIES)
    games = table["deal"].nunique()
    if games < FEWEST:
        return f"{games} games are too few for a claim"
    unit, charts, grids = series.unit, [], []
    for name, (words, _) in series.quantities.items():
        grids.append(grid_of(table, unit, [f"{name}_{seat}" for seat in evidence.seats]))
        charts.append(_chart(evidence, grids[-1], unit, name, words))
    leading, _ = next(iter(series.quantities.values()))
    lead, changes = _changes(evidence, grids[0], unit, leading)
    return [lead], [*charts, changes]


def _chart(evidence: Evidence, grid: Grid, unit: str, name: str, words: str) -> Chart:
    found = curves_of(grid, FEWEST)
    labels = evidence.game.heads
    panels = -(-len(labels) // COLUMNS) if len(labels) > len(SEAT_COLOURS) else 0
    paint = partial(_paint_panels, panels) if panels else _paint
    each = [(found.mean[i], found.low[i], found.high[i]) for i in range(len(labels))]
    rows: tuple[Row, ...] = tuple(
        (int(clock), int(games), *(float(line[t]) for lines in each for line in lines))
        for t, (clock, games) in enumerate(zip(found.clock, found.games, strict=True))
    )
    columns = [
        f"{label}: {what}" for label in labels for what in ("mean", "a quarter have less", "a quarter have more")
    ]
    ends = (f"{label} {found.mean[i, 0]:.1f} to {found.mean[i, -1]:.1f}" for i, label in enumerate(labels))
    others = f" Thin lines are the other {evidence.game.place}s." if panels else ""
    return Chart(
        f"course-{name}",
        f"{capital(words)} by {unit} ({evidence.agent} against itself)",
        draw(f"course{name}", partial(paint, found, labels, words, unit), PANEL * panels or HEIGHT),
        Data((unit, "games", *columns), rows),
        f"The line is the mean at the start of each {unit}, and the band holds the middle half of the games.{others} Below a "
        f"{unit} stands how many games get there. With fewer than {FEWEST} there is no point.",
        f"Mean {words} from {unit} {found.clock[0]} to {found.clock[-1]}: {listed([*ends])}",
    )


def _paint(found: Curves, labels: tuple[str, ...], words: str, unit: str, axis: Axes) -> None:
    """All seats in one chart, in their colours."""
    for seat, label in enumerate(labels):
        _line(axis, found, seat, SEAT_COLOURS[seat], SEAT_MARKERS[seat], label)
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0.2, handlelength=1.6)
    axis.set_ylabel(words)
    axis.set_xlabel(f"{unit}, and games that get there")
    _clock_axis(axis, found, TICKS)


def _paint_panels(panels: int, found: Curves, labels: tuple[str, ...], words: str, unit: str, axis: Axes) -> None:
    """A panel a seat, before the thin lines of the others."""
    figure = axis.figure
    axis.remove()
    axes = figure.subplots(panels, COLUMNS, sharex=True, sharey=True)
    for seat, own in enumerate(axes.flat):
        if seat >= len(labels):
            own.axis("off")
            continue
        own.plot(found.clock, np.delete(found.mean, seat, axis=0).T, color=NEUTRAL, lw=0.6)
        _line(own, found, seat, FIRST, "", "")
        own.set_title(labels[seat], fontsize=9, loc="left", pad=2)
    figure.supylabel(words, fontsize=9)
    figure.supxlabel(f"{unit}, and games that get there", fontsize=9)
    for own in axes.flat[len(labels) - COLUMNS : len(labels)]:  # the lowest of each column
        own.tick_params(labelbottom=True)
        _clock_axis(own, found, PANEL_TICKS)


def _line(axis: Axes, found: Curves, seat: int, colour: str, marker: str, label: str) -> None:
    axis.fill_between(found.clock, found.low[seat], found.high[seat], color=colour, alpha=0.22, lw=0)
    every = max(1, len(found.clock) // MARKERS)
    axis.plot(found.clock, found.mean[seat], color=colour, lw=1.6, marker=marker, ms=4, markevery=every, label=label)


def _clock_axis(axis: Axes, found: Curves, most: int) -> None:
    """Below each number stands how many games get there."""
    chosen = np.unique(np.linspace(0, len(found.clock) - 1, min(most, len(found.clock))).round().astype(int))
    ticks = [f"{found.clock[t]}\n{count(int(found.games[t]))}" for t in chosen]
    axis.set_xticks(found.clock[chosen], ticks)
    axis.yaxis.set_major_locator(MaxNLocator(4, integer=True))


def _changes(evidence: Evidence, grid: Grid, unit: str, words: str) -> tuple[str, Table]:
    """How often another seat is ahead than before: a sentence, and the table behind it."""
    found = count_changes(leaders_of(grid.values))
    lead = (
        f"The lead in {words} changes hands {mean(found)} times a game; in {share(found == 0)} of games it never does."
    )
    rows: list[Row] = [(str(times), share(found == times)) for times in range(MOST_CHANGES)]
    rows.append((f"{MOST_CHANGES} or more", share(found >= MOST_CHANGES)))
    reading = (
        f"Who is ahead is noted at the start of each {unit}; a {evidence.game.place} that draws level takes no lead."
    )
    return lead, Table("lead-changes", "Changes of the lead", Data(("times", "games"), tuple(rows)), reading)
