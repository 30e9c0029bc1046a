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

from agents.files import write_whole
from agents.ppo.network import SeatPolicy
from channel_tunnel_env import Ruleset, VersionError
from channel_tunnel_env import __version__ as package_version
from channel_tunnel_env.engine.actions import ACTION_VERSION
from channel_tunnel_env.engine.constants import SEATS
from channel_tunnel_env.engine.observation import OBSERVATION_SIZE, OBSERVATION_VERSION

FORMAT = 1
OTHER_RULES = "; train for it, or let the policy play as it is: frozen:AGENT"


def make_card(ruleset: Ruleset, **more: Any) -> dict[str, Any]:
    """What a saved policy says of itself."""
    return {
        "format": FORMAT,
        "package_version": package_version,
        "ruleset": ruleset.name,
        "ruleset_digest": ruleset.digest,
        "observation_version": OBSERVATION_VERSION,
        "observation_size": OBSERVATION_SIZE,
        "action_version": ACTION_VERSION,
        **more,
    }


def check_card(
    card: dict[str, Any], path: Path, ruleset: Ruleset | None = None, advice: str = ""
) -> None:
    """Refuse a card that does not fit this package or the ruleset; `advice` on another ruleset.

    Raises:
        VersionError: names the file and both versions.
    """
    ours = {
        "format": FORMAT,
        "observation_version": OBSERVATION_VERSION,
        "observation_size": OBSERVATION_SIZE,
        "action_version": ACTION_VERSION,
    }
    if ruleset is not None:
        ours["ruleset_digest"] = ruleset.digest  # type: ignore[assignment]
    for key, value in ours.items():
        if card.get(key) != value:
            whose = f" ({card.get('ruleset')} against {ruleset.name}){advice}" if ruleset else ""
            raise VersionError(
                f"{path}: made for {key.replace('_', ' ')} {card.get(key)}, this is {value}"
                + (whose if key == "ruleset_digest" else "")
            )


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


def network_of(card: dict[str, Any]) -> dict[str, Any]:
    """Width, depth and trunk (shared or separate) of the network that a policy was part of."""
    trunk = card.get("config", {}).get("trunk", "shared")
    return {"width": card["width"], "depth": card["depth"], "trunk": trunk}


def load_policy(path: Path, ruleset: Ruleset | None = None) -> tuple[SeatPolicy, dict[str, Any]]:
    """A policy and its card.

    Raises:
        VersionError: made for something else, or no such file, or a broken one.
    """
    try:
        with safe_open(str(path), framework="pt") as file:
            card = json.loads((file.metadata() or {})["card"])
            check_card(card, path, ruleset, OTHER_RULES)
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, FileNotFoundError, KeyError, json.JSONDecodeError) as error:
        raise VersionError(f"{path}: not a saved policy: {error}") from None
    policy = SeatPolicy(card["width"], card["depth"])
    policy.load_state_dict(weights)
    return policy.eval(), card


def policy_paths(path: Path) -> dict[str, Path]:
    """Side -> file, for a run folder or a single file."""
    if path.is_dir():
        return {side: path / f"{side}.safetensors" for side in SEATS}
    side = next((side for side in SEATS if path.name.startswith(side)), None)
    if side is None:
        raise VersionError(
            f"{path}: a run folder, britain.safetensors or france.safetensors is needed"
        )
    return {side: path}
