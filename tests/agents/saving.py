"""Policies written as a test wants them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from channel_tunnel_agents.players.policy.card import make_card
from channel_tunnel_agents.players.policy.network import SeatPolicy
from channel_tunnel_agents.players.policy.saved_policy import policy_content, save_policies
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine import constants as c


def save_policy(path: Path, weights: Mapping[str, torch.Tensor], card: dict[str, Any]) -> None:
    """Write one seat's policy; `card` must hold `side`, `width` and `depth`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(policy_content({name: tensor.numpy(force=True) for name, tensor in weights.items()}, card))


def save_untrained(
    folder: Path, width: int, depth: int, ruleset: str = "tiny", seed: int = 0, one_trunk: bool = False, **card: Any
) -> Path:
    """The policies of both seats with random weights, as a run leaves them; `card` holds more entries."""
    torch.manual_seed(seed)
    policies = {side: SeatPolicy(width, depth) for side in c.SEATS}
    if one_trunk:
        policies["france"].trunk.load_state_dict(policies["britain"].trunk.state_dict())
    weights = {side: policy.state_dict() for side, policy in policies.items()}
    save_policies(folder, weights, make_card(load_ruleset(ruleset), width=width, depth=depth, **card))
    return folder
