"""What is counted of finished self-play games: for every game the same, and what only one game knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from channel_tunnel_agents.games import Parts
from channel_tunnel_agents.games.spec import Tallies
from channel_tunnel_env.core.spec import GameSpec

FIRST_SEAT_WINS = "first_seat_wins"
TALLIES: Mapping[str, Tallies] = Parts("policy", "TALLIES", Tallies)


class SelfPlayTallies:
    """Counts of the self-play games that ended since the last report."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self._own = TALLIES.get(spec.name)
        self.games = 0
        self.sums: dict[str, float] = {}

    def add(self, finals: Any) -> None:
        """Count finished games, records (n,)."""
        self.games += len(finals)
        causes, first_stop = finals["end_cause"], self.spec.outcome.first_stop
        stopped = (causes >= first_stop).sum() if first_stop is not None else 0
        counts = {
            FIRST_SEAT_WINS: (finals["winner"] == 0).sum(),
            "stopped": stopped,
            "plies": finals["ply"].sum(),
            **(self._own.count(finals) if self._own is not None else {}),
            **{
                f"end_{cause}": (causes == number).sum()
                for number, cause in enumerate(self.spec.outcome.end_causes)
                if number
            },
        }
        for name, count in counts.items():
            self.sums[name] = self.sums.get(name, 0.0) + float(count)

    def means(self) -> dict[str, float]:
        """The mean per game of each count; "first_seat_wins" is the first seat's share of wins."""
        own = self._own.always if self._own is not None else ()
        names = (FIRST_SEAT_WINS, "stopped", "plies", *own)
        means = dict.fromkeys(names, 0.0)
        if self.games:  # there are none if rivals take part in every game
            means.update({name: total / self.games for name, total in self.sums.items()})
        return means
