"""The figures that matter most, beside those of the base game on the same deals."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.compare import Difference
from channel_tunnel_agents.balance.measure import Measure
from channel_tunnel_agents.balance.measures_1987 import MEASURES
from channel_tunnel_agents.balance.report.drawing import (
    BRITAIN,
    FRANCE,
    GRID,
    MUTED,
    PAPER,
    SIDE_MARKERS,
    draw,
    per_cent,
)
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, Style, of_estimate
from channel_tunnel_agents.balance.report.page import Chart, Data, Row, Section, Table
from channel_tunnel_agents.balance.report.verdict import EVEN, FAIR
from channel_tunnel_agents.balance.significance import LEVEL, holm

KEY = "beside"
SIDE = "britain_wins"
OF_THE_STRONGEST = ("rounds", "close", "end_centre", "end_deviation", "stopped")
NAMES = {
    SIDE: "Britain wins ({agent})",
    "rounds": "rounds",
    "close": "decided by 3 points or fewer",
    "end_centre": "ends at the centre",
    "end_deviation": "ends off course",
    "stopped": "stopped: went nowhere",
}


def beside(evidence: Evidence) -> Section | None:
    """Britain's share at every level of skill, and the strongest level's games in short."""
    rows = [*_levels(evidence), *_games(evidence)]
    if not rows:
        return None
    base = evidence.base
    if base is None or base.results is None:
        columns: tuple[str, ...] = ("figure", "here")
        cells: tuple[Row, ...] = tuple((name, here) for name, here, _ in rows)
    else:
        columns = ("figure", "here", base.title, "change", "for sure?")
        compared = [found for *_, found in rows if found is not None]
        corrected = iter(holm([found.p for found in compared]))
        cells = tuple(
            (
                name,
                here,
                *_against(None if d is None else replace(d, p_holm=float(next(corrected)))),
            )
            for name, here, d in rows
        )
    table = Table("beside", "", Data(columns, cells), _reading(evidence))
    return Section(KEY, "In figures", _unfit(evidence), (*_chart(evidence), table))


def _chart(evidence: Evidence) -> list[Chart]:
    """Britain's share at every level of skill: here as a filled mark, in the base as a hollow one."""
    rows = _levels(evidence)
    if not rows:
        return []
    names = [evidence.agents[i] for i in reversed(evidence.by_strength)][: len(rows)]
    base = evidence.base
    was = [None if d is None else of_estimate(d.one, d.deals, "share") for *_, d in rows]
    columns = ("agent", "here", *((base.title,) if base else ()))
    data = tuple(
        (name, here, *((old,) if base else ()))
        for name, (_, here, _), old in zip(names, rows, was, strict=True)
    )
    marks = f" Hollow: {base.title}." if base and any(was) else ""
    return [
        Chart(
            "beside-chart",
            "Britain's share of wins, the strongest agent on top",
            draw(
                "beside",
                partial(_paint, names, [row[1] for row in rows], was),
                0.9 + 0.4 * len(rows),
            ),
            Data(columns, data),
            f"Filled: these rules.{marks} Lines: 95 % intervals. Grey band: fair, 48 to 52 %.",
            "Britain's share of wins by agent, here and in the base game",
        )
    ]


def _paint(names: list[str], here: list[Number], was: list[Number | None], axis: Axes) -> None:
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
    axis.set_xlabel("← France better | Britain better →")
    per_cent(axis)


def _mark(axis: Axes, place: float, number: Number, filled: bool) -> None:
    """In the colour of the better side."""
    if not number.shown:
        return
    colour = BRITAIN if number.value >= EVEN else FRANCE
    shape = SIDE_MARKERS["britain" if number.value >= EVEN else "france"]
    axis.plot([number.low, number.high], [place, place], color=colour, lw=2 if filled else 1)
    face = colour if filled else PAPER
    axis.plot([number.value], [place], shape, ms=7 if filled else 6, color=colour, mfc=face)


def _levels(evidence: Evidence) -> list[tuple[str, Number, Difference | None]]:
    names = [evidence.agents[i] for i in reversed(evidence.by_strength)]
    return [row for name in names for row in _rows(evidence, name, (SIDE,))]


def _games(evidence: Evidence) -> list[tuple[str, Number, Difference | None]]:
    return _rows(evidence, evidence.strongest, OF_THE_STRONGEST)


def _rows(
    evidence: Evidence, agent: str, measures: tuple[str, ...]
) -> list[tuple[str, Number, Difference | None]]:
    """A measure's name, its figure here, and what differs from the base."""
    own = evidence.own_games(agent)
    if len(own) < FEWEST:
        return []
    found = evidence.base.differences(agent, own, measures) if evidence.base else {}
    return [
        (
            NAMES[name].format(agent=agent),
            of_estimate(MEASURES[name].estimate(own), len(own), _style(MEASURES[name])),
            found.get(name),
        )
        for name in measures
    ]


def _style(measure: Measure) -> Style:
    return "share" if measure.unit == "share" else "plain"


def _against(found: Difference | None) -> tuple[Number | str | None, ...]:
    """The cells of the base: its figure, the change, and whether that is sure."""
    if found is None:
        return None, None, None
    share = found.measure.unit == "share"
    return (
        of_estimate(found.one, found.deals, _style(found.measure)),
        of_estimate(found.change, found.deals, "change" if share else "signed"),
        "yes" if found.survives else "no",
    )


def _reading(evidence: Evidence) -> str:
    strongest = (
        "Each agent plays both sides. Below Britain's shares: games of "
        f"{evidence.strongest} against itself."
    )
    if evidence.base is None or evidence.base.results is None:
        return strongest
    return (
        f"{strongest} Both games are played on the same deals, and changes are taken deal by deal; pp: "
        f"percentage points. For sure: more than luck explains in this table ({LEVEL})."
    )


def _unfit(evidence: Evidence) -> tuple[str, ...]:
    base = evidence.base
    if base is None or not base.unfit:
        return ()
    reasons = "; ".join(base.unfit.values())
    return (f"Not played on {base.title}: {reasons}.",)
