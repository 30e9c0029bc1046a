"""Two agents, both seatings of each deal, one game at a time: for slow searches, whose totals are wanted on the way.

python benchmarks/match.py master-puct ismcts:10000 --deals 31
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import tyro

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.matches.arena import play_match
from channel_tunnel_agents.statistics import Rate
from channel_tunnel_env.games.tunnel_1987.engine import constants as c


@dataclass(frozen=True)
class Arguments:
    """Who plays how often."""

    agent: tyro.conf.Positional[str]
    """Whose wins are counted."""
    rival: tyro.conf.Positional[str]
    """Against whom."""
    deals: int = 30
    """Each is played with both seatings."""
    seed: int = 880_000
    """Of the first deal; the others follow."""


def main() -> None:
    """One line a deal: wins as Britain, wins as France, all games so far with their 95 % interval."""
    arguments = tyro.cli(Arguments, description=__doc__)
    torch.set_num_threads(1)
    wins = dict.fromkeys(c.SEATS, 0)
    for deal in range(arguments.deals):
        for seat, side in enumerate(c.SEATS):
            agent = make_agent(arguments.agent, seed=deal)
            rival = make_agent(arguments.rival, seed=1000 + deal)
            pair = (rival, agent) if seat else (agent, rival)
            wins[side] += play_match(*pair, 1, arguments.seed + deal).wins(side)
        rate = Rate(sum(wins.values()), 2 * (deal + 1))
        print(deal + 1, *(f"{side} {count}" for side, count in wins.items()), rate, flush=True)


if __name__ == "__main__":
    main()
