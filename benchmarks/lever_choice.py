"""How well levers are chosen: by halving, and by playing every setting on all deals.

    python benchmarks/lever_choice.py        # the table of docs/coverage.md; a minute of one core

No games: 27 figures with a step down and up have effects drawn from a normal distribution, and a deal adds the luck that
games of `adept` add (a change of the share has a standard deviation of 0.6 over deals, of which the base's game, which
all settings share, makes a third). Both ways choose with the package's own functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.changing import levers
from channel_tunnel_env import Ruleset, load_ruleset

RULESET = load_ruleset("standard")
POINTS = levers.find_levers(RULESET)
RUNS = 400
SPREAD, SHARED = 0.6, 0.3
HEAD = (
    "| deals asked for | effects | direction | games | mean effect of the chosen | the planted one is chosen |",
    "|---|---|---|---|---|---|",
)


@dataclass(frozen=True)
class Case:
    """Effects of all settings, and in the first of them a planted one."""

    deals: int
    scale: float
    planted: float
    lean: int


CASES = [
    Case(deals, scale, planted, lean)
    for deals, scale, planted in ((100, 0.02, 0.15), (625, 0.02, 0.08))
    for lean in (1, 0)
]


def choose(case: Case, seed: int, halving: bool) -> tuple[bool, float, int]:
    """Whether the planted effect is chosen, the mean of the chosen ones, and the games."""
    luck, points = np.random.default_rng(seed), POINTS
    effects = luck.normal(0, case.scale, len(points))
    effects[0] = case.planted
    worth = dict(zip((point.ruleset.digest for point in points), effects, strict=True))
    games = 0

    def play(
        agent: str, rules: Sequence[Ruleset], deals: tuple[int, int], *_: object
    ) -> NDArray[np.float64]:
        nonlocal games
        count = deals[1] - deals[0]
        games += len(rules) * count
        own = luck.normal(0, np.sqrt(1 - SHARED), (len(rules), count))
        base = luck.normal(0, np.sqrt(SHARED), count)
        moved = [worth.get(each.digest, 0.0) for each in rules]
        found = np.asarray(moved)[:, None] + SPREAD * (own - base)
        found[0] = 0  # the settings' rows are changes already
        return found[None]

    whole = {"ROUNDS": 1, "LAST": 1}
    with mock.patch.multiple(levers, _play=play, **({} if halving else whole)):
        screened, left = levers._screen(
            "", RULESET, points, case.lean, case.deals, 0, 1, None, None
        )
        chosen = [left[i] for i in levers._choose([screened[i] for i in left], case.lean)]
    wanted = effects[chosen] if case.lean else abs(effects[chosen])
    return 0 in chosen, float(wanted.mean()), games


def main() -> None:
    """Print the table."""
    print(*HEAD, sep="\n")
    for case in CASES:
        both = []
        for halving in (False, True):
            runs = [choose(case, seed, halving) for seed in range(RUNS)]
            both.append(np.mean(runs, axis=0))
        (hit, mean, games), (hit_2, mean_2, games_2) = both
        print(
            f"| {case.deals} | {case.scale:.2f}, one {case.planted:.2f} | {'known' if case.lean else 'either'} | {games:,.0f}, {games_2:,.0f} "
            f"| {100 * mean:.2f}, {100 * mean_2:.2f} pp | {100 * hit:.0f} %, {100 * hit_2:.0f} % |"
        )


if __name__ == "__main__":
    main()
