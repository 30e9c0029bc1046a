"""Which agent beats which, and how much skill counts."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from scipy.special import expit

from channel_tunnel_agents.balance.empirical.meetings import games_of_meetings, measure_meetings
from channel_tunnel_agents.balance.empirical.verdict import FairAnswer
from channel_tunnel_agents.balance.report.drawing import MUTED, ROW, draw, forest, per_cent
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.measurements import STRENGTH, Job, Measurement
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, of_dict, of_estimate
from channel_tunnel_agents.balance.report.page import Chart, Data, Item, Row, Shown, Table, Words
from channel_tunnel_agents.matches.rating import ELO
from channel_tunnel_agents.matches.tournament_report import Report
from channel_tunnel_agents.statistics import Estimate, estimate_share
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


def pair_share(evidence: Evidence, one: int, other: int) -> Number:
    """What one agent of a game of two seats has against another over both of them, clustered by deal."""
    home, away = evidence.results.matches[one, other], evidence.results.matches[other, one]
    first, second = evidence.results.seats
    points = np.concatenate([home.points(first), away.points(second)])
    deals = np.concatenate([np.arange(home.games), np.arange(away.games)])
    return of_estimate(estimate_share(points, deals), home.games, "share")


def meetings(evidence: Evidence) -> Shown:
    """Two seats: every pairing, the ladder, cycles and fit. More: one against the rest."""
    if (rated := evidence.rated) is not None:
        lead = f"From the strongest to the weakest: {', '.join(reversed(evidence.ladder))}."
        notes = Words(_notes(evidence, rated), "What the ladder does not say")
        return [lead], [_pairings(evidence), _ladder(evidence, rated), notes]
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


def _ladder(evidence: Evidence, rated: Report) -> Table:
    order = evidence.by_strength
    rows: list[Row] = []
    for rung in rated.rating.ladder:
        wins: Number | str = ""
        better = ""
        if rung.above_next is not None:
            wins = pair_share(evidence, rung.agent, order[order.index(rung.agent) - 1])
            better = (FairAnswer.YES if rung.further_deals == 0 else FairAnswer.OPEN).value
        rows.append((evidence.agents[rung.agent], _elo(evidence, rung.strength), wins, better))
    chances = [percent(float(expit(elo / ELO)), 0) for elo in (100, 400)]
    return Table(
        "ladder",
        "Ladder of strength",
        Data(("agent", "strength in Elo", "wins against the next", "better than the next?"), tuple(rows)),
        f"{evidence.agents[0]} is set to 0. 100 Elo points more are a chance of {chances[0]}, 400 of {chances[1]}.",
    )


def _elo(evidence: Evidence, strength: Estimate) -> Number | str:
    if strength.value == strength.low == strength.high:
        return "0 (anchor)"
    return of_estimate(strength, evidence.results.tournament.deals, "whole")


def _notes(evidence: Evidence, rated: Report) -> tuple[str, ...]:
    agents, miss = evidence.agents, rated.widest_miss
    found = [" > ".join(agents[i] for i in (*cycle, cycle[0])) for cycle in rated.cycles]
    cycles = "No cycles: no three agents beat each other in a ring."
    if found:
        cycles = f"Cycles (A beats B beats C beats A, each with its whole interval above a half): {'; '.join(found)}."
    return cycles, (
        f"The ladder fits worst for {agents[miss.agent]} against {agents[miss.rival]}: "
        f"{percent(miss.played)} of the points, where it expects {percent(miss.expected)}."
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
