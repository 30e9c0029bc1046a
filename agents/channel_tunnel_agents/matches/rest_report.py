"""A tournament of one against the rest: what an agent has in one seat with another in all the others."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.matches.columns import SeatMeasure
from channel_tunnel_agents.matches.page import TournamentPage, seat_title, share_cell, time_notes
from channel_tunnel_agents.matches.tables import GAME_TABLES, clock_column
from channel_tunnel_agents.matches.tournament import Results
from channel_tunnel_agents.matches.tournament_report import split_columns
from channel_tunnel_agents.sheet import Sheet
from channel_tunnel_agents.statistics import Estimate, estimate_mean, estimate_share
from channel_tunnel_env.outside.percent import percent


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
    """The report on such a tournament."""

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
            f"all tables play the same deals (seed {self.results.tournament.seed}), those with fewer games the "
            "first of them",
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
    if measure.is_share:
        return share_cell(found)
    return f"{found.value:.2f}\n[{found.low:.2f}, {found.high:.2f}]"


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
    parts = split_columns(len(seats))
    title = f"The same by seat: {measure.words}"
    return [
        Sheet(
            f"{title} ({part} of {len(parts)})" if len(parts) > 1 else title,
            ("pair", *(seat_title(seats[k]) for k in places)),
            tuple((_who(stand), *(_cell(measure, stand.by_seat[k]) for k in places)) for stand in report.stands),
        )
        for part, places in enumerate(parts, 1)
    ]


def _who(stand: Stand) -> str:
    if stand.agent == stand.rest:
        return f"{stand.agent}\nin every seat"
    return f"{stand.agent}\nv {stand.rest}"
