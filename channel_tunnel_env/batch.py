"""Many games at once, of the game that the ruleset names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import DTypeLike

from channel_tunnel_env.core.batch import MOST_GAMES, MOST_THREADS, NO_ACTION, Batch
from channel_tunnel_env.core.encoding import FLOAT
from channel_tunnel_env.game import Game
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, load_ruleset

__all__ = ["MOST_GAMES", "MOST_THREADS", "NO_ACTION", "AnyRuleset", "BatchGame"]


class BatchGame(Batch):
    """B games in one array, every row at the seat to play.

    The arrays below are live buffers that the next step overwrites; copy what you keep.

    Args:
        num_games: B, 1 .. 2**20.
        ruleset: one for all rows, or a list from which row i takes entry i modulo its length. All are
            of one game and for equally many seats.
        seed: each row's seed is derived from it (`numpy.random.SeedSequence`); row i does not
            depend on B. `reset(seeds=...)` sets the seeds row by row. None: random.
        autoreset: a finished game restarts within `step`, with a seed that follows from its own.
        observe: fill `observations` (takes about half of the time of a step).
        num_threads: number of threads that rows are split over, 1 .. 1024; pays off on idle cores from about
            1000 rows.
        observation_dtype: "float32" or "uint8": a quarter of the bytes (see
            `core.encoding.Encoding`).

    Attributes:
        observations: `observation_dtype` (B, D), seen by the seat to play.
        encoding: what their numbers mean; `encoding.decode` gives float32 back.
        to_play: int8 (B,), numbers of seats.
        rewards: float32 (B, S), by seat, set by the step that ended the game; between two seats 1,
            -1 or 0, otherwise what the game pays.
        terminated: bool (B,), set by the step that ended the game. Every end is a termination; a
            stopped game too, because it is scored.
        truncated: bool (B,), always False: there is no time limit. For loops that read both flags.
        final_states: records (B,) of the last game that ended in each row, valid in rows that just
            ended.
        rulesets: those that the rows play.
        num_games: B.
        num_threads: as given, but no more than games.
        autoreset: as given.

    Raises:
        RulesetError: a wrong ruleset.
        ValueError: a number out of range, no ruleset, rulesets that do not go together, or a dtype that does not
            hold their observations.
    """

    def __init__(
        self,
        num_games: int,
        ruleset: AnyRuleset | Sequence[AnyRuleset] = "standard",
        seed: int | None = None,
        *,
        autoreset: bool = False,
        observe: bool = True,
        num_threads: int = 1,
        observation_dtype: DTypeLike = FLOAT,
    ) -> None:
        given: list[Any] = list(ruleset) if isinstance(ruleset, (list, tuple)) else [ruleset]
        super().__init__(
            num_games,
            [load_ruleset(r) for r in given],
            seed,
            autoreset=autoreset,
            observe=observe,
            num_threads=num_threads,
            observation_dtype=observation_dtype,
        )

    def game(self, row: int) -> Game:
        """A copy of one row as a single game.

        Args:
            row: 0 .. B - 1.

        Returns:
            A game in the row's state, without the actions that led there.

        Raises:
            ValueError: there is no such row.
        """
        return Game.adopt(*self.record_of(row))
