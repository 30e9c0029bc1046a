"""Whether the values of policies tell where `adept` is lost, beside its share against the scripted player.

    python benchmarks/value_doubts.py          # the rulesets of measured/calibration.jsonl, about two seconds each

`adept` plays itself; at every decision its own value and that of `frozen:master` give the first seat's chance of
winning. A ruleset's doubts, each zero for a policy whose values are right:

- apart: how far the two chances lie apart, the root of the mean square over the decisions;
- bias: the chance at the first decision of a game less the share of games won, its size;
- error: the mean square error of the chances over the decisions, over the variance of the results;
- seats: the mean chance at the first seat's decisions less that at the second's, its size.

What a doubt should tell is what a copy of the usual minutes gains on the ruleset. Prints a JSON line for each ruleset,
then, of the doubts and of the share in the test of the commands, the rank correlation with that gain, and the same
with what the share tells removed from the ranks of both.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tyro
from calibration import MEASURED, SPEC, groups, lines_of
from numpy.typing import NDArray
from scipy.stats import rankdata

from channel_tunnel_agents.balance.changing.tuned import MINUTES
from channel_tunnel_agents.balance.measuring.second_opinion import judged_games
from channel_tunnel_agents.matches.arena import first_points
from channel_tunnel_env import Ruleset

SEED = 60_000
SHARE, GAIN = "share", "gain"
DRAWS = 10_000  # of the bootstrap over rulesets
Figures = dict[str, float]


@dataclass(frozen=True)
class Arguments:
    """How much to play."""

    deals: int = 200
    """Games of `adept` with itself on each ruleset."""
    measured: Path = MEASURED
    """Lines of benchmarks/calibration.py."""


def doubts_of(ruleset: Ruleset, deals: int) -> Figures:
    """The doubts of one ruleset, by name."""
    assert SPEC.reader is not None and SPEC.second is not None
    seen = judged_games((SPEC.reader, SPEC.second, ruleset), deals, SEED)
    results = first_points(seen.batch)
    own, rows = np.concatenate(seen.found, axis=1)[0], np.concatenate(seen.rows)
    first = np.concatenate(seen.seats) == 0
    variance = max(float(results.var()), 1e-9)
    return {
        "apart": seen.apart,
        "bias": abs(float(seen.found[0][0].mean() - results.mean())),
        "error": float(np.square(own - results[rows]).mean()) / variance,
        "seats": abs(float(own[first].mean() - own[~first].mean())),
    }


def known(measured: Path) -> dict[str, Figures]:
    """Ruleset -> the share in the test of the commands, and what a copy gains."""
    shares: dict[tuple[str, float], float] = {}
    tests: dict[str, float] = {}
    for line in lines_of(measured):
        shares[line["ruleset"], line["minutes"]] = line["share"]
        if not line["minutes"]:
            tests[line["ruleset"]] = line["test"]["share"]
    return {
        name: {SHARE: test, GAIN: shares[name, MINUTES] - shares[name, 0.0]}
        for name, test in tests.items()
        if (name, MINUTES) in shares
    }


def correlation(doubt: NDArray[np.float64], gain: NDArray[np.float64]) -> float:
    """Spearman's rank correlation (0 where one of them is constant)."""
    return _product(rankdata(doubt), rankdata(gain))


def partial(
    doubt: NDArray[np.float64], gain: NDArray[np.float64], share: NDArray[np.float64]
) -> float:
    """The same with what a line through the ranks of the share tells removed from both."""
    ranks = rankdata(share)
    return _product(*(_rest(rankdata(each), ranks) for each in (doubt, gain)))


def _rest(values: NDArray[np.float64], ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    slope, start = np.polyfit(ranks, values, 1)
    return np.asarray(values - slope * ranks - start)


def _product(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    if not one.std() or not other.std():
        return 0.0
    return float(np.corrcoef(one, other)[0, 1])


def _told(table: dict[str, NDArray[np.float64]]) -> None:
    """Print what each figure tells of the gain, with an interval over rulesets."""
    rng, count = np.random.default_rng(1), len(table[GAIN])
    drawn = rng.integers(0, count, (DRAWS, count))
    for name in table.keys() - {GAIN}:
        parts = [table[name], table[GAIN], table[SHARE]]
        words = f"{name}: {correlation(*parts[:2]):+.2f} {_interval([correlation(*(p[d] for p in parts[:2])) for d in drawn])}"
        if name != SHARE:
            rest = [partial(*(part[d] for part in parts)) for d in drawn]
            words += f"; beside the share {partial(*parts):+.2f} {_interval(rest)}"
        print(words, flush=True)


def _interval(values: list[float]) -> str:
    low, high = np.quantile(values, (0.025, 0.975))
    return f"[{low:+.2f}, {high:+.2f}]"


def main() -> None:
    """Play, and compare."""
    asked = tyro.cli(Arguments, description=__doc__)
    rulesets = {each.name: each for found in groups().values() for each in found}
    lines: list[Figures] = []
    for name, figures in known(asked.measured).items():
        lines.append(figures | doubts_of(rulesets[name], asked.deals))
        print(
            json.dumps({"ruleset": name, **{k: round(v, 4) for k, v in lines[-1].items()}}),
            flush=True,
        )
    _told({key: np.array([line[key] for line in lines]) for key in lines[0]})


if __name__ == "__main__":
    main()
