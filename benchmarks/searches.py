"""Two ways for a policy to look ahead, against each other at equal time.

    python benchmarks/searches.py                                   # tree search against rollouts, both about 40 ms a decision
    python benchmarks/searches.py --deals 100 --puct.exploration 0.8

Prints one JSON line: the tree search's share of wins over both seatings of the same deals, its 95 % Wilson interval, and the processor
time of a decision of a single game for each, which must be about equal for the match to mean anything.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field

import numpy as np
import torch
import tyro

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.base import SearchAgent
from channel_tunnel_agents.matches.arena import play_pair
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.search.policy_search import PolicySearchAgent, SearchSettings
from channel_tunnel_agents.search.puct import PuctAgent, PuctSettings
from channel_tunnel_agents.statistics import Rate
from channel_tunnel_env import BatchGame


@dataclass(frozen=True)
class Arguments:
    """Who plays how."""

    policy: str = "master"
    """Plays both ways."""
    puct: PuctSettings = field(default_factory=PuctSettings)
    """The tree."""
    rollouts: SearchSettings = field(default_factory=lambda: SearchSettings(worlds=320))
    """The rollouts."""
    deals: int = 50
    """Each is played with both seatings."""
    seed: int = 11
    """Of the deals."""
    one_at_a_time: bool = False
    """One game at a time, as at a table: what a time budget means where many share the passes is another matter."""


def main() -> None:
    """Time both, then play."""
    arguments = tyro.cli(Arguments, description=__doc__)
    torch.set_num_threads(1)
    policy = make_agent(arguments.policy)
    assert isinstance(policy, PolicyAgent), f"{arguments.policy}: a policy is needed"
    tree = PuctAgent(policy, arguments.puct, name="puct")
    rollouts = PolicySearchAgent(policy, arguments.rollouts, name="rollouts")
    step = 1 if arguments.one_at_a_time else arguments.deals
    wins = 0
    for first in range(0, arguments.deals, step):
        home, away = play_pair(tree, rollouts, step, arguments.seed + first)
        wins += home.wins("britain") + away.wins("france")
    rate = Rate(wins, 2 * arguments.deals)
    figures = {
        "puct_wins": rate.wins,
        "games": rate.games,
        "share": round(rate.share, 4),
        "interval": [round(bound, 4) for bound in rate.interval],
        "puct_ms": milliseconds(tree, policy),
        "rollouts_ms": milliseconds(rollouts, policy),
    }
    print(json.dumps(figures))


def milliseconds(agent: SearchAgent, policy: PolicyAgent) -> float:
    """Processor time of a decision, mean over one game of the policy, one game at a time."""
    batch, spent, decisions = BatchGame(1, seed=3), 0.0, 0
    agent.search(batch, np.array([0]))  # compile, make room
    while not batch.dones.all():
        if batch.masks[0].sum() > 1:
            begun = time.process_time()
            agent.search(batch, np.array([0]))
            spent += time.process_time() - begun
            decisions += 1
        batch.step(policy(batch.observations, batch.masks))
    return round(1000 * spent / decisions, 1)


if __name__ == "__main__":
    main()
