"""Reports on tournaments at tables of more than two seats.

Mixed tables: a ladder by orders of finish, how often each agent finishes ahead of each other, what a seat is worth. One
against the rest: what an agent has in one seat with another in all the others.
"""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit

from channel_tunnel_agents.games.spec import MIXED
from channel_tunnel_agents.matches import plackett_luce, rating
from channel_tunnel_agents.matches.arena import KINDS
from channel_tunnel_agents.matches.rating import ELO, Rating
from channel_tunnel_agents.matches.tables import GAME_TABLES, SeatMeasure, clock_column
from channel_tunnel_agents.matches.tournament import Results
from channel_tunnel_agents.matches.tournament_report import (
    LADDER_COLUMNS,
    Report,
    TournamentPage,
    elo_cell,
    ladder_rows,
    rung_dict,
    same_deals,
    seat_title,
    split_sheets,
    time_notes,
)
from channel_tunnel_agents.sheet import Sheet, estimate_cell, rate_cell
from channel_tunnel_agents.statistics import Estimate, estimate_mean, estimate_share
from channel_tunnel_env.outside.terminal import percent

READING = (
    "Reading: [ ] are 95 % intervals; the games of a deal count as one; n counts games. 400 Elo are odds of ten to "
    "one of finishing ahead, 100 Elo a chance of 64 %."
)
FURTHER_DEALS = (
    f"More deals: what all tables need for a chance of {percent(rating.POWER, 0)} that the interval leaves out 0, should the "
    "gap be as estimated."
)


# --- mixed tables ---------------------------------------------------------------------------------


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
    """The report on a tournament of mixed tables."""

    rating: Rating
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
        if any(rung.further_deals for rung in self.rating.ladder):
            notes.append(FURTHER_DEALS)
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
            same_deals(self.results.tournament),
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
                for rung in self.rating.ladder
            ],
            "seats_elo": {seat: asdict(self.rating.seat(place)) for place, seat in enumerate(seats)},
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


def _meetings(
    found: Rating, agents: NDArray[np.int64], scores: NDArray[np.int64], deals: NDArray[np.int64]
) -> dict[tuple[int, int], SharedTables]:
    meetings = {}
    for i, j in itertools.permutations(range(len(found.deals)), 2):
        game, one, other = np.nonzero((agents[:, :, None] == i) & (agents[:, None, :] == j))
        if game.size:
            points = (np.sign(scores[game, one] - scores[game, other]) + 1) / 2
            gap = found.above(i, j).value / ELO
            ahead = estimate_share(points, deals[game])
            meetings[i, j] = SharedTables(i, j, ahead, points, float(expit(gap)))
    return meetings


def _ladder_sheet(report: MixedReport) -> Sheet:
    ladder = report.rating.ladder
    rows = ladder_rows(report.results.tournament.agents, ladder, report.games)
    with_shares = ((*row, rate_cell(report.shares[rung.agent])) for row, rung in zip(rows, ladder, strict=True))
    return Sheet("Ladder", (*LADDER_COLUMNS, "share of wins"), tuple(with_shares))


def _ahead_sheets(report: MixedReport) -> list[Sheet]:
    agents = report.results.tournament.agents
    cells = {pair: rate_cell(meeting.ahead) for pair, meeting in report.meetings.items()}
    rows = {name: [cells.get((i, j), "") for j in range(len(agents))] for i, name in enumerate(agents)}
    return split_sheets("How often the row finishes ahead of the column, at tables with both", "agent", agents, rows)


def _seats_sheet(report: MixedReport) -> Sheet:
    rows = [
        (seat_title(seat), elo_cell(report.rating.seat(place)) if place else "0\nanchor")
        for place, seat in enumerate(report.results.seats)
    ]
    return Sheet("What a seat is worth", ("seat", "Elo"), tuple(rows))


# --- one against the rest -------------------------------------------------------------------------


