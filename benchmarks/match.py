"""Two agents, both seatings of each deal, one game at a time: for slow searches, whose totals are wanted on the way.

python benchmarks/match.py master-puct ismcts:10000 --deals 31
python benchmarks/match.py master-puct@20ms master-search@20ms --deals 40   # equal time: see what each took
python benchmarks/match.py expectimax random --ruleset carcassonne
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import torch
import tyro
from numpy.typing import NDArray

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.base import choose_actions
from channel_tunnel_agents.matches.arena import play_match
from channel_tunnel_agents.statistics import percent_words, rate_of
from channel_tunnel_env import BatchGame, load_ruleset


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
    ruleset: str = "standard"
    """Name or YAML file, of two seats."""


class Timed:
    """An agent that notes how long each decision took, in seconds, where there was a choice."""

    def __init__(self, agent: object, seconds: list[float]) -> None:
        self.name, self._agent, self._seconds = agent.name, agent, seconds  # type: ignore[attr-defined]

    def search(self, batch: BatchGame, rows: NDArray[np.integer]) -> NDArray[np.int64]:
        """The agent's answers, row by row."""
        actions = np.empty(rows.size, np.int64)
        for k in range(rows.size):
            begun = time.perf_counter()
            actions[k] = choose_actions(self._agent, batch, rows[k : k + 1])[0]  # type: ignore[arg-type]
            if batch.masks[rows[k]].sum() > 1:
                self._seconds.append(time.perf_counter() - begun)
        return actions


def main() -> None:
    """One line a deal: wins in each seat, and all games so far with their 95 % interval; then the time of a decision."""
    asked = tyro.cli(Arguments, description=__doc__)
    torch.set_num_threads(1)
    rules = load_ruleset(asked.ruleset)
    wins = dict.fromkeys(rules.seats, 0)
    seconds: tuple[list[float], list[float]] = ([], [])
    for deal in range(asked.deals):
        for place, seat in enumerate(rules.seats):
            agents = (make_agent(asked.agent, rules, deal), make_agent(asked.rival, rules, 1000 + deal))
            pair = [Timed(agent, spent) for agent, spent in zip(agents, seconds, strict=True)]
            played = play_match(*(pair[::-1] if place else pair), 1, asked.seed + deal, rules)
            wins[seat] += played.wins(seat)
        rate = percent_words(rate_of(sum(wins.values()), 2 * (deal + 1)))
        print(deal + 1, *(f"{seat} {count}" for seat, count in wins.items()), rate, flush=True)
    for name, spent in zip((asked.agent, asked.rival), seconds, strict=True):
        median, most = (1000 * float(np.quantile(spent, share)) for share in (0.5, 0.95))
        print(f"{name}: {median:.1f} ms a decision (median), {most:.1f} (95th percentile)")


if __name__ == "__main__":
    main()
