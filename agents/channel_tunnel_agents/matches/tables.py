"""Finished games as tables: one row per game, per action, and the game's own tables.

The engine's records count what happened (tallies), so a last record is enough to describe a game. Columns
of one seat end in its name, such as `_britain`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.games import Parts
from channel_tunnel_agents.matches.arena import shares_of, winners_of
from channel_tunnel_env import BatchGame
from channel_tunnel_env.core.jit import kernel
from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.game import game_class

GENERAL = ("actions", "options", "games")  # tables of every game, in the order of writing
SERIES = "series"  # and one of each game that declares some


Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class SeatMeasure:
    """What a seat's play is measured by.

    Attributes:
        words: its name.
        column: of the games table, followed by `_` and the seat.
        is_share: its values lie between 0 and 1.
    """

    words: str
    column: str
    is_share: bool = True


def by_seat(name: str, values: NDArray[Any], seats: Sequence[str]) -> Columns:
    """A column for each seat, such as score_britain, from figures (n, S or more)."""
    return {f"{name}_{seat}": values[:, i] for i, seat in enumerate(seats)}


Read = Callable[[BatchGame, Any], NDArray[Any]]
"""A batch, records of some of its games (n,) -> figures by seat (n, S or more)."""


@dataclass(frozen=True)
class Series:
    """What is noted whenever a game's clock has moved on.

    Attributes:
        clock: field of the record that counts.
        unit: what it counts, in one word.
        quantities: beginning of its columns' names -> what it is, in words; who has most of the first one leads.
    """

    clock: str
    unit: str
    quantities: Mapping[str, tuple[str, Read]]


def points_so_far(batch: BatchGame, states: Any) -> NDArray[np.int16]:
    """Each seat's points in records (n,) of games that go on: (n, S)."""
    points: NDArray[np.int16] = batch.scores_of(states)[:, :, -1]
    return points


