"""Saved policies of all games, their networks plain or shaped like their game: cards, tensors and bytes changed, several at once."""

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
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.network import SeatPolicy
from channel_tunnel_agents.players.policy.saved_policy import MAX_WEIGHT, policy_content
from channel_tunnel_env import BatchGame, ChannelTunnelError, load_ruleset
from tests.fuzz.mutations import Random, any_value, change_bytes, pick

WIDTH = 8
RULESETS = {"tunnel_1987": "tiny", "carcassonne": "carcassonne", "eurotunnel": "eurotunnel"}
NETWORKS = (*[("tunnel_1987", "mlp", 1)] * 5, *((game, "game", depth) for game in RULESETS for depth in (1, 2, 4)))
ROWS = 2

Weights = dict[str, np.ndarray]


@cache
def tiny_weights(game: str = "tunnel_1987", network: str = "mlp", depth: int = 1) -> Weights:
    """Those of a small network."""
    policy = SeatPolicy(WIDTH, depth, network, FORMS[game])
    return {name: tensor.detach().numpy() for name, tensor in policy.state_dict().items()}


def tiny_card(game: str = "tunnel_1987", network: str = "mlp", depth: int = 1) -> dict[str, Any]:
    """Its card, for the first side of the game."""
    rules = load_ruleset(RULESETS[game])
    return make_card(rules, side=FORMS[game].sides[0], width=WIDTH, depth=depth, network=network)


def mutate(rng: Random) -> tuple[str, bytes]:
    """A game and the content of a file."""
    network = pick(rng, NETWORKS)
    card, weights, way = tiny_card(*network), dict(tiny_weights(*network)), rng.random()
    if way < 0.35:
        _change_card(rng, card)
    if 0.3 < way < 0.8:
        for _ in range(int(rng.integers(1, 6))):
            _change_weights(rng, weights)
    content = safetensors_file(card, weights)
    return network[0], change_bytes(rng, content) if way >= 0.8 else content


def _change_card(rng: Random, card: dict[str, Any]) -> None:
    for _ in range(int(rng.integers(1, 3))):
        key = pick(rng, (*card, "config", "trunk"))
        if rng.random() < 0.2:
            card.pop(key, None)
        elif key == "side":
            card[key] = pick(rng, (*FORMS["tunnel_1987"].sides, None, 0))
        else:
            card[key] = any_value(rng)


def _change_weights(rng: Random, weights: Weights) -> None:
    """Numbers that are none or far, tensors of other shapes and types, or other ones."""
    name, way = pick(rng, sorted(weights)), rng.random()
    array = weights[name]
    if way < 0.15:
        weights[name] = array = array.astype(np.float32)
        array.reshape(-1)[int(rng.integers(array.size))] = pick(rng, (np.nan, np.inf, -np.inf))
    elif way < 0.55:
        factor = pick(rng, (0.0, -1.0, 100.0, 1e4))
        weights[name] = np.clip(array * factor, -MAX_WEIGHT, MAX_WEIGHT).astype(array.dtype)
    elif way < 0.7:
        weights[name] = np.full_like(array, pick(rng, (1, -1, 0, 2)) * MAX_WEIGHT, np.float32)
    elif way < 0.78:
        weights[name] = array.astype(pick(rng, (np.float16, np.float64, np.int8, np.int64)))
    elif way < 0.86:
        weights[name] = np.concatenate([array, array]) if array.ndim else array.reshape(1)
    elif way < 0.93 and len(weights) > 1:
        del weights[name]
    else:
        weights[pick(rng, ("more", "trunk.layers.9.weight", ""))] = array


def safetensors_file(card: Any, weights: Weights) -> bytes:
    """A file with a digest that fits."""
    if isinstance(card, dict):
        return policy_content(weights, card)
    return save(weights, {"card": json.dumps(card)})


@cache
def _batch(game: str) -> BatchGame:
    """Games in which the first side is to move."""
    return BatchGame(ROWS, RULESETS[game], seed=0)


def check(data: tuple[str, bytes], folder: Path) -> str:
    """Load it; let it play if it is accepted."""
    game, content = data
    path = folder / f"{FORMS[game].sides[0]}.safetensors"
    path.write_bytes(content)
    try:
        agent = PolicyAgent.load(path, load_ruleset(RULESETS[game]))
    except (ChannelTunnelError, AgentError):
        return "refused"
    batch = _batch(game)
    logits, values = agent.judge(batch.observations)
    assert np.isfinite(logits).all() and np.isfinite(values).all(), "not finite"
    chosen = agent(batch.observations, batch.masks)
    assert batch.masks[np.arange(ROWS), chosen].all(), "an action that is not legal"
    return "accepted"


def warm(folder: Path) -> None:
    """Load the libraries and compile what an agent calls."""
    import torch

    torch.set_num_threads(1)
    for network in NETWORKS[4::3]:
        assert check((network[0], safetensors_file(tiny_card(*network), tiny_weights(*network))), folder) == "accepted"
