"""How often a player that reads the rules deserves the trust that commands put in it, and what tuning brings.

    python benchmarks/calibration.py run                             # 64 rulesets, some four minutes each
    python benchmarks/calibration.py run --only dash museum --stages 1 2 4 8 16 32
    python benchmarks/calibration.py run --drawn 342 190 413 407 294 25 38 2 1 --out benchmarks/measured/second-opinion.jsonl
    python benchmarks/calibration.py show
    python benchmarks/calibration.py show --out benchmarks/measured/calibration-adept-3.jsonl --minutes 6

The rulesets are the 24 of held_out.yaml and the 40 drawn ones of rules-v1. On each, the test of the commands (100 deals
against the scripted player, and whether a second policy's values agree) says whether the player is strong, good, or out
of its depth. Then a copy of it is tuned, and player and copy play the scripted player on other deals after every stage.
To call it strong or good was right where its share is at most five points below that of the copy after the usual
minutes.

A line of the output is a ruleset after some minutes; a run that was stopped goes on with the rest. The lines behind the
documents are in measured/, of today's player and of adept-3.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

# Copies that a user tuned for longer must not be taken for these: they have a folder of their own.
os.environ["CHANNEL_TUNNEL_TUNED"] = str(Path("runs", "calibration"))

import numpy as np
import torch
import tyro
from held_out import held_out

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.balance.changing.trust import (
    Apart,
    Speaker,
    find_apart,
    trusted_share,
)
from channel_tunnel_agents.balance.changing.tuned import MINUTES, tune_copy
from channel_tunnel_agents.balance.measuring.footing import DEALS as FOOTING_DEALS
from channel_tunnel_agents.balance.measuring.footing import Footing, footing_against
from channel_tunnel_agents.balance.measuring.measures import measures_of
from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.matches.tournament import policy_digest
from channel_tunnel_agents.rulesets.held_apart import held_rulesets, train_rulesets
from channel_tunnel_agents.statistics import Estimate, Rate
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.tracks import load_track

MEASURED = Path(__file__).parent / "measured" / "calibration.jsonl"
TRACK, FRESH = "rules-v1", 909
DEALS, SEED = 400, 40_000  # of the shares that are compared, on seeds of their own
NEAR_ENOUGH = 0.05
SPEC = agents_of(DEFAULT_GAME)
LEVELS = STRONG, GOOD, LOST, DECIDED = "strong", "good", "out of its depth", "decided by the seat"
Line = dict[str, Any]


@dataclass(frozen=True)
class Run:
    """Test, tune and compare."""

    out: Path = MEASURED
    """Gets a line of JSON for each ruleset and stage."""
    agent: str = "adept"
    """Who reads the rules."""
    stages: tuple[float, ...] = (MINUTES,)
    """Minutes of tuning in all, after each of which the copy is measured."""
    only: tuple[str, ...] = ()
    """Names of rulesets; all if left out."""
    drawn: tuple[int, ...] = ()
    """Places of fresh draws of the track's distribution, in place of those rulesets."""
    threads: int = 1
    """Of torch."""
    worker: int = 0
    """Of several commands that share the work, on a core each: which one this is."""
    workers: int = 1
    """How many there are."""


@dataclass(frozen=True)
class Show:
    """How often trust was right, and the mean share after each stage."""

    out: Path = MEASURED
    """Lines of a run."""
    minutes: float = MINUTES
    """Of the copies that the player is compared with."""


@dataclass(frozen=True)
class Measured:
    """A line of the output: a player, or its copy after some minutes, against the scripted player."""

    ruleset: str
    group: str
    minutes: float
    decisions: int
    share: float
    low: float
    high: float
    favoured: float
    stopped: float
    agent: str
    weights: str | None
    test: dict[str, Any] = field(default_factory=dict)


def groups() -> dict[str, list[Ruleset]]:
    """The rulesets kept out of training, then the drawn ones of the track."""
    drawn = held_rulesets(load_track(TRACK))
    return {**held_out(), **{f"{group} of {TRACK}": found for group, found in drawn.items()}}


def fresh(places: Sequence[int]) -> dict[str, list[Ruleset]]:
    """Draws of a seed that no training used, apart from the rulesets of the track."""
    if not places:
        return {}
    draws = train_rulesets(TRACK, max(places) + 1, FRESH)
    return {"fresh": [draws[place] for place in places]}


def in_turn(found: dict[str, list[Ruleset]]) -> Iterator[tuple[str, Ruleset]]:
    """One ruleset of each group after the other, so that a run that was stopped has all kinds."""
    for place in range(max(map(len, found.values()))):
        for group, rulesets in found.items():
            if place < len(rulesets):
                yield group, rulesets[place]


def measure(player: str, ruleset: Ruleset, **more: Any) -> Measured:
    """An agent against the scripted player, on the deals of the comparison."""
    found = footing_against(player, measures_of(ruleset).player, ruleset, DEALS, SEED)
    share = {key: round(getattr(found.share, key), 4) for key in ("low", "high")}
    return Measured(
        ruleset=ruleset.name,
        share=round(found.share.value, 4),
        favoured=round(found.favoured, 4),
        stopped=round(found.stopped, 4),
        **share,
        **more,
    )


