"""Take a policy of observation 2 over to this observation. It then plays as before.

python -m channel_tunnel_agents.players.policy.widen runs/old runs/new

The sections of observation 2 stand first in this one, unchanged; the first layer gets weights of 0 for
the others. So an old policy can be played, measured against, and trained further on what it did not see.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import tyro
from safetensors import SafetensorError, safe_open

from channel_tunnel_agents.players.policy.card import WIDENED, policy_paths
from channel_tunnel_agents.players.policy.saved_policy import load_policy, save_policy
from channel_tunnel_env import ChannelTunnelError, VersionError
from channel_tunnel_env.games.tunnel_1987.engine.observation import (
    OBSERVATION_SIZE,
    OBSERVATION_VERSION,
)
from channel_tunnel_env.outside.documents import need_mapping, parse_json
from channel_tunnel_env.outside.terminal import tolerate_any_terminal

FIRST = "trunk.layers.0.weight"


@dataclass(frozen=True)
class WidenArguments:
    """Take a policy of observation 2 over to this observation."""

    policy: tyro.conf.Positional[Path]
    """A run folder, or one side's file."""
    folder: tyro.conf.Positional[Path]
    """Output folder."""


def widen(policy: Path, folder: Path) -> list[Path]:
    """Write a policy of observation 2 for this observation; returns the files.

    Raises:
        VersionError: not a saved policy of observation 2. Nothing was written.
    """
    found = {file: _read(file) for file in policy_paths(policy).values()}
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for file, (weights, card) in found.items():
        path = folder / file.name
        save_policy(path, weights, card)
        load_policy(path)  # refuses what cannot be played
        written.append(path)
    return written


def _read(file: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """A file's widened weights, and its card."""
    try:
        with safe_open(str(file), framework="pt") as opened:
            card = need_mapping(parse_json((opened.metadata() or {})["card"], "card"), "card", "it")
            weights = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118
            old, size = card.get("observation_version"), card.get("observation_size")
            if (old, size) not in WIDENED.items() or weights[FIRST].shape[1] != size:
                raise VersionError(
                    f"{file}: made for observation version {old!r:.40}; allowed: {[*WIDENED]}"
                )
    except (SafetensorError, OSError, KeyError, ValueError, TypeError) as error:
        if isinstance(error, VersionError):
            raise
        raise VersionError(f"{file}: not a saved policy: {error}") from None
    more = OBSERVATION_SIZE - weights[FIRST].shape[1]
    weights[FIRST] = torch.nn.functional.pad(weights[FIRST], (0, more))
    now = {"observation_version": OBSERVATION_VERSION, "observation_size": OBSERVATION_SIZE}
    return weights, card | now | {"widened_from": old}


def main(argv: list[str] | None = None) -> int:
    """Exit status 0; 2 where the policy cannot be read."""
    tolerate_any_terminal()
    arguments = tyro.cli(
        WidenArguments, args=argv, prog="python -m channel_tunnel_agents.players.policy.widen"
    )
    try:
        print(*widen(arguments.policy, arguments.folder), sep="\n")
    except (ChannelTunnelError, OSError) as error:
        print(f"channel_tunnel_agents.players.policy.widen: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
