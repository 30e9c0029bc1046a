"""What a second Ray worker adds: one tournament of random games on one worker and on two, in turns.

    python benchmarks/ray_workers.py

Each turn starts a cluster on this machine, plays a few games so that its workers are up and have loaded the engine,
and then times the tournament. Prints one JSON line a figure, and fails if the tables differ in any value.
Two free cores are needed for a figure that means something.
"""

from __future__ import annotations

import json
import statistics
import time
from dataclasses import dataclass

import pandas as pd
import tyro

from channel_tunnel_agents.cluster.parallel import spread_on
from channel_tunnel_agents.cluster.ray_parallel import LOCAL, ray_cluster
from channel_tunnel_agents.matches.tournament import PART, Results, Tournament, play_tournament

WORKERS = (1, 2)


@dataclass(frozen=True)
class Arguments:
    """What to time."""

    games: int = 100_000
    """Random games of a tournament."""
    repeats: int = 3
    """Turns of one worker and of two."""


def main() -> None:
    """Time both, and compare their tables."""
    arguments = tyro.cli(Arguments, description=__doc__)
    tournament = Tournament(("random",), arguments.games, mirror=True)
    seconds: dict[int, list[float]] = {workers: [] for workers in WORKERS}
    first = None
    for _ in range(arguments.repeats):
        for workers in WORKERS:
            results, taken = _play(tournament, workers)
            first = first or results
            _check_same(first, results)
            seconds[workers].append(taken)
    for workers in WORKERS:
        _print(
            f"{workers} Ray worker(s), random games/s",
            arguments.games / statistics.median(seconds[workers]),
        )
    ratios = [one / two for one, two in zip(*seconds.values(), strict=True)]
    _print("two workers over one, each pair", *ratios)
    _print("two workers over one, median", statistics.median(ratios))


def _play(tournament: Tournament, workers: int) -> tuple[Results, float]:
    """The tournament on a cluster of `workers` cores, and the seconds it took once all were up."""
    with ray_cluster(LOCAL, workers=workers) as cluster, spread_on(cluster):
        play_tournament(Tournament(("random",), PART * workers * 4, seed=1, mirror=True))
        begun = time.perf_counter()
        return play_tournament(tournament), time.perf_counter() - begun


def _check_same(one: Results, other: Results) -> None:
    for name in ("games", "cards", "actions", "options"):
        pd.testing.assert_frame_equal(
            one.store.read(name), other.store.read(name), check_exact=True
        )


def _print(name: str, *values: float) -> None:
    print(json.dumps({"name": name, "value": [round(value, 3) for value in values]}), flush=True)


if __name__ == "__main__":
    main()
