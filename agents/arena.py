"""Matches: the same deals played with the seats swapped, all games at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.base import AnyAgent, choose_actions
from channel_tunnel_env import BatchGame
from channel_tunnel_env.batch import NO_ACTION, AnyRuleset
from channel_tunnel_env.engine.constants import DRAW, FIRST_TRUNCATION, SEATS

MAX_BATCH = 4096

Watcher = Callable[[BatchGame, NDArray[np.int64]], object]
"""Sees a batch and the actions (n,) about to be taken in it, NO_ACTION where a game is over."""


@dataclass(frozen=True)
class MatchResult:
    """`games` of one agent as Britain against another as France, one entry a deal."""

    britain: str
    france: str
    winners: NDArray[np.int8]  # seat, or 2 for a draw
    end_causes: NDArray[np.int8]
    rounds: NDArray[np.int16]
    decisions: int  # answered, forced ones included

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.winners)

    def wins(self, side: str) -> int:
        """Games that a side won."""
        return int((self.winners == SEATS.index(side)).sum())

    def points(self, side: str) -> NDArray[np.float64]:
        """Deal by deal 1 for a win of the side, 0.5 for a draw, 0 for a loss: (games,)."""
        won = (self.winners == SEATS.index(side)).astype(np.float64)
        return np.where(self.winners == DRAW, 0.5, won)

    @property
    def draws(self) -> int:
        """Games without a winner."""
        return int((self.winners == DRAW).sum())

    @property
    def truncated(self) -> int:
        """Games stopped because they went nowhere."""
        return int((self.end_causes >= FIRST_TRUNCATION).sum())


def deal_seeds(games: int, seed: int) -> NDArray[np.int64]:
    """Game seeds of a match; the same seed gives the same deals to every pairing."""
    words = np.random.SeedSequence([seed, 0xDEA1]).generate_state(games, np.uint64)
    return (words >> np.uint64(1)).astype(np.int64)


def play_match(
    britain: AnyAgent,
    france: AnyAgent,
    games: int,
    seed: int,
    ruleset: AnyRuleset = "standard",
    progress: Callable[[int], object] | None = None,
) -> MatchResult:
    """Play `games` deals, one agent a seat.

    Args:
        games: number of deals, each played once.
        seed: of the deals; give the swapped match the same one.
        progress: called with the number of games just finished.
    """
    seeds = deal_seeds(games, seed)
    parts = [
        play_out((britain, france), seeds[start : start + MAX_BATCH], ruleset, progress).states
        for start in range(0, games, MAX_BATCH)
    ]
    columns = {
        name: np.concatenate([states[name] for states in parts])
        for name in ("winner", "end_cause", "round_no", "ply")
    }
    return MatchResult(
        britain.name,
        france.name,
        columns["winner"],
        columns["end_cause"],
        columns["round_no"],
        int(columns["ply"].sum()),
    )


def play_pair(
    one: AnyAgent,
    other: AnyAgent,
    games: int,
    seed: int,
    ruleset: AnyRuleset = "standard",
    progress: Callable[[int], object] | None = None,
) -> tuple[MatchResult, MatchResult]:
    """Both seatings of two agents on the same deals: `one` as Britain, then `one` as France."""
    return (
        play_match(one, other, games, seed, ruleset, progress),
        play_match(other, one, games, seed, ruleset, progress),
    )


def play_out(
    agents: tuple[AnyAgent, AnyAgent],
    seeds: NDArray[np.int64],
    ruleset: AnyRuleset = "standard",
    progress: Callable[[int], object] | None = None,
    watch: Watcher | None = None,
) -> BatchGame:
    """Play one game for every seed, all at once; returns the batch with every game over.

    Args:
        agents: Britain's, France's.
        watch: called before every step.
    """
    batch = BatchGame(len(seeds), ruleset)
    batch.reset(seeds=seeds)
    running = np.ones(len(seeds), np.bool_)
    actions = np.full(len(seeds), NO_ACTION, np.int64)
    while running.any():
        actions[:] = NO_ACTION
        for seat, agent in enumerate(agents):
            rows = np.flatnonzero(running & (batch.to_play == seat))
            if rows.size:
                actions[rows] = choose_actions(agent, batch, rows)
        if watch is not None:
            watch(batch, actions)
        batch.step(actions)
        ended = batch.dones
        running &= ~ended
        if progress is not None and ended.any():
            progress(int(ended.sum()))
    return batch
