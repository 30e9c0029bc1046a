"""Games watched turn by turn: the first seat's chance, the lead in points and the round.

A note is taken whenever a turn begins: at its first decision. The round is what the game's clock counts, which may
be turns. This is the unit a player thinks in: the decisions within a turn (what to pay, which token) are
parts of one move, and counting changes of the seat to act would make a rival's short answer a turn
of its own.

The seats know different things, so a judge that sees what the seat to move sees swings with every
turn even if nothing happens. A note is therefore the mean of its last estimates for the two seats:
a spectator's estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from channel_tunnel_agents.balance.measuring.deals import chunk_deals, seat_agents
from channel_tunnel_agents.balance.measuring.game import measured_game
from channel_tunnel_agents.balance.measuring.judges import SCORE, Judge, make_judge
from channel_tunnel_agents.matches.arena import by_seat, deal_games, first_margin, first_points, play_out
from channel_tunnel_env import BatchGame, Game, Ruleset

NO_ACTION = -1


@dataclass(frozen=True)
class Traces:
    """G games with their notes from the left; entries after a game's last note are NaN.

    Attributes:
        chance: (G, T) the first seat's chance of winning, 0..1.
        lead: (G, T) the first seat's points so far minus those of the second.
        round: (G, T) counted from 1.
        points: (G,) 1 for the first seat's win, 0.5 for a draw, 0 for a loss.
        seeds: (G,) deal seeds.
        actions: (G, D) action ids, -1 after the last.
    """

    chance: NDArray[np.float64]
    lead: NDArray[np.float64]
    round: NDArray[np.float64]
    points: NDArray[np.float64]
    seeds: NDArray[np.int64]
    actions: NDArray[np.int16]

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.points)

    @property
    def turns(self) -> NDArray[np.int64]:
        """Notes of each game (G,)."""
        return np.asarray(np.isfinite(self.lead).sum(axis=1))

    @property
    def winner_chance(self) -> NDArray[np.float64]:
        """The eventual winner's chance (G, T); all NaN in a drawn game."""
        won, lost = self.points[:, None] == 1, self.points[:, None] == 0
        return np.where(won, self.chance, np.where(lost, 1 - self.chance, np.nan))

    def record(self, row: int, ruleset: Ruleset) -> dict[str, Any]:
        """A game as a record that can be replayed; see `channel_tunnel_env.records.record`."""
        game = Game(ruleset, int(self.seeds[row]))
        for action in self.actions[row][self.actions[row] != NO_ACTION]:
            game.play(int(action))
        found: dict[str, Any] = game.record()
        return found


@dataclass(frozen=True)
class WatchTask:
    """Some deals of self-play to watch."""

    agent: str
    judge: str
    ruleset: Ruleset
    seed: int
    start: int
    stop: int


def watch(task: WatchTask) -> Traces:
    """Play and judge the games of a task. The judge `score` leaves chances NaN: see `judge_by_score`."""
    seeds = chunk_deals(task.seed, task.start, task.stop)
    batch = deal_games(seeds, task.ruleset)
    agents = seat_agents((task.agent, task.agent), task.ruleset, task.seed, task.start)
    judge = None if task.judge == SCORE else make_judge(task.judge, task.ruleset, task.seed)
    book = _Notebook(batch, judge, measured_game(task.ruleset).turn_phase)
    play_out(batch, by_seat(batch, *agents), book.note)
    return book.traces(seeds)


