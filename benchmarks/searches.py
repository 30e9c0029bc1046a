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
import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
import tyro
from numpy.typing import NDArray

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
    milliseconds: float = 40.0
    """Of either search, per decision."""
    puct: PuctSettings = field(default_factory=lambda: PuctSettings.of_budget(1.0))
    """The tree, as `master-puct@40ms` has it."""
    rollouts: SearchSettings = field(default_factory=SearchSettings)
    """The rollouts."""
    deals: int = 50
    """Each is played with both seatings."""
    seed: int = 11
    """Of the deals."""


class Timed:
    """A search that counts its time."""

    def __init__(self, agent: SearchAgent) -> None:
        self.agent = agent
        self.name = agent.name
        self.spent: list[float] = []

    def search(self, batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """The agent's choice."""
        begun = time.perf_counter()
        actions = self.agent.search(batch, rows)
        if (batch.masks[rows].sum(axis=1) > 1).any():
            self.spent.append(time.perf_counter() - begun)
        return actions

    def milliseconds(self, share: float) -> float:
        """That share of the decisions took no longer."""
        return round(1000 * float(np.quantile(self.spent, share)), 1)


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
        "puct_ms": [tree.milliseconds(share) for share in (0.5, 0.95)],
        "rollouts_ms": [rollouts.milliseconds(share) for share in (0.5, 0.95)],
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
