"""Matches: the same deals played with the seats swapped, all games at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.base import AnyAgent, choose_actions
from channel_tunnel_env import BatchGame
from channel_tunnel_env.batch import AnyRuleset
from channel_tunnel_env.engine.constants import DRAW, FIRST_TRUNCATION, SEATS

MAX_BATCH = 4096


@dataclass(frozen=True)
class MatchResult:
    """`games` of one agent as Britain against another as France, one entry a deal."""

    britain: str
    france: str
    winners: NDArray[np.int8]  # seat, or 2 for a draw
    end_causes: NDArray[np.int8]
    rounds: NDArray[np.int16]
    decisions: int

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
        _play_batch((britain, france), seeds[start : start + MAX_BATCH], ruleset, progress)
        for start in range(0, games, MAX_BATCH)
    ]
    return MatchResult(
        britain.name,
        france.name,
        np.concatenate([part[0] for part in parts]),
        np.concatenate([part[1] for part in parts]),
        np.concatenate([part[2] for part in parts]),
        sum(part[3] for part in parts),
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


def _play_batch(
    agents: tuple[AnyAgent, AnyAgent],
    seeds: NDArray[np.int64],
    ruleset: AnyRuleset,
    progress: Callable[[int], object] | None,
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int16], int]:
    batch = BatchGame(len(seeds), ruleset)
    batch.reset(seeds=seeds)
    running = np.ones(len(seeds), np.bool_)
    actions = np.full(len(seeds), -1, np.int64)
    decisions = 0
    while running.any():
        actions[:] = -1
        for seat, agent in enumerate(agents):
            rows = np.flatnonzero(running & (batch.to_play == seat))
            if rows.size:
                actions[rows] = choose_actions(agent, batch, rows)
                decisions += rows.size
        batch.step(actions)
        ended = batch.dones
        running &= ~ended
        if progress is not None and ended.any():
            progress(int(ended.sum()))
    states = batch.states
    return (
        states["winner"].copy(),
        states["end_cause"].copy(),
        states["round_no"].copy(),
        decisions,
    )
