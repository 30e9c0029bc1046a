"""The figures that matter most, beside those of the base game on the same deals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import nan

import numpy as np
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.changing.compare import Difference
from channel_tunnel_agents.balance.empirical.verdict import FAIR
from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.measuring.significance import LEVEL, holm, how_sure
from channel_tunnel_agents.balance.report.drawing import GRID, MUTED, PAPER, SEAT_COLOURS, SEAT_MARKERS, draw, per_cent
from channel_tunnel_agents.balance.report.evidence import Evidence, Played
from channel_tunnel_agents.balance.report.game import ReportedGame
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, Style, of_estimate
from channel_tunnel_agents.balance.report.page import Chart, Data, PageSection, Row, Table
from channel_tunnel_agents.balance.report.verdict import EVEN
from channel_tunnel_agents.balance.report.words import capital

KEY = "beside"


def beside(evidence: Evidence) -> PageSection | None:
    """The first seat's share at every level of skill, and the strongest level's games in short."""
    rows = [*_levels(evidence), *_games(evidence)]
    if not rows:
        return None
    base = evidence.base
    if base is None or base.results is None:
        columns: tuple[str, ...] = ("figure", "here")
        cells: tuple[Row, ...] = tuple((name, here) for name, here, _ in rows)
    else:
        columns = ("figure", "here", base.title, "change", "how sure?")
        compared = _corrected([found for *_, found in rows])
        cells = tuple((name, here, *against(found)) for (name, here, _), found in zip(rows, compared, strict=True))
    table = Table("beside", "", Data(columns, cells), _reading(evidence))
    return PageSection(KEY, "In figures", unfit_lines(evidence), (*_chart(evidence), table))


def _chart(evidence: Evidence) -> list[Chart]:
    """The first seat's share at every level of skill: here as a filled mark, in the base as a hollow one."""
    rows = _levels(evidence)
    if not rows:
        return []
    names = [evidence.agents[i] for i in reversed(evidence.by_strength)][: len(rows)]
    base, game = evidence.base, evidence.game
    was = [None if d is None else of_estimate(d.one, d.deals, "share") for *_, d in rows]
    columns = ("agent", "here", *((base.title,) if base else ()))
    data = tuple(
        (name, here, *((old,) if base else ())) for name, (_, here, _), old in zip(names, rows, was, strict=True)
    )
    marks = f" Hollow: {base.title}." if base and any(was) else ""
    return [
        Chart(
            "beside-chart",
            f"{game.at_first}'s share of wins, the strongest agent on top",
            draw("beside", partial(_paint, game, names, [row[1] for row in rows], was), 0.9 + 0.4 * len(rows)),
            Data(columns, data),
            f"Filled: these rules.{marks} Lines: 95 % intervals. Grey band: fair, 48 to 52 %.",
            f"{game.at_first}'s share of wins by agent, here and in the base game",
        )
    ]


def _paint(game: ReportedGame, names: list[str], here: list[Number], was: list[Number | None], axis: Axes) -> None:
    places = np.arange(len(names))[::-1].astype(float)
    axis.axvspan(EVEN - FAIR, EVEN + FAIR, color=GRID, lw=0)
    axis.axvline(EVEN, color=MUTED, lw=0.8)
    shown = [number for number in (*here, *was) if number is not None and number.shown]
    for place, number, old in zip(places, here, was, strict=True):
        _mark(axis, place + (0.16 if old else 0), number, filled=True)
        if old is not None:
            _mark(axis, place - 0.16, old, filled=False)
    reach = max([0.06, *(abs(end - EVEN) for n in shown for end in (n.low, n.high))]) * 1.08
    axis.set_xlim(EVEN - reach, EVEN + reach)
    axis.set_ylim(-0.6, len(names) - 0.4)
    axis.set_yticks(places, names)
    axis.tick_params(axis="y", length=0)
    axis.set_xlabel(game.first_better)
    per_cent(axis)


def _mark(axis: Axes, place: float, number: Number, filled: bool) -> None:
    """In the colour of the better seat."""
    if not number.shown:
        return
    seat = 0 if number.value >= EVEN else 1
    colour, shape = SEAT_COLOURS[seat], SEAT_MARKERS[seat]
    axis.plot([number.low, number.high], [place, place], color=colour, lw=2 if filled else 1)
    face = colour if filled else PAPER
    axis.plot([number.value], [place], shape, ms=7 if filled else 6, color=colour, mfc=face)


def _levels(evidence: Evidence) -> list[tuple[str, Number, Difference | None]]:
    names = [evidence.agents[i] for i in reversed(evidence.by_strength)]
    first = capital(evidence.game.labels[0])
    shares = {name: {evidence.share.name: f"{first} wins ({name})"} for name in names}
    return [row for name in names for row in _rows(evidence, name, shares[name])]


def _games(evidence: Evidence) -> list[tuple[str, Number, Difference | None]]:
    return _rows(evidence, evidence.strongest, evidence.game.beside)


def _rows(evidence: Evidence, agent: str, names: Mapping[str, str]) -> list[tuple[str, Number, Difference | None]]:
    """The name of each measure on the page, its figure here, and what differs from the base."""
    own = evidence.own_games(agent)
    if len(own) < FEWEST:
        return []
    known = evidence.measures_known
    found = evidence.differences(agent, own, tuple(names))
    return [
        (words, of_estimate(known[name].estimate(own), len(own), _style(known[name])), found.get(name))
        for name, words in names.items()
    ]


def _corrected(rows: list[Difference | None]) -> list[Difference | None]:
    """The rows with p-values corrected together, all but the first.

    That is the strongest agent's share, which is the page's question: the verdict judges it by itself, too.
    """
    p_values = [nan if found is None else found.p for found in rows]
    corrected = [p_values[0], *holm(p_values[1:])]
    return [
        None if found is None else replace(found, p_holm=float(p)) for found, p in zip(rows, corrected, strict=True)
    ]


def _style(measure: Measure) -> Style:
    return "share" if measure.unit == "share" else "plain"


def against(found: Difference | None) -> tuple[Number | str | None, ...]:
    """The cells of the base: its figure, the change, and whether that is sure."""
    if found is None:
        return None, None, None
    share = found.measure.unit == "share"
    return (
        of_estimate(found.one, found.deals, _style(found.measure)),
        of_estimate(found.change, found.deals, "change" if share else "signed"),
        how_sure(found.p_holm, found.change),
    )


def _reading(evidence: Evidence) -> str:
    strongest = (
        f"Each agent plays both {evidence.game.place}s. Below those shares: games of "
        f"{evidence.strongest} against itself."
    )
    if evidence.base is None or evidence.base.results is None:
        return strongest
    return (
        f"{strongest} Both games are played on the same deals, and changes are taken deal by deal; pp: "
        f"percentage points. The first row is judged by itself, the others together ({LEVEL})."
    )


def unfit_lines(evidence: Played) -> tuple[str, ...]:
    """Who does not play the base, and why."""
    base = evidence.base
    if base is None or not base.unfit:
        return ()
    reasons = "; ".join(base.unfit.values())
    return (f"Not played on {base.title}: {reasons}.",)
