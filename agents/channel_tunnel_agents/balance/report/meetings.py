"""Which agent beats which, and how much skill counts."""

from __future__ import annotations

from functools import partial

from matplotlib.axes import Axes

from channel_tunnel_agents.balance.empirical.meetings import games_of_meetings, measure_meetings
from channel_tunnel_agents.balance.report.drawing import MUTED, ROW, draw, forest, per_cent
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.measurements import STRENGTH, Job, Measurement
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, of_dict, of_estimate
from channel_tunnel_agents.balance.report.page import Chart, Data, Item, Row, Shown, Table
from channel_tunnel_agents.statistics import estimate_share
from channel_tunnel_env.outside.terminal import percent

PART = 16  # of the deals


# --- measured: of more than two seats, one against the rest ---


def _deals(job: Job) -> int:
    return max(FEWEST, job.deals_of(PART))


MEETINGS = Measurement(
    STRENGTH,
    "meetings",
    lambda job: {"deals": _deals(job), "agents": dict(job.results.store.plan["policies"])},
    lambda job: games_of_meetings(job.results.tournament.agents, job.ruleset, _deals(job)),
    lambda job, advance: measure_meetings(
        job.results.tournament.agents, job.ruleset, _deals(job), job.seed, job.workers, advance
    ),
)


# --- the section ---


def meetings(evidence: Evidence) -> Shown:
    """Two seats: every pairing. More: one against the rest."""
    if evidence.is_of_two:
        return [f"From the strongest to the weakest: {', '.join(reversed(evidence.ladder))}."], [_pairings(evidence)]
    found = evidence.measures.get(MEETINGS.name)
    if found is None:
        return evidence.why_missing(MEETINGS.name)
    return ((), _alone(evidence, found["meetings"])) if len(evidence.agents) > 1 else "only one agent plays"


def _pairings(evidence: Evidence) -> Table:
    """The first seat's share of wins in every pairing; a draw is half a win."""
    order, game = evidence.by_strength, evidence.game
    rows: list[Row] = []
    for i in order:
        matches = [evidence.results.matches[i, j] for j in order]
        shares = (of_estimate(estimate_share(each.points(evidence.first)), each.games, "share") for each in matches)
        rows.append((evidence.agents[i], *shares))
    return Table(
        "matrix",
        f"{game.at_first}'s share of wins: the row plays {game.seats[0]}, the column {game.seats[1]}",
        Data((f"{game.heads[0]} is …", *(f"v {name}" for name in evidence.ladder)), tuple(rows)),
        f"The deeper the colour of {game.seats[0]} or {game.seats[1]}, the better for that {game.place}. "
        "Every pairing plays the same deals; those with fewer games play the first of them.",
    )


def _alone(evidence: Evidence, met: list[dict[str, object]]) -> tuple[Item, ...]:
    """One against the rest: whether the better player wins more."""
    game, order = evidence.game, [*reversed(evidence.ladder)]
    found = sorted(met, key=lambda each: (order.index(str(each["agent"])), order.index(str(each["rest"]))))
    names = [f"{each['agent']} v {each['rest']}" for each in found]
    rows = [(name, of_dict(each["share"], style="share")) for name, each in zip(names, found, strict=True)]  # type: ignore[arg-type]
    by_seat: tuple[Row, ...] = tuple(
        (name, *(of_dict(one, style="share") for one in each["by_seat"]))  # type: ignore[attr-defined]
        for name, each in zip(names, found, strict=True)
    )
    chart = Chart(
        "meetings",
        "One against the rest: share of the win",
        draw("meetings", partial(_paint, rows, evidence.even), 0.8 + ROW * 1.2 * len(rows)),
        Data(("one v all others", "share of the win"), tuple(rows)),
        f"The first of each pair sits alone, in every {game.place} in turn, on the same deals; the games of one deal count as one. "
        f"Stroke: the even share, {percent(evidence.even)}.",
        "Share of the win of one agent against another in all other seats",
    )
    return chart, Table("by-seat", f"The same by {game.place}", Data(("one v all others", *game.heads), by_seat))


def _paint(rows: list[tuple[str, Number]], even: float, axis: Axes) -> None:
    axis.axvline(even, color=MUTED, lw=0.8)
    forest(axis, [row[0] for row in rows], [row[1] for row in rows])
    axis.set_xlim(0, 1)
    per_cent(axis)
