"""What is counted of finished self-play games: for every game the same, and what only one game knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.games.eurotunnel.engine.constants import TURNS_A_YEAR

FIRST_SEAT_WINS = "first_seat_wins"


def _of_1987(finals: Any) -> dict[str, float]:
    return {
        "all_pass": (finals["tally_placed"].sum(axis=(1, 2, 3)) == 0).sum(),
        "rounds": finals["round_no"].sum(),
        "empty_rounds": finals["empty_rounds"].sum(),
    }


def _of_carcassonne(finals: Any) -> dict[str, float]:
    return {
        "points": finals["score"].sum(),  # of all seats together
        "tunnels": finals["tally_second"].sum(),
    }


def _of_eurotunnel(finals: Any) -> dict[str, float]:
    return {
        "years": (finals["turn"] / TURNS_A_YEAR).sum(),
        "tunnels_built": finals["built"].sum(),
        "largest_share": finals["share"].max(axis=1).sum(),
    }


_OWN: dict[str, Callable[[Any], dict[str, float]]] = {
    "tunnel_1987": _of_1987,
    "carcassonne": _of_carcassonne,
    "eurotunnel": _of_eurotunnel,
}
ALWAYS = {
    "tunnel_1987": ("all_pass", "rounds"),
    "carcassonne": ("points",),
    "eurotunnel": ("years", "largest_share"),
}
"""Counts that a status has even where no game has ended."""


class SelfPlayTallies:
    """Counts of the self-play games that ended since the last report."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.games = 0
        self.sums: dict[str, float] = {}

    def add(self, finals: Any) -> None:
        """Count finished games, records (n,)."""
        self.games += len(finals)
        causes, first_stop = finals["end_cause"], self.spec.first_stop
        stopped = (causes >= first_stop).sum() if first_stop is not None else 0
        counts = {
            FIRST_SEAT_WINS: (finals["winner"] == 0).sum(),
            "stopped": stopped,
            "plies": finals["ply"].sum(),
            **_OWN[self.spec.name](finals),
            **{
                f"end_{cause}": (causes == number).sum()
                for number, cause in enumerate(self.spec.end_causes)
                if number
            },
        }
        for name, count in counts.items():
            self.sums[name] = self.sums.get(name, 0.0) + float(count)

    def means(self) -> dict[str, float]:
        """The mean per game of each count; "first_seat_wins" is the first seat's share of wins."""
        names = (FIRST_SEAT_WINS, "stopped", "plies", *ALWAYS[self.spec.name])
        means = dict.fromkeys(names, 0.0)
        if self.games:  # there are none if rivals take part in every game
            means.update({name: total / self.games for name, total in self.sums.items()})
        return means
