"""A ruleset made ready to be played: its figures, its seats, its compiled entry points."""

from __future__ import annotations

import threading
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.core import kernels
from channel_tunnel_env.core.jit import direct
from channel_tunnel_env.core.records import new_records, records_in
from channel_tunnel_env.core.spec import RECORD_FIELDS, GameSpec
from channel_tunnel_env.errors import StateError


class LocalWork(threading.local):
    """One workspace per thread, shared by its games."""

    def __init__(self, spec: GameSpec) -> None:
        self.work = new_records(1, spec.record.work_dtype)


class Machine:
    """What the single games and the batches of one ruleset share.

    Attributes:
        spec: the game.
        ruleset: its rules.
        tables: the ruleset's figures as one read-only record.
        seats: names of the seats.
        observation_size: D.
        blank: one zeroed record.
        local: `local.work` is this thread's workspace.
        phases: the members of the enumeration of the game's phases, by number.
        action_names: by id.
        outcome: how the game ends; at hand, because games ask for it at every decision.
    """

    def __init__(self, spec: GameSpec, ruleset: Any) -> None:
        missing = set(RECORD_FIELDS) - set(spec.record.dtype.names or ())
        if missing:
            raise TypeError(f"{spec.name}: the record lacks {', '.join(sorted(missing))}")
        self.spec = spec
        self.ruleset = ruleset
        self.tables = spec.rules.make_tables([ruleset])
        self.seats = spec.seats.names(ruleset)
        self.num_seats = len(self.seats)
        self.observation_size = spec.observation.size(ruleset)
        self.blank = self.new_states(1)  # laid over a record to clear it (see `rows.clear_row`)
        self.local = _local_work(spec)
        self._record = spec.record.dtype, spec.record.dtype.itemsize
        kinds = phases_of(spec)
        self.phases = [kinds(name) for name in spec.record.phases]
        self.action_names = spec.actions.names
        self.outcome = spec.outcome
        # One argument of each type, exactly as games pass them: `direct` checks no types.
        sample = (self.new_states(1), 0, self.tables)
        masks = np.zeros((1, spec.actions.count), np.int8)
        scores = np.zeros((1, len(self.seats), len(spec.outcome.score_sources) + 1), np.int16)
        seen = np.zeros((1, self.observation_size), np.float32)
        work = self.local.work
        self._samples: dict[str, tuple[Any, ...]] = {
            "run_game": (*sample, 0, 0, self.blank, work, masks),
            "copy_game": (sample[0], 0, sample[0], 0),
            "observe_game": (*sample, 0, work, seen),
            "score_batch": (sample[0], self.tables, scores),
            "result_game": (*sample, np.zeros((1, len(self.seats)), np.float32)),
            "determinize_game": (*sample, 0, 0, work),
        }

    def __getattr__(self, name: str) -> Any:
        """A kernel of `core.kernels` for one game without type dispatch (see `jit.direct`)."""
        # Through `__dict__`: before it is set, `self._samples` would come back here without end.
        samples = self.__dict__.get("_samples", {})
        if name not in samples:
            raise AttributeError(name)
        code = direct(getattr(kernels, name), *samples[name])
        setattr(self, name, code)  # from now on it is found without this method
        return code

    def new_states(self, count: int) -> np.ndarray:
        """`count` zeroed records."""
        return new_records(count, self.spec.record.dtype)

    def copy_states(self, states: NDArray[Any]) -> NDArray[Any]:
        """A copy of an array of one record."""
        dtype, size = self._record
        copy = records_in(bytearray(size), dtype)
        self.copy_game(states, 0, copy, 0)
        return copy

    def possible_state(self, source: Any) -> NDArray[Any]:
        """A checked copy of one state given by a caller, as an array of one.

        Raises:
            StateError: play under the ruleset cannot reach the state, or `source` holds no state.
        """
        states = load_states(self.spec, source, 1)
        states["ruleset"] = 0  # `tables` holds one ruleset
        check_states(self.spec, states, self.tables)
        return states


@lru_cache(maxsize=64)
def machine_of(ruleset: Any) -> Machine:
    """The machine of a ruleset; rulesets that are equal share one."""
    return Machine(ruleset.spec, ruleset)


_local_work = cache(LocalWork)  # by game: its shape is the same under every ruleset


@cache
def phases_of(spec: GameSpec) -> type[StrEnum]:
    """The enumeration of a game's phases."""
    phases: Any = StrEnum("Phase", list(spec.record.phases))  # type: ignore[misc]
    phases.__doc__ = "The kind of decision a game waits for."
    return phases


# --- records from outside -----------------------------------------------------------------------


def load_states(spec: GameSpec, source: Any, count: int) -> NDArray[Any]:
    """A fresh, unchecked array of `count` states from an array or from bytes.

    Args:
        spec: the game.
        source: an array of states (count,), or its `tobytes()` as bytes or a uint8 array.

    Raises:
        StateError: wrong type, number or size.
    """
    if isinstance(source, np.ndarray) and source.dtype == spec.record.dtype:
        if source.shape != (count,):
            raise StateError(f"states of shape {source.shape}; expected ({count},)")
        content = np.ascontiguousarray(source).tobytes()
    elif isinstance(source, np.ndarray) and source.dtype == np.uint8:
        content = source.tobytes()
    elif isinstance(source, bytes | bytearray | memoryview):
        content = bytes(source)
    else:
        what = source.dtype if isinstance(source, np.ndarray) else type(source).__name__
        raise StateError(f"{what}: states must be an array of records of the game {spec.name}, or its bytes")
    expected = count * spec.record.dtype.itemsize
    if len(content) != expected:
        raise StateError(f"{len(content)} bytes; {count} states of this version need {expected}")
    states = new_records(count, spec.record.dtype)
    states[:] = np.frombuffer(content, spec.record.dtype)  # only the fields: the bytes between them are arbitrary
    return states


def check_states(spec: GameSpec, states: NDArray[Any], tables: NDArray[Any], where: str = "row") -> None:
    """Refuse states that no play can reach.

    Args:
        spec: the game.
        states: (B,), as `load_states` makes them; any content.
        tables: the rulesets' figures, (R,).
        where: what the message calls an entry of `states`.

    Raises:
        StateError: names the first such entry and what does not hold.
    """
    faults = spec.record.find_faults(states, tables, True)  # True: they come from outside
    wrong = np.flatnonzero(faults)
    if wrong.size:
        row = int(wrong[0])
        named = f"{where} {row}: " if len(states) > 1 else ""
        raise StateError(f"{named}not a possible state: {fault_words(spec, int(faults[row]))}")


def fault_words(spec: GameSpec, fault: int) -> str:
    """A broken invariant in words."""
    return f"invariant {fault} does not hold ({spec.record.invariants[fault]})"
