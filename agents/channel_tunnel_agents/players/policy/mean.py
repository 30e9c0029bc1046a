"""The mean of the weights of two related policies, which often plays better than either.

python -m channel_tunnel_agents.players.policy.mean runs/new runs/old runs/mean --share 0.5

A policy that was trained on from another one lies near it, and between the two the play stays good (Wortsman et al. 2022,
"Model soups"). The mean forgets less of what the earlier one knew. Policies that did not begin with the same weights
have no such path between them: their mean plays badly, and nothing here can see that.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import torch
import tyro

from channel_tunnel_agents.players.policy.card import network_of, policy_paths
from channel_tunnel_agents.players.policy.saved_policy import arrays_of, load_policy, write_policies
from channel_tunnel_env import ChannelTunnelError, VersionError
from channel_tunnel_env.outside.terminal import tolerate_any_terminal

MEAN = "mean_of"


@dataclass(frozen=True)
class MeanArguments:
    """Average the weights of two related policies."""

    policy: tyro.conf.Positional[Path]
    """A run folder; its cards go on, with a note."""
    other: tyro.conf.Positional[Path]
    """The folder of another run, such as the one that the first began with."""
    folder: tyro.conf.Positional[Path]
    """Output folder."""
    share: float = 0.5
    """The weight of the first, 0 to 1."""


def average(policy: Path, other: Path, folder: Path, share: float = 0.5) -> list[Path]:
    """Write the mean of two policies' weights; returns the files.

    Raises:
        VersionError: one is not a saved policy, or their networks differ. Nothing was written.
        ValueError: a share that is not from 0 to 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share {share}: allowed: 0 to 1")
    found, files_of_other = {}, policy_paths(other)
    for side, file in policy_paths(policy).items():
        (one, card), (two, card_of_other) = map(load_policy, (file, files_of_other.get(side, other)))
        if network_of(card) != network_of(card_of_other):
            raise VersionError(f"{file}: network {network_of(card)}; the other one's is {network_of(card_of_other)}")
        weights, others = one.state_dict(), two.state_dict()
        mean = {name: torch.lerp(others[name].float(), weights[name].float(), share) for name in weights}
        parts = [
            {"decisions": each.get("decisions"), "share": part}
            for each, part in ((card, share), (card_of_other, 1 - share))
        ]
        found[folder / file.name] = (arrays_of(mean), card | {MEAN: parts})
    write_policies(found)
    return [*found]


def main(argv: list[str] | None = None) -> int:
    """Exit status 0; 2 where a policy cannot be read."""
    tolerate_any_terminal()
    name = "channel_tunnel_agents.players.policy.mean"
    arguments = tyro.cli(MeanArguments, args=argv, prog=f"python -m {name}")
    try:
        written = average(arguments.policy, arguments.other, arguments.folder, arguments.share)
    except (ChannelTunnelError, OSError, ValueError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    print(*written, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
