"""A policy judged by ONNX Runtime and by torch, and a search's rounds, on one core.

    python benchmarks/judges.py                    # every shipped size of network
    python benchmarks/judges.py --policies adept --repeats 50

Prints a JSON line for each policy and number of rows: microseconds of a pass by either, on positions of random games;
and one for each searching agent: milliseconds of a whole decision without a time limit. Both take turns, and the figures
are the least of all repeats: other work on the machine only adds to them.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import tyro

from channel_tunnel_agents.games import AGENT_SPECS
from channel_tunnel_agents.games.tunnel_1987.tree.puct import PuctAgent
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
from channel_tunnel_agents.players.shipped import folder_of
from channel_tunnel_agents.search.policy_search import PolicySearchAgent
from channel_tunnel_env import BatchGame
from channel_tunnel_env.envs.opponents import random_legal

ROWS = (1, 4, 16, 64, 256, 1024)
DECISIONS = 30  # of random play before a position is taken
USUAL = {"tunnel_1987": "standard"}  # the other games' rulesets are called as they are


@dataclass(frozen=True)
class Arguments:
    """What to time."""

    policies: tuple[str, ...] = ("club", "adept")
    """Names of shipped policies, of every game that has them."""
    repeats: int = 20
    """Turns of each."""
    searches: bool = True
    """Time the searches of 1987 as well."""


def main() -> None:
    """Time passes and searches."""
    arguments = tyro.cli(Arguments, description=__doc__)
    for game, spec in AGENT_SPECS.items():
        for name in spec.shipped:
            if name in arguments.policies:
                time_passes(game, name, arguments.repeats)
    if arguments.searches:
        time_searches(arguments.repeats)


def time_passes(game: str, name: str, repeats: int) -> None:
    """Print the figures of one policy."""
    folder = folder_of(name, game)
    pair = {"onnx": PolicyAgent.load(folder), "torch": TorchAgent.load(folder)}
    for rows in ROWS:
        seen = positions(USUAL.get(game, game), rows).observations.copy()
        least = fastest({key: partial(agent.judge, seen) for key, agent in pair.items()}, repeats)
        figures = {key: round(1e6 * seconds) for key, seconds in least.items()}
        print(json.dumps({"game": game, "policy": name, "rows": rows, **figures}), flush=True)


def time_searches(repeats: int) -> None:
    """Print the figures of rollouts and of the tree, as `master-search` and `master-puct` decide."""
    folder, batch = folder_of("master"), positions("standard", 1)
    pair = {"onnx": PolicyAgent.load(folder), "torch": TorchAgent.load(folder)}
    for way in (PolicySearchAgent, PuctAgent):
        agents = {key: way(policy) for key, policy in pair.items()}
        rows = np.zeros(1, np.intp)
        least = fastest(
            {key: partial(agent.search, batch, rows) for key, agent in agents.items()}, repeats
        )
        figures = {key: round(1e3 * seconds, 1) for key, seconds in least.items()}
        print(json.dumps({"search": way.__name__, **figures}), flush=True)


def positions(ruleset: str, rows: int) -> BatchGame:
    """Games after some random decisions."""
    batch, rng = BatchGame(rows, ruleset, seed=1, autoreset=True), np.random.default_rng(1)
    for _ in range(DECISIONS):
        batch.step(random_legal(batch.masks, rng))
    return batch


def fastest(work: dict[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """Seconds of each piece of work, the least of some turns."""
    least = dict.fromkeys(work, float("inf"))
    for _ in range(repeats + 1):  # the first turn sets things up
        for key, do in work.items():
            begun = time.perf_counter()
            do()
            least[key] = min(least[key], time.perf_counter() - begun)
    return least


if __name__ == "__main__":
    main()
