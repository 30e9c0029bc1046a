"""What policies that learned one far ruleset alone know more than `adept`, and more than its copy of some minutes.

    python benchmarks/specialists.py train runs/specialists dash parliament museum   # an hour of a core each
    python benchmarks/specialists.py play runs/specialists                           # all that are trained: minutes

The rulesets are those of held_out.yaml. A specialist begins as `adept` and plays 26.5 million decisions on one of
them, some twenty times as many as the copy that the commands tune (found where `CHANNEL_TUNNEL_TUNED` says; tuned if
it is not there). A stopped training goes on.

`play` prints how each of the three fares against the scripted player; then of `adept` and of the copy: its share
against the specialist (both seats of each deal), by how much its games with itself miss the share of Britain in the
specialist's, and by how much it misses the effects of planted changes, deal by deal. All three read the planted rules.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import tyro
from adept import first_seat_points, in_percent
from held_out import held_out
from numpy.typing import NDArray

from channel_tunnel_agents.balance.changing.overlay import dump_ruleset
from channel_tunnel_agents.balance.changing.tuned import MINUTES, exact_copy
from channel_tunnel_agents.balance.measuring.footing import footing_against
from channel_tunnel_agents.players.policy.card import policy_paths
from channel_tunnel_agents.players.policy.saved_policy import policy_card
from channel_tunnel_agents.statistics import estimate_change, percent_words
from channel_tunnel_env import Ruleset, VersionError
from channel_tunnel_env.outside.files import write_whole

READER, SCRIPTED = "adept", "heuristic"
DECISIONS = 26_526_208
HOW = [
    "--imitate",
    "None",
    "--drawn-rulesets",
    "0",
    "--curriculum",
    "0",
    "--start-from-other-ruleset",
    "--seed",
    "1",
    "--learning-rate",
    "4e-4",
    "--final-learning-rate",
    "3e-5",
    "--entropy",
    "0.01",
    "--final-entropy",
    "0.001",
]
PLANTED: dict[str, int] = {
    "storage.britain": 4,
    "head_start.points.france": 4,
    "head_start.first_discs.britain": 2,
    "scoring.centre_bonus": 10,
    "extra_finance": 5,
}
"""Figures that are changed, one at a time."""
Points = NDArray[np.float64]


@dataclass(frozen=True)
class Train:
    """Train specialists, one after the other."""

    folder: tyro.conf.Positional[Path]
    """Gets a run for each ruleset."""
    names: tyro.conf.Positional[tuple[str, ...]]
    """Of the rulesets."""


@dataclass(frozen=True)
class Play:
    """Compare adept and its copies with the specialists."""

    folder: tyro.conf.Positional[Path]
    """Of the specialists."""
    deals: int = 4000
    """Of every match of a player with itself; half of them against the specialist, a tenth against the scripted one."""
    seed: int = 50_000
    """Of the deals."""


def train(asked: Train) -> None:
    """Start each run, or let it go on."""
    for name in asked.names:
        ruleset, run = _ruleset(name), asked.folder / name
        file = asked.folder / f"{name}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, dump_ruleset(ruleset).encode())
        new = [READER, "--start-from", READER, "--ruleset", str(file), *HOW]
        how = ["--resume"] if (run / "config.yaml").exists() else new
        budget = ["--run", str(run), "--decisions", str(DECISIONS)]
        command = [sys.executable, "-m", "channel_tunnel_env", "train", *how, *budget]
        subprocess.run(command, check=True)


def _ruleset(name: str) -> Ruleset:
    """One of held_out.yaml."""
    ((found,),) = held_out(name).values()
    return found


def play(asked: Play) -> None:
    """Three lines, and two for each planted change, for each specialist whose training is over."""
    runs = sorted(config.parent for config in asked.folder.glob("*/config.yaml"))
    for run in filter(lambda run: _decisions(run) >= DECISIONS, runs):
        ruleset = _ruleset(run.name)
        specialist = f"frozen:ppo:{run}"  # frozen, so that it plays the planted changes too
        copy = exact_copy(READER, ruleset, MINUTES, threads=1).name
        players = {"adept": READER, "its copy": copy, "the specialist": specialist}
        for who, name in players.items():
            found = footing_against(name, SCRIPTED, ruleset, asked.deals // 10, asked.seed)
            print(f"{run.name}: {who} wins {found.percent} against {SCRIPTED}", flush=True)
        _compare(ruleset, list(players.items()), asked)


def _decisions(run: Path) -> int:
    """How many a run has had; 0 before its first policies."""
    try:
        return min(int(policy_card(file)["decisions"]) for file in policy_paths(run).values())
    except VersionError:
        return 0


def _compare(ruleset: Ruleset, players: list[tuple[str, str]], asked: Play) -> None:
    """What the last player knows more than the others."""
    *others, (_, specialist) = players
    base = {name: first_seat_points(name, ruleset, asked.deals, asked.seed) for _, name in players}
    planted = {
        key: ruleset.with_values({key: value}, f"{ruleset.name}-{key}")
        for key, value in PLANTED.items()
        if ruleset.flat[key] != value
    }
    after = {
        key: {name: first_seat_points(name, rules, asked.deals, asked.seed) for _, name in players}
        for key, rules in planted.items()
    }
    for who, name in others:
        found = footing_against(name, specialist, ruleset, asked.deals // 2, asked.seed)
        print(f"  {who} wins {percent_words(found.share)} against the specialist")
        print(f"  {who}: Britain's share {_error(base[name], base[specialist], '.1f')}")
        for key, points in after.items():
            mine, right = (points[each] - base[each] for each in (name, specialist))
            effect = f"effect of {key}={PLANTED[key]}"
            print(f"  {who}: {effect} {_error(mine, right, '+.1f')}", flush=True)


def _error(found: Points, truth: Points, form: str) -> str:
    """A figure in hundredths of games, the specialist's, and the gap with its interval."""
    one, other = (f"{100 * each.mean():{form}}" for each in (found, truth))
    value, interval = in_percent(estimate_change(found - truth, largest=2), "+.1f")
    return f"{one}, the specialist's {other}: {value} {interval} points"


def main() -> None:
    """Train or play."""
    torch.set_num_threads(1)
    asked = tyro.cli(Train | Play, description=__doc__)
    if isinstance(asked, Train):
        train(asked)
    else:
        play(asked)


if __name__ == "__main__":
    main()
