"""Policies on disk: one safetensors file per seat, with a JSON card in its header.

The card says what the policy was trained for; loading refuses another observation or action version
or ruleset. Files are written to a temporary name and then moved, so none is ever half-written.
Reading needs no torch; torch is loaded where its modules are asked for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.players.policy.card import (
    OTHER_RULES,
    architecture_of,
    check_card,
    check_policy_card,
)
from channel_tunnel_agents.players.policy.forms import DEFAULT_FORM, form_of
from channel_tunnel_agents.players.policy.graphs import find_graph, graph_name, graph_names
from channel_tunnel_env import Ruleset, VersionError
from channel_tunnel_env.outside.documents import need_mapping, parse_json
from channel_tunnel_env.outside.files import write_whole

if TYPE_CHECKING:
    import torch

    from channel_tunnel_agents.players.policy.network import SeatPolicy

MAX_WEIGHT = 1e6  # keeps a network's sums finite; trained weights are below 100
TORCH = "pip install 'channel-tunnel-env[train]'"
Weights = dict[str, NDArray[np.float32]]


def save_policy(path: Path, weights: dict[str, torch.Tensor], card: dict[str, Any]) -> None:
    """Write one seat's policy; `card` must hold `side`, `width` and `depth`."""
    from safetensors.torch import save

    write_whole(path, save(weights, metadata={"card": json.dumps(card)}))


def save_policies(
    folder: Path, weights: dict[str, dict[str, torch.Tensor]], card: dict[str, Any]
) -> None:
    """Write one file per side into a folder, created if necessary; `weights` by side."""
    folder.mkdir(parents=True, exist_ok=True)
    for side, tensors in weights.items():
        save_policy(folder / f"{side}.safetensors", tensors, {**card, "side": side})


def load_policy(path: Path, ruleset: Ruleset | None = None) -> tuple[SeatPolicy, dict[str, Any]]:
    """A policy as a torch module, and its card.

    Raises:
        VersionError: see `read_policy`.
    """
    weights, card = read_policy(path, ruleset)
    return make_policy(weights, card), card


def load_policies(
    files: Mapping[str, Path], ruleset: Ruleset | None = None
) -> dict[str, SeatPolicy]:
    """The policies of some sides as torch modules; see `load_policy`."""
    return {side: load_policy(file, ruleset)[0] for side, file in files.items()}


def make_policy(weights: Weights, card: dict[str, Any]) -> SeatPolicy:
    """A policy that was read, as a torch module."""
    import torch

    policy = _network(card)
    policy.load_state_dict({name: torch.tensor(array) for name, array in weights.items()})
    return policy.eval()


def read_policy(path: Path, ruleset: Ruleset | None = None) -> tuple[Weights, dict[str, Any]]:
    """A policy's weights in float32 and its card.

    Raises:
        VersionError: the policy does not fit, or the file is missing or broken: other shapes than
            its card says, or non-finite weights.
        AgentError: the network is of a size without a graph, and torch is not installed.
    """
    try:
        with safe_open(str(path), framework="np") as file:
            card = _card_of(file)
            check_card(card, path, ruleset, OTHER_RULES)
            check_policy_card(card, path)
            names = file.keys()
            shapes = {name: list(file.get_slice(name).get_shape()) for name in names}
            _check_shapes(shapes, card, path)
            weights = {name: file.get_tensor(name) for name in shapes}
    except (SafetensorError, OSError, KeyError, ValueError) as error:
        if isinstance(error, VersionError | AgentError):
            raise
        raise VersionError(f"{path}: not a saved policy: {error}") from None
    return {name: _checked(name, array, path) for name, array in weights.items()}, card


def policy_card(path: Path) -> dict[str, Any]:
    """The card of a policy's file, not compared with anything.

    Raises:
        VersionError: the file is missing or broken, or has no card.
    """
    try:
        with safe_open(str(path), framework="np") as file:
            return _card_of(file)
    except (SafetensorError, OSError, KeyError, ValueError) as error:
        raise VersionError(f"{path}: not a saved policy: {error}") from None


def _card_of(file: Any) -> dict[str, Any]:
    return need_mapping(parse_json((file.metadata() or {})["card"], "card"), "card", "it")


def _network(card: dict[str, Any]) -> SeatPolicy:
    from channel_tunnel_agents.players.policy.network import SeatPolicy

    return SeatPolicy(
        card["width"], card["depth"], architecture_of(card), form_of(card) or DEFAULT_FORM
    )


def _expected_shapes(card: dict[str, Any], path: Path) -> Mapping[str, list[int]]:
    """The shapes of the network that a card describes, found without its memory."""
    graph = find_graph(card)
    if graph is not None:
        return graph.shapes
    try:
        import torch
    except ImportError as error:
        raise AgentError(
            f"{path}: a network {graph_name(card)} plays with torch alone; without it play those of "
            f"{', '.join(graph_names())}: {TORCH} ({error})"
        ) from None
    with torch.device("meta"):  # shapes alone
        network = _network(card)
    return {name: list(tensor.shape) for name, tensor in network.state_dict().items()}


def _check_shapes(shapes: dict[str, list[int]], card: dict[str, Any], path: Path) -> None:
    """Check the tensors against the network that the card describes, before allocating memory."""
    expected = _expected_shapes(card, path)
    for name in sorted(expected.keys() | shapes.keys()):
        if shapes.get(name) != expected.get(name):
            raise VersionError(
                f"{path}: {name:.60}: shape {shapes.get(name)}; width {card['width']} and depth "
                f"{card['depth']} of its card make it {expected.get(name)}"
            )


def _checked(name: str, array: NDArray[Any], path: Path) -> NDArray[np.float32]:
    """Weights in float32, if all are numbers that a network can work with."""
    if array.dtype.kind != "f":
        raise VersionError(f"{path}: {name}: {array.dtype}; weights are floating-point numbers")
    with np.errstate(over="ignore"):  # a float64 may be infinite as float32
        found = np.ascontiguousarray(array, np.float32)
    bad = int((~(np.abs(found) <= MAX_WEIGHT)).sum())
    if bad:
        raise VersionError(
            f"{path}: {name}: {bad:,} of {found.size:,} weights are not finite, or beyond "
            f"{MAX_WEIGHT:g}"
        )
    return found
