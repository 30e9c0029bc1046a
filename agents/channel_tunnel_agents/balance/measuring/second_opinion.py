"""How far the values of two policies lie apart, in games of one of them with itself.

A player that wins against the scripted one may still misjudge strange rules. Where two policies that were trained apart
differ on who is ahead, at least one of them does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

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
class Chances:
    """The first seat's chances by two judges at every decision of a batch, with the game and the seat asked.

    Attributes:
        found: (2, n) of each step.
        rows, seats: (n,) of each step.
    """

    batch: BatchGame
    judges: tuple[Judge, Judge]
    found: list[NDArray[np.float64]] = field(default_factory=list)
    rows: list[NDArray[np.intp]] = field(default_factory=list)
    seats: list[NDArray[np.integer[Any]]] = field(default_factory=list)

    def __call__(self, rows: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Judge the running games before they go on."""
        self.found.append(np.stack([judge(self.batch, rows) for judge in self.judges]))
        self.rows.append(rows)
        self.seats.append(self.batch.to_play[rows].copy())

    @property
    def apart(self) -> float:
        """How far the judges lie apart: root of the mean square over all decisions, 0 to 1."""
        one, other = np.concatenate(self.found, axis=1)
        return float(np.sqrt(np.square(one - other).mean()))


def judged_games(asked: Asked, deals: int = DEALS, seed: int = SEED) -> Chances:
    """Games of a policy with itself, played to their ends and judged by both."""
    name, second, ruleset = asked
    player = make_agent(name, ruleset, seed)
    batch = deal_games(deal_seeds(deals, seed), ruleset)
    seen = Chances(batch, (make_judge(name, ruleset), make_judge(second, ruleset)))
    play_out(batch, by_seat(batch, player, player), seen)
    return seen


def values_apart(asked: Asked) -> float:
    """How far two policies' values lie apart in games of the first with itself; see `Chances`."""
    return judged_games(asked).apart


def measure_apart(asked: Iterable[Asked], workers: int | None = None) -> list[float]:
    """The gap of each pair; the result depends only on the arguments, not on the number of processes."""
    return spread_in_order(values_apart, list(asked), workers)
