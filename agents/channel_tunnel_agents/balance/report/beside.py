"""What the ruleset changes in its base, and the figures of both side by side, on the same deals."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.changing.compare import Difference
from channel_tunnel_agents.balance.empirical.verdict import FAIR
from channel_tunnel_agents.balance.measuring.seats import GAP
from channel_tunnel_agents.balance.measuring.significance import LEVEL, how_sure, noticeable
from channel_tunnel_agents.balance.report.drawing import INK, PAPER, SEAT_COLOURS, SEAT_MARKERS, draw, seats_axis
from channel_tunnel_agents.balance.report.evidence import Evidence, style_of
from channel_tunnel_agents.balance.report.numbers import Number, of_estimate
from channel_tunnel_agents.balance.report.page import Chart, Data, PageSection, Row, Table, Words
from channel_tunnel_agents.balance.report.plain.since import GOOD
from channel_tunnel_env.outside.sentences import capital
from channel_tunnel_env.outside.terminal import percent

CHANGES_SHOWN = 12


def changes(evidence: Evidence) -> PageSection | None:
    """What the ruleset changes against its base, in words; None without a base."""
    base = evidence.base
    if base is None:
        return None
    lines, more = base.changes[:CHANGES_SHOWN], len(base.changes) - CHANGES_SHOWN
    if more > 0:
        lines += (f"And {more} more, in the table of rules at the end.",)
    return PageSection("changes", f"What differs from {base.title}", (), (Words(lines),))


def beside(evidence: Evidence) -> PageSection | None:
    """The seats' shares and the strongest agent's games in short; of two seats the first one's share at every level of skill."""
    shares = _shares(evidence)
    if not shares:
        return None
    rows, base = [*_of_good_players(evidence), *shares, *_games(evidence)], evidence.base
    columns: tuple[str, ...] = ("figure", "here")
    cells: tuple[Row, ...] = tuple((row.words, row.here) for row in rows)
    if base is not None and base.results is not None:
        columns += (base.title, "change", "how sure?")
        cells = tuple((row.words, row.here, *against(row.found)) for row in rows)
    table = Table("beside", "", Data(columns, cells), _reading(evidence))
    unfit = "; ".join(base.unfit.values()) if base is not None else ""
    lead = (f"Not played on {base.title}: {unfit}.",) if base is not None and unfit else ()
    return PageSection("beside", "In figures", lead, (_chart(evidence, shares), table))


class Beside(NamedTuple):
    """A figure here, and what differs from the base.

    Attributes:
        name: in the chart; "" where it is in the table only.
    """

    words: str
    here: Number
    found: Difference | None
    name: str = ""


def _of_good_players(evidence: Evidence) -> list[Beside]:
    """The figure behind the headline, if it is not that of the strongest agent's games."""
    if evidence.settings.judged is None:
        return []
    number = of_estimate(evidence.top.shares[0], evidence.top.deals, "share")
    return [Beside(f"{evidence.game.heads[0]} wins ({GOOD})", number, None)]


def _shares(evidence: Evidence) -> list[Beside]:
    (name, *_), game, compared = evidence.share_measures, evidence.game, evidence.compared
    if evidence.is_of_two:
        first = game.heads[0]
        return [
            Beside(f"{first} wins ({each})", evidence.numbers_of(each)[0], compared.get((each, name)), each)
            for each in reversed(evidence.levels)
        ]
    top = evidence.strongest
    if top not in evidence.levels:
        return []
    told = zip(game.heads, evidence.numbers_of(top), evidence.share_measures, strict=True)
    return [Beside(f"{head}: share of the win", number, compared.get((top, each)), head) for head, number, each in told]


def _games(evidence: Evidence) -> list[Beside]:
    top, names = evidence.strongest, evidence.game.beside
    if top not in evidence.levels:
        return []
    names = names if evidence.is_of_two else {GAP: "Best less worst", **names}
    return [
        Beside(words, evidence.figure(name, top), evidence.compared.get((top, name))) for name, words in names.items()
    ]