def commands_test(agent: str, ruleset: Ruleset) -> dict[str, Any]:
    """What the commands find out before they speak through the agent."""
    found = footing_against(agent, measures_of(ruleset).player, ruleset)
    (apart,) = find_apart([found], [ruleset], workers=1)
    return {
        "trusted": not Speaker(agent, found, trusted_share(ruleset), apart=apart).is_doubted,
        "share": round(found.share.value, 4),
        "favoured": round(found.favoured, 4),
        "stopped": round(found.stopped, 4),
        "apart": None if apart is None else round(apart.gap, 4),
    }


def lines_of(out: Path) -> list[Line]:
    """The lines that are there."""
    return [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []


def run(asked: Run) -> None:
    """Measure what is not measured yet."""
    done = {(line["ruleset"], line["minutes"]) for line in lines_of(asked.out)}
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    for place, (group, ruleset) in enumerate(in_turn(fresh(asked.drawn) or groups())):
        if place % asked.workers != asked.worker or (asked.only and ruleset.name not in asked.only):
            continue
        for minutes in (0.0, *asked.stages):
            if (ruleset.name, minutes) in done:
                continue
            begun = time.monotonic()
            line = asdict(_stage(asked, group, ruleset, minutes))
            with asked.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            words = f"{ruleset.name} ({group}) {minutes:g} min: {100 * line['share']:.1f} %"
            print(f"{words}, {time.monotonic() - begun:.0f} s", flush=True)


def _stage(asked: Run, group: str, ruleset: Ruleset, minutes: float) -> Measured:
    more = {
        "group": group,
        "minutes": minutes,
        "agent": asked.agent,
        "weights": policy_digest(make_agent(asked.agent, ruleset)),
    }
    if not minutes:
        test = commands_test(asked.agent, ruleset)
        return measure(asked.agent, ruleset, decisions=0, test=test, **more)
    told: list[str] = []
    copy = tune_copy(
        asked.agent, ruleset, minutes, lambda done, words: told.append(words), threads=asked.threads
    )
    millions = float(told[-1].split()[0]) if told else 0.0
    return measure(copy.name, ruleset, decisions=round(millions * 1e6), **more)


def show(lines: list[Line], usual: float) -> None:
    """Print how often trust was right, the mean share of each group after each stage, and a row for each ruleset.

    Only rulesets whose copy has had its minutes count: the others would join some of the means and not the rest.
    """
    by_name: dict[str, dict[float, Line]] = {}
    for line in lines:
        by_name.setdefault(line["ruleset"], {})[line["minutes"]] = line
    whole = {name: stages for name, stages in by_name.items() if {0.0, usual} <= stages.keys()}
    for level in LEVELS:
        _show_trust(
            [each for each in whole.values() if level_of(each[0.0]["test"]) == level], level, usual
        )
    for group in dict.fromkeys(each[0.0]["group"] for each in whole.values()):
        _show_means(group, [each for each in whole.values() if each[0.0]["group"] == group])
    print("\n".join(_rows(whole)))


def level_of(test: Mapping[str, Any]) -> str:
    """What a test of the commands calls the player."""
    share = Estimate(test["share"], 0.0, 1.0)
    found = Footing("", "", "", share, FOOTING_DEALS, test["stopped"], test["favoured"])
    gap = test.get("apart")
    apart = None if gap is None else Apart("", gap, SPEC.most_apart)
    alone = Speaker("", found, SPEC.trusted, strong=SPEC.strong, apart=apart)
    if found.is_decided_by_seat:
        return DECIDED
    if alone.is_strong:
        return STRONG
    return LOST if alone.is_doubted else GOOD


def _show_trust(found: list[dict[float, Line]], words: str, usual: float) -> None:
    if not found:
        return
    gains = [each[usual]["share"] - each[0.0]["share"] for each in found]
    right = Rate(sum(gain <= NEAR_ENOUGH for gain in gains), len(gains))
    low, high = (100 * x for x in right.interval)
    print(
        f"{words} on {len(gains)} rulesets: within five points of the copy on "
        f"{100 * right.share:.1f} % [{low:.1f}, {high:.1f}]; mean gain {100 * np.mean(gains):.1f} points"
    )


def _show_means(group: str, found: list[dict[float, Line]]) -> None:
    for minutes in sorted(set.intersection(*(set(each) for each in found))):
        shares = [each[minutes]["share"] for each in found]
        print(
            f"{group}, {minutes:g} min: mean {100 * np.mean(shares):.1f} %, lowest "
            f"{100 * min(shares):.1f} % of {len(shares)} rulesets"
        )


def _rows(whole: dict[str, dict[float, Line]]) -> Iterator[str]:
    """A table in Markdown."""
    minutes = sorted({each for stages in whole.values() for each in stages})
    yield f"| | ruleset | called | at once | {' | '.join(f'{each:g} min' for each in minutes[1:])} |"
    yield "|---" * 3 + "|---:" * len(minutes) + "|"
    for name, stages in whole.items():
        cells = [_cell(stages[each]) if each in stages else "" for each in minutes]
        level = level_of(stages[0.0]["test"])
        yield f"| {stages[0.0]['group']} | `{name}` | {level} | {' | '.join(cells)} |"


def _cell(line: Line) -> str:
    value, low, high = (100 * line[key] for key in ("share", "low", "high"))
    return f"{value:.1f} [{low:.1f}, {high:.1f}]"


def main() -> None:
    """Measure, or show what was measured."""
    torch.set_num_threads(1)
    asked = tyro.extras.subcommand_cli_from_dict({"run": Run, "show": Show})
    if isinstance(asked, Run):
        run(asked)
    show(lines_of(asked.out), asked.minutes if isinstance(asked, Show) else asked.stages[-1])


if __name__ == "__main__":
    main()
