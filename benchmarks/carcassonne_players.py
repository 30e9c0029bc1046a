"""Time that Carcassonne's players take for a decision, against random play in both seats.

python benchmarks/carcassonne_players.py                        every scripted player, 20 deals
python benchmarks/carcassonne_players.py greedy ismcts:1000 --deals 2

Decisions with one answer are not counted. One core; the first games, which compile, are not timed.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.matches.arena import play_pair
from channel_tunnel_agents.players.carcassonne import NAMES
from channel_tunnel_env import BatchGame, load_ruleset


class Timed:
    """A searching agent that notes how long each decision took."""

    def __init__(self, agent: Any) -> None:
        self.name, self._agent = agent.name, agent
        self.seconds: list[float] = []

    def search(self, batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """The agent's answers, row by row."""
        actions = np.empty(rows.size, np.int64)
        for k in range(rows.size):
            begun = time.perf_counter()
            actions[k] = self._agent.search(batch, rows[k : k + 1])[0]
            if batch.masks[rows[k]].sum() > 1:
                self.seconds.append(time.perf_counter() - begun)
        return actions


def main() -> None:
    """One line a player."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("agents", nargs="*", default=list(NAMES))
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    ruleset = load_ruleset("carcassonne")
    random = make_agent("random", ruleset)
    for name in arguments.agents:
        play_pair(make_agent(name, ruleset), random, 1, arguments.seed + 1, ruleset)
        agent = Timed(make_agent(name, ruleset))
        play_pair(agent, random, arguments.deals, arguments.seed, ruleset)
        taken = np.array(agent.seconds)
        print(
            f"{name:<12} {1 / taken.mean():8,.0f} decisions/s; median {1e3 * np.median(taken):.2f} ms, "
            f"longest {1e3 * taken.max():.1f} ms of {taken.size:,}",
            flush=True,
        )


if __name__ == "__main__":
    main()
