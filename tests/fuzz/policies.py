"""Saved policies: cards, tensors and bytes changed."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from channel_tunnel_agents.base import AgentError
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


def mutate(rng: Random) -> bytes:
    """The content of a file."""
    card = tiny_card()
    weights = {name: array.copy() for name, array in tiny_weights().items()}
    way = rng.random()
    if way < 0.4:
        _change_card(rng, card)
    elif way < 0.7:
        _change_weights(rng, weights)
    content = safetensors_file(card, weights)
    return change_bytes(rng, content) if way >= 0.7 else content


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


@cache
def _batch() -> BatchGame:
    """Games in which Britain is to move."""
    batch = BatchGame(16, "tiny", seed=0)
    assert (batch.to_play == 0).any()
    return batch


def check(content: bytes, folder: Path) -> str:
    """Load it; let it play if it is accepted."""
    path = folder / f"{c.SEATS[0]}.safetensors"
    path.write_bytes(content)
    try:
        agent = PolicyAgent.load(path, load_ruleset("tiny"))
    except (ChannelTunnelError, AgentError):
        return "refused"
    rows = np.flatnonzero(_batch().to_play == 0)
    logits, values = agent.judge(_batch().observations[rows])
    assert np.isfinite(logits).all() and np.isfinite(values).all(), "not finite"
    chosen = agent(_batch().observations[rows], _batch().masks[rows])
    assert _batch().masks[rows, chosen].all(), "an action that is not legal"
    return "accepted"


def warm(folder: Path) -> None:
    """Load the libraries and compile what an agent calls."""
    assert check(safetensors_file(tiny_card(), tiny_weights()), folder) == "accepted"
