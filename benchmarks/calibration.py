"""How often a player that reads the rules deserves the trust that commands put in it, and what tuning brings.

    python benchmarks/calibration.py trust --out runs/calibration.jsonl    # 60 rulesets; hours
    python benchmarks/calibration.py curve --out runs/curve.jsonl          # six far rulesets; hours

`trust`: the 24 rulesets of held_out.yaml and 36 drawn ones. On each, the test of the commands (100 deals against the
scripted player) says whether the player is trusted; then a copy of it is tuned for the usual minutes, and both play the
scripted player on other deals. Trust was right where the player's share there is at most five points below the copy's.
`disagreement` is the mean absolute difference between the values of the player and of its rival in this question
(`--other`, such as an earlier policy), over the positions of the player's own games.

`curve`: the share of a copy after 1, 2, 4, 8 ... minutes of tuning, each going on from the last.

Every ruleset is a line of the output; a run that was stopped goes on with the rest.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro
from held_out import held_out

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.balance.changing.trust import is_enough, trusted_share
from channel_tunnel_agents.balance.changing.tuned import MINUTES, tune_copy
from channel_tunnel_agents.balance.measuring.footing import Footing, footing_against
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.rulesets import SPACES
from channel_tunnel_agents.statistics import Rate
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.core.batch import NO_ACTION

FAR = ("dash", "parliament", "quicksand", "museum", "austerity", "blue_sea")
DRAWN, DRAW_SEED = 36, 9_101
DEALS, SEED = 400, 40_000  # of the shares that are compared, on seeds of their own
NEAR_ENOUGH = 0.05


@dataclass(frozen=True)
class Trust:
    """Test, tune and compare on 60 rulesets."""

    out: Path
    """A line of JSON for each ruleset."""
    agent: str = "adept"
    """Who reads the rules."""
    other: str | None = None
    """Another reading policy, for the disagreement of values."""
    minutes: float = MINUTES
    """Of tuning."""
    threads: int = 1
    """Of torch."""


@dataclass(frozen=True)
class Curve:
    """Tune longer and longer on six far rulesets."""

    out: Path
    """A line of JSON for each ruleset and time."""
    agent: str = "adept"
    """Who reads the rules."""
    doublings: int = 5
    """Of the first minute."""
    threads: int = 1
    """Of torch."""


def rulesets_of_trust() -> Iterator[Ruleset]:
    """The rulesets kept out of training, then drawn ones of a seed that no training has."""
    for rulesets in held_out().values():
        yield from rulesets
    yield from SPACES["tunnel_1987"].draw(DRAWN, DRAW_SEED)


def share(agent: str, ruleset: Ruleset) -> Footing:
    """Against the scripted player, on the deals of the comparison."""
    return footing_against(agent, measures_of(ruleset).player, ruleset, DEALS, SEED)


def disagreement(agent: str, other: str, ruleset: Ruleset, games: int = 64) -> float:
    """Mean absolute difference of two policies' values over positions of the first one's games with itself."""
    one, two = make_agent(agent, ruleset), make_agent(other, ruleset)
    batch = BatchGame(games, ruleset, SEED)
    gaps = []
    while (live := batch.masks.any(axis=1)).any():
        seen, masks = batch.observations[live], batch.masks[live]
        gaps.append(np.abs(one.judge(seen)[1] - two.judge(seen)[1]))
        actions = np.full(games, NO_ACTION)
        actions[live] = one(seen, masks)
        batch.step(actions)
    return float(np.concatenate(gaps).mean())


def with_rest(
    out: Path, key: Callable[[dict[str, Any]], Any]
) -> tuple[list[dict[str, Any]], set[Any]]:
    """The lines that are there, and their keys."""
    lines = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    return lines, {key(line) for line in lines}


def add_line(out: Path, line: dict[str, Any]) -> None:
    """Append a line, and show it."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    print(json.dumps(line), flush=True)


def calibrate(asked: Trust) -> None:
    """A line for each ruleset, then how often trust was right."""
    lines, done = with_rest(asked.out, lambda line: line["ruleset"])
    for ruleset in rulesets_of_trust():
        if ruleset.name in done:
            continue
        test = footing_against(asked.agent, measures_of(ruleset).player, ruleset)
        before = share(asked.agent, ruleset)
        begun = time.monotonic()
        copy = tune_copy(asked.agent, ruleset, asked.minutes, threads=asked.threads)
        after = share(copy.name, ruleset)
        line = {
            "ruleset": ruleset.name,
            "trusted": is_enough(test, trusted_share(ruleset)),
            "test": test.share.value,
            "favoured": test.favoured,
            "stopped": test.stopped,
            "share": before.share.value,
            "copy": after.share.value,
            "minutes": round(copy.minutes, 2),
            "seconds": round(time.monotonic() - begun),
        }
        if asked.other:
            line["disagreement"] = disagreement(asked.agent, asked.other, ruleset)
        add_line(asked.out, line)
        lines.append(line)
    trusted = [line for line in lines if line["trusted"]]
    right = sum(line["copy"] - line["share"] <= NEAR_ENOUGH for line in trusted)
    if trusted:
        rate = Rate(right, len(trusted))
        low, high = (100 * x for x in rate.interval)
        print(
            f"trusted on {len(trusted)} of {len(lines)}; right {100 * rate.share:.1f} % [{low:.1f}, {high:.1f}]"
        )


def measure_curve(asked: Curve) -> None:
    """A line for each ruleset and time of tuning; 0 minutes is the player itself."""
    _, done = with_rest(asked.out, lambda line: (line["ruleset"], line["minutes"]))
    rulesets = [one for one in held_out()["far"] if one.name in FAR]
    for minutes in (0.0, *(2.0**i for i in range(asked.doublings + 1))):
        for ruleset in rulesets:
            if (ruleset.name, minutes) in done:
                continue
            name = asked.agent
            if minutes:
                name = tune_copy(asked.agent, ruleset, minutes, threads=asked.threads).name
            found = share(name, ruleset).share
            shares = {"share": found.value, "low": found.low, "high": found.high}
            add_line(asked.out, {"ruleset": ruleset.name, "minutes": minutes} | shares)


def main() -> None:
    """Calibrate trust, or measure the curve of tuning."""
    torch.set_num_threads(1)
    chosen = tyro.extras.subcommand_cli_from_dict({"trust": Trust, "curve": Curve})
    if isinstance(chosen, Trust):
        calibrate(chosen)
    else:
        measure_curve(chosen)


if __name__ == "__main__":
    main()
