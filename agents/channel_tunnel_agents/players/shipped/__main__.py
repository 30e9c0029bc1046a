"""Make a shipped agent from a training run.

python -m channel_tunnel_agents.players.shipped runs/full master --results runs/full/results.json
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import torch
import tyro

from channel_tunnel_agents.players.policy.card import policy_paths
from channel_tunnel_agents.players.policy.saved_policy import load_policy, save_policies
from channel_tunnel_agents.players.shipped import CARD, FOLDER
from channel_tunnel_env import ChannelTunnelError, VersionError
from channel_tunnel_env.documents import read_json
from channel_tunnel_env.engine.constants import SEATS
from channel_tunnel_env.files import write_whole
from channel_tunnel_env.terminal import tolerate_few_characters


@dataclass(frozen=True)
class Arguments:
    """Store a run's policies in half precision, with a card."""

    run: tyro.conf.Positional[Path]
    """Folder of a training run."""
    name: tyro.conf.Positional[Literal["rookie", "club", "master"]]
    """Name of the agent."""
    results: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """results.json of `evaluate.py tournament`: the measured table of the card."""
    command: str = ""
    """How the run was made, for the card."""


def main(argv: list[str] | None = None) -> int:
    """Exit status 0; 2 where the run or the results cannot be read."""
    tolerate_few_characters()
    arguments = tyro.cli(
        Arguments, args=argv, prog="python -m channel_tunnel_agents.players.shipped"
    )
    try:
        folder = ship(arguments.run, arguments.name, arguments.results, arguments.command)
    except (ChannelTunnelError, OSError) as error:
        print(f"channel_tunnel_agents.players.shipped: {error}", file=sys.stderr)
        return 2
    print(f"{arguments.name}: {folder}")
    return 0


def ship(
    run: Path,
    name: str,
    results: Path | None = None,
    command: str = "",
    target: Path = FOLDER,
) -> Path:
    """Write `target/name`, two policies and their card; returns the folder.

    Raises:
        VersionError: not a run, or a seat's policy is missing.
        OSError, DocumentError: the results cannot be read. Nothing was written.

    Half precision changes a logit by about a thousandth, which affects no choice that matters, and
    halves the size.
    """
    if not run.is_dir():
        raise VersionError(f"{run}: the folder of a run is needed, with a policy for each seat")
    # Everything is read before anything is written.
    policies = {side: load_policy(path) for side, path in policy_paths(run).items()}
    for _, card in policies.values():
        for key in ("run", "start_from"):  # paths on the machine it was made on
            card.get("config", {}).pop(key, None)
    measured = _measured(read_json(results), name) if results else None
    folder = target / name
    common = {key: value for key, value in policies[SEATS[0]][1].items() if key != "side"}
    half = {side: policy.to(torch.float16).state_dict() for side, (policy, _) in policies.items()}
    save_policies(folder, half, {**common, "name": name})
    whole = {"name": name, "command": command, **common, "measured": measured}
    write_whole(folder / CARD, (json.dumps(whole, indent=1) + "\n").encode())
    return folder


def _measured(results: dict[str, Any], name: str) -> dict[str, Any]:
    """One agent's results in a tournament: wins as Britain and as France against each rival."""
    against: dict[str, Any] = {}
    for match in results["matches"]:
        for side, rival_side in (("britain", "france"), ("france", "britain")):
            if match[side] == name:
                seats = against.setdefault(match[rival_side], {})
                seats[side] = {"wins": match[f"{side}_wins"], "games": match["games"]}
    return {
        "command": results["command"],
        "seed": results["seed"],
        "games": sum(seat["games"] for seats in against.values() for seat in seats.values()),
        "against": against,
    }


if __name__ == "__main__":
    sys.exit(main())
