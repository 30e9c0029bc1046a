"""Policies on disk: one safetensors file a seat, with a JSON card in its header.

The card says what the policy was made for; loading refuses another observation, action version or
ruleset. Files are written beside their place and then moved, so none is ever half-written.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from agents.ppo.card import OTHER_RULES, check_card
from agents.ppo.network import SeatPolicy
from channel_tunnel_env import Ruleset, VersionError
from channel_tunnel_env.documents import need_mapping, parse_json
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.files import write_whole


def save_policy(path: Path, weights: dict[str, torch.Tensor], card: dict[str, Any]) -> None:
    """Write one seat's policy; `card` must hold `side`, `width` and `depth`."""
    write_whole(path, save(weights, metadata={"card": json.dumps(card)}))


def save_policies(
    folder: Path, weights: dict[str, dict[str, torch.Tensor]], card: dict[str, Any]
) -> None:
    """Write one file a side into a folder, made if need be; `weights` by side."""
    folder.mkdir(parents=True, exist_ok=True)
    for side, tensors in weights.items():
        save_policy(folder / f"{side}.safetensors", tensors, {**card, "side": side})


def load_policy(path: Path, ruleset: Ruleset | None = None) -> tuple[SeatPolicy, dict[str, Any]]:
    """A policy and its card.

    Raises:
        VersionError: made for something else, or no such file, or a broken one.
    """
    try:
        with safe_open(str(path), framework="pt") as file:
            card = need_mapping(parse_json((file.metadata() or {})["card"], "card"), "card", "it")
            check_card(card, path, ruleset, OTHER_RULES)
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, FileNotFoundError, KeyError, DocumentError) as error:
        raise VersionError(f"{path}: not a saved policy: {error}") from None
    policy = SeatPolicy(card["width"], card["depth"])
    policy.load_state_dict(weights)
    return policy.eval(), card