class Watcher(Protocol):
    """A watcher for `arena.play_out` whose counts become columns of the games table."""

    def __call__(self, rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Note the actions (B,) to be taken in running rows (n,)."""

    def of_games(self) -> Columns:
        """Columns (B,)."""


@dataclass(frozen=True)
class GameTables:
    """What is kept of one game's matches beyond what every game has.

    Attributes:
        course: records -> columns of the games table about the game as a whole.
        ends: records, names of the seats -> columns about each seat.
        watch: makes a watcher for a batch of new games, if one is needed.
        more: further tables by name: batch, numbers of the deals (n,) -> table.
        measures: what a seat's play is measured by at tables of more than two, the most important first.
        series: what is noted as an agent's games with itself go on, if anything.
    """

    course: Callable[[Any], Columns]
    ends: Callable[[Any, tuple[str, ...]], Columns]
    watch: Callable[[BatchGame], Watcher] | None = None
    more: Mapping[str, Callable[[BatchGame, NDArray[np.int64]], pd.DataFrame]] = field(default_factory=dict)
    measures: tuple[SeatMeasure, ...] = (SeatMeasure("share", "share"),)
    series: Series | None = None


GAME_TABLES: Mapping[str, GameTables] = Parts("measures", "TABLES", GameTables, plain="tables")


def table_names(spec: GameSpec) -> tuple[str, ...]:
    """The tables of a game's matches, in the order of writing."""
    own = GAME_TABLES[spec.name]
    return (*own.more, *([SERIES] if own.series else ()), *GENERAL)


def clock_column(spec: GameSpec) -> str:
    """The column that says how long a game was: rounds, or turns."""
    return f"{spec.record.clock[1]}s"


def games_table(batch: BatchGame, deals: NDArray[np.int64]) -> pd.DataFrame:
    """One row a finished game, in the order of the batch.

    Args:
        batch: finished games of one ruleset.
        deals: number of each game's deal, (n,).

    Columns: deal, seed, winner, end_cause, rounds or turns, decisions, for each seat its score in total and by
    source, and what `GAME_TABLES` adds. With two seats also the first one's points (1, 0.5, 0) and margin
    (the first seat's score less the second's), with more each one's share. In 1987 Channel Tunnel: lead_changes, and each side's TBM, counters, deviation
    and money at the end, and what it did.
    """
    states, spec, seats = batch.states, batch.spec, batch.seats
    own = GAME_TABLES[spec.name]
    winner, shares, two = winners_of(batch).astype(np.int64), shares_of(batch), len(seats) == 2
    columns: dict[str, Any] = {
        "deal": deals,
        "seed": states["seed"],
        "winner": pd.Categorical.from_codes(winner, [*seats, "draw"]),
        **({f"{seats[0]}_points": shares[:, 0]} if two else {}),
        "end_cause": pd.Categorical.from_codes(states["end_cause"].astype(int), list(spec.outcome.end_causes)),
        clock_column(spec): states[spec.record.clock[0]],
        "decisions": states["ply"],
    }
    columns |= own.course(states) | _scores(batch) | own.ends(states, seats)
    if two:
        columns["margin"] = columns[f"score_{seats[0]}"] - columns[f"score_{seats[1]}"]
    else:
        columns |= by_seat("share", shares, seats)
    return pd.DataFrame(columns)


def _scores(batch: BatchGame) -> Columns:
    """The final score in total and by source."""
    found = batch.scores()
    columns: Columns = {}
    for k, source in enumerate(batch.spec.outcome.score_sources):
        columns |= by_seat(f"points_{source}", found[:, :, k], batch.seats)
    return columns | by_seat("score", found[:, :, -1], batch.seats)


@kernel
def _count(rows, masks, to_play, actions, legal, taken, options):  # type: ignore[no-untyped-def]
    for i in rows:
        seat, choices = to_play[i], 0
        for action in range(masks.shape[1]):
            legal[seat, action] += masks[i, action]
            choices += masks[i, action]
        taken[seat, actions[i]] += 1
        options[seat, choices] += 1


class ActionCount:
    """A watcher for `arena.play_out` that counts, by seat, how often each action was legal and taken."""

    def __init__(self, batch: BatchGame) -> None:
        self._batch = batch
        shape = (len(batch.seats), batch.spec.actions.count)
        self.legal = np.zeros(shape, np.int64)
        self.taken = np.zeros(shape, np.int64)
        self.options = np.zeros((shape[0], shape[1] + 1), np.int64)

    def __call__(self, rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        batch, counts = self._batch, (self.legal, self.taken, self.options)
        _count(rows, batch.masks, batch.to_play, actions, *counts)

    def table(self) -> pd.DataFrame:
        """One row per seat and action: side, action, legal, taken (decisions)."""
        seats, names = self._batch.seats, self._batch.spec.actions.names
        return pd.DataFrame(
            {
                "side": np.repeat(seats, len(names)),
                "action": list(names) * len(seats),
                "legal": self.legal.ravel(),
                "taken": self.taken.ravel(),
            }
        )

    def options_table(self) -> pd.DataFrame:
        """One row per seat and number of legal actions: side, options, decisions."""
        seats, options = np.nonzero(self.options)
        return pd.DataFrame(
            {"side": np.array(self._batch.seats)[seats], "options": options, "decisions": self.options[seats, options]}
        )


class SeriesLog:
    """A watcher for `arena.play_out` that notes a game's series in the rows whose clock has moved on."""

    def __init__(self, batch: BatchGame, series: Series) -> None:
        self._batch, self._series = batch, series
        self._seen = np.full(batch.num_games, -1, np.int64)  # the clock at the last note
        self._notes: list[Columns] = []
        self._note(np.zeros(0, np.intp))  # so that a table without rows has the columns

    def __call__(self, rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        clock = self._batch.states[self._series.clock]
        moved = rows[clock[rows] != self._seen[rows]]
        if moved.size:
            self._seen[moved] = clock[moved]
            self._note(moved)

    def _note(self, rows: NDArray[np.intp]) -> None:
        batch, states = self._batch, self._batch.states[rows]
        note: Columns = {"row": rows, self._series.unit: states[self._series.clock]}
        for name, (_, read) in self._series.quantities.items():
            note |= by_seat(name, read(batch, states), batch.seats)
        self._notes.append(note)

    def table(self, deals: NDArray[np.int64]) -> pd.DataFrame:
        """One row per game and count of the clock: deal (of `deals`, by game), the count, each quantity of each seat, such as
        money_britain."""
        found = {name: np.concatenate([note[name] for note in self._notes]) for name in self._notes[0]}
        rows = found.pop("row")
        order = np.argsort(rows, kind="stable")
        return pd.DataFrame({"deal": deals[rows], **found}).iloc[order].reset_index(drop=True)


# --- every decision of a batch, as a table and as replayable records ------------------------------


class DecisionLog:
    """A watcher for `arena.play_out` that records every decision of a batch of new games."""

    def __init__(self, batch: BatchGame) -> None:
        self._batch = batch
        self._steps: list[tuple[NDArray[np.int64], ...]] = []

    def __call__(self, rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        batch = self._batch
        clock = batch.states[batch.spec.record.clock[0]]
        seen = (batch.to_play, batch.states["phase"], clock, actions)
        options = batch.masks[rows].sum(axis=1)
        self._steps.append((rows, *(column[rows].astype(np.int64) for column in seen), options))

    def _columns(self) -> list[NDArray[np.int64]]:
        """Game (row of the batch), seat, phase, round or turn, action, options: game after game, (n,)."""
        columns = [np.concatenate(parts) for parts in zip(*self._steps, strict=True)]
        order = np.argsort(columns[0], kind="stable")
        return [column[order] for column in columns]

    def table(self, deals: NDArray[np.int64]) -> pd.DataFrame:
        """One row per decision, in order, game after game; `deals` are the numbers of the games' deals.

        Columns: deal, decision (from 0), round or turn, side, phase, options (legal actions), action.
        """
        spec, seats_by_name = self._batch.spec, list(self._batch.seats)
        games, seats, phases, rounds, actions, options = self._columns()
        first = np.searchsorted(games, games)  # first entry of the same game
        return pd.DataFrame(
            {
                "deal": deals[games],
                "decision": np.arange(len(games)) - first,
                spec.record.clock[1]: rounds,
                "side": pd.Categorical.from_codes(seats, seats_by_name),
                "phase": pd.Categorical.from_codes(phases, list(spec.record.phases)),
                "options": options,
                "action": pd.Categorical.from_codes(actions, list(spec.actions.names)),
            }
        )

    def records(self, deals: NDArray[np.int64]) -> pd.DataFrame:
        """One row per game: deal, record (JSON text, see `channel_tunnel_env.records.record`)."""
        games, *_, actions, _ = self._columns()
        bounds = np.searchsorted(games, np.arange(self._batch.num_games + 1))
        states, ruleset = self._batch.states, self._batch.rulesets[0]
        kind = game_class(self._batch.spec)
        texts = []
        for row in range(self._batch.num_games):
            taken = actions[bounds[row] : bounds[row + 1]].tolist()
            game = kind.from_play(states[row : row + 1], ruleset, taken)
            texts.append(json.dumps(game.record(), separators=(",", ":")))
        return pd.DataFrame({"deal": deals, "record": texts})
