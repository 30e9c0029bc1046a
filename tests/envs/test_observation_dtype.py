"""Vector environments in bytes: their spaces, and what opponents still see."""

from __future__ import annotations

import gymnasium
import numpy as np

from channel_tunnel_env.envs.opponents import random_legal
from channel_tunnel_env.envs.sb3 import SeatVecEnv, SelfPlayVecEnv
from channel_tunnel_env.envs.vector import ChannelTunnelVectorEnv

ENVS, STEPS = 6, 120
NEAR = {"rtol": 0, "atol": 0.51 / 240}


def made(dtype: str, **more: object) -> ChannelTunnelVectorEnv:
    env = gymnasium.make_vec(
        "ChannelTunnel-v1",
        num_envs=ENVS,
        vectorization_mode="vector_entry_point",
        ruleset="tiny",
        observation_dtype=dtype,
        autoreset_mode="SameStep",
        **more,
    )
    return env.unwrapped


def test_a_vector_env_shows_the_same_games_in_bytes() -> None:
    plain, env = made("float32"), made("uint8")
    assert env.observation_space.dtype == env.single_observation_space.dtype == np.uint8
    rng, ended = np.random.default_rng(0), 0
    expected, seen = plain.reset(seed=1)[0], env.reset(seed=1)[0]
    for _ in range(STEPS):
        assert seen.dtype == np.uint8 and env.observation_space.contains(seen)
        np.testing.assert_allclose(env.encoding.decode(seen), expected, **NEAR)
        actions = random_legal(plain.action_masks(), rng)
        expected, rewards, *_, infos = plain.step(actions)
        seen, own_rewards, *_, own_infos = env.step(actions)
        np.testing.assert_array_equal(rewards, own_rewards)
        if "final_obs" in infos:
            for row in np.flatnonzero(infos["_final_obs"]):
                last = own_infos["final_obs"][row]
                assert last.dtype == np.uint8
                decoded = env.encoding.decode(last)
                np.testing.assert_allclose(decoded, infos["final_obs"][row], **NEAR)
                ended += 1
    assert ended > 0


def test_bytes_have_the_bounds_of_bytes() -> None:
    space = made("uint8").single_observation_space
    assert space.low.min() == 0 and space.high.max() == 255
    assert space.shape == made("float32").single_observation_space.shape


def test_opponents_see_float32_whatever_the_learner_sees() -> None:
    seen = []

    def first_legal(observations, masks):
        seen.append(observations)
        return masks.argmax(axis=1)

    for env in (
        made("uint8", opponent=first_legal, side="france"),
        SeatVecEnv(ENVS, "tiny", "france", first_legal, observation_dtype="uint8"),
    ):
        env.reset()
    rows = SelfPlayVecEnv(
        ENVS, "tiny", rivals=[first_legal], rival_share=1.0, credit="zero_sum", observation_dtype="uint8"
    )
    observations = rows.reset()
    rows.step(rows.action_masks().argmax(axis=1))
    assert rows.rival_rows.any()
    assert observations.dtype == np.uint8 and rows.observation_space.contains(observations[0])
    assert len(seen) >= 3
    for observation in seen:
        assert observation.dtype == np.float32 and observation.max() <= 1
