"""A policy that looks ahead with rollouts of its best moves in worlds it holds possible.

For each of the `top` moves by prior, the same `worlds` (re-dealt hidden tokens, decks and luck) are
played on for `depth` decisions with both seats sampling the policy; the value network judges the
final positions. The move with the best log prior + gain / `temperature` is played: a policy
improvement step that stays close to the prior (Sokota et al. 2024). Policy rollouts in backgammon:
Tesauro & Galperin 1996. A budget of time is spent in rounds (`TimeBudget`).
"""

from __future__ import annotations

import math
import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import Agent, AgentError, agent_seed, check_milliseconds, options_of
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.judge import draw_actions
from channel_tunnel_agents.search.worlds import NO_MOVE, Worlds, hashed, uniforms, view_seeds
from channel_tunnel_env import BatchGame

TRIED = 3  # decisions before a budget is called too small: the first compile, or wait for another process


class TimeBudget:
    """Says after each round whether another one fits; and once, in a warning, if not even one does.

    Args:
        name: of the agent, for the warning.
        milliseconds: for each decision; None: there is no limit.
    """

    def __init__(self, name: str, milliseconds: float | None) -> None:
        self.name = name
        self.milliseconds = milliseconds
        self._begun = 0.0
        self._decisions = 1
        self._shortest = float("inf")
        self._tried = 0

    def begin(self, decisions: int = 1) -> None:
        """Start the clock of decisions that are searched together: each adds its time."""
        self._begun, self._decisions = time.perf_counter(), decisions

    def fits_another(self, done: int, step: int) -> bool:
        """Whether `step` more of what has been `done` since the clock started will fit; `done` equals `step` after the first round."""
        if self.milliseconds is None:
            return True
        spent = 1000 * (time.perf_counter() - self._begun) / self._decisions
        if done == step:
            self._note_first_round(spent)
        return spent * (1 + step / done) <= self.milliseconds

    def _note_first_round(self, spent: float) -> None:
        """Warn if no first round so far has fitted."""
        assert self.milliseconds is not None
        self._tried += 1
        self._shortest = min(self._shortest, spent)
        if self._tried == TRIED and self._shortest > self.milliseconds:
            warnings.warn(
                f"agent {self.name!r}: {self.milliseconds:g} ms is too little for one round of its search, "
                f"which takes {self._shortest:.0f} ms here; it plays one round all the same",
                RuntimeWarning,
                stacklevel=2,
            )


FIRST = 0  # seat
MAX_WORLD_ROWS = 16_384  # rows of open worlds at a time ...
MAX_WORLD_VALUES = 20_000_000  # ... and what they see: 80 MB


