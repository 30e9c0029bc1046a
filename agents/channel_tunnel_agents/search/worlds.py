"""Worlds: copies of positions in which everything the seat to move cannot know is re-dealt.

A search plays only in worlds. Each is dealt once for all candidate moves, so the moves are compared
with common random numbers: the same hidden tokens, decks and bag draws. Worlds are of any game: the rules are
those that the batch's records are bound to (`core.verbs`).
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env import BatchGame
from channel_tunnel_env.core import kernels
from channel_tunnel_env.core.jit import kernel
from channel_tunnel_env.core.kernels import advance, fill_mask
from channel_tunnel_env.core.records import new_records
from channel_tunnel_env.core.rng import GOLDEN, mix
from channel_tunnel_env.core.verbs import apply_action, determinize, fill_observation, fill_result
from channel_tunnel_env.core.whole_numbers import whole_numbers

NO_MOVE = -1


def view_seeds(observations: NDArray[np.float32], masks: NDArray[np.bool_], seed: int) -> NDArray[np.uint64]:
    """One number per row from what its seat sees and a seed: equal for positions that look equal to it."""
    words = np.empty(len(observations), np.uint64)
    for i, (row, mask) in enumerate(zip(observations, masks, strict=True)):
        # Python's own hash of bytes differs from process to process.
        digest = hashlib.blake2b(row.tobytes() + mask.tobytes(), digest_size=8, salt=b"view")
        words[i] = int.from_bytes(digest.digest(), "little")
    return hashed(words, np.uint64(seed))


def hashed(words: NDArray[np.uint64], *salts: Any) -> NDArray[np.uint64]:
    """Hash words with salts (broadcast): independent numbers for each pair."""
    for salt in salts:
        words, others = np.broadcast_arrays(words, np.asarray(salt, np.uint64))
        words = _mix_each(words.flatten(), others.flatten()).reshape(words.shape)
    return words


@kernel
def _mix_each(words, salts):  # type: ignore[no-untyped-def]
    mixed = np.empty_like(words)
    for i in range(words.size):
        mixed[i] = mix(words[i] + (salts[i] + np.uint64(1)) * GOLDEN)  # + 1: a salt of 0 counts too
    return mixed


def uniforms(words: NDArray[np.uint64]) -> NDArray[np.float32]:
    """Numbers in [0, 1) from 64-bit words."""
    # 24 bits are what a float32 holds exactly: with more, the highest would round to 1.
    return ((words >> np.uint64(40)).astype(np.float64) / 2**24).astype(np.float32)


class Worlds:
    """The worlds of some positions: W worlds x M moves per position.

    World w of position r with move m is row `(r * W + w) * M + m` of the arrays.

    Attributes:
        states: records.
        observations: float32 (rows, D), seen by the seat to play.
        masks: bool (rows, A).
        to_play: int8 (rows,).
        live: bool (rows,), games that were begun and are still running.
    """

    def __init__(
        self, batch: BatchGame, rows: NDArray[np.intp], seeds: NDArray[np.uint64], moves: NDArray[np.int64]
    ) -> None:
        """Deal the worlds and make the first moves.

        Args:
            batch: holds the true positions; it is not changed.
            rows: its rows, (n,).
            seeds: seeds of the worlds, (n, W).
            moves: legal moves of each row, (n, M); NO_MOVE where a row has fewer.

        Raises:
            ValueError: wrong shapes of rows or moves, rows out of range, or illegal moves.
        """
        rows = whole_numbers(rows, "rows", 0, batch.num_games - 1, (len(seeds),))
        machine = batch.machine
        num_actions = machine.spec.actions.count
        moves = whole_numbers(moves, "moves", NO_MOVE, num_actions - 1, (len(seeds), *moves.shape[1:2]))
        illegal = (moves != NO_MOVE) & ~batch.masks[rows[:, None], moves]
        if illegal.any():
            row, move = (int(at[0]) for at in np.nonzero(illegal))
            raise ValueError(f"moves: entry {row}, {move}: action {moves[row, move]} is not legal")
        count = seeds.size * moves.shape[1]
        self.machine = machine
        self.tables = batch.tables
        self.states = machine.new_states(count)
        self.observations = np.empty((count, machine.observation_size), np.float32)
        self._masks = np.zeros((count, num_actions), np.int8)
        self.to_play = np.zeros(count, np.int8)
        self._begun = np.repeat((moves != NO_MOVE)[:, None], seeds.shape[1], axis=1).ravel()
        self._work = new_records(1, machine.spec.record.work_dtype)
        self._rewards = np.zeros((count, machine.num_seats), np.float32)
        self._ended = np.zeros(count, np.bool_)
        self._finals = machine.new_states(count)
        _open_worlds(
            batch.states.view(np.ndarray),
            rows,
            (seeds >> np.uint64(1)).astype(np.int64),  # 63 bits, so none is negative
            moves,
            self.tables,
            self.states,
            self._work,
            self._masks,
            self.observations,
            self.to_play,
        )

    @property
    def masks(self) -> NDArray[np.bool_]:
        """bool (rows, A), live."""
        return self._masks.view(np.bool_)

    @property
    def live(self) -> NDArray[np.bool_]:
        """Rows whose game is still running."""
        return np.asarray(self._begun & (self.states["end_cause"] == 0))  # 0: it goes on (see `core.spec`)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Take one legal action per live row, -1 in the others. Actions are not checked."""
        kernels.step_batch(
            self.states,
            0,
            len(self.states),
            self.tables,
            actions,
            False,
            self.machine.blank,
            self._work,
            self._masks,
            self.observations,
            self.to_play,
            self._rewards,
            self._ended,
            self._finals,
        )

    def results(self) -> NDArray[np.float32]:
        """The first seat's result of every finished game of two, -1 .. 1 of its stakes; 0 for other rows."""
        _fill_results(self.states, self.tables, self._rewards)
        return np.asarray(self._rewards[:, 0] / np.float32(self.machine.spec.outcome.stakes))


@kernel
def _fill_results(states, tables, rewards):  # type: ignore[no-untyped-def]
    for i in range(states.shape[0]):
        fill_result(states[i], tables[int(states[i].ruleset)], rewards, i)


@kernel
def _open_worlds(source, rows, seeds, moves, tables, states, work, masks, observations, to_play):  # type: ignore[no-untyped-def]
    space = work[0]
    worlds, width = seeds.shape[1], moves.shape[1]
    for r in range(rows.shape[0]):
        i = int(rows[r])
        rules = tables[int(source[i].ruleset)]
        viewer = int(source[i].to_play)
        for w in range(worlds):
            first = (r * worlds + w) * width
            # One deal for all moves; it is copied before the first move is made in it.
            states[first] = source[i]
            determinize(states[first], rules, viewer, int(seeds[r, w]), space)
            for m in range(1, width):
                states[first + m] = states[first]
            for m in range(width):
                j = first + m
                state = states[j]
                if moves[r, m] < 0:  # no move: the row stays as it was dealt, and is not live
                    continue
                apply_action(state, rules, int(moves[r, m]), space)
                count = advance(state, rules, space)
                fill_mask(space, count, masks, j)
                to_play[j] = state.to_play
                fill_observation(state, rules, int(state.to_play), space, observations, j)
