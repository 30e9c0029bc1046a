"""The first page for more than two seats: the figures beside those of the base, and the levers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from matplotlib.axes import Axes

from channel_tunnel_agents.balance.changing.compare import Difference
from channel_tunnel_agents.balance.empirical.verdict import FAIR
from channel_tunnel_agents.balance.measuring.games import turned_game
from channel_tunnel_agents.balance.measuring.seats import GAP, SeatShares
from channel_tunnel_agents.balance.measuring.significance import LEVEL
from channel_tunnel_agents.balance.report.drawing import GRID, MUTED, ROW, draw, forest, per_cent
from channel_tunnel_agents.balance.report.evidence import TableEvidence
from channel_tunnel_agents.balance.report.front.beside import against, unfit_lines
from channel_tunnel_agents.balance.report.front.levers import KEY as LEVERS_KEY
from channel_tunnel_agents.balance.report.front.levers import TITLE as LEVERS_TITLE
from channel_tunnel_agents.balance.report.front.levers import change_of, lever_cells, lever_step, what_it_knows
from channel_tunnel_agents.balance.report.measurements import TABLE_LEVERS
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, of_dict, of_estimate
from channel_tunnel_agents.balance.report.page import Chart, Data, PageSection, Row, Steps, Table
from channel_tunnel_agents.balance.report.tables.verdict import at_start
from channel_tunnel_agents.balance.report.words import count
from channel_tunnel_env.outside.percent import percent


def beside(evidence: TableEvidence) -> PageSection | None:
    """Every seat's share and the strongest agent's games in short, beside the base on the same deals."""
    own = evidence.own_games(evidence.strongest)
    if len(own) < FEWEST:
        return None
    names = _figures(evidence)
    base = evidence.base
    found = evidence.differences(evidence.strongest, own, tuple(names))
    here = {name: _here(evidence, name) for name in names}
    columns: tuple[str, ...] = ("figure", "here")
    if base is not None and base.results is not None:
        columns += (base.title, "change", "how sure?")
    rows = tuple(_row(words, here[name], found.get(name), columns) for name, words in names.items())
    reading = (
        f"Games of {evidence.strongest} in every {evidence.game.place}. Here each {evidence.game.place}'s share has an "
        "interval of its own; those of the chart hold together."
    )
    if found:
        reading += (
            " Both games are played on the same deals, and changes are taken deal by deal; pp: percentage points. "
            f"All rows are judged together ({LEVEL})."
        )
    chart = seats_chart(evidence, evidence.strongest, "beside-chart")
    table = Table("beside", "", Data(columns, rows), reading)
    return PageSection("beside", "In figures", unfit_lines(evidence), (chart, table))


def _figures(evidence: TableEvidence) -> dict[str, str]:
    """Measures by name, and what they are called on the page."""
    shares = {f"share_{seat}": f"{at_start(evidence.game.called(seat))}: share of the win" for seat in evidence.seats}
    return {GAP: "Best less worst", **shares, **evidence.game.beside}


def _here(evidence: TableEvidence, name: str) -> Number:
    own, measure = evidence.own_games(evidence.strongest), evidence.measures_known[name]
    style = "share" if measure.unit == "share" else "plain"
    return of_estimate(measure.estimate(own), len(own), style)  # type: ignore[arg-type]


def _row(words: str, here: Number, found: Difference | None, columns: tuple[str, ...]) -> Row:
    return (words, here) if len(columns) == 2 else (words, here, *against(found))


def seats_chart(evidence: TableEvidence, agent: str, key: str) -> Chart:
    """Each seat's share where an agent plays them all."""
    found = evidence.seats_of(agent)
    names = [at_start(evidence.game.called(seat)) for seat in evidence.seats]
    numbers = [of_estimate(e, found.deals, "share") for e in found.shares]
    return Chart(
        key,
        f"Each {evidence.game.place}'s share of the win ({agent} in all of them)",
        draw(key, partial(_paint, names, numbers, evidence.even), 0.8 + ROW * 1.3 * len(names)),
        Data((evidence.game.place, "share of the win"), tuple(zip(names, numbers, strict=True))),
        f"Lines: intervals that hold together with 95 % confidence. Stroke: the even share, {percent(evidence.even)}; "
        f"grey band: fair, {percent(FAIR, 0)} either way. {_p_words(found)}",
        f"Share of the win by {evidence.game.place}",
    )


def _p_words(found: SeatShares) -> str:
    return "Equal chances: p < 0.001." if found.p < 0.0005 else f"Equal chances: p {found.p:.3f}."


def _paint(names: list[str], numbers: list[Number], even: float, axis: Axes) -> None:
    axis.axvspan(even - FAIR, even + FAIR, color=GRID, lw=0)
    axis.axvline(even, color=MUTED, lw=0.8)
    forest(axis, names, numbers)
    axis.set_xlim(left=0)
    per_cent(axis)


# --- levers ---------------------------------------------------------------------------------------


def levers(evidence: TableEvidence) -> PageSection:
    """Each lever's effect on deals that played no part in choosing it."""
    found = evidence.measures.get(TABLE_LEVERS.name)
    if found is None:
        return PageSection(LEVERS_KEY, LEVERS_TITLE, missing=evidence.why_missing(TABLE_LEVERS.name))
    steps = tuple(lever_step(evidence, found, row, "the lead") for row in found["chosen"])
    rows = tuple(_lever_row(evidence, row) for row in found["chosen"])
    effects = turned_game(evidence.ruleset).effects.values()
    titles = [effect.title.replace("both seats", "all seats") for effect in effects]
    columns = ("lever", "from", "to", "lead", "change", *titles, "best less worst", "p (Holm)")
    keys = {row["key"] for row in found["tried"]}
    reading = (
        f"Lead: of {_pair(evidence, found)}, the best and the worst {evidence.game.place} of the games above; best less "
        f"worst: whichever those are at the new setting. Tried: {len(keys)} figures, each number one step down and up, "
        f"each switch at all its settings, on up to {count(found['deals'])} deals, on fewer what promised less; the figures "
        f"are of {count(found['fresh'])} other deals, which played no part in the choice. {found['agent']} plays every {evidence.game.place} and "
        f"{what_it_knows(evidence, found)}; sure: {LEVEL}."
    )
    item = Steps("levers", "", steps, Data(columns, rows), reading)
    return PageSection(LEVERS_KEY, LEVERS_TITLE, (_lead(evidence, found),), (item,))


def _pair(evidence: TableEvidence, found: Mapping[str, Any]) -> str:
    best, worst = (evidence.game.called(evidence.results.seats[found[k]]) for k in ("best", "worst"))
    return f"{best} over {worst}"


def _lead(evidence: TableEvidence, found: Mapping[str, Any]) -> str:
    place = evidence.game.place
    if not found["lean"]:
        return (
            f"These games do not show that any {place} is better off, so here is what moves the lead of "
            f"{_pair(evidence, found)} most, one step at a time, either way."
        )
    if not any(change_of(row).high < 0 for row in found["chosen"]):
        return f"No single step is shown to narrow the lead of {_pair(evidence, found)}. These came nearest:"
    return f"These narrowed the lead of {_pair(evidence, found)} most:"


def _lever_row(evidence: TableEvidence, row: Mapping[str, Any]) -> tuple[Any, ...]:
    gap = of_dict(row["gap"], row["deals"], "share")
    return (*lever_cells(evidence, row), gap, row["p_holm"])
