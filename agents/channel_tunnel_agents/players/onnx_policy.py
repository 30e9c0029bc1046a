"""Policies of 1987 Channel Tunnel as ONNX files, for other programs.

Here `ppo:FOLDER` plays a saved policy of any game by ONNX Runtime, without such files.

python -m channel_tunnel_agents.players.onnx_policy master models/master      two files

Input `observations` float32 (n, D); outputs `logits` float32 (n, A) of all actions, legal or not, and
`values` float32 (n,) in the mover's view: 1, a sure win for the side of the file. The card of the saved policy is the file's metadata.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import tyro

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.players.policy.card import policy_paths
from channel_tunnel_agents.players.shipped import find_policy
from channel_tunnel_env import ChannelTunnelError, VersionError
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.files import write_all
from channel_tunnel_env.outside.terminal import tolerate_any_terminal

CARD = "card"  # key of the metadata


def export_onnx(policy: Path, folder: Path) -> list[Path]:
    """Write the networks of a saved policy of 1987 Channel Tunnel as ONNX, one file per side; returns the files.

    Args:
        policy: a run folder or one side's file.
        folder: created if necessary.

    Raises:
        VersionError: not a saved policy of this version, or one of another game.
        AgentError: torch or onnx is not installed.
    """
    try:
        from channel_tunnel_agents.players.policy.export import exported, forget_origins, quiet
        from channel_tunnel_agents.players.policy.network import InMoversView
        from channel_tunnel_agents.players.policy.saved_policy import load_policy
    except ImportError as error:
        raise AgentError(f"torch and onnx are needed: pip install 'channel-tunnel-env[onnx]' ({error})") from None
    content = {}
    networks = {side: load_policy(file) for side, file in policy_paths(policy).items()}
    for network, _ in networks.values():
        if network.form.game != DEFAULT_GAME:
            raise VersionError(f"{policy}: as ONNX only policies of {DEFAULT_GAME}, not {network.form.game}")
    for side, (network, card) in networks.items():
        own = InMoversView(network, network.form.sides.index(side) == 0).eval()
        with quiet():
            model = exported(own, network.form.observation_sizes[0], optimize=True).model_proto
        forget_origins(model)
        model.metadata_props.add(key=CARD, value=json.dumps(card))
        content[folder / f"{side}.onnx"] = model.SerializeToString()
    folder.mkdir(parents=True, exist_ok=True)
    write_all(content)
    return [*content]


@dataclass(frozen=True)
class ExportArguments:
    """Write a policy's networks as ONNX."""

    policy: tyro.conf.Positional[str]
    """rookie, club, master, adept, a run folder or one side's file."""
    folder: tyro.conf.Positional[Path]
    """Output folder."""


def main(argv: list[str] | None = None) -> int:
    """Exit status 0; 2 where the policy cannot be read or a package is missing."""
    tolerate_any_terminal()
    arguments = tyro.cli(ExportArguments, args=argv, prog="python -m channel_tunnel_agents.players.onnx_policy")
    try:
        files = export_onnx(find_policy(arguments.policy), arguments.folder)
    except (AgentError, ChannelTunnelError, OSError) as error:
        print(f"channel_tunnel_agents.players.onnx_policy: {error}", file=sys.stderr)
        return 2
    print(*files, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
