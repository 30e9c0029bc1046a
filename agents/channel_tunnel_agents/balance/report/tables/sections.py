"""The sections of a page for more than two seats."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.report.drawing import MUTED, ROW, draw, forest, per_cent
from channel_tunnel_agents.balance.report.evidence import TableEvidence
from channel_tunnel_agents.balance.report.measurements import MEETINGS
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, of_dict, of_estimate, share
from channel_tunnel_agents.balance.report.page import Cell, Chart, Data, PageSection, Row, Table
from channel_tunnel_agents.balance.report.sections.figures import levels_with_games, measure_table
from channel_tunnel_agents.balance.report.sections.length import length
from channel_tunnel_agents.balance.report.tables.front import seats_chart
from channel_tunnel_agents.balance.report.tables.verdict import at_start, ends_of
from channel_tunnel_env.outside.percent import percent

TOO_FEW = f"fewer than {FEWEST} deals of each agent"


def seats(evidence: TableEvidence) -> PageSection:
    """The seats' shares for every agent that plays them all."""
    title, game = evidence.game.sections["seats"], evidence.game
    agents = levels_with_games(evidence)[::-1]
    if not agents:
        return PageSection("seats", title, missing=TOO_FEW)
    found = {agent: evidence.seats_of(agent) for agent in agents}
    names = [at_start(game.called(seat)) for seat in evidence.seats]
    rows: list[tuple[Cell, ...]] = [
        (name, *(of_estimate(found[a].shares[k], found[a].deals, "share") for a in agents))
        for k, name in enumerate(names)
    ]
    rows.append(("best less worst", *(of_estimate(f.gap, f.deals, "share") for f in found.values())))
    rows.append(("p of equal seats", *(f.p for f in found.values())))
    reading = (
        f"Each agent plays every {game.place} of the same deals, so skill cancels out and what is left is the "
        f"{game.place}. Even: {percent(evidence.even)}. The intervals of one column hold together with 95 % "
        "confidence (Bonferroni); 'best less worst' joins those of all pairs, because luck makes some seat the best even "
        "where all are alike. The p-value is that of Hotelling's T squared."
    )
    table = Table("seat-table", "Every agent, the strongest first", Data((game.place, *agents), tuple(rows)), reading)
    return PageSection("seats", title, (), (seats_chart(evidence, evidence.strongest, "seats"), table))


def meetings(evidence: TableEvidence) -> PageSection:
    """One against the rest: whether the better player wins more."""
    title, found = evidence.game.sections["meetings"], evidence.measures.get(MEETINGS.name)
    if found is None:
        return PageSection("meetings", title, missing=evidence.why_missing(MEETINGS.name))
    if not found["meetings"]:
        return PageSection("meetings", title, missing="only one agent plays")
    order = {evidence.agents[i]: -k for k, i in enumerate(evidence.by_strength)}
    met = sorted(found["meetings"], key=lambda m: (order[m["agent"]], order[m["rest"]]))
    rows = [(f"{m['agent']} v {m['rest']}", of_dict(m["share"], style="share")) for m in met]
    names = [at_start(evidence.game.called(seat)) for seat in evidence.seats]
    by_seat: tuple[Row, ...] = tuple(
        (f"{m['agent']} v {m['rest']}", *(of_dict(each, style="share") for each in m["by_seat"])) for m in met
    )
    chart = Chart(
        "meetings",
        "One against the rest: share of the win",
        draw("meetings", partial(_paint, rows, evidence.even), 0.8 + ROW * 1.2 * len(rows)),
        Data(("one v all others", "share of the win"), tuple(rows)),
        f"The first of each pair sits alone, in every {evidence.game.place} in turn, on the same deals; the games of one "
        f"deal count as one. Stroke: the even share, {percent(evidence.even)}.",
        "Share of the win of one agent against another in all other seats",
    )
    table = Table("by-seat", f"The same by {evidence.game.place}", Data(("one v all others", *names), by_seat))
    return PageSection("meetings", title, (), (chart, table))


def _paint(rows: list[tuple[str, Number]], even: float, axis: Axes) -> None:
    axis.axvline(even, color=MUTED, lw=0.8)
    forest(axis, [row[0] for row in rows], [row[1] for row in rows])
    axis.set_xlim(0, 1)
    per_cent(axis)


def ends(evidence: TableEvidence) -> PageSection:
    """How games end, and which the rules stop."""
    title = evidence.game.sections["ends"]
    agents = levels_with_games(evidence)[::-1]
    if not agents:
        return PageSection("ends", title, missing=TOO_FEW)
    found = {agent: ends_of(evidence, agent, all_causes=True) for agent in agents}
    rows: tuple[Row, ...] = tuple((words, *(found[agent][words] for agent in agents)) for words in found[agents[0]])
    shared: Row = ("shared by several", *(_shared(evidence, agent) for agent in agents))
    table = Table(
        "ends",
        "How games end (each agent in every seat)",
        Data(("end", *agents), (*rows, shared)),
        "Share of games; an interval that starts at 0 with none seen says how many there may still be.",
    )
    return PageSection("ends", title, (), (table,))


def _shared(evidence: TableEvidence, agent: str) -> Number:
    return share((evidence.own_games(agent)["winner"] == "draw").to_numpy(np.float64))


def figures(key: str, evidence: TableEvidence) -> PageSection:
    """Measures of every agent's games."""
    title = evidence.game.sections[key]
    if not levels_with_games(evidence):
        return PageSection(key, title, missing=TOO_FEW)
    table = measure_table(evidence, f"{key}-table", title, evidence.game.figures[key])
    return PageSection(key, title, (), (table,))


OF_EVERY_GAME: dict[str, Callable[[TableEvidence], PageSection]] = {
    "seats": seats,
    "meetings": meetings,
    "length": length,
    "ends": ends,
}


def write(key: str, evidence: TableEvidence) -> PageSection:
    """A section by its key."""
    own = OF_EVERY_GAME.get(key)
    return figures(key, evidence) if own is None else own(evidence)
