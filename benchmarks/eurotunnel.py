"""Speeds of Eurotunnel Diplomacy a second of processor time on one core, medians of repeats.

python benchmarks/eurotunnel.py
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

from channel_tunnel_env import BatchGame, load_ruleset
from channel_tunnel_env.core import kernels as core_kernels
from channel_tunnel_env.envs.opponents import random_legal
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.engine.state import new_states, new_workspaces

REPEATS = 7
PHASES = 20_000
GAMES = 256
STEPS = 500


def _median(measure: Callable[[], float]) -> float:
    measure()
    return statistics.median(measure() for _ in range(REPEATS))


class Bench:
    """Tables and buffers of one ruleset."""

    def __init__(self, **switches: object) -> None:
        self.ruleset = load_ruleset({"base": "eurotunnel", **switches})
        self.tables = self.ruleset.spec.rules.make_tables([self.ruleset])
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

    def decisions(self, masked: bool, observed: bool) -> float:
        """Random decisions a second in a batch."""
        batch = BatchGame(GAMES, self.ruleset, seed=0, observe=observed)
        masks = batch.masks.view(np.int8)[: GAMES if masked else 0]

        def measure() -> float:
            begun = time.process_time()
            core_kernels.random_play(
                batch.records,
                batch.tables,
                STEPS,
                self.source,
                batch.machine.blank,
                batch.work,
                masks,
                batch.observations,
                batch.to_play,
            )
            return GAMES * STEPS / (time.process_time() - begun)

        return _median(measure)

    def choices_of_a_game(self) -> tuple[float, float]:
        """Decisions of a random game to its last year, and legal ids of one: means of 256 games."""
        batch = BatchGame(GAMES, self.ruleset, seed=0, observe=False)
        rng, decisions, legal = np.random.default_rng(0), 0, 0
        while (going := batch.states.end_cause == c.PLAYING).any():
            actions = np.full(GAMES, -1, np.int64)
            actions[going] = random_legal(batch.masks[going], rng)
            decisions += int(going.sum())
            legal += int(batch.masks[going].sum())
            batch.step_unchecked(actions)
        return decisions / GAMES, legal / decisions


# Uniform play changes permissions again and again; without them a game is units and winters alone.
RULESETS: dict[str, dict[str, object]] = {
    "standard": {},
    "rule book datc": {"rulebook": "datc"},
    "no permissions": {"permissions": False},
    "base game": {"tunnels": False},
}


def main() -> None:
    """Print every figure."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    for name, switches in RULESETS.items():
        bench = Bench(**switches)
        rate, units = bench.phases()
        print(f"{name}: movement phases: {rate:,.0f}/s ({units:.1f} units a board)", flush=True)
        length, legal = bench.choices_of_a_game()
        print(f"{name}: a random game: {length:,.0f} decisions, {legal:.1f} legal ids each")
        for what, masked, observed in (
            ("state only", False, False),
            ("with masks", True, False),
            ("with masks and observations", True, True),
        ):
            rate = bench.decisions(masked, observed)
            speeds = f"{rate:,.0f} decisions/s, {rate / length:.1f} games/s"
            print(f"{name}: random play, {what}: {speeds}", flush=True)


if __name__ == "__main__":
    main()
