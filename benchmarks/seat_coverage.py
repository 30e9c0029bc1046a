"""How often the intervals of a table's seats hold the truth, where the truth is known or rests on all runs together.

    python benchmarks/seat_coverage.py            # docs/coverage.md; about five minutes of one core

Games are real. In `even` each deal's seats are turned by a number drawn at random, so that no seat can be better off.
In `planted` the win of some deals drawn at random is then handed to the first seat, so that its lead is known. In `as
played` nothing is turned: the truth is the mean over all runs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.seats import measure_seats, shares_in
from channel_tunnel_agents.matches.tournament import Tournament, play_tournament
from channel_tunnel_agents.statistics import Rate
from channel_tunnel_env import Ruleset, load_ruleset

PLANTED = 0.15
"""Of the deals: handed to the first seat."""
KINDS = ("even", "planted", "as played")
SEED = 6_000_000
NOMINAL = 0.05
TIMES = 10
"""The seats of all games are turned so often, so that few games make many runs."""


@dataclass(frozen=True)
class Held:
    """How a kind of runs did.

    Attributes:
        together: runs in which the intervals of all seats hold the truth.
        gap: runs in which that of the best seat over the worst does.
        found: runs that call the seats unlike at 5 %.
        named: runs in which the interval of the gap leaves out 0.
    """

    together: Rate
    gap: Rate
    found: Rate
    named: Rate


def played(agent: str, ruleset: Ruleset, games: int, seed: int = SEED) -> NDArray[np.float64]:
    """The shares of an agent's games with itself: (games, S)."""
    wanted = Tournament((agent,), games, seed, ruleset, mirror=True)
    table = play_tournament(wanted, workers=1).store.read("games")
    return shares_in(table, ruleset.seats)


def study(shares: NDArray[np.float64], runs: int, kind: str, times: int = 1) -> Held:
    """Split games into runs and look how often the intervals hold the truth.

    Args:
        times: how often the seats of all games are turned anew, each time for as many runs.
    """
    seats = shares.shape[1]
    truth = shares.mean(axis=0) if kind == "as played" else np.full(seats, 1 / seats)
    if kind == "planted":
        truth = truth * (1 - PLANTED) + PLANTED * np.eye(seats)[0]
    gap = float(np.ptp(truth))
    parts = [
        measure_seats(part)
        for seed in range(1 if kind == "as played" else times)
        for part in np.array_split(_prepared(shares, kind, seed), runs)
    ]
    return Held(
        _rate(
            [all(e.low <= t <= e.high for e, t in zip(p.shares, truth, strict=True)) for p in parts]
        ),
        _rate([p.gap.low <= gap <= p.gap.high for p in parts]),
        _rate([p.p < NOMINAL for p in parts]),
        _rate([p.gap.low > 0 for p in parts]),
    )


def _prepared(shares: NDArray[np.float64], kind: str, seed: int) -> NDArray[np.float64]:
    """The shares with what the kind of study does to them."""
    if kind == "as played":
        return shares
    games, seats = shares.shape
    random = np.random.default_rng(seed)
    places = (np.arange(seats) + random.integers(0, seats, games)[:, None]) % seats
    turned = np.take_along_axis(shares, places, axis=1)
    if kind == "planted":
        turned = np.where(random.random(games)[:, None] < PLANTED, np.eye(seats)[0], turned)
    return turned


def _rate(hits: list[bool]) -> Rate:
    return Rate(sum(hits), len(hits))


def _rows() -> Iterator[str]:
    for agent, game, changes, runs, deals in (
        ("random", "carcassonne", {"players": 3}, 200, 150),
        ("random", "carcassonne", {"players": 6}, 200, 150),
        ("greedy", "carcassonne", {"players": 4}, 60, 100),
        ("dumb", "eurotunnel", {}, 20, 100),
    ):
        ruleset = load_ruleset(game).with_values(changes, game) if changes else load_ruleset(game)
        shares = played(agent, ruleset, runs * deals)
        for kind in KINDS:
            found = study(shares, runs, kind, TIMES)
            figures = " | ".join(map(str, (found.together, found.gap, found.found, found.named)))
            made = found.gap.games
            yield f"| {agent}, {game} for {shares.shape[1]} | {kind} | {made} | {deals} | {figures} |"


def main() -> int:
    """Print the table of the page."""
    print(
        "| agent, game | truth | runs | deals | all seats hold | gap holds | unlike at 5 % | gap not 0 |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for row in _rows():
        print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
