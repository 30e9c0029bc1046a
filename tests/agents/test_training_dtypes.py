"""Observations in fewer bytes: the network gets the same numbers, a run leaves a usual policy, and a shipped one plays as ever."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from channel_tunnel_agents.learning.sb3_policy import Decoder
from channel_tunnel_agents.registry import make_plain_agent
from channel_tunnel_env import BatchGame, load_ruleset
from channel_tunnel_env.core.encoding import Encoding
from channel_tunnel_env.envs.opponents import random_legal

GAMES, STEPS, EVERY = 32, 120, 12


@pytest.mark.parametrize("name", ["standard", "carcassonne", "eurotunnel"])
def test_the_network_gets_the_numbers_that_decode_gives(name: str) -> None:
    rules = load_ruleset(name)
    encoding = Encoding("uint8", [rules])
    held = np.random.default_rng(0).integers(0, 256, (64, len(encoding.steps)), np.uint8)
    expected = encoding.decode(held)
    numbers = Decoder(encoding.layout)(torch.from_numpy(held))
    assert numbers.dtype == torch.float32
    np.testing.assert_allclose(numbers.numpy(), expected, rtol=3e-7)


@pytest.mark.parametrize("ruleset", ["standard", "carcassonne"])
def test_a_shipped_policy_chooses_the_same_from_bytes(ruleset: str) -> None:
    agent = make_plain_agent("club", load_ruleset(ruleset))
    plain = BatchGame(GAMES, ruleset, seed=2, autoreset=True)
    held = BatchGame(GAMES, ruleset, seed=2, autoreset=True, observation_dtype="uint8")
    rng, same = np.random.default_rng(0), []
    for step in range(STEPS):
        if step % EVERY == 0:
            own = agent(held.numbers(), held.masks)
            same += (own == agent(plain.observations, plain.masks)).tolist()
        actions = random_legal(plain.masks, rng)
        plain.step(actions)
        held.step(actions)
    assert np.mean(same) > 0.98  # shares are rounded, which decides between actions that are as good as alike
