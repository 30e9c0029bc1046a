"""The core of a game: legal actions by name, play, observe, score, copy, save.

`game.Game` adds what is built on it: positions, records, text and pictures.
"""

from __future__ import annotations

import operator
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.engine import kernels
from channel_tunnel_env.engine.actions import ACTION_NAMES, NUM_ACTIONS, action_id
from channel_tunnel_env.engine.constants import (
    DISC_STREAM,
    DRAW,
    END_CAUSES,
    FIRST_STOP,
    NUM_SEATS,
    PHASES,
    SEATS,
    STREAMS,
)
from channel_tunnel_env.engine.jit import direct
from channel_tunnel_env.engine.observation import OBSERVATION_SIZE
from channel_tunnel_env.engine.scoring import NUM_SCORE_SOURCES, SCORE_SOURCES
from channel_tunnel_env.engine.state import new_states
from channel_tunnel_env.engine.tables import make_tables
from channel_tunnel_env.engine.workspace import new_workspaces
from channel_tunnel_env.errors import GameOverError, IllegalActionError, StateError
from channel_tunnel_env.explain import describe_refusal
from channel_tunnel_env.ruleset import AnyRuleset, Ruleset, load_ruleset
from channel_tunnel_env.validation import LOCAL, check_states, load_states, whole_number

Phase = StrEnum("Phase", list(PHASES))  # type: ignore[misc]
Phase.__doc__ = "The kind of decision a game waits for."

MAX_SEED = 2**63 - 1
BLANK = new_states(1)
NO_ACTIONS = np.zeros(0, np.int64)


@lru_cache(maxsize=64)
def tables_of(ruleset: Ruleset) -> np.recarray:
    """The ruleset's figures as one read-only record for the kernels."""
    return make_tables([ruleset])


@cache
def machine_code(name: str) -> Any:
    """A one-game kernel without type dispatch, for a game's own buffers (see `jit.direct`)."""
    states, tables, work = new_states(1), tables_of(load_ruleset()), new_workspaces(1)
    masks = np.zeros((1, NUM_ACTIONS), np.int8)
    samples: dict[str, tuple[Any, ...]] = {
        "run_game": (states, 0, tables, 0, 0, BLANK, work, masks),
        "write_luck": (states, 0, tables, 0, NO_ACTIONS, 0, BLANK, work, np.zeros(1, np.int32)),
        "copy_game": (states, 0, states, 0),
        "observe_game": (states, 0, tables, 0, work, np.zeros((1, OBSERVATION_SIZE), np.float32)),
        "score_game": (states, 0, tables, np.zeros((NUM_SEATS, NUM_SCORE_SOURCES + 1), np.int16)),
        "determinize_game": (states, 0, tables, 0, 0, work),
    }
    return direct(getattr(kernels, name), *samples[name])


def copy_states(states: NDArray[Any]) -> NDArray[Any]:
    """A copy of an array of one record."""
    copy = new_states(1)
    machine_code("copy_game")(states, 0, copy, 0)
    return copy


def _possible_state(source: Any, tables: NDArray[Any]) -> NDArray[Any]:
    """A checked copy of one state given by a caller, as an array of one.

    Raises:
        StateError: play under the ruleset cannot reach the state, or `source` holds no state.
    """
    states = load_states(source, 1)
    states["ruleset"] = 0
    check_states(states, tables)
    return states


def check_seed(seed: int | None) -> int:
    """A valid seed, 0 .. 2**63 - 1; None draws one from the operating system.

    Raises:
        ValueError: the seed is out of range.
    """
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> np.uint64(1))
    seed = operator.index(seed)
    if not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed {seed}: seeds run from 0 to 2**63 - 1")
    return seed


def _action_ids(actions: Any) -> list[int]:
    """A list of action ids as plain ints.

    Raises:
        StateError: `actions` is not a list of action ids.
    """
    if not isinstance(actions, list):
        raise StateError(f"the actions so far must be a list of ids, not {type(actions).__name__}")
    try:
        return [whole_number(action, "action", 0, NUM_ACTIONS - 1) for action in actions]
    except ValueError as error:
        raise StateError(str(error)) from None


def seat_index(side: str | int) -> int:
    """0 for "britain", 1 for "france"; seats 0 and 1 are returned as they are.

    Raises:
        ValueError: `side` is none of these.
    """
    if side in (0, 1):
        return int(side)
    if side in SEATS:
        return SEATS.index(str(side))
    raise ValueError(f"side {side!r}: allowed: britain, france")


