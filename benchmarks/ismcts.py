"""Speed of tree search: its simulations against the same number of random playouts without a tree.

python benchmarks/ismcts.py                       10,000 simulations in each of 24 positions
python benchmarks/ismcts.py --iterations 1000     another number

Both deal a world anew and play to the end from the same positions, in turns, with the same kernels. The
positions are from games of random and of scripted players: early, in the middle, late.
"""

from __future__ import annotations

import argparse
import statistics
import time
from dataclasses import dataclass

import numpy as np

from channel_tunnel_agents import AnyAgent, IsmctsAgent, make_agent
from channel_tunnel_agents.base import choose_actions
from channel_tunnel_agents.search.ismcts import EXPLORATION, SearchTree
from channel_tunnel_env import BatchGame

PLAYERS = ("random", "heuristic")
STAGES = {"early": 0.1, "middle": 0.5, "late": 0.9}  # share of the game's decisions
GAMES = 4  # positions of a kind of player and a stage
DECISION_BUDGETS = (100, 1000, 10_000)


@dataclass
class Speed:
    """What was played in how much time."""

    simulations: int = 0
    plies: int = 0
    seconds: float = 0.0

    def add(self, tree: SearchTree, seconds: float) -> None:
        """Count what a tree has done since it was planted."""
        self.simulations += tree.simulations
        self.plies += tree.plies
        self.seconds += seconds

    def __str__(self) -> str:
        return (
            f"{self.plies / self.seconds / 1e6:.2f} M plies/s, "
            f"{self.simulations / self.seconds:,.0f} simulations/s"
        )


def positions(player: AnyAgent, share: float, ruleset: str) -> BatchGame:
    """GAMES games, each where that share of its decisions has been taken and a choice is at hand."""
    batch = BatchGame(GAMES, ruleset, seed=1)
    batch.reset()
    history, choices = [], [list[int]() for _ in range(GAMES)]
    while (counts := batch.masks.sum(axis=1)).any():
        for row in np.flatnonzero(counts > 1):
            choices[row].append(len(history))
        history.append(batch.states.copy())
        actions = np.full(GAMES, -1, np.int64)
        rows = np.flatnonzero(counts)
        actions[rows] = choose_actions(player, batch, rows)
        batch.step(actions)
    wanted = [history[steps[int(share * len(steps))]] for steps in choices]
    batch.restore(np.concatenate([states[row : row + 1] for row, states in enumerate(wanted)]))
    return batch


def measure(tree: SearchTree, batch: BatchGame, iterations: int, search: Speed, raw: Speed) -> None:
    """Search every row and play it out without a tree, one after the other."""
    for row in range(batch.num_games):
        tree.plant(row)
        begun = time.perf_counter()
        tree.grow(batch, row, iterations, EXPLORATION)
        search.add(tree, time.perf_counter() - begun)
        tree.plant(row)
        begun = time.perf_counter()
        tree.roll_out_only(batch, row, iterations)
        raw.add(tree, time.perf_counter() - begun)


def decision_seconds(batches: list[BatchGame], iterations: int) -> float:
    """Median time of `IsmctsAgent.search` for one row."""
    agent, times = IsmctsAgent(iterations), []
    for batch in batches:
        for row in range(batch.num_games):
            begun = time.perf_counter()
            agent.search(batch, np.array([row]))
            times.append(time.perf_counter() - begun)
    return statistics.median(times)


def main() -> None:
    """One line for each kind of position, then all together, then the time of a decision."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=10_000)
    parser.add_argument("--ruleset", default="standard")
    arguments = parser.parse_args()
    warm = BatchGame(1, arguments.ruleset, seed=0)
    tree = SearchTree(arguments.iterations, warm.machine)
    measure(SearchTree(10, warm.machine), warm, 10, Speed(), Speed())  # compiles
    all_search, all_raw, batches = Speed(), Speed(), []
    for player in PLAYERS:
        for stage, share in STAGES.items():
            batch = positions(make_agent(player), share, arguments.ruleset)
            search, raw = Speed(), Speed()
            measure(tree, batch, arguments.iterations, search, raw)
            report(f"{player}, {stage}", search, raw)
            for total, part in ((all_search, search), (all_raw, raw)):
                total.simulations += part.simulations
                total.plies += part.plies
                total.seconds += part.seconds
            batches.append(batch)
    report("all", all_search, all_raw)
    for iterations in DECISION_BUDGETS:
        print(
            f"a decision of {iterations} simulations: "
            f"{1000 * decision_seconds(batches, iterations):.1f} ms (median)"
        )


def report(name: str, search: Speed, raw: Speed) -> None:
    """Both speeds and the search's share of the raw one, by plies and by simulations."""
    plies = (search.plies / search.seconds) / (raw.plies / raw.seconds)
    simulations = (search.simulations / search.seconds) / (raw.simulations / raw.seconds)
    print(
        f"{name}: search {search}; without a tree {raw}; "
        f"share {plies:.0%} by plies, {simulations:.0%} by simulations",
        flush=True,
    )


if __name__ == "__main__":
    main()
