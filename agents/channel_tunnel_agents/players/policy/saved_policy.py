"""Policies on disk: one safetensors file per seat, with a JSON card in its header.

The card says what the policy was trained for; loading refuses another observation or action version
or ruleset. Files are written to a temporary name and then moved, so none is ever half-written.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from channel_tunnel_agents.players.policy.card import (
    OTHER_RULES,
    architecture_of,
    check_card,
    check_policy_card,
)
from channel_tunnel_agents.players.policy.forms import DEFAULT_FORM, form_of
from channel_tunnel_agents.players.policy.network import SeatPolicy
from channel_tunnel_env import Ruleset, VersionError
from channel_tunnel_env.outside.documents import need_mapping, parse_json
from channel_tunnel_env.outside.files import write_whole

MAX_WEIGHT = 1e6  # keeps a network's sums finite; trained weights are below 100


def save_policy(path: Path, weights: dict[str, torch.Tensor], card: dict[str, Any]) -> None:
    """Write one seat's policy; `card` must hold `side`, `width` and `depth`."""
    write_whole(path, save(weights, metadata={"card": json.dumps(card)}))


def save_policies(
    folder: Path, weights: dict[str, dict[str, torch.Tensor]], card: dict[str, Any]
) -> None:
    """Write one file per side into a folder, created if necessary; `weights` by side."""
    folder.mkdir(parents=True, exist_ok=True)
    for side, tensors in weights.items():
        save_policy(folder / f"{side}.safetensors", tensors, {**card, "side": side})


def load_policy(path: Path, ruleset: Ruleset | None = None) -> tuple[SeatPolicy, dict[str, Any]]:
    """A policy and its card.

    Raises:
        VersionError: the policy does not fit, or the file is missing or broken: other shapes than
            its card says, or non-finite weights.
    """
    try:
        with safe_open(str(path), framework="pt") as file:
            card = need_mapping(parse_json((file.metadata() or {})["card"], "card"), "card", "it")
            check_card(card, path, ruleset, OTHER_RULES)
            check_policy_card(card, path)
            shapes = {name: file.get_slice(name).get_shape() for name in file.keys()}  # noqa: SIM118
            _check_shapes(shapes, card, path)
            weights = {name: file.get_tensor(name) for name in shapes}
    except (SafetensorError, OSError, KeyError, ValueError) as error:
        if isinstance(error, VersionError):
            raise
        raise VersionError(f"{path}: not a saved policy: {error}") from None
    _check_numbers(weights, path)
    policy = _network(card)
    policy.load_state_dict(weights)
    return policy.eval(), card


def _network(card: dict[str, Any]) -> SeatPolicy:
    return SeatPolicy(
        card["width"], card["depth"], architecture_of(card), form_of(card) or DEFAULT_FORM
    )


def _check_shapes(shapes: dict[str, list[int]], card: dict[str, Any], path: Path) -> None:
    """Check the tensors against the network that the card describes, before allocating memory."""
    with torch.device("meta"):  # shapes alone
        network = _network(card)
    expected = {name: list(tensor.shape) for name, tensor in network.state_dict().items()}
    for name in sorted(expected.keys() | shapes.keys()):
        if shapes.get(name) != expected.get(name):
            raise VersionError(
                f"{path}: {name:.60}: shape {shapes.get(name)}; width {card['width']} and depth "
                f"{card['depth']} of its card make it {expected.get(name)}"
            )


def _check_numbers(weights: dict[str, torch.Tensor], path: Path) -> None:
    for name, tensor in weights.items():
        if not tensor.is_floating_point():
            raise VersionError(
                f"{path}: {name}: {tensor.dtype}; weights are floating-point numbers"
            )
        bad = int((~(tensor.float().abs() <= MAX_WEIGHT)).sum())
        if bad:
            raise VersionError(
                f"{path}: {name}: {bad:,} of {tensor.numel():,} weights are not finite, or beyond "
                f"{MAX_WEIGHT:g}"
            )
