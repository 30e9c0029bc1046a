"""How far the values of two policies lie apart, in games of one of them with itself.

A player that wins against the scripted one may still misjudge strange rules. Where two policies that were trained apart
differ on who is ahead, at least one of them does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.judges import Judge, make_judge
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.matches.arena import by_seat, deal_games, deal_seeds, play_out
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import BatchGame, Ruleset

DEALS = 50
SEED = 1_234_567_891  # deals that nothing else is measured on
Asked = tuple[str, str, Ruleset]
"""Who plays, whose values are compared with its own, and the rules; both are policies."""


@dataclass
class _Apart:
    """Collects the squared gaps between two judges at every decision of a batch."""

    batch: BatchGame
    judges: tuple[Judge, Judge]
    gaps: list[NDArray[np.float64]] = field(default_factory=list)

    def __call__(self, rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        one, other = (judge(self.batch, rows) for judge in self.judges)
        self.gaps.append(np.square(one - other))


def values_apart(asked: Asked) -> float:
    """The gap between two policies' chances of the first seat: root of the mean square over all decisions, 0 to 1."""
    name, second, ruleset = asked
    player = make_agent(name, ruleset, SEED)
    batch = deal_games(deal_seeds(DEALS, SEED), ruleset)
    seen = _Apart(batch, (make_judge(name, ruleset), make_judge(second, ruleset)))
    play_out(batch, by_seat(batch, player, player), seen)
    return float(np.sqrt(np.concatenate(seen.gaps).mean()))


def measure_apart(asked: Iterable[Asked], workers: int | None = None) -> list[float]:
    """The gap of each pair; the result depends only on the arguments, not on the number of processes."""
    return spread_in_order(values_apart, list(asked), workers)