@dataclass(frozen=True)
class Stand:
    """One agent against another in all other seats, from every seat.

    Attributes:
        agent, rest: their names; the same where one agent sits in every seat.
        games: of all seats together.
        measures: of the agent's seat; empty if it sits in every seat.
        by_seat: the first measure by the agent's seat.
        clock: mean length of a game, in rounds or turns.
        repeats: whether every deal ended alike from each seat, as in a game without chance.
    """

    agent: str
    rest: str
    games: int
    measures: tuple[Estimate, ...]
    by_seat: tuple[Estimate, ...]
    clock: float
    repeats: bool


@dataclass(frozen=True)
class RestReport(TournamentPage):
    """The report on a tournament of one against the rest."""

    stands: tuple[Stand, ...]

    @classmethod
    def of(cls, results: Results) -> RestReport:
        """Measure every pair of agents, and every agent with itself."""
        games = results.store.read("games")
        numbers = range(len(results.tournament.agents))
        pairs = [(one, rest) for one in numbers for rest in numbers]
        if results.tournament.mirror:
            pairs = [(one, one) for one in numbers]
        return cls(results, tuple(_stand(results, games, *pair) for pair in pairs))

    @property
    def measures(self) -> tuple[SeatMeasure, ...]:
        """What a seat's play is measured by."""
        return GAME_TABLES[self.results.ruleset.spec.name].measures

    @property
    def sheets(self) -> list[Sheet]:
        """Pairs by every measure, then the first measure by seat."""
        pairs = [stand for stand in self.stands if stand.measures]
        return ([_pairs(self, pairs)] if pairs else []) + _seats(self)

    @property
    def notes(self) -> list[str]:
        """How to read it."""
        played = self.results.ruleset.played_seats
        seats, idle = len(played), [seat for seat in self.results.seats if seat not in played]
        reading = (
            f"Reading: [ ] are 95 % intervals, n counts games. The {seats} games of a deal, one from each seat, "
            f"count as one. "
        )
        if idle:
            reading += f"No agent plays {', '.join(map(seat_title, idle))}."
        else:
            reading += f"Between equals a seat has 1/{seats} = {percent(1 / seats)} of every share of the game."
        return [reading, *self._repeated(), *time_notes(self.results.tournament)]

    def _repeated(self) -> list[str]:
        """A warning where more deals told nothing more."""
        pairs = [_who(stand).replace("\n", " ") for stand in self.stands if stand.repeats]
        if not pairs:
            return []
        return [
            f"Every deal ended alike: {', '.join(pairs)}. There n games are one game from each seat, played again, and the interval "
            "says nothing of other play. A policy that draws its moves (ppo-sample:FOLDER) plays others."
        ]

    @property
    def about(self) -> list[str]:
        """How it was played."""
        return [
            same_deals(self.results.tournament),
            "tables: every agent in every seat, with every other agent in all other seats; every agent with itself",
        ]

    def to_dict(self) -> dict[str, Any]:
        """Every figure, unrounded, as JSON values; an interval that one deal cannot give is null."""
        clock = clock_column(self.results.ruleset.spec)
        return self.settings() | {
            "stands": [
                {
                    "agent": stand.agent,
                    "rest": stand.rest,
                    "games": stand.games,
                    f"mean_{clock}": stand.clock,
                    "repeats": stand.repeats,
                    "measures": {
                        measure.words: _values(found)
                        for measure, found in zip(self.measures, stand.measures, strict=False)
                    },
                    "by_seat": {
                        seat: _values(found)
                        for seat, found in zip(self.results.ruleset.played_seats, stand.by_seat, strict=True)
                    },
                }
                for stand in self.stands
            ]
        }


def _values(found: Estimate) -> dict[str, float | None]:
    return {key: value if np.isfinite(value) else None for key, value in asdict(found).items()}