@dataclass(frozen=True)
class SearchSettings:
    """Settings of a policy's search."""

    worlds: int = 16
    """Worlds per move; with a time budget, worlds per round."""
    depth: int = 8
    """Decisions played in each world."""
    top: int = 6
    """Moves looked at: the most likely ones ..."""
    least_prior: float = 0.005
    """... of at least this probability."""
    temperature: float = 0.05
    """The gain (in units of the value, -1 to 1) that outweighs one nat of the prior."""
    milliseconds: float | None = None
    """Time budget per decision: rounds of worlds are added while they fit; one is always played."""
    most_worlds: int = 4096
    """Limit on rounds, even if time is left."""

    def __post_init__(self) -> None:
        for name, least in (("worlds", 1), ("depth", 0), ("top", 1), ("most_worlds", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} {getattr(self, name)}: {least} or more is needed")
        if not 0 <= self.least_prior < 1:
            raise ValueError(f"least_prior {self.least_prior}: from 0 to below 1")
        if not self.temperature > 0:  # also rejects NaN
            raise ValueError(f"temperature {self.temperature}: more than 0 is needed")
        check_milliseconds(self.milliseconds)


HEADROOM = SearchSettings(worlds=16, depth=8, top=16)
"""How far the search of a best response looks."""


class PolicySearchAgent:
    """`ppo-search`: a policy that runs rollouts at every decision.

    Args:
        policy: judges positions and plays the searching seat.
        rival: plays the other seat in the rollouts; None: `policy`. With the actual opponent, this
            is a search for the best response to it.
    """

    def __init__(
        self,
        policy: PolicyAgent,
        settings: SearchSettings | None = None,
        seed: int = 0,
        name: str = "ppo-search",
        rival: Agent | None = None,
    ) -> None:
        self.policy = policy
        self.settings = settings or SearchSettings()
        self.seed = agent_seed(seed)
        self.name = name
        self.rival = rival
        self._budget = TimeBudget(name, self.settings.milliseconds)

    def search(self, batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """A legal action for each of the rows of a batch; the batch is not changed.

        Raises:
            GameOverError: the game of a row has ended.
            AgentError: a game for more than two seats, which needs a value for each.
        """
        chosen = np.asarray(rows, np.intp)
        options_of(batch, chosen)
        if len(batch.seats) != 2:
            raise AgentError(f"{self.name}: {len(batch.seats)} seats; a policy's search is for two")
        actions = np.empty(len(rows), np.int64)
        width = self.settings.worlds * self.settings.top
        most = min(MAX_WORLD_ROWS, MAX_WORLD_VALUES // batch.machine.observation_size)
        step = max(1, most // width)
        for start in range(0, len(chosen), step):
            part = chosen[start : start + step]
            actions[start : start + step] = self.look_ahead(batch, part).actions
        return actions

    def look_ahead(self, batch: BatchGame, rows: NDArray[np.intp]) -> LookAhead:
        """Search the rows together; see `LookAhead`."""
        settings = self.settings
        masks = batch.masks[rows]
        observations = batch.numbers(rows)
        log_probs, values = self.policy.think(observations, masks)
        if self.rival is not None:
            log_probs = _with_doubt(log_probs, masks)
        order = np.argsort(-log_probs, axis=1, kind="stable")[:, : settings.top]
        prior = np.take_along_axis(log_probs, order, axis=1)
        likely = prior >= math.log(max(settings.least_prior, 1e-30))
        likely[:, 0] = True
        moves = np.where(likely, order, NO_MOVE)
        found = LookAhead(moves, prior, values)
        open_rows = np.flatnonzero((moves != NO_MOVE).sum(axis=1) > 1)
        seeds = view_seeds(observations, masks, self.seed)
        most = settings.worlds if settings.milliseconds is None else settings.most_worlds
        self._budget.begin(len(open_rows))
        first = 0
        while open_rows.size and first < most:
            round_seeds = hashed(seeds[open_rows, None], np.arange(first, first + settings.worlds)[None, :])
            gains, _ = self._play_on(batch, rows[open_rows], round_seeds, moves[open_rows])
            found.add(open_rows, gains)
            first += settings.worlds
            if not self._budget.fits_another(first, settings.worlds):
                break
        found.settle(settings.temperature)
        return found

    def play_out(self, batch: BatchGame, row: int, moves: NDArray[np.int64]) -> PlayedOut:
        """Play some legal moves (M,) of one row out, each in the same `worlds` of the settings."""
        rows = np.array([row], np.intp)
        seen = view_seeds(batch.numbers(rows), batch.masks[rows], self.seed)
        seeds = hashed(seen[:, None], np.arange(self.settings.worlds)[None, :])
        outcomes, worlds = self._play_on(batch, rows, seeds, moves[None])
        return PlayedOut(outcomes[0], worlds.states.reshape(outcomes[0].shape))

    def _play_on(
        self, batch: BatchGame, rows: NDArray[np.intp], seeds: NDArray[np.uint64], moves: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], Worlds]:
        """The outcome of each move in each world from the mover's perspective: (n, W, M); the worlds as they are left."""
        worlds = Worlds(batch, rows, seeds, moves)
        searcher = np.repeat(batch.to_play[rows], seeds.shape[1] * moves.shape[1])
        actions = np.empty(len(worlds.states), np.int64)
        for ply in range(self.settings.depth):
            live = np.flatnonzero(worlds.live)
            if not live.size:
                break
            chances = np.repeat(uniforms(hashed(seeds, 7, ply)).ravel(), moves.shape[1])
            actions[:] = NO_MOVE
            actions[live] = self._sample(worlds, live, searcher[live], chances[live])
            worlds.step(actions)
        leaves = worlds.results()
        live = np.flatnonzero(worlds.live)
        if live.size:
            _, values = self.policy.judge(worlds.observations[live])
            leaves[live] = self._first_view(values, worlds.to_play[live])
        mover_view = np.where(searcher == FIRST, leaves, -leaves)
        outcomes = mover_view.reshape(*seeds.shape, moves.shape[1])
        return np.asarray(outcomes, dtype=np.float32), worlds

    def _first_view(self, values: NDArray[np.float32], to_play: NDArray[np.int8]) -> NDArray[np.float32]:
        """Values in the view of the first seat."""
        if not self.policy.form.values_of_mover:
            return values
        return np.where(to_play == FIRST, values, -values)

    def _sample(
        self, worlds: Worlds, live: NDArray[np.intp], searcher: NDArray[np.int8], chances: NDArray[np.float32]
    ) -> NDArray[np.int64]:
        """One action for each live row: the policy's, or the rival's where it is to move."""
        actions = np.empty(len(live), np.int64)
        own = np.ones(len(live), np.bool_)
        if self.rival is not None:
            own = worlds.to_play[live] == searcher
            theirs = live[~own]
            if theirs.size:
                actions[~own] = self.rival(worlds.observations[theirs], worlds.masks[theirs])
        if own.any():
            rows = live[own]
            log_probs, _ = self.policy.think(worlds.observations[rows], worlds.masks[rows])
            actions[own] = draw_actions(log_probs, chances[own])
        return actions


def _with_doubt(log_probs: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Half the prior, and half of it in equal parts: what a policy never plays may be the answer to it."""
    doubt = np.where(masks, -np.log(masks.sum(axis=1, keepdims=True)), -np.inf)
    return np.asarray(np.logaddexp(log_probs, doubt) - math.log(2), dtype=np.float32)


@dataclass(frozen=True)
class PlayedOut:
    """Moves of one position after `depth` more decisions.

    Attributes:
        outcomes: float (W, M) by world and move, from the mover's perspective, -1 to 1.
        states: records (W, M), as the worlds are left.
    """

    outcomes: NDArray[np.float32]
    states: NDArray[Any]


class LookAhead:
    """A search's results for n positions.

    Attributes:
        moves: int (n, M), the most likely moves, most likely first; -1 where there are fewer.
        prior: float (n, M), their log-probabilities.
        values: float (n,), the policy's estimate before the search, in the view that its form says.
        worlds: int (n,), worlds played for each move.
        gains: float (n, M), mean outcome from the mover's perspective, -1 to 1; 0 where nothing was
            played.
        actions: int (n,), the choice.
    """

    def __init__(self, moves: NDArray[Any], prior: NDArray[np.float32], values: NDArray[np.float32]) -> None:
        self.moves = moves
        self.prior = prior
        self.values = values
        self.worlds = np.zeros(len(moves), np.int64)
        self._sums = np.zeros(moves.shape, np.float64)
        self.actions = moves[:, 0].copy()

    def add(self, rows: NDArray[np.intp], gains: NDArray[np.float32]) -> None:
        """Add one round of gains (rows, W, M)."""
        self._sums[rows] += gains.sum(axis=1)
        self.worlds[rows] += gains.shape[1]

    @property
    def gains(self) -> NDArray[np.float64]:
        """Mean outcome of each move."""
        return np.asarray(self._sums / np.maximum(self.worlds, 1)[:, None], dtype=np.float64)

    def settle(self, temperature: float) -> None:
        """Choose the actions: those of the best log prior + gain / temperature."""
        scores = np.where(self.moves == NO_MOVE, -np.inf, self.prior + self.gains / temperature)
        best = scores.argmax(axis=1)
        self.actions = self.moves[np.arange(len(best)), best].astype(np.int64)
