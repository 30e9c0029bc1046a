"""Who beats whom."""

from __future__ import annotations

from scipy.special import expit

from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.numbers import Number, of_estimate
from channel_tunnel_agents.balance.report.page import Data, PageSection, Row, Table, Words
from channel_tunnel_agents.balance.report.verdict import OPEN, YES, pair_share
from channel_tunnel_agents.balance.report.words import capital
from channel_tunnel_agents.matches.rating import ELO
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_env.outside.percent import percent


def matrix(evidence: Evidence) -> PageSection:
    """The first seat's share of wins in every pairing, the ladder, cycles and fit."""
    notes = Words(_notes(evidence), "What the ladder does not say")
    return PageSection(
        "matrix", evidence.game.sections["matrix"], _lead(evidence), (_shares(evidence), _ladder(evidence), notes)
    )


def _lead(evidence: Evidence) -> tuple[str, ...]:
    order = [evidence.agents[i] for i in reversed(evidence.by_strength)]
    return (f"From the strongest to the weakest: {', '.join(order)}.",)


def _shares(evidence: Evidence) -> Table:
    order, game = evidence.by_strength, evidence.game
    rows: tuple[Row, ...] = tuple((evidence.agents[i], *(evidence.first_share(i, j) for j in order)) for i in order)
    columns = (f"{capital(game.labels[0])} is …", *(f"v {evidence.agents[j]}" for j in order))
    return Table(
        "matrix",
        f"{game.at_first}'s share of wins: the row plays {game.seats[0]}, the column {game.seats[1]}",
        Data(columns, rows),
        f"The deeper the colour of {game.seats[0]} or {game.seats[1]}, the better for that {game.place}. "
        "Every pairing plays the same deals; those with fewer games play the first of them.",
    )


def _ladder(evidence: Evidence) -> Table:
    rows = []
    for rung in evidence.report.rating.ladder:
        below = rung.above_next
        i = evidence.by_strength.index(rung.agent)
        wins: Number | str = ""
        if below is not None:
            wins = pair_share(evidence, rung.agent, evidence.by_strength[i - 1])
        rows.append(
            (
                evidence.agents[rung.agent],
                _elo(evidence, rung.strength),
                wins,
                "" if below is None else YES if rung.further_deals == 0 else OPEN,
            )
        )
    columns = ("agent", "strength in Elo", "wins against the next", "better than the next?")
    return Table(
        "ladder",
        "Ladder of strength",
        Data(columns, tuple(rows)),
        f"{evidence.agents[0]} is set to 0. 100 Elo points more are a chance of {_chance(100)}, 400 of {_chance(400)}.",
    )


def _elo(evidence: Evidence, strength: Estimate) -> Number | str:
    if strength.value == strength.low == strength.high:
        return "0 (anchor)"
    return of_estimate(strength, evidence.results.tournament.deals, "whole")


def _chance(elo: float) -> str:
    return percent(float(expit(elo / ELO)), 0)


def _notes(evidence: Evidence) -> tuple[str, ...]:
    report, agents = evidence.report, evidence.agents
    found = [" > ".join(agents[i] for i in (*cycle, cycle[0])) for cycle in report.cycles]
    cycles = (
        f"Cycles (A beats B beats C beats A, each with its whole interval above a half): {'; '.join(found)}."
        if found
        else "No cycles: no three agents beat each other in a ring."
    )
    miss = report.widest_miss
    fit = (
        f"The ladder fits worst for {agents[miss.agent]} against {agents[miss.rival]}: "
        f"{percent(miss.played)} of the points, where it expects {percent(miss.expected)}."
    )
    return cycles, fit