class BareGame:
    """A game at its next real decision, or over.

    Args:
        ruleset: a name ("standard", "agenda", "tiny"), a path to YAML, an overlay dict or a Ruleset.
        seed: 0 .. 2**63 - 1; the same seed deals the same decks whatever is played. None: random.

    Raises:
        RulesetError: a wrong ruleset.
        ValueError: a wrong seed.
    """

    __slots__ = (
        "_actions",
        "_last_seat",
        "_luck",
        "_masks",
        "_now",
        "_start",
        "_states",
        "_tables",
        "ruleset",
    )

    def __init__(self, ruleset: AnyRuleset = "standard", seed: int | None = None) -> None:
        self.ruleset = load_ruleset(ruleset)
        self._tables = tables_of(self.ruleset)
        self._states = new_states(1)
        self._masks = np.zeros((1, NUM_ACTIONS), np.int8)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> Self:
        """Set up a new game in place; returns the game itself."""
        number = check_seed(seed)
        self._run(kernels.START, number)
        self._start: NDArray[Any] | None = None  # a record's start is the seed, unless set here
        self._actions: list[int] = []
        self._last_seat: int | None = None  # the seat that took the last of `_actions`
        self._luck: dict[int, Any] = {}  # luck from a record, by ply
        return self

    @classmethod
    def from_states(cls, states: NDArray[Any], ruleset: Ruleset) -> Self:
        """A game that owns a copy of a one-record array; decisions with one answer are resolved.

        Raises:
            StateError: wrong shape or type, or a state that play cannot reach.
        """
        return cls.adopt(_possible_state(states, tables_of(ruleset)), ruleset)

    @classmethod
    def adopt(cls, states: NDArray[Any], ruleset: Ruleset) -> Self:
        """`from_states` for a state known to be possible: no check, and the array is not copied."""
        game = cls.__new__(cls)
        game.ruleset = ruleset
        game._tables = tables_of(ruleset)
        game._states = states
        game._states["ruleset"] = 0
        game._start = copy_states(game._states)
        game._actions = []
        game._last_seat = None
        game._luck = {}
        game._masks = np.zeros((1, NUM_ACTIONS), np.int8)
        game._run(kernels.SETTLE, 0)
        return game

    @classmethod
    def from_play(cls, states: NDArray[Any], ruleset: Ruleset, actions: list[int]) -> Self:
        """A game that a batch has played, with its decisions, as if they had been taken here.

        Args:
            states: the current state, a one-record array; copied.
            actions: ids of all decisions since the set-up from the seed. They are not replayed
                here; `record` refuses them if they do not fit the game.

        Raises:
            StateError: as for `from_states`, or an invalid action id.
        """
        game = cls.from_states(states, ruleset)
        game._start, game._actions = None, _action_ids(actions)
        return game

    @classmethod
    def as_found(cls, states: NDArray[Any], ruleset: Ruleset) -> Self:
        """An unchecked copy of one record, possible or not; for inspection, not for play."""
        game = cls(ruleset, 0)
        game._states[:] = states
        game._masks[:] = 0
        return game

    def _run(self, command: int, argument: int, work: NDArray[Any] | None = None) -> bool:
        """Run a command of `kernels.run_game`; `work` is given to record luck or play it back."""
        now = machine_code("run_game")(
            self._states,
            0,
            self._tables,
            command,
            argument,
            BLANK,
            LOCAL.work if work is None else work,
            self._masks,
        )
        if now == kernels.REFUSED:
            return False
        self._now = now  # the seat to play, or OVER_NOW
        return True

    # --- current state --------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The record itself (see `engine.state`); do not write to it."""
        return self._states.view(np.recarray)[0]

    @property
    def states(self) -> NDArray[Any]:
        """The record as an array of one, for kernels, `from_states` and `BatchGame.restore`."""
        return self._states

    @property
    def tables(self) -> np.recarray:
        """The ruleset's figures for kernels: an array of one (see `engine.tables`), read-only."""
        return self._tables

    @property
    def start(self) -> NDArray[Any] | None:
        """The first record, an array of one, if the game was not dealt from its seed; else None."""
        return self._start

    @property
    def seed(self) -> int:
        """The seed the game was set up with."""
        return int(self._states["seed"][0])

    @property
    def is_over(self) -> bool:
        """The game has ended."""
        return bool(self._now == kernels.OVER_NOW)

    @property
    def phase(self) -> Phase:
        """The kind of decision at hand."""
        return Phase(PHASES[int(self._states["phase"][0])])

    @property
    def to_play(self) -> str | None:
        """The side to decide, "britain" or "france"; None when the game is over."""
        return None if self._now == kernels.OVER_NOW else SEATS[self._now]

    @property
    def mover(self) -> int:
        """The seat to play, 0 Britain or 1 France; when the game is over, the seat that played last."""
        now = self._now
        return now if now != kernels.OVER_NOW else int(self._states["to_play"][0])

    @property
    def round(self) -> int:
        """The round, from 1."""
        return int(self._states["round_no"][0])

    @property
    def winner(self) -> str | None:
        """ "britain" or "france"; None while the game goes on and after a draw."""
        winner = int(self._states["winner"][0])
        return SEATS[winner] if 0 <= winner < DRAW else None

    @property
    def end_cause(self) -> str | None:
        """ "centre", "deviation", "max_rounds", "empty_rounds", "dead_position"; None before."""
        return END_CAUSES[int(self._states["end_cause"][0])] if self.is_over else None

    @property
    def is_stopped(self) -> bool:
        """The game was stopped because it made no progress; it is scored (rules A56)."""
        return self.is_over and int(self._states["end_cause"][0]) >= FIRST_STOP

    @property
    def actions(self) -> list[str]:
        """Names of the decisions taken so far, without forced ones."""
        return [ACTION_NAMES[action] for action in self._actions]

    @property
    def action_ids(self) -> list[int]:
        """Ids of the decisions taken so far, without forced ones."""
        return self._actions.copy()

    @property
    def last_decision(self) -> tuple[str | None, str] | None:
        """The side that decided last and the name of its action; None before the first decision.

        The side is None in games that were saved without it.
        """
        if not self._actions:
            return None
        side = None if self._last_seat is None else SEATS[self._last_seat]
        return side, ACTION_NAMES[self._actions[-1]]

    # --- playing --------------------------------------------------------------------------------

    @property
    def mask(self) -> NDArray[np.int8]:
        """int8[A], 1 where legal: a live view, read-only; all 0 when the game is over."""
        view: NDArray[np.int8] = self._masks[0]
        view.flags.writeable = False
        return view

    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """bool[A], a copy; all False when the game is over."""
        mask: NDArray[np.bool_] = self._masks[0].astype(np.bool_)
        return mask

    def legal_ids(self) -> list[int]:
        """The legal ids, ascending."""
        ids: list[int] = np.flatnonzero(self._masks[0]).tolist()
        return ids

    def legal_actions(self) -> list[str]:
        """The legal actions' names."""
        return [ACTION_NAMES[i] for i in self.legal_ids()]

    def play(self, action: str | int) -> Self:
        """Take a legal action, by name or id; returns the game itself.

        Raises:
            IllegalActionError: the action is illegal; the message says why, the game is unchanged.
            GameOverError: the game has ended.
        """
        number = action_id(action) if isinstance(action, str) else operator.index(action)
        seat = self._now
        if not 0 <= number < NUM_ACTIONS or not self._run(kernels.PLAY, number):
            raise self._refusal(number)
        self._actions.append(number)
        self._last_seat = seat
        return self

    def explain(self, action: str | int) -> str:
        """Why an action is not legal now; "" if it is."""
        number = action_id(action) if isinstance(action, str) else operator.index(action)
        legal = 0 <= number < NUM_ACTIONS and self._masks[0, number]
        return "" if legal else str(self._refusal(number))

    def _refusal(self, action: int) -> IllegalActionError:
        if not 0 <= action < NUM_ACTIONS:
            return IllegalActionError(f"action {action}: ids run from 0 to {NUM_ACTIONS - 1}")
        if self.is_over:
            return GameOverError(
                f"{ACTION_NAMES[action]!r} is not legal: the game is over ({self.end_cause}, winner: "
                f"{self.winner or 'nobody'})"
            )
        return IllegalActionError(
            f"{describe_refusal(self._states, 0, self._tables, action)} ({self.to_play} to play, "
            f"round {self.round})"
        )

    def observation(self, viewer: str | int | None = None) -> NDArray[np.float32]:
        """What a seat sees: float32[D] in [0, 1], a fresh array (see `engine.observation`).

        Args:
            viewer: "britain", "france" or a seat; None is the seat to play.
        """
        seat = self.mover if viewer is None else seat_index(viewer)
        out = np.empty((1, OBSERVATION_SIZE), np.float32)
        machine_code("observe_game")(self._states, 0, self._tables, seat, LOCAL.work, out)
        seen: NDArray[np.float32] = out[0]
        return seen

    def scores(self) -> dict[str, dict[str, int]]:
        """Current points of both sides, by source and in total (rules, Final scoring)."""
        out = np.zeros((NUM_SEATS, NUM_SCORE_SOURCES + 1), np.int16)
        machine_code("score_game")(self._states, 0, self._tables, out)
        names = (*SCORE_SOURCES, "total")
        return {
            side: dict(zip(names, map(int, out[seat]), strict=True))
            for seat, side in enumerate(SEATS)
        }

    # --- recorded luck (see `record`) -------------------------------------------------------------

    def restart(self, work: NDArray[Any]) -> None:
        """Go back to the first decision.

        Args:
            work: a workspace (see `engine.workspace`) that records the luck or plays it back.
        """
        if self._start is None:
            self._run(kernels.START, self.seed, work)
        else:
            self._states = copy_states(self._start)
            self._run(kernels.SETTLE, 0, work)
        self._actions, self._last_seat, self._luck = [], None, {}

    def play_with(self, action: int, work: NDArray[Any]) -> None:
        """`play` for an id, with a workspace as for `restart`."""
        seat = self._now
        if not self._run(kernels.PLAY, action, work):
            raise self._refusal(action)
        self._actions.append(action)
        self._last_seat = seat

    def count_luck(self, ply: int, entries: list[tuple[str, list[str]]]) -> None:
        """Remember luck from a record, and advance the streams as if it had come from them.

        Args:
            ply: the number of decisions before this luck.
            entries: (stream, names) of shuffles and draws.
        """
        for stream, names in entries:
            if stream != STREAMS[DISC_STREAM]:
                self._states["rng_counter"][0, STREAMS.index(stream)] += len(names) - 1
        self._luck[ply] = entries

    @property
    def given_luck(self) -> dict[int, list[tuple[str, list[str]]]]:
        """The luck passed to `count_luck`, by ply; empty if all luck came from the streams."""
        return self._luck

    # --- copies ---------------------------------------------------------------------------------

    def clone(self, actions: list[int] | None = None) -> Self:
        """An independent copy that continues identically, luck included.

        Args:
            actions: ids that the copy reports as the decisions so far; None: this game's own.
        """
        kind = type(self)
        copy = kind.__new__(kind)
        copy.ruleset = self.ruleset
        copy._tables = self._tables
        copy._states = copy_states(self._states)
        copy._masks = self._masks.copy()
        copy._start = self._start
        copy._actions = (self._actions if actions is None else actions).copy()
        copy._last_seat = self._last_seat
        copy._luck = self._luck.copy()
        copy._now = self._now
        return copy

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def determinize(self, viewer: str | int, seed: int) -> Self:
        """A copy in which all that `viewer` cannot know is dealt again, future luck included."""
        states = copy_states(self._states)
        machine_code("determinize_game")(
            states, 0, self._tables, seat_index(viewer), check_seed(seed), LOCAL.work
        )
        return self.adopt(states, self.ruleset)

    def __getstate__(self) -> dict[str, Any]:
        return {
            "ruleset": self.ruleset,
            "states": self._states.tobytes(),
            "start": None if self._start is None else self._start.tobytes(),
            "actions": self._actions,
            "last_seat": self._last_seat,
            "luck": self._luck,
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Raises StateError if the pickle holds a state that play cannot reach."""
        ruleset, last_seat = saved.get("ruleset"), saved.get("last_seat")
        if not isinstance(ruleset, Ruleset) or last_seat not in (None, 0, 1):
            raise StateError(
                f"a saved game of ruleset {ruleset!r:.60}, last seat {last_seat!r:.60}"
            )
        self.ruleset = ruleset
        self._tables = tables_of(ruleset)
        self._states = _possible_state(saved.get("states"), self._tables)
        start = saved.get("start")
        self._start = None if start is None else _possible_state(start, self._tables)
        self._actions = _action_ids(saved.get("actions"))
        self._last_seat = last_seat
        self._luck = dict(saved.get("luck") or {})
        self._masks = np.zeros((1, NUM_ACTIONS), np.int8)
        self._run(kernels.SETTLE, 0)

    def __repr__(self) -> str:
        now = (
            f"over ({self.end_cause})" if self.is_over else f"{self.to_play} to answer {self.phase}"
        )
        return f"<{type(self).__name__} {self.ruleset.name} seed={self.seed} round {self.round}: {now}>"
