"""Saved policies whose networks are shaped like their game, of all games: several tensors changed at once."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.card import make_card
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.network import SeatPolicy
from channel_tunnel_agents.players.policy.saved_policy import MAX_WEIGHT
from channel_tunnel_env import BatchGame, ChannelTunnelError, load_ruleset
from tests.fuzz.mutations import Random, any_value, pick
from tests.fuzz.policies import BAD_NUMBERS, safetensors_file

WIDTH = 8
RULESETS = {"tunnel_1987": "tiny", "carcassonne": "carcassonne", "eurotunnel": "eurotunnel"}
DEPTHS = (1, 2, 4)
ROWS = 2

Weights = dict[str, np.ndarray]


@cache
def _weights(game: str, depth: int) -> Weights:
    policy = SeatPolicy(WIDTH, depth, "game", FORMS[game])
    return {name: tensor.detach().numpy() for name, tensor in policy.state_dict().items()}


@cache
def _batch(game: str) -> BatchGame:
    """Games in which the first side is to move."""
    return BatchGame(ROWS, RULESETS[game], seed=0)


def mutate(rng: Random) -> tuple[str, str, bytes]:
    """A game, the name of the policy's file, and its content."""
    game, depth = pick(rng, sorted(RULESETS)), pick(rng, DEPTHS)
    weights = dict(_weights(game, depth))
    side = FORMS[game].sides[0]
    card = make_card(load_ruleset(RULESETS[game]), side=side, width=WIDTH, depth=depth, network="game")
    if rng.random() < 0.2:
        card[pick(rng, tuple(card))] = any_value(rng)
    for _ in range(int(rng.integers(1, 6))):
        _change(rng, weights)
    return game, side, safetensors_file(card, weights)


def _change(rng: Random, weights: Weights) -> None:
    """Numbers that are none or far, tensors of other shapes and types, or other ones."""
    name, way = pick(rng, sorted(weights)), rng.random()
    array = weights[name]
    if way < 0.1:
        array = array.astype(np.float32)
        array.reshape(-1)[int(rng.integers(array.size))] = pick(rng, BAD_NUMBERS)
        weights[name] = array
    elif way < 0.7:
        factor = pick(rng, (0.0, -1.0, 100.0, 1e4))
        weights[name] = np.clip(array * factor, -MAX_WEIGHT, MAX_WEIGHT).astype(array.dtype)
    elif way < 0.85:
        weights[name] = np.full_like(array, pick(rng, (1, -1, 0)) * MAX_WEIGHT, np.float32)
    elif way < 0.9:
        weights[name] = array.astype(pick(rng, (np.float16, np.float64, np.int8)))
    elif way < 0.95:
        weights[name] = np.concatenate([array, array]) if array.ndim else array.reshape(1)
    else:
        del weights[name]


def check(data: tuple[str, str, bytes], folder: Path) -> str:
    """Load it; let it play if it is accepted."""
    game, side, content = data
    (folder / f"{side}.safetensors").write_bytes(content)
    try:
        agent = PolicyAgent.load(folder / f"{side}.safetensors", load_ruleset(RULESETS[game]))
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
    for game, ruleset in RULESETS.items():
        side = FORMS[game].sides[0]
        card: dict[str, Any] = make_card(load_ruleset(ruleset), side=side, width=WIDTH, depth=1, network="game")
        content = safetensors_file(card, _weights(game, 1))
        assert check((game, side, content), folder) == "accepted"
