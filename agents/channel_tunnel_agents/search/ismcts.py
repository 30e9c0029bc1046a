"""Information set Monte Carlo tree search as an agent.

Cowling, Powley & Whitehouse, "Information Set Monte Carlo Tree Search" (2012), the single-observer
variant: every simulation plays in its own world, dealt from what the seat to move knows, and all
simulations share one tree (see `ismcts_tree`). Random play to the end gives the result as the game's
rewards do: between two seats 1, -1, or 0 for a draw; a stopped game counts as the rules score it.

It plays every game: the rules are those that the batch's records are bound to (`core.verbs`).
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import MAX_MILLISECONDS, AgentError, agent_seed, check_milliseconds, options_of
from channel_tunnel_agents.search import ismcts_tree
from channel_tunnel_agents.search.worlds import view_seeds
from channel_tunnel_env import BatchGame
from channel_tunnel_env.core.kernels import observe_rows
from channel_tunnel_env.core.machine import Machine
from channel_tunnel_env.core.records import new_records
from channel_tunnel_env.core.threads import run_all

MAX_ITERATIONS = 100_000
DEFAULT_ITERATIONS = 1000
EXPLORATION = 1.0  # no measurable difference in strength from 0.7 to 2.0
CHUNK = 32  # simulations between checks of the clock, about a millisecond


class SearchTree:
    """One search tree with its buffers, reused for every decision.

    Args:
        simulations: capacity in nodes; further simulations add none.
        machine: of the game to be searched, as of a batch.
    """

    def __init__(self, simulations: int, machine: Machine) -> None:
        spec, seats = machine.spec, machine.num_seats
        self.nodes, self._progress = ismcts_tree.new_tree(simulations + 1, spec.actions.count, seats)
        self._world = machine.new_states(1)
        self._results = np.zeros((1, seats), np.float32)
        self.work = new_records(1, spec.record.work_dtype)
        self.shape = spec, seats

    def fits(self, machine: Machine) -> bool:
        """Whether games of another machine can be searched in this tree."""
        return self.shape == (machine.spec, machine.num_seats)

    @property
    def size(self) -> int:
        """Nodes in the tree."""
        return int(self._progress["nodes"][0])

    @property
    def simulations(self) -> int:
        """Simulations since `plant`."""
        return int(self._progress["simulations"][0])

    def plant(self, seed: int) -> None:
        """Start a search, with a seed of 0 .. 2**63 - 1."""
        ismcts_tree.plant(self.nodes, self._progress, seed)

    def grow(self, batch: BatchGame, row: int, simulations: int, exploration: float) -> None:
        """Simulate from a row of a batch; the batch is not changed."""
        ismcts_tree.grow(
            batch.records,
            row,
            batch.tables,
            simulations,
            exploration * self.shape[0].outcome.stakes,
            self.nodes,
            self._progress,
            self._world,
            self.work,
            self._results,
        )

    def best_action(self, seat: int) -> int:
        """The root's most visited action; ties are broken by mean result for the seat, then by id."""
        return int(ismcts_tree.best_action(self.nodes, seat))