def against(found: Difference | None) -> tuple[Number | str | None, ...]:
    """The cells of the base: its figure, the change, and whether that is sure."""
    if found is None:
        return None, None, None
    style = style_of(found.measure)
    return (
        of_estimate(found.one, found.deals, style),
        of_estimate(found.change, found.deals, "change" if style == "share" else "signed"),
        how_sure(found.p_holm, found.change),
    )


def _reading(evidence: Evidence) -> str:
    every = f"Games of {evidence.strongest} in every {evidence.game.place}"
    if evidence.is_of_two:
        every = (
            f"Each agent plays {evidence.game.all}. Below those shares: games of {evidence.strongest} against itself"
        )
    if evidence.settings.judged is not None:
        every = f"{capital(GOOD)}: the headline's figure; its interval also holds what these players may miss. {every}"
    if evidence.base is None or evidence.base.results is None:
        return f"{every}."
    found = evidence.compared.get((evidence.strongest, evidence.share_measures[0]))
    size = found and percent(noticeable(found.change, len(evidence.compared)), 0)
    limit = f" A change of {size} of the games would surely be noticed." if size else ""
    return (
        f"{every}. Both games are played on the same deals, and changes are taken deal by deal; pp: percentage points. All rows are "
        f"judged together ({LEVEL}).{limit}"
    )


def _chart(evidence: Evidence, rows: list[Beside]) -> Chart:
    """Shares here as filled marks, in the base as hollow ones."""
    base, game = evidence.base, evidence.game
    title, says = f"Each {game.place}'s share of the win", f"Share of the win by {game.place}"
    if evidence.is_of_two:
        title = f"{game.at_first}'s share of wins, the strongest agent on top"
        says = f"{game.at_first}'s share of wins by agent"
    was = [None if row.found is None else of_estimate(row.found.one, row.found.deals, "share") for row in rows]
    columns = ("agent" if evidence.is_of_two else game.place, "here", *((base.title,) if base else ()))
    data = tuple((row.name, row.here, *((old,) if base else ())) for row, old in zip(rows, was, strict=True))
    marks = f" Hollow: {base.title}." if base is not None and any(was) else ""
    low, high = (percent(evidence.even + d, 0) for d in (-FAIR, FAIR))
    together = "" if evidence.is_of_two else ", which hold together"
    return Chart(
        "beside-chart",
        title,
        draw("beside", partial(_paint, evidence, rows, was), 0.9 + 0.4 * len(rows)),
        Data(columns, data),
        f"Filled: these rules.{marks} Lines: 95 % intervals{together}. Grey band: fair, {low} to {high}.",
        f"{says}, here and in the base game",
    )


def _paint(evidence: Evidence, rows: list[Beside], was: list[Number | None], axis: Axes) -> None:
    places = np.arange(len(rows))[::-1].astype(float)
    numbers = (*(row.here for row in rows), *was)
    seats_axis(axis, evidence.even, [number for number in numbers if number is not None and number.shown])
    for place, row, old in zip(places, rows, was, strict=True):
        _mark(evidence, axis, place + (0.16 if old else 0), row.here, filled=True)
        if old is not None:
            _mark(evidence, axis, place - 0.16, old, filled=False)
    axis.set_ylim(-0.6, len(rows) - 0.4)
    axis.set_yticks(places, [row.name for row in rows])
    axis.tick_params(axis="y", length=0)
    if evidence.is_of_two:
        axis.set_xlabel(evidence.game.towards_first("better"), loc="right")


def _mark(evidence: Evidence, axis: Axes, place: float, number: Number, filled: bool) -> None:
    """With two seats, in the colour of the better one."""
    if not number.shown:
        return
    seat = 0 if number.value >= evidence.even else 1
    colour, shape = (SEAT_COLOURS[seat], SEAT_MARKERS[seat]) if evidence.is_of_two else (INK, "o")
    axis.plot([number.low, number.high], [place, place], color=colour, lw=2 if filled else 1)
    axis.plot([number.value], [place], shape, ms=7 if filled else 6, color=colour, mfc=colour if filled else PAPER)
