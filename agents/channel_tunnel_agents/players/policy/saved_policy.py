"""Policies on disk: one safetensors file per seat, with a JSON card in its header.

The card says what the policy was trained for; loading refuses another observation or action version
or ruleset. It holds a digest of itself and of the weights. The files of all seats are written to temporary names and
then moved, so none is ever half-written. Reading needs no torch; torch is loaded where its modules are asked for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.players.policy.card import (
    OTHER_RULES,
    architecture_of,
    check_card,
    check_entries,
    check_policy_card,
)
from channel_tunnel_agents.players.policy.form import DEFAULT_FORM, form_of
from channel_tunnel_agents.players.policy.graphs import find_graph, graph_name, graph_names
from channel_tunnel_env import Ruleset, VersionError
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside.documents import need_mapping, parse_json
from channel_tunnel_env.outside.files import open_file, write_all

if TYPE_CHECKING:
    import torch

    from channel_tunnel_agents.players.policy.network import SeatPolicy

MAX_WEIGHT = 1e6  # keeps a network's sums finite; trained weights are below 100
TORCH = "pip install 'channel-tunnel-env[train]'"
Weights = dict[str, NDArray[np.float32]]


DIGEST = "digest"  # key of the card; callers of this module never see it
KNOWN_FILES = Path(__file__).parents[1] / "shipped" / "SHA256SUMS"
"""Shipped policies from before there were digests. Score cards name their files by their bytes, so these stay."""


def save_policies(folder: Path, weights: Mapping[str, Mapping[str, torch.Tensor]], card: dict[str, Any]) -> None:
    """Write one file per side into a folder, created if necessary: all of them or none.

    Args:
        weights: by side.
        card: must hold `width` and `depth`.

    Raises:
        OSError: no room or no permission; the files that there were are intact.
    """
    folder.mkdir(parents=True, exist_ok=True)
    content = {}
    for side, tensors in weights.items():
        arrays = {name: tensor.numpy(force=True) for name, tensor in tensors.items()}
        content[folder / f"{side}.safetensors"] = policy_content(arrays, {**card, "side": side})
    write_all(content)


def policy_content(weights: Mapping[str, NDArray[Any]], card: dict[str, Any]) -> bytes:
    """A policy's file."""
    arrays = {name: np.ascontiguousarray(array) for name, array in weights.items()}
    sealed = {**card, DIGEST: _digest(card, arrays)}
    return save(arrays, metadata={"card": json.dumps(sealed)})


def _digest(card: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> str:
    """SHA-256 of a card without its digest, and of the weights by name."""
    digest = hashlib.sha256(json.dumps(card, sort_keys=True).encode())
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def load_policy(path: Path, ruleset: Ruleset | None = None) -> tuple[SeatPolicy, dict[str, Any]]:
    """A policy as a torch module, and its card; see `read_policy`."""
    weights, card = read_policy(path, ruleset)
    return make_policy(weights, card), card


def load_policies(files: Mapping[str, Path], ruleset: Ruleset | None = None) -> dict[str, SeatPolicy]:
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
    with _opened(path) as file:
        card = _card_of(file)
        check_card(card, path, ruleset, OTHER_RULES)
        shapes = {name: file.get_slice(name).get_shape() for name in file.keys()}  # noqa: SIM118
        _check_shapes(shapes, card, path)
        weights = _checked_weights(file, card, path)
    return {name: _checked(name, array, path) for name, array in weights.items()}, card


def policy_card(path: Path) -> dict[str, Any]:
    """The card of a policy's file, not compared with anything but its digest; a VersionError if the file is broken."""
    with _opened(path) as file:
        card = _card_of(file)
        check_entries(card, path)
        _checked_weights(file, card, path)
        return card


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """Context with a policy's file as safetensors opens it; what it raises names the file."""
    try:
        open_file(path).close()
        with safe_open(str(path), framework="np") as file:
            yield file
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, VersionError | AgentError):
            raise
        why: Any = error
        if isinstance(error, DocumentError) and error.where == str(path):
            why = error.problem
        raise VersionError(f"{path}: not a saved policy: {why}") from None


def _card_of(file: Any) -> dict[str, Any]:
    return need_mapping(parse_json((file.metadata() or {})["card"], "card"), "card", "it")


def _checked_weights(file: Any, card: dict[str, Any], path: Path) -> dict[str, NDArray[Any]]:
    """The weights; a ValueError if they or the card are not what was written. Takes the digest out of the card."""
    weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no dict
    told = card.pop(DIGEST, None)
    if told is None:
        with open_file(path) as whole:
            digest = hashlib.file_digest(whole, "sha256").hexdigest()
        if digest not in _known_digests():
            raise ValueError("its card has no digest; train or export it again")
    elif told != _digest(card, weights):
        raise ValueError("changed since it was written: its digest is another one")
    return weights


@cache
def _known_digests() -> frozenset[str]:
    lines = KNOWN_FILES.read_text(encoding="utf-8").splitlines()
    return frozenset(line.split()[0] for line in lines)


def _network(card: dict[str, Any]) -> SeatPolicy:
    from channel_tunnel_agents.players.policy.network import SeatPolicy

    return SeatPolicy(card["width"], card["depth"], architecture_of(card), form_of(card) or DEFAULT_FORM)


def _expected_shapes(card: dict[str, Any], path: Path) -> Mapping[str, list[int]]:
    """The shapes of the network that a card describes, found without its memory."""
    graph = find_graph(card)
    if graph is not None:
        return graph.shapes
    try:
        import torch
    except ImportError as error:
        raise AgentError(
            f"{path}: a network {graph_name(card)} needs torch; without it you can play "
            f"{', '.join(graph_names())}: {TORCH} ({error})"
        ) from None
    with torch.device("meta"):  # only shapes
        network = _network(card)
    return {name: list(tensor.shape) for name, tensor in network.state_dict().items()}


def _check_shapes(shapes: Mapping[str, Sequence[int]], card: dict[str, Any], path: Path) -> None:
    """Check the tensors against the network that the card describes, before allocating memory."""
    check_policy_card(card, path)
    expected = _expected_shapes(card, path)
    there = {name: [*shape] for name, shape in shapes.items()}
    for name in sorted(expected.keys() | there.keys()):
        if there.get(name) != expected.get(name):
            raise VersionError(
                f"{path}: {name:.60}: shape {there.get(name)}; width {card['width']} and depth "
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
            f"{path}: {name}: {bad:,} of {found.size:,} weights are not finite, or beyond {MAX_WEIGHT:g}"
        )
    return found