class IsmctsAgent:
    """Searches afresh at every decision; does not search if only one action is legal.

    Without a time limit, the choice depends only on `seed` and what the seat to move sees.

    Args:
        iterations: simulations per decision, 1 .. 100,000; None: as many as the time allows.
        milliseconds: time per decision, above 0 up to 60,000; None: no limit. Checked every 32
            simulations. A search ends at whichever limit is reached first.
        exploration: UCB1's constant, for results from -1 to 1 of the stakes; 0 or more.
        seed: seeds the worlds and the random play.
        threads: rows searched at the same time.

    Raises:
        AgentError: a value out of range, or no limit given.
    """

    def __init__(
        self,
        iterations: int | None = DEFAULT_ITERATIONS,
        milliseconds: float | None = None,
        exploration: float = EXPLORATION,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        if iterations is None and milliseconds is None:
            raise AgentError("ismcts: iterations or milliseconds must be given")
        if iterations is not None and not 1 <= iterations <= MAX_ITERATIONS:
            raise AgentError(f"ismcts: {iterations} iterations; allowed: 1 to {MAX_ITERATIONS}")
        check_milliseconds(milliseconds)
        if not 0 <= exploration < float("inf"):
            raise AgentError(f"ismcts: exploration {exploration}; allowed: 0 or more")
        if threads < 1:
            raise AgentError(f"ismcts: threads {threads}; allowed: from 1")
        self.iterations = iterations
        self.milliseconds = milliseconds
        self.exploration = float(exploration)
        self.seed = agent_seed(seed)
        limits = [] if iterations is None else [f"{iterations}"]
        limits += [] if milliseconds is None else [f"{milliseconds:g}ms"]
        self.name = f"ismcts:{','.join(limits)}"
        self._trees: list[SearchTree] = []
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    @classmethod
    def from_budget(cls, budget: str, seed: int = 0) -> IsmctsAgent:
        """An agent with the budget that a name gives after the colon.

        Args:
            budget: "1000" simulations, or "50ms" per decision.
            seed: as for the class.

        Returns:
            The agent, named after its budget.

        Raises:
            AgentError: not a budget, or out of range.
        """
        is_time = budget.endswith("ms")
        try:
            number = float(budget.removesuffix("ms")) if is_time else int(budget)
        except ValueError:
            raise AgentError(
                f"agent 'ismcts:{budget}': expected a number of iterations, 1 to {MAX_ITERATIONS}, "
                f"or a time up to {MAX_MILLISECONDS}ms: ismcts:1000, ismcts:50ms"
            ) from None
        return cls(None, number, seed=seed) if is_time else cls(int(number), seed=seed)

    def search(self, batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """The most visited action of each row's search; does not change the batch.

        Args:
            batch: the games; hidden cards are dealt again before each simulation.
            rows: int (n,), the rows to choose for, all of games that are not over.

        Returns:
            int64 (n,), legal ids.

        Raises:
            GameOverError: the game of a row has ended.
        """
        self._prepare(batch.machine)
        options = options_of(batch, rows)
        actions: NDArray[np.int64] = batch.masks[rows].argmax(axis=1)
        undecided = np.flatnonzero(options > 1)
        seeds = self._search_seeds(batch, rows[undecided].astype(np.int64))

        def work(task: tuple[int, int]) -> None:
            i, seed = task
            tree = self._trees.pop()
            try:
                self._grow(tree, batch, int(rows[i]), seed)
                actions[i] = tree.best_action(int(batch.to_play[rows[i]]))
            finally:
                self._trees.append(tree)

        tasks = zip(undecided.tolist(), seeds, strict=True)
        if self._pool is None:
            for task in tasks:
                work(task)
        else:
            run_all(self._pool, work, tasks)
        return actions

    def _prepare(self, machine: Machine) -> None:
        """Make the trees for a game, unless they are there."""
        if not self._trees or not self._trees[0].fits(machine):
            size = self.iterations or MAX_ITERATIONS
            self._trees = [SearchTree(size, machine) for _ in range(self._threads)]

    def _search_seeds(self, batch: BatchGame, rows: NDArray[np.int64]) -> list[int]:
        """One seed per row, from the agent's seed and everything the seat to move sees in that row."""
        self._prepare(batch.machine)
        seen = np.empty((batch.num_games, batch.machine.observation_size), np.float32)
        work = self._trees[0].work
        observe_rows(batch.records, batch.tables, rows, batch.to_play[rows], work, seen)
        return [int(word >> 1) for word in view_seeds(seen[rows], batch.masks[rows], self.seed)]

    def _grow(self, tree: SearchTree, batch: BatchGame, row: int, seed: int) -> None:
        """Search within the limits."""
        tree.plant(seed)
        most = self.iterations
        if self.milliseconds is None:
            assert most is not None
            tree.grow(batch, row, most, self.exploration)
            return
        deadline = time.perf_counter() + self.milliseconds / 1000
        while most is None or tree.simulations < most:
            step = CHUNK if most is None else min(CHUNK, most - tree.simulations)
            tree.grow(batch, row, step, self.exploration)
            if time.perf_counter() >= deadline:
                return