class _Notebook:
    """Takes the notes at each step of a batch.

    Args:
        judge: None: chances stay NaN.
        turn_phase: see `MeasuredGame`.
    """

    def __init__(self, batch: BatchGame, judge: Judge | None, turn_phase: int | None) -> None:
        self._batch = batch
        self._judge = judge
        self._turn_phase = turn_phase
        self._counted = np.zeros(batch.num_games, np.int64)  # the clock at the last note
        self._actions: list[NDArray[np.int16]] = []
        self._notes: list[NDArray[np.float64]] = []  # (4, B): chance, lead, round, seat

    def note(self, rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Take notes before a step."""
        self._actions.append(actions.astype(np.int16))
        turns = rows[self._begins(rows)]
        notes = np.full((4, self._batch.num_games), np.nan)
        if self._judge is not None and turns.size:
            notes[0, turns] = self._judge(self._batch, turns)
        notes[1, turns] = first_margin(self._batch)[turns]
        notes[2, turns] = self._clock[turns]
        notes[3, turns] = self._batch.to_play[turns]
        self._notes.append(notes)

    @property
    def _clock(self) -> NDArray[Any]:
        clock: NDArray[Any] = self._batch.states[self._batch.spec.record.clock[0]]
        return clock

    def _begins(self, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether a turn begins with the decision that is due in each row."""
        if self._turn_phase is not None:
            return np.asarray(self._batch.states["phase"][rows] == self._turn_phase)
        begins = np.asarray(self._clock[rows] != self._counted[rows])
        self._counted[rows] = self._clock[rows]
        return begins

    def traces(self, seeds: NDArray[np.int64]) -> Traces:
        """All notes, once the games are over."""
        notes = np.stack(self._notes, axis=2)
        blank = np.isnan(notes[1])
        order = np.argsort(blank, axis=1, kind="stable")  # notes to the left, in their order
        order = order[:, : int((~blank).sum(axis=1).max())]
        chance, lead, rounds, seat = (np.take_along_axis(kind, order, axis=1) for kind in notes)
        return Traces(
            beside_the_table(chance, seat),
            lead,
            rounds,
            first_points(self._batch),
            seeds,
            np.stack(self._actions, axis=1),
        )


def beside_the_table(chance: NDArray[np.float64], seat: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of the last estimates for the two seats.

    Args:
        chance: (G, T) the first seat's chance from what the seat to move sees.
        seat: (G, T) the seat to move; NaN after the last note.
    """
    views = [pd.DataFrame(np.where(seat == side, chance, np.nan)).ffill(axis=1).to_numpy() for side in range(2)]
    known = np.isfinite(views)
    total = np.where(known, views, 0.0).sum(axis=0)
    with np.errstate(invalid="ignore"):
        return np.where(np.isfinite(chance), total / known.sum(axis=0), np.nan)


def join(parts: Sequence[Traces]) -> Traces:
    """Concatenate the traces of several tasks, in the order given."""
    joined: dict[str, Any] = {}
    for field in fields(Traces):
        arrays = [getattr(part, field.name) for part in parts]
        if arrays[0].ndim == 2:
            blank = NO_ACTION if field.name == "actions" else np.nan
            width = max(array.shape[1] for array in arrays)
            arrays = [np.pad(a, ((0, 0), (0, width - a.shape[1])), constant_values=blank) for a in arrays]
        joined[field.name] = np.concatenate(arrays)
    return Traces(**joined)


# --- the judge that uses the points only ------------------------------------------------------------


def judge_by_score(traces: Traces, fitted: Traces) -> NDArray[np.float64]:
    """The first seat's chance at every note by a logistic model of lead and round.

    logit P = a + b lead + c round + d lead round; d allows a late lead to count for more. A slight ridge penalty, worth
    one game in total, keeps it finite where a few games all went to the leader.

    Args:
        traces: games to judge.
        fitted: others, which the model is fitted to: otherwise the figures of the judged ones would share the randomness
            of the fit, which no interval over games can show.

    Returns:
        (G, T); NaN after a game's last note.
    """
    model = GLM(np.repeat(fitted.points, fitted.turns), _design(fitted), family=Binomial())
    with np.errstate(over="ignore"):  # of a chance that is 0 or 1 as nearly as a float can tell
        coefficients = np.asarray(model.fit_regularized(alpha=1 / fitted.games, L1_wt=0.0).params)
    chance = np.full(traces.lead.shape, np.nan)
    chance[np.isfinite(traces.lead)] = expit(_design(traces) @ coefficients)
    return chance


def _design(traces: Traces) -> NDArray[np.float64]:
    """One row per note: 1, lead, round, lead times round."""
    there = np.isfinite(traces.lead)
    lead, rounds = traces.lead[there], traces.round[there]
    return np.column_stack([np.ones(lead.size), lead, rounds, lead * rounds])
