"""Two ways for a policy to look ahead, against each other with the same time for each decision.

    python benchmarks/searches.py                                # tree search against rollouts, 40 ms a decision
    python benchmarks/searches.py --milliseconds 20 --deals 100
    python benchmarks/searches.py --puct.exploration 0.8

One game at a time, as at a table. Prints one JSON line: the tree search's share of wins over both seatings of the same
deals, its 95 % Wilson interval, and the time that a decision took each of them in these games, where there was a choice:
the match means something only if neither exceeds the budget.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

import numpy as np
import torch
import tyro
from timed import Timed

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.games.tunnel_1987.tree.puct import (
    MAX_SIMULATIONS,
    PuctAgent,
    PuctSettings,
)
from channel_tunnel_agents.matches.arena import play_pair
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.search.policy_search import PolicySearchAgent, SearchSettings
from channel_tunnel_agents.statistics import Rate


@dataclass(frozen=True)
class Arguments:
    """Who plays how."""

    policy: str = "master"
    """Plays both ways."""
    milliseconds: float = 40.0
    """Of either search, per decision."""
    puct: PuctSettings = field(default_factory=lambda: PuctSettings(simulations=MAX_SIMULATIONS))
    """The tree, as `master-puct@40ms` has it; its time is that above."""
    rollouts: SearchSettings = field(default_factory=SearchSettings)
    """The rollouts; their time is that above."""
    deals: int = 50
    """Each is played with both seatings."""
    seed: int = 11
    """Of the deals."""


def taken(agent: Timed) -> list[float]:
    """The median and the 95th percentile of a decision, in milliseconds."""
    return [round(1000 * float(np.quantile(agent.seconds, share)), 1) for share in (0.5, 0.95)]


def main() -> None:
    """Play, and say how long they took."""
    arguments = tyro.cli(Arguments, description=__doc__)
    torch.set_num_threads(1)
    policy = make_agent(arguments.policy)
    assert isinstance(policy, PolicyAgent), f"{arguments.policy}: a policy is needed"
    budget = arguments.milliseconds
    tree = Timed(PuctAgent(policy, replace(arguments.puct, milliseconds=budget), name="puct"))
    rollouts = Timed(
        PolicySearchAgent(policy, replace(arguments.rollouts, milliseconds=budget), name="rollouts")
    )
    wins = 0
    for deal in range(arguments.seed, arguments.seed + arguments.deals):
        home, away = play_pair(tree, rollouts, 1, deal)
        wins += home.wins("britain") + away.wins("france")
    rate = Rate(wins, 2 * arguments.deals)
    figures = {
        "milliseconds": budget,
        "puct_wins": rate.wins,
        "games": rate.games,
        "share": round(rate.share, 4),
        "interval": [round(bound, 4) for bound in rate.interval],
        "puct_ms": taken(tree),
        "rollouts_ms": taken(rollouts),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
