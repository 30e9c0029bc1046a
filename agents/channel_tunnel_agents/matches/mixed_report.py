"""A tournament of mixed tables: a ladder by orders of finish, how often each agent finishes ahead of each other, what a seat is worth."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from channel_tunnel_agents.matches import plackett_luce, rating
from channel_tunnel_agents.matches.page import TournamentPage, elo_cell, seat_title, share_cell, time_notes
from channel_tunnel_agents.matches.plackett_luce import Strengths
from channel_tunnel_agents.matches.rating import ELO, Rung, further_deals
from channel_tunnel_agents.matches.tournament import Results
from channel_tunnel_agents.matches.tournament_report import LADDER_COLUMNS, ladder_rows, rung_dict, split_columns
from channel_tunnel_agents.sheet import Sheet
from channel_tunnel_agents.statistics import Estimate, estimate_share
from channel_tunnel_env.outside.percent import percent

READING = (
    "Reading: [ ] are 95 % intervals; the games of a deal count as one; n counts games. 400 Elo are odds of ten to "
    "one of finishing ahead, 100 Elo a chance of 64 %."
)
FURTHER_DEALS = (
    f"More deals: what all tables need for a chance of {percent(rating.POWER, 0)} that the interval leaves out 0, should the "
    "gap be as estimated."
)


@dataclass(frozen=True)
class SharedTables:
    """Two agents at the tables where both sit.

    Attributes:
        agent, rival: their numbers.
        ahead: how often the agent finishes ahead, ties half.
        points: (n,) the same of every comparison: 1, 0.5, 0.
        expected: by the model, from equal seats.
    """

    agent: int
    rival: int
    ahead: Estimate
    points: NDArray[np.float64]
    expected: float


@dataclass(frozen=True)
class MixedReport(TournamentPage):
    """The report on such a tournament."""

    strengths: Strengths
    ladder: tuple[Rung, ...]
    meetings: dict[tuple[int, int], SharedTables]
    shares: tuple[Estimate, ...]  # of the wins, by agent
    games: tuple[int, ...]  # by agent

    @classmethod
    def of(cls, results: Results) -> MixedReport:
        """Rate the agents."""
        table, seats = results.store.read("games"), results.seats
        number = len(results.tournament.agents)
        agents = np.stack([table[seat].cat.codes for seat in seats], axis=1).astype(np.int64)
        scores = table[[f"score_{seat}" for seat in seats]].to_numpy(np.int64)
        wins = table[[f"share_{seat}" for seat in seats]].to_numpy(np.float64)
        deals = table["deal"].to_numpy(np.int64)
        found = plackett_luce.fit(agents, scores, deals, number)
        at = [np.nonzero(agents == i) for i in range(number)]
        return cls(
            results,
            found,
            tuple(_ladder(found, len(np.unique(deals)))),
            _meetings(found, agents, scores, deals),
            tuple(estimate_share(wins[cells], deals[cells[0]]) for cells in at),
            tuple(len(np.unique(rows)) for rows, _ in at),
        )

    @property
    def sheets(self) -> list[Sheet]:
        """The ladder, the pairs, and the seats."""
        return [_ladder_sheet(self), *_ahead_sheets(self), _seats_sheet(self)]

    @property
    def notes(self) -> list[str]:
        """What the tables do not show, in a sentence or two each."""
        agents = self.results.tournament.agents
        miss = max(self.meetings.values(), key=lambda m: abs(m.ahead.value - m.expected))
        notes = [
            READING,
            "Fit: the ladder misses no pair's order of finish by more than in "
            f"{agents[miss.agent]} v {agents[miss.rival]}: ahead {percent(miss.ahead.value)}, "
            f"{percent(miss.expected)} expected.",
        ]
        if any(rung.further_deals for rung in self.ladder):
            notes.append(FURTHER_DEALS.replace("the two agents' pairings, and the others", "tables"))
        groups = rating.separated_groups({pair: m.points for pair, m in self.meetings.items()})
        if len(groups) > 1:
            words = " / ".join(", ".join(agents[i] for i in group) for group in groups)
            notes.append(
                f"Separated: between the groups {words} one never finished ahead. The results alone set no bound "
                "to such a gap; its size rests on the half wins added to every pair."
            )
        return notes + time_notes(self.results.tournament)

    @property
    def about(self) -> list[str]:
        """How it was played and rated."""
        return [
            f"all tables play the same deals (seed {self.results.tournament.seed}), those with fewer games the "
            "first of them",
            "tables: every set of different agents that fills the seats, around the table in both directions from "
            "every seat; with fewer agents than seats, every way to fill them with all",
            "strengths: Plackett-Luce with a term for each seat, cluster-robust by deal; the first agent is 0; "
            "equal scores by Efron's approximation; half a win is added to each side of every pair",
        ]

    def to_dict(self) -> dict[str, Any]:
        """Every figure, unrounded, as JSON values."""
        agents, seats = self.results.tournament.agents, self.results.seats
        return self.settings() | {
            "ladder": [
                rung_dict(rung, agents) | {"games": self.games[rung.agent], "wins": asdict(self.shares[rung.agent])}
                for rung in self.ladder
            ],
            "seats_elo": {seat: asdict(self.strengths.seat(place)) for place, seat in enumerate(seats)},
            "ahead": [
                {
                    "agent": agents[meeting.agent],
                    "of": agents[meeting.rival],
                    "comparisons": len(meeting.points),
                    **asdict(meeting.ahead),
                    "expected": meeting.expected,
                }
                for meeting in self.meetings.values()
            ],
        }


def _ladder(found: Strengths, deals: int) -> list[Rung]:
    rungs = []
    for place, agent in enumerate(found.order):
        below = found.order[place + 1 :]
        gap = found.above(agent, below[0]) if below else None
        more = None
        if gap is not None:
            error = (gap.high - gap.low) / 2 / found.reach
            more = further_deals(gap.value, error, deals, found.reach)
        rungs.append(Rung(agent, found.strength(agent), gap, more))
    return rungs


def _meetings(
    found: Strengths, agents: NDArray[np.int64], scores: NDArray[np.int64], deals: NDArray[np.int64]
) -> dict[tuple[int, int], SharedTables]:
    meetings = {}
    for i in range(found.agents):
        for j in range(found.agents):
            pairs = (agents[:, :, None] == i) & (agents[:, None, :] == j)
            game, one, other = np.nonzero(pairs)
            if i == j or not game.size:
                continue
            points = (np.sign(scores[game, one] - scores[game, other]) + 1) / 2
            gap = found.above(i, j).value / ELO
            ahead = estimate_share(points, deals[game])
            meetings[i, j] = SharedTables(i, j, ahead, points, float(expit(gap)))
    return meetings


def _ladder_sheet(report: MixedReport) -> Sheet:
    rows = ladder_rows(report.results.tournament.agents, report.ladder, report.games)
    shares = [share_cell(report.shares[rung.agent]) for rung in report.ladder]
    with_shares = tuple((*row, share) for row, share in zip(rows, shares, strict=True))
    return Sheet("Ladder", (*LADDER_COLUMNS, "share of wins"), with_shares)


def _ahead_sheets(report: MixedReport) -> list[Sheet]:
    agents = report.results.tournament.agents
    parts = split_columns(len(agents))
    title = "How often the row finishes ahead of the column, at tables with both"
    return [
        Sheet(
            f"{title} ({part} of {len(parts)})" if len(parts) > 1 else title,
            ("agent", *(agents[j] for j in columns)),
            tuple((name, *(_ahead_cell(report, i, int(j)) for j in columns)) for i, name in enumerate(agents)),
        )
        for part, columns in enumerate(parts, 1)
    ]


def _ahead_cell(report: MixedReport, i: int, j: int) -> str:
    meeting = report.meetings.get((i, j))
    return "" if meeting is None else share_cell(meeting.ahead)


def _seats_sheet(report: MixedReport) -> Sheet:
    rows = [
        (seat_title(seat), elo_cell(report.strengths.seat(place)) if place else "0\nanchor")
        for place, seat in enumerate(report.results.seats)
    ]
    return Sheet("What a seat is worth", ("seat", "Elo"), tuple(rows))
