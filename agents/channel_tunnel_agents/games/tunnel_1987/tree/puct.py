"""A policy with tree search: PUCT with the policy as prior and its value at the leaves.

Silver et al., "Mastering the game of Go without human knowledge" (2017), adapted to hidden
information as in single-observer ISMCTS: every simulation plays in its own world, dealt from what
the seat to move knows (see `puct_tree`). The most visited move is played.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import agent_seed, check_milliseconds, options_of
from channel_tunnel_agents.games.tunnel_1987.tree import puct_tree
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.search.budget import TimeBudget
from channel_tunnel_agents.search.worlds import hashed, view_seeds
from channel_tunnel_env import BatchGame
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import NUM_ACTIONS
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE
from channel_tunnel_env.games.tunnel_1987.engine.state import new_states, new_workspaces

POSITIONS = 64  # searched together: more would cost too much memory for the time saved
MAX_SIMULATIONS = 20_000  # with a time budget: 30 MB of nodes per position


@dataclass(frozen=True)
class PuctSettings:
    """Settings of a tree search."""

    simulations: int = 800
    """Leaves evaluated per decision, about 75 ms for a single game; with a time budget, the
    maximum."""
    leaves: int = 16
    """Leaves of a tree that the network evaluates at once; fewer are slightly stronger but
    slower."""
    exploration: float = 0.4
    """PUCT's constant, for results from -1 to 1."""
    milliseconds: float | None = None
    """Time budget per decision: rounds of `leaves` are added while they fit; one is always played."""

    def __post_init__(self) -> None:
        for name in ("simulations", "leaves"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} {getattr(self, name)}: 1 or more is needed")
        if not 0 <= self.exploration < float("inf"):
            raise ValueError(f"exploration {self.exploration}: 0 or more is needed")
        check_milliseconds(self.milliseconds)

    @classmethod
    def of_budget(cls, milliseconds: float | None) -> PuctSettings:
        """Settings for as many simulations as the time allows; None: the default number."""
        if milliseconds is None:
            return cls()
        return cls(simulations=MAX_SIMULATIONS, milliseconds=milliseconds)


class PuctAgent:
    """`ppo-puct`: a policy that searches a tree at every decision."""

    def __init__(
        self, policy: PolicyAgent, settings: PuctSettings | None = None, seed: int = 0, name: str = "ppo-puct"
    ) -> None:
        self.policy = policy
        self.settings = settings or PuctSettings()
        self.seed = agent_seed(seed)
        self.name = name
        self._budget = TimeBudget(name, self.settings.milliseconds)
        self._trees: tuple[Any, Any] | None = None
        self._world, self._work = new_states(1), new_workspaces(1)

    def search(self, batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """A legal action for each of the rows of a batch; the batch is not changed.

        Raises:
            GameOverError: the game of a row has ended.
        """
        chosen = np.asarray(rows, np.int64)
        actions: NDArray[np.int64] = batch.masks[chosen].argmax(axis=1)
        undecided = np.flatnonzero(options_of(batch, chosen) > 1)
        for start in range(0, len(undecided), POSITIONS):
            part = undecided[start : start + POSITIONS]
            actions[part] = self.grow(batch, chosen[part]).actions
        return actions

    def grow(self, batch: BatchGame, rows: NDArray[np.int64]) -> RootVisits:
        """Search at most POSITIONS rows together, each with more than one legal action."""
        settings, count = self.settings, len(rows)
        observations, masks = batch.numbers(rows), batch.masks[rows]
        seeds = view_seeds(observations, masks, self.seed)
        nodes, used = self._room(count)
        puct_tree.plant(nodes, used, self.policy.judge(observations)[0])
        paths = puct_tree.new_paths(count * settings.leaves)
        seen = np.empty((len(paths), OBSERVATION_SIZE), np.float32)
        self._budget.begin(count)
        done = 0
        while done < settings.simulations:
            numbers = np.arange(done, done + settings.leaves)[None, :]
            world_seeds = (hashed(seeds[:, None], numbers) >> np.uint64(1)).astype(np.int64)
            asked = puct_tree.descend(
                batch.states.view(np.ndarray),
                rows,
                batch.tables,
                world_seeds,
                settings.exploration,
                nodes,
                used,
                self._world,
                self._work,
                paths,
                seen,
            )
            puct_tree.back_up(nodes, paths, settings.leaves, *self.policy.judge(seen[:asked]))
            done += settings.leaves
            if not self._budget.fits_another(done, settings.leaves):
                break
        visits, totals = np.zeros((2, count, NUM_ACTIONS))
        puct_tree.read_root(nodes, visits, totals)
        return RootVisits(visits, np.where(batch.to_play[rows, None] == c.FRANCE, -totals, totals))

    def _room(self, count: int) -> tuple[Any, Any]:
        """Nodes for `count` trees, kept between decisions. Memory is allocated as it is used."""
        most = self.settings.simulations + self.settings.leaves + 1
        if self._trees is None or len(self._trees[1]) < count:
            self._trees = puct_tree.new_trees(count, most)
        nodes, used = self._trees
        return nodes[:count], used[:count]


@dataclass(frozen=True)
class RootVisits:
    """Search results by action: visits (n, A) and sums of values from the mover's perspective (n,
    A)."""

    visits: NDArray[np.float64]
    totals: NDArray[np.float64]

    @property
    def actions(self) -> NDArray[np.int64]:
        """The most visited action of each position; ties are broken by mean, then by id."""
        mean = self.totals / np.maximum(self.visits, 1)
        return np.asarray((self.visits + mean / 4).argmax(axis=1), dtype=np.int64)
