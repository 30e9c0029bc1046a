"""Speeds of Eurotunnel Diplomacy a second of processor time on one core, medians of repeats.

python benchmarks/eurotunnel.py
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.engine.observation import OBSERVATION_SIZE
from channel_tunnel_env.games.eurotunnel.engine.state import new_states, new_workspaces
from channel_tunnel_env.games.eurotunnel.engine.tables import make_tables
from channel_tunnel_env.games.eurotunnel.ruleset import make_ruleset

REPEATS = 7
PHASES = 20_000
GAMES = 256
STEPS = 2_000


def _median(measure: Callable[[], float]) -> float:
    measure()
    return statistics.median(measure() for _ in range(REPEATS))


class Bench:
    """Tables and buffers of one ruleset."""

    def __init__(self, rulebook: str) -> None:
        self.tables = make_tables([make_ruleset(rulebook=rulebook)])
        self.work, self.blank = new_workspaces(1), new_states(1)
        self.source = np.array([1], np.uint64)

    def phases(self) -> tuple[float, float]:
        """Movement phases adjudicated a second on random boards of 8 to 34 units, and units a board."""
        rows = new_states(PHASES)
        for i in range(PHASES):
            kernels.scatter_game(rows, i, self.tables, self.source, self.blank, self.work)
        units = float((rows["unit_power"] >= 0).sum() / PHASES)

        def measure() -> float:
            copies = rows.copy()
            begun = time.process_time()
            kernels.adjudicate_rows(copies, self.tables, self.work)
            return PHASES / (time.process_time() - begun)

        return _median(measure), units

    def decisions(self, masked: bool, observed: bool) -> tuple[float, float]:
        """Random decisions a second in a batch, and games to the last year a second."""
        states = new_states(GAMES)
        for i in range(GAMES):
            kernels.start_game(states, i, self.tables, i, self.blank, self.work)
        masks = np.zeros((GAMES if masked else 0, c.NUM_ACTIONS), np.int8)
        observations = np.zeros((GAMES if observed else 0, OBSERVATION_SIZE), np.float32)
        results = np.zeros(4, np.int64)
        rates = []
        for _ in range(REPEATS):
            results[:] = 0
            begun = time.process_time()
            kernels.random_play(
                states,
                self.tables,
                STEPS,
                self.source,
                self.blank,
                self.work,
                masks,
                observations,
                results,
            )
            spent = time.process_time() - begun
            rates.append((results[2] / spent, results[0] / spent))
        decisions, games = zip(*rates, strict=True)
        return statistics.median(decisions), statistics.median(games)


def main() -> None:
    """Print every figure."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    for rulebook in c.RULEBOOKS:
        bench = Bench(rulebook)
        rate, units = bench.phases()
        print(f"{rulebook}: movement phases: {rate:,.0f}/s ({units:.1f} units a board)")
        for what, masked, observed in (
            ("state only", False, False),
            ("with masks", True, False),
            ("with masks and observations", True, True),
        ):
            decisions, games = bench.decisions(masked, observed)
            speeds = f"{decisions:,.0f} decisions/s, {games:.1f} games/s"
            print(f"{rulebook}: random play, {what}: {speeds}")


if __name__ == "__main__":
    main()
