"""Time that Carcassonne's players take for a decision, against random play in both seats.

python benchmarks/carcassonne_players.py                        every scripted player, 20 deals
python benchmarks/carcassonne_players.py greedy ismcts:1000 --deals 2

Decisions with one answer are not counted. One core; the first games, which compile, are not timed.
"""

from __future__ import annotations

import argparse

import numpy as np
from timed import Timed

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.games.carcassonne.players import NAMES
from channel_tunnel_agents.matches.arena import play_pair
from channel_tunnel_env import load_ruleset


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
