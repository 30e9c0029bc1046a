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
from channel_tunnel_agents.players.shipped import CARD, FOLDER, OF_GAME, folder_of
from channel_tunnel_env import ChannelTunnelError, VersionError
from channel_tunnel_env.outside.documents import read_json
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.outside.terminal import tolerate_any_terminal


@dataclass(frozen=True)
class StoreArguments:
    """Store a run's policies in half precision, with a card."""

    run: tyro.conf.Positional[Path]
    """Folder of a training run."""
    name: tyro.conf.Positional[Literal["rookie", "club", "master", "adept"]]
    """Name of the agent."""
    results: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """results.json of `evaluate.py tournament`: the measured table of the card."""
    command: str = ""
    """How the run was made, for the card."""


def main(argv: list[str] | None = None) -> int:
    """Exit status 0; 2 where the run or the results cannot be read."""
    tolerate_any_terminal()
    arguments = tyro.cli(StoreArguments, args=argv, prog="python -m channel_tunnel_agents.players.shipped")
    try:
        folder = ship(arguments.run, arguments.name, arguments.results, arguments.command)
    except (ChannelTunnelError, OSError) as error:
        print(f"channel_tunnel_agents.players.shipped: {error}", file=sys.stderr)
        return 2
    print(f"{arguments.name}: {folder}")
    return 0


def ship(run: Path, name: str, results: Path | None = None, command: str = "", target: Path = FOLDER) -> Path:
    """Write the policies of an agent and their card below `target`; returns their folder.

    Raises:
        VersionError: not a run, a side's policy is missing, or the run's game has no agent of this name.
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
    first_policy, first_card = next(iter(policies.values()))
    game = first_policy.form.game
    if name not in OF_GAME[game]:
        raise VersionError(f"{name}: agents of the game {game}: {', '.join(OF_GAME[game])}")
    folder = target / folder_of(name, game).relative_to(FOLDER)
    common = {key: value for key, value in first_card.items() if key != "side"}
    half = {side: policy.to(torch.float16).state_dict() for side, (policy, _) in policies.items()}
    save_policies(folder, half, {**common, "name": name})
    whole = {"name": name, "command": command, **common, "measured": measured}
    write_whole(folder / CARD, (json.dumps(whole, indent=1) + "\n").encode())
    return folder


def _measured(results: dict[str, Any], name: str) -> dict[str, Any]:
    """One agent's results in a tournament: wins in each seat against each rival; where one agent plays against
    several of another, what either has of the game.
    """
    if "stands" in results:
        stands = [stand for stand in results["stands"] if name in (stand["agent"], stand["rest"])]
        return {
            "command": results["command"],
            "seed": results["seed"],
            "games": sum(stand["games"] for stand in stands),
            "stands": stands,
        }
    against: dict[str, Any] = {}
    for match in results["matches"]:
        one, other = [key.removesuffix("_wins") for key in match if key.endswith("_wins")]
        for side, rival_side in ((one, other), (other, one)):
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
