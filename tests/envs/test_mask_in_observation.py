"""The mask travels in the observation, for libraries that look for it there."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_env.envs.mask_in_observation import MaskInObservation
from channel_tunnel_env.envs.single import ChannelTunnelEnv
from channel_tunnel_env.games.tunnel_1987.engine.actions import NUM_ACTIONS


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


@pytest.mark.parametrize("keep_info", [True, False])
def test_info_has_the_same_keys_at_every_step_if_it_is_not_kept(keep_info: bool) -> None:
    env = MaskInObservation(ChannelTunnelEnv(ruleset="tiny"), keep_info=keep_info)
    seen, info = env.reset(seed=3)
    rng, done, keys = np.random.default_rng(0), False, {frozenset(info)}
    while not done:
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        seen, _, done, _, info = env.step(action)
        keys.add(frozenset(info))
    assert (len(keys) == 1) == (not keep_info), "the last step alone knows the winner"
