"""Saved policies, as safetensors and as ONNX: cards, tensors and bytes changed."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.players.onnx_file import sealed
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.card import make_card
from channel_tunnel_agents.players.policy.network import SeatPolicy
from channel_tunnel_agents.players.policy.saved_policy import policy_content
from channel_tunnel_env import BatchGame, ChannelTunnelError, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from tests.fuzz.mutations import Random, any_value, change_bytes, pick

WIDTH, DEPTH = 8, 1
BAD_NUMBERS = (np.nan, np.inf, -np.inf)


@cache
def tiny_weights() -> dict[str, np.ndarray]:
    policy = SeatPolicy(WIDTH, DEPTH)
    return {name: tensor.detach().numpy() for name, tensor in policy.state_dict().items()}


def tiny_card() -> dict[str, Any]:
    return make_card(load_ruleset("tiny"), side="britain", width=WIDTH, depth=DEPTH)


def mutate(rng: Random) -> tuple[str, bytes]:
    """The ending of a file's name, and its content."""
    card = tiny_card()
    weights = {name: array.copy() for name, array in tiny_weights().items()}
    way = rng.random()
    if way < 0.4:
        _change_card(rng, card)
    elif way < 0.7:
        _change_weights(rng, weights)
    if rng.random() < 0.2:
        content = onnx_file(json.dumps(card), weights)
        if content is not None:
            return "onnx", change_bytes(rng, content) if way >= 0.7 else content
    content = safetensors_file(card, weights)
    return "safetensors", change_bytes(rng, content) if way >= 0.7 else content


def _change_card(rng: Random, card: dict[str, Any]) -> None:
    for _ in range(int(rng.integers(1, 3))):
        key = pick(rng, (*card, "config", "trunk"))
        if rng.random() < 0.2:
            card.pop(key, None)
        elif key == "side":
            card[key] = pick(rng, (*c.SEATS, None, 0))
        else:
            card[key] = any_value(rng)


def _change_weights(rng: Random, weights: dict[str, np.ndarray]) -> None:
    name, way = pick(rng, sorted(weights)), rng.random()
    array = weights[name]
    if way < 0.5:
        array.reshape(-1)[int(rng.integers(array.size))] = pick(rng, BAD_NUMBERS)
    elif way < 0.6:
        weights[name] = array[:-1] if len(array) > 1 else np.concatenate([array, array])
    elif way < 0.7:
        weights[name] = array.astype(pick(rng, (np.float16, np.float64, np.int8, np.int64)))
    elif way < 0.8:
        del weights[name]
    elif way < 0.9:
        weights[pick(rng, ("more", "trunk.layers.9.weight", ""))] = array
    else:
        array *= np.float32(3e38)


def safetensors_file(card: Any, weights: dict[str, np.ndarray]) -> bytes:
    """A file with a digest that fits."""
    if isinstance(card, dict):
        return policy_content(weights, card)
    return save(weights, {"card": json.dumps(card)})


def onnx_file(card: str, weights: dict[str, np.ndarray]) -> bytes | None:
    """A network of the same shape by hand; None where onnx is not installed."""
    try:
        from onnx import TensorProto, helper, numpy_helper
    except ImportError:
        return None
    first, second = "trunk.layers.0", "policy"
    wanted = {f"{part}.{kind}" for part in (first, second, "value") for kind in ("weight", "bias")}
    arrays = {k: v for k, v in weights.items() if k in wanted}
    shape: list[str | int | None] = [
        "rows",
        int(weights[f"{first}.weight"].shape[-1]) if f"{first}.weight" in weights else 3,
    ]
    nodes = [
        helper.make_node("Gemm", ["observations", *_names(first)], ["a"], transB=1),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Gemm", ["b", *_names(second)], ["logits"], transB=1),
        helper.make_node("Gemm", ["b", *_names("value")], ["column"], transB=1),
        helper.make_node("Squeeze", ["column", "axes"], ["values"]),
    ]
    axes = numpy_helper.from_array(np.array([1], np.int64), "axes")
    floats = TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "policy",
        [helper.make_tensor_value_info("observations", floats, shape)],
        [helper.make_tensor_value_info(name, floats, None) for name in ("logits", "values")],
        [axes, *(numpy_helper.from_array(v, k) for k, v in arrays.items())],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    model.metadata_props.add(key="card", value=card)
    return sealed(model.SerializeToString())


def _names(part: str) -> list[str]:
    return [f"{part}.weight", f"{part}.bias"]


@cache
def _batch() -> BatchGame:
    """Games in which Britain is to move."""
    batch = BatchGame(16, "tiny", seed=0)
    assert (batch.to_play == 0).any()
    return batch


def check(data: tuple[str, bytes], folder: Path) -> str:
    """Load it; let it play if it is accepted."""
    kind, content = data
    path = folder / f"{c.SEATS[0]}.{kind}"
    path.write_bytes(content)
    try:
        if kind == "onnx":
            from channel_tunnel_agents.players.onnx_policy import OnnxAgent

            agent: Any = OnnxAgent.load(path, load_ruleset("tiny"))
        else:
            agent = PolicyAgent.load(path, load_ruleset("tiny"))
    except (ChannelTunnelError, AgentError):
        return "refused"
    rows = np.flatnonzero(_batch().to_play == 0)
    logits, values = agent.judge(*_seen(kind, _batch().observations[rows]))
    assert np.isfinite(logits).all() and np.isfinite(values).all(), "not finite"
    chosen = agent(_batch().observations[rows], _batch().masks[rows])
    assert _batch().masks[rows, chosen].all(), "an action that is not legal"
    return "accepted"


def _seen(kind: str, observations: np.ndarray) -> tuple[Any, ...]:
    return (c.SEATS[0], observations) if kind == "onnx" else (observations,)


def warm(folder: Path) -> None:
    """Load the libraries and compile what an agent calls."""
    assert check(("safetensors", safetensors_file(tiny_card(), tiny_weights())), folder) == "accepted"
    whole = onnx_file(json.dumps(tiny_card()), tiny_weights())
    assert whole is None or check(("onnx", whole), folder) == "accepted"
