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

import numpy as np
import tyro
from numpy.typing import NDArray

from channel_tunnel_agents.players.policy.card import WIDENED, policy_paths
from channel_tunnel_agents.players.policy.saved_policy import (
    check_policy,
    read_weights,
    write_policies,
)
from channel_tunnel_env import ChannelTunnelError, VersionError
from channel_tunnel_env.games.tunnel_1987.engine.observation import (
    OBSERVATION_SIZE,
    OBSERVATION_VERSION,
)
from channel_tunnel_env.outside.terminal import tolerate_few_characters

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
    found = {folder / file.name: _read(file) for file in policy_paths(policy).values()}
    for path, each in found.items():
        check_policy(*each, path)
    write_policies(found)
    return [*found]


def _read(file: Path) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """A file's widened weights, and its card."""
    weights, card = read_weights(file)
    old, size = card.get("observation_version"), card.get("observation_size")
    first = weights.get(FIRST, np.zeros((0, 0), np.float32))
    if (old, size) not in WIDENED.items() or first.shape[1:] != (size,):
        raise VersionError(
            f"{file}: made for observation version {old!r:.40}; allowed: {[*WIDENED]}"
        )
    weights[FIRST] = np.pad(first, ((0, 0), (0, OBSERVATION_SIZE - first.shape[1])))
    now = {"observation_version": OBSERVATION_VERSION, "observation_size": OBSERVATION_SIZE}
    return weights, card | now | {"widened_from": old}


def main(argv: list[str] | None = None) -> int:
    """Exit status 0; 2 where the policy cannot be read."""
    tolerate_few_characters()
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
