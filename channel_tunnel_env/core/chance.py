"""Luck made explicit: every outcome of a deal, an action or a re-deal, each with its probability.

Rules draw from `core.rng.draw` and `shuffle`, which ask here instead of the streams (LUCK_ASK). A play is repeated with
the last number that has a next one raised by one, as an odometer counts, until there is none: each way in which luck
can fall out is played once. Nothing is guessed from outside; a game whose rules draw otherwise is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.core import kernels
from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.core.records import new_records
from channel_tunnel_env.core.rng import LUCK_ASK, UNGIVEN
from channel_tunnel_env.errors import ChannelTunnelError

LUCK_FIELDS = {"rng_key", "rng_counter", "seed", "ply"}  # they say how a position was reached, not what it is
ANY_SEED = 0  # luck is chosen, so every seed plays the same


class ChanceError(ChannelTunnelError):
    """The luck of a game cannot be counted through."""


class ChancePosition(NamedTuple):
    """A game at a decision, or over.

    Attributes:
        states: its record, an array of one; not to be written to.
        to_play: the seat that decides; -1 when the game is over.
        legal: ids, ascending.
    """

    states: NDArray[Any]
    to_play: int
    legal: tuple[int, ...]


Weighted = tuple[float, ChancePosition]


class Chance:
    """The luck of one ruleset.

    Args:
        ruleset: of any game whose rules draw all luck by `core.rng.draw` and `shuffle`.

    Generators of one object may take turns, in one thread: each puts its own luck back before it goes on.
    """

    def __init__(self, ruleset: Any) -> None:
        self.machine = machine_of(ruleset)
        machine = self.machine
        self._work = new_records(1, machine.spec.record.work_dtype)
        self._luck = self._work["luck"][0]
        self._mask = np.zeros((1, machine.spec.actions.count), np.int8)
        self._results = np.zeros((1, machine.num_seats), np.float32)
        self._seen = np.zeros((1, machine.observation_size), np.float32)
        aimed = machine.spec.luck.aimed  # their counters are set by the rules
        self._read = _bytes_of(machine.spec.record.dtype, LUCK_FIELDS | machine.spec.record.unread)
        self._counted = [k for k, stream in enumerate(machine.spec.luck.streams) if stream not in aimed]

    def deals(self) -> Iterator[Weighted]:
        """Every first decision."""
        return self._outcomes(self.machine.new_states(1), kernels.START, ANY_SEED)

    def after(self, position: ChancePosition, action: int) -> Iterator[Weighted]:
        """Every position that a legal action leads to."""
        return self._outcomes(position.states, kernels.PLAY, action)

    def worlds(self, position: ChancePosition, viewer: int) -> Iterator[Weighted]:
        """Every position that is the same to a seat which does not watch for what others' decisions say."""

        def deal_again() -> ChancePosition:
            states = self.machine.copy_states(position.states)
            self.machine.determinize_game(states, 0, self.machine.tables, viewer, ANY_SEED, self._work)
            return ChancePosition(states, position.to_play, position.legal)

        return self._count_through(deal_again)

    def results(self, position: ChancePosition) -> NDArray[np.float32]:
        """What each seat of a finished game gets: float32 (S,)."""
        self.machine.result_game(position.states, 0, self.machine.tables, self._results)
        results: NDArray[np.float32] = self._results[0].copy()
        return results

    def key(self, position: ChancePosition) -> bytes:
        """All that rules read of a position: equal for positions that are played alike."""
        return np.frombuffer(position.states.tobytes(), np.uint8)[self._read].tobytes()

    def seen(self, position: ChancePosition, viewer: int) -> bytes:
        """What a seat sees, as bytes that are equal where it sees the same."""
        self.machine.observe_game(position.states, 0, self.machine.tables, viewer, self._work, self._seen)
        return self._seen.tobytes()

    def _outcomes(self, before: NDArray[Any], command: int, argument: int) -> Iterator[Weighted]:
        machine = self.machine

        def play() -> ChancePosition:
            states = machine.copy_states(before)
            self._mask[0] = 1  # an action that is passed on is legal: it was listed
            mover = machine.run_game(
                states, 0, machine.tables, command, argument, machine.blank, self._work, self._mask
            )
            if mover == kernels.OVER_NOW:
                return ChancePosition(states, -1, ())
            return ChancePosition(states, mover, tuple(np.flatnonzero(self._mask[0]).tolist()))

        return self._count_through(play)

    def _count_through(self, play: Callable[[], ChancePosition]) -> Iterator[Weighted]:
        work, luck = self._work, self._luck
        luck[0] = UNGIVEN
        while True:
            work["luck_mode"], work["luck_place"], work["luck_misfit"] = LUCK_ASK, 0, 0
            found = play()
            self._check(found)
            end = int(work["luck_place"][0])
            # What was asked for, in order: an outcome, and of how many alike. A copy, as others may draw before this goes on.
            pairs = luck[:end].reshape(-1, 2).copy()
            yield 1.0 / float(np.prod(pairs[:, 1], dtype=np.float64)), found
            # As a counter counts: the last draw with an outcome left moves on, and all behind it begin again.
            rising = np.flatnonzero(pairs[:, 0] + 1 < pairs[:, 1])
            if not rising.size:
                return
            last = int(rising[-1])
            luck[:end] = pairs.ravel()  # others may have used the workspace since
            luck[2 * last] += 1
            luck[2 * last + 2] = UNGIVEN  # after another outcome the rules may ask for other luck

    def _check(self, found: ChancePosition) -> None:
        spec, ruleset = self.machine.spec, self.machine.ruleset
        if self._work["luck_misfit"][0]:
            raise ChanceError(f"ruleset {ruleset.name}: one decision draws more luck than can be counted through")
        if found.states["rng_counter"][0, self._counted].any():
            raise ChanceError(
                f"game {spec.name}: its rules draw luck by core.rng.below; luck that is counted through comes from "
                "core.rng.draw or shuffle"
            )


def _bytes_of(dtype: np.dtype[Any], without: Set[str]) -> NDArray[np.intp]:
    """The places of a record's bytes in fields other than those."""
    fields: Mapping[str, Any] = dtype.fields or {}
    chosen = [range(at, at + kind.itemsize) for name, (kind, at, *_) in fields.items() if name not in without]
    return np.concatenate([np.asarray(places) for places in chosen])