def _stand(results: Results, games: pd.DataFrame, one: int, rest: int) -> Stand:
    agents, seats = results.tournament.agents, results.ruleset.played_seats
    codes = np.stack([games[seat].cat.codes for seat in results.seats], axis=1)
    measures = GAME_TABLES[results.ruleset.spec.name].measures
    clock = clock_column(results.ruleset.spec)
    # By seat of the agent, the rows of its games.
    rows = [np.flatnonzero(_is_table(codes, place, one, rest)) for place in results.ruleset.played_places]
    every = np.unique(np.concatenate(rows))
    return Stand(
        agents[one],
        agents[rest],
        len(every),
        () if one == rest else tuple(_over_seats(games, seats, rows, m) for m in measures),
        tuple(
            _estimate(measures[0], games[f"{measures[0].column}_{seat}"].to_numpy()[own], None)
            for seat, own in zip(seats, rows, strict=True)
        ),
        float(games[clock].to_numpy()[every].mean()),
        _are_alike(games[[clock, *(f"{measures[0].column}_{seat}" for seat in seats)]], rows),
    )


def _are_alike(ends: pd.DataFrame, rows: list[NDArray[np.int64]]) -> bool:
    """Whether the games from each seat ended alike on every deal; False for a single deal."""
    return len(rows[0]) > 1 and not any(ends.iloc[own].nunique(dropna=False).gt(1).any() for own in rows)


def _is_table(codes: NDArray[np.int8], place: int, one: int, rest: int) -> NDArray[np.bool_]:
    others = np.delete(codes, place, axis=1)
    found: NDArray[np.bool_] = (others == rest).all(axis=1) & (codes[:, place] == one)
    return found


def _over_seats(
    games: pd.DataFrame, seats: tuple[str, ...], rows: list[NDArray[np.int64]], measure: SeatMeasure
) -> Estimate:
    """A measure of the agent's seat over the games from all seats, those of one deal as one."""
    values = [games[f"{measure.column}_{seat}"].to_numpy()[own] for seat, own in zip(seats, rows, strict=True)]
    deals = games["deal"].to_numpy()[np.concatenate(rows)]
    return _estimate(measure, np.concatenate(values), deals)


def _estimate(measure: SeatMeasure, values: NDArray[Any], deals: NDArray[np.int64] | None) -> Estimate:
    return (estimate_share if measure.is_share else estimate_mean)(values, deals)


def _cell(measure: SeatMeasure, found: Estimate) -> str:
    return estimate_cell(found, "share" if measure.is_share else "number")


def _pairs(report: RestReport, stands: list[Stand]) -> Sheet:
    rows = [
        (
            f"{stand.agent}\nv {stand.rest}",
            f"{stand.games:,}",
            *(_cell(m, found) for m, found in zip(report.measures, stand.measures, strict=True)),
            f"{stand.clock:.1f}",
        )
        for stand in stands
    ]
    words = [measure.words for measure in report.measures]
    columns = ("pair", "n", *words, clock_column(report.results.ruleset.spec))
    title = "What the first of each pair has in one seat, the other in all the others; every seat in turn"
    return Sheet(title, columns, tuple(rows))


def _seats(report: RestReport) -> list[Sheet]:
    seats, measure = report.results.ruleset.played_seats, report.measures[0]
    rows = {_who(stand): [_cell(measure, found) for found in stand.by_seat] for stand in report.stands}
    return split_sheets(f"The same by seat: {measure.words}", "pair", [*map(seat_title, seats)], rows)


def _who(stand: Stand) -> str:
    if stand.agent == stand.rest:
        return f"{stand.agent}\nin every seat"
    return f"{stand.agent}\nv {stand.rest}"


# --- the report that fits -------------------------------------------------------------------------


def report_on(results: Results) -> TournamentPage:
    """Rate the agents of a tournament of any number of seats."""
    if len(results.seats) == 2:
        return Report.of(results)
    if KINDS[results.ruleset.spec.name] == MIXED:
        return MixedReport.of(results)
    return RestReport.of(results)
