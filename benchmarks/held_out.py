"""How a policy for all rulesets plays rules that designers might write and training never saw.

    python benchmarks/held_out.py list                       # the rulesets of held_out.yaml
    python benchmarks/held_out.py against heuristic          # adept, on all of them
    python benchmarks/held_out.py against heuristic --agent ppo:runs/adept --deals 400 --out shares.json

`against` prints the share of the agent over both seats of each deal (a draw is half), its 95 % interval over deals,
the share of the better seat whoever plays it, and the games that were stopped without result. Seeds of deals are no
seeds of training.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import tyro
import yaml

from channel_tunnel_agents.balance.measuring.footing import footing_against
from channel_tunnel_agents.rulesets import SPACES
from channel_tunnel_env import Ruleset, load_ruleset
from channel_tunnel_env.outside.files import write_whole

LIST = Path(__file__).with_name("held_out.yaml")


@dataclass(frozen=True)
class List:
    """Name, digest and changed figures of each ruleset."""


@dataclass(frozen=True)
class Against:
    """Play an agent against another one on every ruleset."""

    rival: tyro.conf.Positional[str]
    """Against whom."""
    agent: str = "adept"
    """Who reads the rules."""
    deals: int = 400
    """Each with both seatings."""
    seed: int = 30_000
    """Of the deals."""
    only: str | None = None
    """A ruleset or a group; all if left out."""
    out: Path | None = None
    """A JSON file for the shares."""


def held_out(only: str | None = None) -> dict[str, list[Ruleset]]:
    """The rulesets of each group of the list, or of one group, or one ruleset."""
    groups = yaml.safe_load(LIST.read_text(encoding="utf-8"))
    found = {
        group: [
            load_ruleset({"base": "standard", "name": name} | changes)
            for name, changes in rulesets.items()
            if only in (None, group, name)
        ]
        for group, rulesets in groups.items()
    }
    return {group: rulesets for group, rulesets in found.items() if rulesets}


def list_rulesets() -> None:
    """One line a ruleset."""
    standard, space = load_ruleset("standard"), SPACES["tunnel_1987"]
    usual = space.rules_of(standard).items()
    for group, rulesets in held_out().items():
        for ruleset in rulesets:
            changed = len(space.rules_of(ruleset).items() ^ usual)
            print(f"{group:<5}{ruleset.name:<16}{ruleset.digest}  {changed} figures differ")


def against(arguments: Against) -> None:
    """One line a ruleset, and the mean and lowest share of each group."""
    shares: dict[str, dict[str, list[float]]] = {}
    for group, rulesets in held_out(arguments.only).items():
        shares[group] = {}
        for ruleset in rulesets:
            found = footing_against(
                arguments.agent, arguments.rival, ruleset, arguments.deals, arguments.seed
            )
            share, seat, stopped = found.share, 100 * found.favoured, 100 * found.stopped
            value, low, high = (100 * x for x in (share.value, share.low, share.high))
            shares[group][ruleset.name] = [round(x, 2) for x in (value, low, high, seat, stopped)]
            print(
                f"{group:<5}{ruleset.name:<16}{value:5.1f} % [{low:.1f}, {high:.1f}]  better seat {seat:.1f} %  stopped {stopped:.1f} %",
                flush=True,
            )
        values = [found[0] for found in shares[group].values()]
        print(f"{group}: mean {np.mean(values):.1f} %, lowest {min(values):.1f} %", flush=True)
    if arguments.out:
        text = json.dumps({**vars(arguments), "out": None, "shares": shares}, indent=1)
        write_whole(arguments.out, text.encode())


def main() -> None:
    """List the rulesets or play on them."""
    torch.set_num_threads(1)
    chosen = tyro.extras.subcommand_cli_from_dict({"list": List, "against": Against})
    if isinstance(chosen, List):
        list_rulesets()
    else:
        against(chosen)


if __name__ == "__main__":
    main()
