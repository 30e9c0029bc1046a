"""The SB3 VecEnvs, and credit in both seats."""

from __future__ import annotations

import numpy as np
import pytest
from stable_baselines3.common.vec_env import VecMonitor

from channel_tunnel_env.engine.observation import SECTION_BY_NAME
from channel_tunnel_env.envs.opponents import random_legal
from channel_tunnel_env.envs.sb3 import SeatVecEnv, SelfPlayVecEnv

SIDE = SECTION_BY_NAME["side"].start


def masks_of(env) -> np.ndarray:
    return np.stack(env.env_method("action_masks"))


@pytest.mark.parametrize("view", ["britain", "france"])
def test_self_play_rewards_are_the_outcome_in_one_seats_view(view: str) -> None:
    """Each finished game pays its result once, whichever seat made the last move."""
    env = SelfPlayVecEnv(32, "tiny", view=view, seed=2)
    env.reset()
    rng, games = np.random.default_rng(0), 0
    for _ in range(200):
        env.step_async(random_legal(masks_of(env), rng))
        observations, rewards, dones, infos = env.step_wait()
        final = env.batch.final_states
        for row in np.flatnonzero(dones):
            winner = int(final["winner"][row])
            seat = ["britain", "france"].index(view)
            expected = 0.0 if winner == 2 else (1.0 if winner == seat else -1.0)
            assert rewards[row] == expected == infos[row]["outcome"]
            assert infos[row]["terminal_observation"][0] == 1.0
            assert "TimeLimit.truncated" not in infos[row]
            games += 1
        assert not rewards[~dones].any()
        assert (observations[:, SIDE] == env.batch.to_play).all(), "rows are the mover's view"
    assert games > 50


@pytest.mark.parametrize("side", ["britain", "france"])
def test_seat_env_gives_the_learner_its_own_decisions_and_the_result(side: str) -> None:
    env = SeatVecEnv(32, "tiny", side=side, seed=1)
    observations = env.reset()
    rng, results = np.random.default_rng(0), []
    for _ in range(150):
        assert (observations[:, SIDE] == ["britain", "france"].index(side)).all()
        assert masks_of(env).any(axis=1).all()
        env.step_async(random_legal(masks_of(env), rng))
        observations, rewards, dones, _ = env.step_wait()
        assert ((rewards != 0) <= dones).all()
        results += list(rewards[dones])
    assert {1.0, -1.0} <= set(results)


@pytest.mark.parametrize("make", [SelfPlayVecEnv, SeatVecEnv])
def test_returned_arrays_are_not_overwritten_by_the_next_step(make) -> None:
    env = make(8, "tiny", seed=0)
    first = env.reset()
    kept = first.copy()
    rng = np.random.default_rng(0)
    for _ in range(5):
        masks = masks_of(env)
        masks_kept = masks.copy()
        out = env.step(random_legal(masks, rng))
        out_kept = [np.copy(part) for part in out[:3]]
        env.step(random_legal(masks_of(env), rng))
        assert (first == kept).all()
        assert (masks == masks_kept).all()
        for part, copy in zip(out[:3], out_kept, strict=True):
            assert (part == copy).all()


def test_remote_calls_answer_as_a_vecenv_does() -> None:
    env = SelfPlayVecEnv(4, "tiny", seed=0)
    assert len(env.env_method("action_masks")) == 4
    assert len(env.env_method("action_masks", indices=[1, 2])) == 2
    assert env.env_is_wrapped(VecMonitor) == [False] * 4
    assert env.get_attr("render_mode") == [None] * 4
    with pytest.raises(AttributeError, match="only 'action_masks'"):
        env.env_method("fly")


def test_the_same_seed_gives_the_same_games() -> None:
    one, other = SelfPlayVecEnv(8, "tiny", seed=3), SelfPlayVecEnv(8, "tiny", seed=3)
    assert (one.reset() == other.reset()).all()
    one.seed(7)
    other.seed(7)
    assert (one.reset() == other.reset()).all()
