"""Many games at once: one array of records, stepped by compiled loops."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from channel_tunnel_env.core import kernels
from channel_tunnel_env.core.encoding import FLOAT, Encoding
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.core.machine import check_states, load_states, machine_of
from channel_tunnel_env.core.records import new_records
from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.core.threads import run_all
from channel_tunnel_env.core.whole_numbers import given_seed, given_seeds, seats, whole_number, whole_numbers
from channel_tunnel_env.errors import BatchError, GameOverError, IllegalActionError

NO_ACTION = -1  # for a row whose game is over: no id is legal there
MOST_GAMES = 2**20  # games: 6 GB with their observations
MOST_RULESETS = 2**15 - 1  # a record keeps its ruleset in 16 bits
MOST_THREADS = 1024


class Batch:
    """B games of one kind in one array, every row at the seat to play.

    `channel_tunnel_env.BatchGame` is this class with rulesets by name, and says what its arguments and arrays are.

    Args:
        num_games: B.
        rulesets: of one game and for equally many seats; row i takes entry i modulo their number.
        seed: as in `BatchGame`, and so are the others.
    """

    def __init__(
        self,
        num_games: int,
        rulesets: Sequence[Any],
        seed: int | None = None,
        *,
        autoreset: bool = False,
        observe: bool = True,
        num_threads: int = 1,
        observation_dtype: DTypeLike = FLOAT,
    ) -> None:
        if not 1 <= num_games <= MOST_GAMES or not 1 <= num_threads <= MOST_THREADS:
            raise ValueError(
                f"num_games {num_games}, num_threads {num_threads}: allowed: 1 to {MOST_GAMES:,} "
                f"and 1 to {MOST_THREADS:,}"
            )
        # One game and the same seats: sizes taken from the first ruleset fit every row.
        self.rulesets = _of_one_game(rulesets)
        self.encoding = Encoding(observation_dtype, self.rulesets)
        self.machine = machine_of(self.rulesets[0])
        spec = self.spec
        self.num_games = num_games
        self.autoreset = autoreset
        # Drawn from the system it is larger than any that is given.
        self._seed: int = np.random.SeedSequence().entropy if seed is None else given_seed(seed)  # type: ignore[assignment]
        self._resets = 0
        self.tables = spec.rules.make_tables(self.rulesets)
        self._states = self.machine.new_states(num_games)
        self._states["ruleset"] = np.arange(num_games) % len(self.rulesets)
        # Kernels write int8; `masks` shows the same bytes as bool.
        self._masks = np.zeros((num_games, spec.actions.count), np.int8)
        seen = (num_games if observe else 0, self.machine.observation_size)
        self.observations = self.encoding.empty(seen)
        # Without observations every dtype runs the kernels of float32.
        self._seen = self.observations if observe else np.zeros(seen, np.float32)
        self.to_play = np.zeros(num_games, np.int8)
        self.rewards = np.zeros((num_games, len(self.seats)), np.float32)
        self.terminated = np.zeros(num_games, np.bool_)
        self.truncated = np.zeros(num_games, np.bool_)
        # Autoreset overwrites a row; the last record of the game that ended is kept here.
        self.final_states = self.machine.new_states(num_games)
        # A workspace for each thread: kernels write to it while they run. No thread is without a row.
        self.num_threads = min(num_threads, num_games)
        self._works = [new_records(1, spec.record.work_dtype) for _ in range(self.num_threads)]
        self._parts = self._parts_of(0, num_games)
        # One part needs no pool: the caller's thread does it.
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None
        self._process = os.getpid()  # threads do not survive a fork
        self._free = [True]  # empty while a kernel writes to the buffers
        self.reset()
        self._resets = 0  # the caller's first reset deals the same games as the constructor

    @property
    def spec(self) -> GameSpec:
        """What is known of the game as such: names, sizes, sources of luck."""
        return self.machine.spec

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, in order."""
        return self.machine.seats

    @property
    def states(self) -> Any:
        """The records (B,), live."""
        return self._states.view(np.recarray)

    @property
    def records(self) -> NDArray[Any]:
        """`states` as kernels take them."""
        return self._states

    @property
    def work(self) -> NDArray[Any]:
        """Scratch space for kernels that run on this batch; for one thread at a time."""
        return self._parts[0][2]

    @property
    def masks(self) -> NDArray[np.bool_]:
        """bool (B, A), live."""
        return self._masks.view(np.bool_)

    @property
    def dones(self) -> NDArray[np.bool_]:
        """Games that ended in the last step."""
        return self.terminated.copy()  # a copy: the next step writes to the buffer

    def row_seeds(self, seed: int) -> NDArray[np.int64]:
        """The rows' seeds derived from `seed`; row i's is the same for every batch size.

        Raises:
            ValueError: a wrong seed.
        """
        return self._row_seeds(given_seed(seed))

    def _row_seeds(self, entropy: int | list[int]) -> NDArray[np.int64]:
        # The first words are the same regardless of the number of rows.
        words = np.random.SeedSequence(entropy).generate_state(self.num_games, np.uint64)
        return (words >> np.uint64(1)).astype(np.int64)  # 63 bits: a seed is not negative

    def reset(
        self,
        seed: int | None = None,
        *,
        seeds: ArrayLike | None = None,
        rows: ArrayLike | None = None,
        rulesets: ArrayLike | None = None,
    ) -> None:
        """Start new games.

        Args:
            seed: the rows' seeds are derived from it. None: the constructor's seed on the first
                call, afterwards seeds that follow from it.
            seeds: replaces `seed`. int (B,): one game seed per row. int (B, streams): one per row
                and source of luck, in the game's order; each stream is that of the game with that
                seed.
            rows: bool (B,), the rows to reset; None: all.
            rulesets: int (B,): the entry of `rulesets` that each row to reset plays from now on; None: the one
                it played.

        Raises:
            ValueError: seeds, rows or rulesets that are none; no row was reset.
            BatchError: another thread steps this batch.
        """
        shape, streams = (self.num_games,), len(self.spec.luck.streams)
        # A wrong argument is found before anything is written.
        first = None if seed is None else given_seed(seed)
        row_seeds = None if seeds is None else given_seeds(seeds, shape, (*shape, streams))
        chosen = self.check_rows(rows)
        most = len(self.rulesets) - 1
        entries = None if rulesets is None else whole_numbers(rulesets, "rulesets", 0, most, shape)
        if self._pool is not None:
            self._check_process()
        self._take()
        try:
            self._reset_rows(chosen, first, row_seeds, entries)
        finally:
            self._free.append(True)

    def _reset_rows(
        self,
        chosen: NDArray[np.bool_],
        first: int | None,
        row_seeds: NDArray[np.int64] | None,
        entries: NDArray[np.int64] | None,
    ) -> None:
        """`reset` with checked arguments, while no other thread uses the buffers."""
        if entries is not None:
            self._states["ruleset"][chosen] = entries[chosen]
        if first is not None:
            self._seed, self._resets = first, 0
        if row_seeds is None:
            # The first reset takes the seed itself; later ones mix in their number.
            row_seeds = self._row_seeds([self._seed, self._resets] if self._resets else self._seed)
            self._resets += 1
        by_stream = row_seeds.reshape(self.num_games, -1)  # a single seed of a row serves all of its streams
        # A copy: a broadcast array is read-only, and kernels are compiled for writable ones.
        stream_seeds = np.broadcast_to(by_stream, (self.num_games, len(self.spec.luck.streams))).copy()
        self._spread(
            lambda a, b, work: kernels.reset_batch(
                self._states,
                a,
                b,
                self.tables,
                chosen,
                stream_seeds,
                self.machine.blank,
                work,
                self._masks,
                self._seen,
                self.to_play,
            )
        )
        self.rewards[chosen] = 0  # it was the result of the game before
        self.terminated[chosen] = False

    def check_rows(self, rows: ArrayLike | None) -> NDArray[np.bool_]:
        """Some rows as flags.

        Args:
            rows: bool (B,); None: all.

        Returns:
            bool (B,).

        Raises:
            ValueError: not flags, or of another shape.
        """
        flags = np.ones(self.num_games, np.bool_) if rows is None else np.asarray(rows)
        if flags.shape != (self.num_games,) or flags.dtype != np.bool_:
            raise ValueError(f"rows: a bool array of shape ({self.num_games},) is needed")
        return flags

    def step(self, actions: ArrayLike) -> None:
        """Play one action per row, then refresh every buffer.

        Args:
            actions: int (B,), legal ids; -1 in rows whose game is over.

        Raises:
            IllegalActionError: names row, action and reason; no row was stepped.
            ValueError: wrong shape or type, NaN; no row was stepped.
            BatchError: another thread steps this batch.
        """
        # Kernels check nothing, so all rows are checked before the first is stepped.
        self.step_unchecked(self.check(actions))

    def step_unchecked(self, actions: NDArray[np.int64], rows: tuple[int, int] | None = None) -> None:
        """`step` for actions known to be legal: int64 (B,); rows with -1 are not stepped.

        Args:
            rows: only those from the first to before the second, spread over all threads; None: all.
        """
        self._run(
            lambda a, b, work: kernels.step_batch(
                self._states,
                a,
                b,
                self.tables,
                actions,
                self.autoreset,
                self.machine.blank,
                work,
                self._masks,
                self._seen,
                self.to_play,
                self.rewards,
                self.terminated,
                self.final_states,
            ),
            rows,
        )

    @classmethod
    def from_games(cls, games: Sequence[Game], *, observe: bool = True, num_threads: int = 1) -> Self:
        """A batch of copies of single games in any state, one per row; rulesets may differ.

        Args:
            games: one or more; they are not changed.
            observe: as for a new batch.
            num_threads: as for a new batch.

        Returns:
            A batch of one row per game.

        Raises:
            ValueError: no games, or too many.
        """
        if not games:
            raise ValueError("games []: at least one is needed")
        rulesets = dict.fromkeys(game.ruleset for game in games)  # equal ones share an entry
        # What this seed deals is replaced below.
        batch = cls(len(games), [*rulesets], 0, observe=observe, num_threads=num_threads)
        order = {ruleset: i for i, ruleset in enumerate(rulesets)}
        states = np.concatenate([game.states for game in games])  # a copy: the games stay as they are
        states["ruleset"] = [order[game.ruleset] for game in games]  # an index into this batch's tables
        batch._run_alone(lambda work: batch._put(states, work))
        return batch

    def restore(self, states: NDArray[Any] | bytes) -> None:
        """Restore saved states, and refresh masks, observations and seats.

        Args:
            states: a copy of `states` (B,), or its `tobytes()` as bytes or a uint8 array.

        Raises:
            StateError: wrong shape, type or size, or a state that play cannot reach under this
                batch's rulesets; names the row. The batch is unchanged.
        """
        loaded = load_states(self.spec, states, self.num_games)
        check_states(self.spec, loaded, self.tables)
        self._run_alone(lambda work: self._put(loaded, work))

    def _put(self, states: NDArray[Any], work: NDArray[Any]) -> None:
        self._states[:] = states
        kernels.refresh_batch(self._states, self.tables, work, self._masks, self._seen, self.to_play)

    def observe(self, viewers: ArrayLike) -> NDArray[Any]:
        """What one seat of each game sees, also if another is to play.

        Args:
            viewers: numbers of seats: int (B,), or one for all rows.

        Returns:
            `observation_dtype` (B, D), a fresh array.

        Raises:
            ValueError: not seats, or of the wrong shape.
        """
        chosen, rows = seats(viewers, "viewers", self.num_games, len(self.seats)), np.arange(self.num_games)
        out = self.encoding.empty((self.num_games, self.machine.observation_size))
        # Not while another thread steps: it would read half a step.
        self._run_alone(lambda work: kernels.observe_rows(self._states, self.tables, rows, chosen, work, out))
        return out

    def observe_ended(self, rows: NDArray[np.intp], viewers: NDArray[np.int8], out: NDArray[Any]) -> None:
        """Write what seat `viewers[k]` sees of the ended game in `final_states[rows[k]]` to that row of `out`.

        Args:
            rows: (n,), rows whose game just ended.
            viewers: (n,), numbers of seats.
            out: `observation_dtype` (B, D).
        """
        kernels.observe_rows(self.final_states, self.tables, rows, viewers, self.work, out)

    def numbers(self, rows: NDArray[np.integer[Any]] | slice = slice(None)) -> NDArray[np.float32]:
        """The observations of some rows as float32 (n, D), converted from any dtype; read them only."""
        return self.encoding.decode(self.observations[rows])

    def scores(self) -> NDArray[np.int16]:
        """Current points by source, in the order of the game's `score_sources`, the total last.

        Returns:
            int16 (B, S, sources + 1) by seat, a fresh array.
        """
        return self.scores_of(self._states)

    def scores_of(self, states: NDArray[Any]) -> NDArray[np.int16]:
        """`scores` of other records (n,) under this batch's rulesets, such as `final_states`."""
        sources = len(self.spec.outcome.score_sources) + 1
        out = np.zeros((len(states), len(self.seats), sources), np.int16)
        kernels.score_batch(states, self.tables, out)
        return out

    def record_of(self, row: int) -> tuple[NDArray[Any], Any]:
        """A copy of one row's record, an array of one, and its ruleset.

        Raises:
            ValueError: there is no such row.
        """
        row = whole_number(row, "row", 0, self.num_games - 1)
        ruleset = self.rulesets[int(self._states["ruleset"][row])]
        return self.machine.copy_states(self._states[row : row + 1]), ruleset

    def __getstate__(self) -> dict[str, Any]:
        # Outputs that records determine are not saved: `restore` fills them again.
        return {
            "games": self.num_games,
            "rulesets": self.rulesets,
            "seed": self._seed,
            "resets": self._resets,
            "autoreset": self.autoreset,
            "observe": len(self.observations) > 0,
            "threads": self.num_threads,
            "dtype": self.encoding.dtype.name,
            "states": self._states.tobytes(),
            "rewards": self.rewards.copy(),  # of the last step, which no record holds
            "terminated": self.terminated.copy(),
            "ended": self.final_states[self.terminated].tobytes(),  # other rows are left from earlier games
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Raises StateError if the pickle holds a state that play cannot reach."""
        # By name, because a subclass takes its rulesets otherwise.
        Batch.__init__(
            self,
            saved["games"],
            saved["rulesets"],
            0,
            autoreset=saved["autoreset"],
            observe=saved["observe"],
            num_threads=saved["threads"],
            observation_dtype=saved["dtype"],
        )
        self._seed, self._resets = saved["seed"], saved["resets"]
        self.restore(saved["states"])
        self.rewards[:], self.terminated[:] = saved["rewards"], saved["terminated"]
        ended = load_states(self.spec, saved["ended"], int(self.terminated.sum()))
        check_states(self.spec, ended, self.tables, "ended game")
        self.final_states[self.terminated] = ended

    def close(self) -> None:
        """Stop the threads."""
        if self._pool:
            self._pool.shutdown()

    def _parts_of(self, first: int, last: int) -> list[tuple[int, int, NDArray[Any]]]:
        """A run of rows for each thread, with its workspace."""
        edges = np.linspace(first, last, min(len(self._works), last - first) + 1).astype(int).tolist()
        return [(a, b, work) for (a, b), work in zip(pairwise(edges), self._works, strict=False)]

    def _run(self, work: Any, rows: tuple[int, int] | None = None) -> None:
        """Call `work(start row, stop row, workspace)` for each part, each on its own thread."""
        self._take()
        try:
            self._spread(work, rows)
        finally:
            self._free.append(True)  # also after an error

    def _spread(self, work: Any, rows: tuple[int, int] | None = None) -> None:
        """`_run`, for a thread that has the buffers to itself."""
        parts = self._parts if rows is None else self._parts_of(*rows)
        if self._pool is None:
            work(*parts[0])
        else:
            self._check_process()
            run_all(self._pool, lambda part: work(*part), parts)

    def _run_alone(self, work: Any) -> None:
        """Call `work(workspace)` for all rows, on this thread."""
        self._take()
        try:
            work(self.work)
        finally:
            self._free.append(True)

    def _take(self) -> None:
        """Get exclusive use of the buffers; as cheap as a flag, and atomic between threads."""
        try:
            self._free.pop()
        except IndexError:
            raise BatchError(
                "this batch is being stepped by another thread; give each thread its own BatchGame"
            ) from None

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            raise BatchError(
                f"the {len(self._parts)} threads of this batch did not survive the fork; make the "
                "BatchGame in the process that steps it"
            )

    def check(self, actions: ArrayLike, rows: NDArray[np.integer[Any]] | None = None) -> NDArray[np.int64]:
        """The actions as int64 ids for `step_unchecked`, if all of them are legal.

        Args:
            actions: (B,), or (n,) with one per entry of `rows`; -1 in rows that are over.
            rows: (n,), the rows that the actions are for; None: all.

        Raises:
            IllegalActionError: names row, action and reason.
            ValueError: wrong shape or type, NaN.
        """
        places = np.arange(self.num_games) if rows is None else rows
        given = np.asarray(actions)
        if given.shape != places.shape:
            raise ValueError(f"actions: shape {given.shape}; expected {places.shape}")
        # Floats pass if all of them are whole numbers; flags and objects do not.
        if not np.issubdtype(given.dtype, np.integer):
            bad = next((i for i, a in enumerate(given.flat) if not _is_whole(a)), None)
            if bad is not None or not np.issubdtype(given.dtype, np.floating):
                where = f"row {places[bad]}: {given[bad]!r}; " if bad is not None else ""
                raise ValueError(f"actions: {where}whole numbers are needed, not {given.dtype}")
        ids = given.astype(np.int64)
        over = self._over(places)
        inside = (ids >= 0) & (ids < self._masks.shape[1])
        # 0 stands in for ids outside, which would read from the end of the row or beyond it.
        legal = self._masks[places, np.where(inside, ids, 0)] != 0
        wrong = np.flatnonzero(np.where(over, ids != NO_ACTION, ~(inside & legal)))
        if wrong.size:
            raise self.refusal(int(places[wrong[0]]), int(ids[wrong[0]]))
        return ids

    def refusal(self, row: int, action: int) -> IllegalActionError:
        """The error that `check` raises for an illegal action, with the reason."""
        if self._over(np.array([row]))[0]:
            return GameOverError(f"row {row}: action {action}: the game is over; give -1, or reset")
        names = self.spec.actions.names
        if not 0 <= action < len(names):
            return IllegalActionError(f"row {row}: action {action}: ids run from 0 to {len(names) - 1}")
        reason = self.spec.actions.describe_refusal(self._states, row, self.tables, action)
        return IllegalActionError(
            f"row {row}: {reason} ({self.seats[int(self.to_play[row])]} to play, id {action} {names[action]!r})"
        )

    def _over(self, rows: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        """Which of the games have ended."""
        over: NDArray[np.bool_] = self._states["end_cause"][rows] != 0  # 0: it goes on
        return over


def _is_whole(value: Any) -> bool:
    try:
        return bool(np.isfinite(value)) and float(value).is_integer()
    except (TypeError, ValueError):
        return False


def _of_one_game(rulesets: Sequence[Any]) -> list[Any]:
    """The rulesets, if one batch can hold their games.

    Raises:
        ValueError: none, too many, of several games, or for different numbers of seats.
    """
    if not rulesets:
        raise ValueError("ruleset []: a list of rulesets needs at least one")
    if len(rulesets) > MOST_RULESETS:
        raise ValueError(f"{len(rulesets):,} rulesets: a batch holds up to {MOST_RULESETS:,}")
    first = rulesets[0]
    for other in rulesets[1:]:
        if other.spec is not first.spec:
            games = f"{first.spec.name} and {other.spec.name}"
            raise ValueError(f"rulesets of the games {games}: a batch holds games of one kind")
        if other.seats != first.seats:
            counts = f"{first.name} has {first.num_seats} seats, {other.name} {other.num_seats}"
            raise ValueError(f"{counts}: a batch needs the same seats in every row")
    return list(rulesets)
