"""One game of any kind: legal actions by name, play, observe, score, copy, save."""

from __future__ import annotations

import copy
import operator
from enum import StrEnum
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.core.kernels import OVER_NOW, PLAY, REFUSED, SETTLE, START
from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.core.whole_numbers import check_seed, given_seed, whole_number
from channel_tunnel_env.errors import GameOverError, IllegalActionError, RecordError, StateError


class Game:
    """A game at its next real decision, or over.

    Args:
        ruleset: of the class's game.
        seed: 0 .. 2**63 - 1; the same seed deals the same luck regardless of what is played. None: random.

    Raises:
        ValueError: a wrong seed, or a ruleset of another game.
    """

    __slots__ = ("_actions", "_last_seat", "_luck", "_machine", "_mask", "_masks", "_now", "_start", "_states")

    game_name: ClassVar[str | None] = None
    """The only game that the class plays; None: any."""
    _mask: NDArray[np.int8]

    def __init__(self, ruleset: Any, seed: int | None = None) -> None:
        self._prepare(ruleset)
        self._states = self._machine.new_states(1)
        self.reset(seed)

    def _prepare(self, ruleset: Any) -> None:
        if self.game_name not in (None, ruleset.spec.name):
            raise ValueError(
                f"ruleset {ruleset.name}: of the game {ruleset.spec.name}; this class plays {self.game_name}"
            )
        self._machine = machine_of(ruleset)
        self._masks = np.zeros((1, ruleset.spec.actions.count), np.int8)

    def reset(self, seed: int | None = None) -> Self:
        """Set up a new game in place.

        Args:
            seed: 0 .. 2**63 - 1; the same seed deals the same luck. None: random.

        Returns:
            The game itself.

        Raises:
            ValueError: the seed is out of range.
        """
        number = check_seed(seed)  # first: a wrong seed leaves the game as it was
        self._run(START, number)
        self._start: NDArray[Any] | None = None  # a record's start is the seed, unless set here
        self._actions: list[int] = []
        self._last_seat: int | None = None  # the seat that took the last of `_actions`
        self._luck: dict[int, Any] = {}  # luck from a record, by ply
        return self

    @classmethod
    def from_states(cls, states: NDArray[Any], ruleset: Any) -> Self:
        """A game that owns a copy of a one-record array; decisions with one answer are resolved.

        Raises:
            StateError: wrong shape or type, or a state that play cannot reach.
        """
        return cls.adopt(machine_of(ruleset).possible_state(states), ruleset)

    @classmethod
    def adopt(cls, states: NDArray[Any], ruleset: Any) -> Self:
        """`from_states` for a state known to be possible: no check, and the array is not copied."""
        game = object.__new__(cls)
        game._prepare(ruleset)
        game._states = states
        game._states["ruleset"] = 0  # this game's tables hold one ruleset
        # The start is the state as it was given: `restart` settles a copy of it again.
        game._start = game._machine.copy_states(game._states)
        game._actions = []
        game._last_seat = None
        game._luck = {}
        game._run(SETTLE, 0)
        return game

    @classmethod
    def from_play(cls, states: NDArray[Any], ruleset: Any, actions: list[int]) -> Self:
        """A game that a batch has played, with its decisions, as if they had been taken here.

        Args:
            states: the current state, a one-record array; copied.
            ruleset: its rules.
            actions: ids of all decisions since the set-up from the seed. They are not replayed
                here; `record` refuses them if they do not fit the game.

        Raises:
            StateError: as for `from_states`, or an invalid action id.
        """
        game = cls.from_states(states, ruleset)
        game._start, game._actions = None, _action_ids(actions, ruleset.spec)  # None: dealt from its seed
        return game

    @classmethod
    def as_found(cls, states: NDArray[Any], ruleset: Any) -> Self:
        """An unchecked copy of one record, possible or not; for inspection, not for play."""
        game = cls(ruleset, 0)  # what it deals is replaced
        game._states[:] = states
        game._masks[:] = 0  # an impossible state offers no action
        return game

    def _run(self, command: int, argument: int, work: NDArray[Any] | None = None) -> bool:
        """Run a command of `kernels.run_game`; `work` is given to record luck or play it back."""
        machine = self._machine
        now = machine.run_game(
            self._states,
            0,
            machine.tables,
            command,
            argument,
            machine.blank,
            machine.local.work if work is None else work,
            self._masks,
        )
        if now == REFUSED:
            return False  # the record and `_now` are as they were
        self._now = now  # the seat to play, or OVER_NOW
        return True

    # --- current state --------------------------------------------------------------------------

    @property
    def spec(self) -> GameSpec:
        """What is known of the game as such: names, sizes, sources of luck."""
        return self._machine.spec

    @property
    def ruleset(self) -> Any:
        """The rules that are played."""
        return self._machine.ruleset

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, in order."""
        return self._machine.seats

    @property
    def state(self) -> Any:
        """The record itself; do not write to it."""
        return self._states.view(np.recarray)[0]

    @property
    def states(self) -> NDArray[Any]:
        """The record as an array of one, for kernels, `from_states` and `BatchGame.restore`."""
        return self._states

    @property
    def tables(self) -> np.recarray:
        """The ruleset's figures for kernels: an array of one, read-only."""
        return self._machine.tables

    @property
    def start(self) -> NDArray[Any] | None:
        """A copy of the first record, an array of one, if the game was not dealt from its seed; else None."""
        return None if self._start is None else self._start.copy()

    @property
    def seed(self) -> int:
        """The seed the game was set up with."""
        return int(self._states["seed"][0])

    @property
    def is_over(self) -> bool:
        """The game has ended."""
        return bool(self._now == OVER_NOW)

    @property
    def phase(self) -> StrEnum:
        """The kind of decision at hand."""
        return self._machine.phases[int(self._states["phase"][0])]

    @property
    def to_play(self) -> str | None:
        """The seat to decide, by name; None when the game is over."""
        return None if self._now == OVER_NOW else self._machine.seats[self._now]

    @property
    def mover(self) -> int:
        """The number of the seat to play; when the game is over, of the seat that played last."""
        now = self._now
        return now if now != OVER_NOW else int(self._states["to_play"][0])

    @property
    def winner(self) -> str | None:
        """The winner's seat; None while the game goes on, or if no seat or several win."""
        winner = int(self._states["winner"][0])
        machine = self._machine
        return None if winner in (-1, machine.outcome.draw) else machine.seats[winner]  # -1: it goes on

    @property
    def end_cause(self) -> str | None:
        """Why the game ended, one of the game's `end_causes`; None before."""
        causes = self._machine.outcome.end_causes
        return causes[int(self._states["end_cause"][0])] if self.is_over else None

    @property
    def is_stopped(self) -> bool:
        """The game was stopped because it made no progress; it is scored."""
        first = self._machine.outcome.first_stop
        return self.is_over and first is not None and int(self._states["end_cause"][0]) >= first

    @property
    def actions(self) -> list[str]:
        """Names of the decisions taken so far, without forced ones."""
        names = self._machine.action_names
        return [names[action] for action in self._actions]

    @property
    def action_ids(self) -> list[int]:
        """Ids of the decisions taken so far, without forced ones."""
        return self._actions.copy()

    @property
    def last_decision(self) -> tuple[str | None, str] | None:
        """The seat that decided last and the name of its action; None before the first decision.

        The seat is None in games that were saved without it.
        """
        if not self._actions:
            return None
        seat = None if self._last_seat is None else self.seats[self._last_seat]
        return seat, self._machine.action_names[self._actions[-1]]

    # --- playing --------------------------------------------------------------------------------

    @property
    def mask(self) -> NDArray[np.int8]:
        """int8[A], 1 where legal: a live view, read-only; all 0 when the game is over."""
        try:
            view: NDArray[np.int8] = self._mask
        except AttributeError:  # asked for the first time
            self._mask = view = self._masks[0]
            view.setflags(write=False)
        return view

    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """bool[A], a copy; all False when the game is over."""
        mask: NDArray[np.bool_] = self._masks[0].astype(np.bool_)
        return mask

    def legal_ids(self) -> list[int]:
        """The legal actions' ids, ascending; empty when the game is over."""
        ids: list[int] = np.flatnonzero(self._masks[0].view(np.bool_)).tolist()  # quicker than int8
        return ids

    def legal_actions(self) -> list[str]:
        """The legal actions' names, in the order of their ids; empty when the game is over."""
        names = self._machine.action_names
        return [names[i] for i in self.legal_ids()]

    def play(self, action: str | int) -> Self:
        """Take a legal action.

        Args:
            action: its name or its id, 0 .. A - 1.

        Returns:
            The game itself.

        Raises:
            IllegalActionError: the action is unknown or illegal; the message says why, the game is unchanged.
            GameOverError: the game has ended.
        """
        number = self._number(action) if isinstance(action, str) else self._id(action)
        seat = self._now  # before the action: then another may be to play
        if not 0 <= number < self._masks.size or not self._run(PLAY, number):
            raise self._refusal(number)
        self._actions.append(number)
        self._last_seat = seat
        return self

    def explain(self, action: str | int) -> str:
        """Why an action is not legal now.

        Args:
            action: its name or its id.

        Returns:
            The reason in words; "" if the action is legal.

        Raises:
            IllegalActionError: no action has this name.
        """
        number = self._number(action) if isinstance(action, str) else operator.index(action)
        legal = 0 <= number < self._masks.size and self._masks[0, number]
        return "" if legal else str(self._refusal(number))

    def _number(self, name: str) -> int:
        return self._machine.spec.actions.id_of(name)

    @staticmethod
    def _id(action: Any) -> int:
        try:
            return operator.index(action)
        except TypeError:
            raise IllegalActionError(f"action {action!r:.80}: a name, or a whole number, is expected") from None

    def _refusal(self, action: int) -> IllegalActionError:
        spec, machine = self.spec, self._machine
        if not 0 <= action < self._masks.size:
            return IllegalActionError(f"action {action}: ids run from 0 to {self._masks.size - 1}")
        if self.is_over:
            return GameOverError(
                f"{machine.action_names[action]!r} is not legal: the game is over ({self.end_cause}, "
                f"winner: {self.winner or 'nobody'})"
            )
        clock, word = spec.record.clock
        return IllegalActionError(
            f"{spec.actions.describe_refusal(self._states, 0, machine.tables, action)} ({self.to_play} to "
            f"play, {word} {int(self._states[clock][0])})"
        )

    def observation(self, viewer: str | int | None = None) -> NDArray[np.float32]:
        """What a seat sees.

        Args:
            viewer: a seat, by name or number; None is the seat to play.

        Returns:
            float32 (D,), a fresh array; its values lie within the bounds of the ruleset's observations.

        Raises:
            ValueError: there is no such seat.
        """
        machine = self._machine
        if viewer is None:
            seat = self.mover
        elif viewer.__class__ is int and 0 <= viewer < machine.num_seats:  # the usual case, without a call
            seat = viewer
        else:
            seat = self.seat_index(viewer)
        out = np.empty((1, machine.observation_size), np.float32)  # the kernel writes every number
        machine.observe_game(self._states, 0, machine.tables, seat, machine.local.work, out)
        seen: NDArray[np.float32] = out[0]
        return seen

    def result(self) -> tuple[float, ...]:
        """What each seat gets.

        Returns:
            One number per seat, in order, the reward of the environments: between two seats 1, -1 or 0. Zeros until the
            end.
        """
        machine = self._machine
        out = np.zeros((1, len(machine.seats)), np.float32)
        machine.result_game(self._states, 0, machine.tables, out)
        return tuple(out[0].tolist())

    def scores(self) -> dict[str, dict[str, int]]:
        """Current points of every seat.

        Returns:
            seat -> source -> points, with the sum as `total`.
        """
        machine = self._machine
        out = np.zeros((1, len(machine.seats), len(machine.outcome.score_sources) + 1), np.int16)
        machine.score_batch(self._states, machine.tables, out)
        by_source = machine.outcome.by_source(out[0])
        return {
            seat: {name: int(points[k]) for name, points in by_source.items()} for k, seat in enumerate(machine.seats)
        }

    def seat_index(self, seat: str | int) -> int:
        """The number of a seat.

        Args:
            seat: its name, or its number, which is returned as it is.

        Returns:
            0 .. S - 1.

        Raises:
            ValueError: there is no such seat.
        """
        names = self._machine.seats
        if not isinstance(seat, str) and seat in range(len(names)):
            return int(seat)
        if seat in names:
            return names.index(str(seat))
        raise ValueError(f"seat {seat!r}: allowed: {', '.join(names)}")

    # --- recorded luck (see `record`) -------------------------------------------------------------

    def restart(self, work: NDArray[Any]) -> None:
        """Go back to the first decision.

        Args:
            work: a workspace that records the luck or plays it back.
        """
        if self._start is None:
            self._run(START, self.seed, work)
        else:
            self._states = self._machine.copy_states(self._start)  # a copy: the start is needed again
            self._run(SETTLE, 0, work)
        self._actions, self._last_seat, self._luck = [], None, {}

    def play_with(self, action: int, work: NDArray[Any]) -> None:
        """`play` for an id, with a workspace as for `restart`."""
        seat = self._now
        if not self._run(PLAY, action, work):
            raise self._refusal(action)
        self._actions.append(action)
        self._last_seat = seat

    def remember_luck(self, ply: int, entries: list[tuple[str, list[str]]]) -> None:
        """Remember luck from a record, so that a record of this game holds it too.

        Args:
            ply: the number of decisions before this luck.
            entries: (stream, names) of shuffles and draws.
        """
        self._luck[ply] = copy.deepcopy(entries)  # the caller may go on changing its lists

    @property
    def given_luck(self) -> dict[int, list[tuple[str, list[str]]]]:
        """The luck passed to `remember_luck`, by ply, a copy; empty if all luck came from the streams."""
        return copy.deepcopy(self._luck)

    def start_position(self) -> dict[str, Any]:
        """The first record as a position, for `record`.

        Raises:
            RecordError: the game has no positions.
        """
        raise RecordError(
            f"this game was not dealt from its seed, and {self.spec.name} has no positions to say how it began"
        )

    # --- copies ---------------------------------------------------------------------------------

    def clone(self, actions: list[int] | None = None) -> Self:
        """An independent copy that continues identically, luck included.

        Args:
            actions: ids that the copy reports as the decisions so far; None: this game's own.
        """
        kind = type(self)
        copy = object.__new__(kind)  # the constructor would deal a game first
        copy._machine = self._machine
        copy._states = self._machine.copy_states(self._states)
        # `_mask` is left out: it would be a view of this game's masks.
        copy._masks = self._masks.copy()
        copy._start = self._start  # shared: it is only ever copied
        copy._actions = (self._actions if actions is None else actions).copy()
        copy._last_seat = self._last_seat
        copy._luck = self._luck.copy()  # its entries go in and out as deep copies
        copy._now = self._now
        return copy

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def determinize(self, viewer: str | int, seed: int) -> Self:
        """A copy in which all that a seat cannot know is dealt again, future luck included.

        Args:
            viewer: the seat, by name or number.
            seed: of the new deal, 0 .. 2**63 - 1.

        Returns:
            A game that looks the same to that seat.

        Raises:
            ValueError: there is no such seat, or the seed is out of range.
        """
        machine = self._machine
        states, seat = machine.copy_states(self._states), self.seat_index(viewer)
        machine.determinize_game(states, 0, machine.tables, seat, given_seed(seed), machine.local.work)
        return self.adopt(states, self.ruleset)  # no check: a possible state is dealt again as one

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
        # A pickle may hold anything, so nothing in it is taken for granted.
        if getattr(getattr(ruleset, "spec", None), "name", None) != self.game_name:
            raise StateError(f"a saved game of ruleset {ruleset!r:.60}")
        self._prepare(ruleset)
        if last_seat is not None and last_seat not in range(len(self.seats)):
            raise StateError(f"a saved game of ruleset {ruleset!r:.60}, last seat {last_seat!r:.60}")
        self._states = self._machine.possible_state(saved.get("states"))
        start = saved.get("start")
        self._start = None if start is None else self._machine.possible_state(start)
        self._actions = _action_ids(saved.get("actions"), self.spec)
        self._last_seat = last_seat
        self._luck = dict(saved.get("luck") or {})
        self._run(SETTLE, 0)

    def __repr__(self) -> str:
        now = f"over ({self.end_cause})" if self.is_over else f"{self.to_play} to answer {self.phase}"
        clock, word = self.spec.record.clock
        when = f"{word} {int(self._states[clock][0])}"
        return f"<{type(self).__name__} {self.ruleset.name} seed={self.seed} {when}: {now}>"


def _action_ids(actions: Any, spec: GameSpec) -> list[int]:
    """A list of action ids as plain ints.

    Raises:
        StateError: `actions` is not a list of action ids.
    """
    if not isinstance(actions, list):
        raise StateError(f"the actions so far must be a list of ids, not {type(actions).__name__}")
    try:
        return [whole_number(action, "action", 0, spec.actions.count - 1) for action in actions]
    except ValueError as error:
        raise StateError(str(error)) from None
