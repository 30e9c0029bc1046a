"""How near observations come to the machine's memory: every game, one core, medians of one run.

python benchmarks/observations.py
python benchmarks/observations.py --rulesets eurotunnel --seconds 0.1
python benchmarks/observations.py --dtypes float32 float16 uint8

Rates are per second of processor time, measured in turn, so that what else runs slows all of them alike. The ratio of
two threads to one is of the clock, and says something on two idle cores only.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence

import numpy as np

from channel_tunnel_env import BatchGame
from channel_tunnel_env.cli.bench import BATCH, batch_of, pettingzoo
from channel_tunnel_env.core.encoding import DTYPES, FLOAT
from channel_tunnel_env.envs.opponents import random_legal

REPEATS = 7
GAMES_OF_THREADS = 2048
STEPS_OF_THREADS = 20
BIG = 2**27  # bytes, more than any cache holds
RULESETS = ("standard", "carcassonne", "eurotunnel")
WORKS = {
    "state only": batch_of(mask=False, observe=False),
    "with the mask": batch_of(mask=True, observe=False),
    "PettingZoo raw_env": pettingzoo(wrapped=False),
    "PettingZoo env": pettingzoo(wrapped=True),
}


def rate(work: Callable[[], int], seconds: float, clock: Callable[[], float]) -> float:
    """Units of `work` per second of a clock, over about `seconds`."""
    done, begun = 0, clock()
    while (spent := clock() - begun) < seconds or done == 0:
        done += work()
    return done / spent


def medians(works: dict[str, Callable[[], int]], seconds: float) -> dict[str, float]:
    """Each work's rate by processor time, the median of `REPEATS`; all in turn in each repeat."""
    for work in works.values():
        work()  # compiles
    rates: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(REPEATS):
        for name, work in works.items():
            rates[name].append(rate(work, seconds, time.process_time))
    return {name: statistics.median(found) for name, found in rates.items()}


def filling(size: int) -> Callable[[], int]:
    """Fills an array of `size` bytes with zeros; returns how many."""
    array = np.empty(size, np.uint8)

    def work() -> int:
        array.fill(0)
        return size

    return work


def threads_ratio(ruleset: str, seconds: float) -> float:
    """Steps of two threads over steps of one, masks and observations included."""
    works = []
    for threads in (1, 2):
        batch = BatchGame(GAMES_OF_THREADS, ruleset, 0, autoreset=True, num_threads=threads)
        works.append(_stepping(batch))
    ratios = []
    for _ in range(REPEATS):
        one, two = (rate(work, seconds, time.perf_counter) for work in works)
        ratios.append(two / one)
    return statistics.median(ratios)


def _stepping(batch: BatchGame) -> Callable[[], int]:
    """Steps whose actions were chosen before: what is not on threads is not measured."""
    rng = np.random.default_rng(0)
    saved, actions = batch.records.copy(), []
    for _ in range(STEPS_OF_THREADS):
        actions.append(random_legal(batch.masks, rng))
        batch.step_unchecked(actions[-1])

    def work() -> int:
        batch.records[:] = saved
        for chosen in actions:
            batch.step_unchecked(chosen)
        return batch.num_games * len(actions)

    return work


def with_observation(dtype: str) -> str:
    """The name of the work that writes observations of a dtype."""
    return "with mask and observation" + ("" if dtype == FLOAT else f", {dtype}")


def show(ruleset: str, seconds: float, threads: bool, dtypes: Sequence[str]) -> None:
    """Print the figures of one ruleset, with bytes a second beside those of plain filling."""
    batch = BatchGame(BATCH, ruleset, seed=0)
    mask, seen = batch.masks.nbytes, batch.observations.nbytes
    written = {"with the mask": mask}
    works = {name: make(ruleset) for name, make in WORKS.items()}
    for dtype in dtypes:
        written[with_observation(dtype)] = mask + batch.observations.size * np.dtype(dtype).itemsize
        works[with_observation(dtype)] = batch_of(True, True, dtype)(ruleset)
    fills = {"a batch's buffer": filling(mask + seen), "memory": filling(BIG)}
    found = medians(works | fills, seconds)
    limits = {name: found.pop(name) for name in fills}
    told = ", ".join(f"{name} {limit / 1e9:.1f} GB/s" for name, limit in limits.items())
    row = (mask + seen) // BATCH
    print(f"{ruleset}: a row of mask and observation {row:,} bytes; filling {told}", flush=True)
    for name, speed in found.items():
        line = f"{ruleset}: {name}: {speed:,.0f} decisions/s, {1e6 / speed:.2f} us"
        if name in written:
            flow = speed * written[name] / BATCH
            line += f", {flow / 1e9:.2f} GB/s, {flow / limits['memory']:.0%} of memory's"
        print(line, flush=True)
    if threads:
        print(f"{ruleset}: two threads over one: {threads_ratio(ruleset, seconds):.2f}", flush=True)


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rulesets", nargs="+", default=RULESETS, help="names or YAML files")
    parser.add_argument("--seconds", type=float, default=0.4, help="of each of the seven repeats")
    parser.add_argument("--threads", action="store_true", help="also two threads; needs idle cores")
    parser.add_argument("--dtypes", nargs="+", default=[FLOAT], choices=DTYPES)
    args = parser.parse_args()
    for ruleset in args.rulesets:
        show(ruleset, args.seconds, args.threads, args.dtypes)


if __name__ == "__main__":
    main()
