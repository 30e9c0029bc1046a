"""Random games with every invariant of their rules checked after every action, for any game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.core import kernels
from channel_tunnel_env.core.batch import NO_ACTION, Batch
from channel_tunnel_env.core.whole_numbers import MAX_SEED
from channel_tunnel_env.errors import StateError

DRAW = "draw"
MOST_STEPS = 20_000  # decisions of one random game; one that is not over then does not end
MOST_PLIES = 200_000  # the same with decisions that have one answer


@dataclass(frozen=True)
class CheckedGames:
    """Tallies of games that were played to their end.

    Attributes:
        decisions: real choices; `plies` are all actions, forced ones included.
        rounds: rounds, or what the game's clock counts.
        stopped: games stopped for lack of progress.
        wins: by seat, and "draw".
        end_causes: by name.
        fault: code of a broken invariant and the record (1,) that broke it; then no game is counted.
    """

    games: int
    decisions: int
    plies: int
    rounds: int
    stopped: int
    wins: dict[str, int]
    end_causes: dict[str, int]
    fault: tuple[int, NDArray[Any]] | None = None


def check_games(ruleset: Any, games: int, seed: Sequence[int]) -> CheckedGames:
    """Play uniformly random games side by side, and look at every record after every action.

    Args:
        seed: numbers, 0 or more, that together seed deals and moves.

    Raises:
        StateError: a game that does not end, or that stops without an end.
    """
    rng = np.random.default_rng(seed)
    batch = Batch(games, [ruleset], int(rng.integers(MAX_SEED)), observe=False)  # only records are looked at
    spec = batch.spec
    actions, decisions = np.empty(games, np.int64), 0
    for _ in range(MOST_STEPS):
        if batch.records["ply"].max() >= MOST_PLIES:
            break
        codes = spec.record.find_faults(batch.records, batch.tables, False)  # False: they come from play
        if codes.any():
            row = int(np.flatnonzero(codes)[0])
            fault = int(codes[row]), batch.records[row : row + 1].copy()  # a copy: records are live
            return CheckedGames(0, 0, 0, 0, 0, {}, {}, fault)
        if (batch.records["end_cause"] > 0).all():  # without autoreset, ended games stay
            return _tallies(batch, decisions)
        masks = batch.masks.view(np.int8)
        stuck = (batch.records["end_cause"] == 0) & ~masks.any(axis=1)
        if stuck.any():
            raise StateError("mask: empty in a game that is not over: list_legal gives no id, and end_cause is 0")
        decisions += int((masks.sum(axis=1) > 1).sum())
        actions[:] = NO_ACTION  # `pick_legal` leaves out rows without a legal action: they are over
        kernels.pick_legal(masks, rng.random(games), actions)
        batch.step(actions)
    raise StateError(f"a random game is not over after {int(batch.records['ply'].max()):,} actions")


def _tallies(batch: Batch, decisions: int) -> CheckedGames:
    spec, ended = batch.spec, batch.records
    winners, causes = ended["winner"], ended["end_cause"]
    wins = {seat: int((winners == k).sum()) for k, seat in enumerate(batch.seats)}
    return CheckedGames(
        len(ended),
        decisions,
        int(ended["ply"].sum()),
        int(ended[spec.record.clock[0]].sum()),
        0 if spec.outcome.first_stop is None else int((causes >= spec.outcome.first_stop).sum()),
        wins | {DRAW: int((winners == spec.outcome.draw).sum())},
        # Cause 0 is that of a game that goes on, as none does here.
        {name: int((causes == k).sum()) for k, name in enumerate(spec.outcome.end_causes) if k > 0},
    )
