"""The mask travels in the observation, for libraries that look for it there."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_env.engine.actions import NUM_ACTIONS
from channel_tunnel_env.envs.mask_in_observation import MaskInObservation
from channel_tunnel_env.envs.single import ChannelTunnelEnv


@pytest.mark.parametrize("keys", [("observation", "action_mask"), ("obs", "mask")])
def test_every_observation_holds_the_mask_of_its_own_moment(keys: tuple[str, str]) -> None:
    env = MaskInObservation(ChannelTunnelEnv(ruleset="tiny"), *keys)
    plain = ChannelTunnelEnv(ruleset="tiny")
    seen, (bare, info), done = env.reset(seed=3)[0], plain.reset(seed=3), False
    rng = np.random.default_rng(0)
    while not done:
        assert seen in env.observation_space
        assert seen[keys[1]].dtype == np.bool_
        assert seen[keys[1]].shape == (NUM_ACTIONS,)
        assert np.array_equal(seen[keys[1]], info["action_mask"])
        assert np.array_equal(seen[keys[0]], bare)
        action = int(rng.choice(np.flatnonzero(seen[keys[1]])))
        seen, reward, terminated, truncated, _ = env.step(action)
        bare, plain_reward, *_, info = plain.step(action)
        assert reward == plain_reward
        done = terminated or truncated
    assert seen[keys[1]].sum() == 1, "nothing to decide, and no mask of zeros"
