"""The Gymnasium environments: one learner seat, the rival inside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.env_checker import check_env as sb3_check_env

from channel_tunnel_env import Game, IllegalActionError
from channel_tunnel_env.envs.opponents import random_legal
from channel_tunnel_env.envs.sb3 import SeatVecEnv
from channel_tunnel_env.envs.vector import ChannelTunnelVectorEnv
from channel_tunnel_env.errors import PositionError
from tests.envs.checkers import strict

SHORT = {"base": "eurotunnel", "name": "short", "max_year": 1901}
SIX = SHORT | {"absent": ["ITALY"]}
SIDES = [
    *(("standard", side) for side in ("britain", "france", "both")),
    *(("carcassonne", side) for side in ("player_0", "player_1", "both")),
    *((SHORT, side) for side in ("austria", "turkey", "both")),
]


@pytest.mark.parametrize("checker", [check_env, sb3_check_env])
@pytest.mark.parametrize(("ruleset", "side"), SIDES, ids=lambda given: given if isinstance(given, str) else "short")
def test_environment_checkers_pass(checker, ruleset: Any, side: str) -> None:
    """They sample without masks, hence illegal_action="lose"."""
    with strict():
        checker(gymnasium.make("ChannelTunnel-v1", ruleset=ruleset, side=side, illegal_action="lose").unwrapped)


@pytest.mark.parametrize(
    "ruleset", [{"base": "carcassonne", "name": "three", "players": 3}, SHORT, SIX], ids=["3", "7", "6"]
)
def test_rows_of_more_seats_play_to_their_ends(ruleset: Any) -> None:
    env = gymnasium.make_vec("ChannelTunnel-v1", num_envs=7, ruleset=ruleset, side="both")
    observations, info = env.reset(seed=2)
    rng, ended = np.random.default_rng(0), 0
    while ended < 7:
        observations, rewards, terminated, truncated, info = env.step(random_legal(info["action_mask"] != 0, rng))
        ended += int(terminated.sum())
        assert not truncated.any() and ((rewards != 0) <= terminated).all()
        assert np.isfinite(observations).all() and (abs(rewards) <= 1).all()


@pytest.mark.parametrize("checker", [check_env, sb3_check_env])
def test_environment_checkers_stop_at_their_first_illegal_action(checker) -> None:
    """By design, and the page about the environments says so, with the line that makes them pass."""
    with strict(), pytest.raises(IllegalActionError):
        checker(gymnasium.make("ChannelTunnel-v1").unwrapped)
    page = (Path(__file__).parents[2] / "docs/reference/environments.md").read_text(encoding="utf-8")
    assert "## Checkers" in page
    assert 'check_env(gymnasium.make("ChannelTunnel-v1", illegal_action="lose").unwrapped)' in page


@pytest.mark.parametrize("side", ["britain", "france"])
def test_the_reward_is_the_outcome_whoever_moved_last(side: str) -> None:
    env = gymnasium.make("ChannelTunnel-v1", side=side, ruleset="tiny").unwrapped
    rng, results, last_movers = np.random.default_rng(0), [], set()
    for seed in range(40):
        _, info = env.reset(seed=seed)
        rewards, done = [], False
        while not done:
            assert info["action_mask"].any() and (env.action_masks() == info["action_mask"]).all()
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            _, reward, terminated, truncated, info = env.step(int(action))
            done = terminated or truncated
            rewards.append(reward)
        assert info["action_mask"].sum() == 1, "a masked policy can judge the last observation, too"
        assert rewards[:-1] == [0.0] * (len(rewards) - 1)
        assert rewards[-1] == (1.0 if env.game.winner == side else -1.0)
        results.append(rewards[-1])
        last_movers.add(env.game.mover)
    assert {1.0, -1.0} == set(results)
    assert last_movers == {0, 1}


def test_unknown_names_are_answered_with_known_ones() -> None:
    with pytest.raises(ValueError, match="did you mean 'random'"):
        gymnasium.make("ChannelTunnel-v1", opponent="randm")
    with pytest.raises(ValueError, match="allowed: britain, france, both"):
        gymnasium.make("ChannelTunnel-v1", side="spain")
    with pytest.raises(ValueError, match="'italy': allowed: austria, england, france, germany, russia, turkey, both"):
        gymnasium.make_vec("ChannelTunnel-v1", num_envs=2, ruleset=SIX, side="italy")


@pytest.mark.parametrize("rows", [0, 2])
def test_a_step_needs_a_reset_before_the_first_game_and_after_an_opponent_failed(rows: int) -> None:
    """Otherwise the learner would decide for its rival."""
    answers = [0.9]

    def fails_once(observations: Any, masks: Any) -> Any:
        return np.array([answers.pop()] * len(masks)) if answers else masks.argmax(axis=1)

    given: dict[str, Any] = {"ruleset": "tiny", "side": "france", "opponent": fails_once}
    name = "ChannelTunnel-v1"
    env = gymnasium.make_vec(name, rows, **given) if rows else gymnasium.make(name, disable_env_checker=True, **given)
    action = np.zeros(rows, int) if rows else 0
    with pytest.raises(ResetNeeded):
        env.step(action)
    with pytest.raises(ValueError, match="opponent fails_once"):
        env.reset(seed=1)
    with pytest.raises(ResetNeeded):
        env.step(action)
    mask = env.reset(seed=1)[1]["action_mask"]
    env.step(mask.argmax(axis=-1))


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_vector_env_in_both_autoreset_modes(mode: AutoresetMode) -> None:
    env = ChannelTunnelVectorEnv(16, "tiny", side="both", autoreset_mode=mode)
    rng = np.random.default_rng(1)
    observations, info = env.reset(seed=5)
    ended_before = np.zeros(16, bool)
    ended = 0
    for _ in range(250):
        assert (env.action_masks() == info["action_mask"]).all() and info["action_mask"].any(axis=1).all()
        actions = random_legal(info["action_mask"].astype(bool), rng)
        kept = observations.copy()
        new, rewards, terminated, truncated, info = env.step(actions)
        assert (observations == kept).all(), "a returned array was overwritten"
        done = terminated | truncated
        assert not truncated.any()
        assert ((rewards != 0) <= terminated).all()
        if mode == AutoresetMode.SAME_STEP and done.any():
            assert (info["_final_obs"] == done).all()
            for row in np.flatnonzero(done):
                final = info["final_obs"][row]
                assert final[0] == 1.0, "the last view shows a finished game"
                assert new[row][0] == 0.0, "the row shows the new game"
        if mode == AutoresetMode.NEXT_STEP:
            assert (rewards[ended_before] == 0).all()
            assert not done[ended_before].any()
            assert (new[done, 0] == 1.0).all()
            ended_before = done
        observations = new
        ended += int(done.sum())
    assert ended > 20


def test_make_vec_gives_the_native_vector_env() -> None:
    env = gymnasium.make_vec("ChannelTunnel-v1", num_envs=4, ruleset="tiny")
    assert isinstance(env.unwrapped, ChannelTunnelVectorEnv)
    assert env.reset(seed=1)[1]["action_mask"].shape == (4, 171)
    with pytest.raises(ValueError, match="render_mode 'human': a batch draws nothing"):
        gymnasium.make_vec("ChannelTunnel-v1", render_mode="human")
    own = gymnasium.make_vec("ChannelTunnel-v1", 2, vectorization_mode="sync", ruleset="tiny")
    assert own.reset(seed=1)[1]["action_mask"].shape == (2, 171)


def test_a_callable_opponent_sees_its_own_side_and_must_answer_legally() -> None:
    sides = []

    def first_legal(observations, masks):
        sides.append(observations[:, 15].copy())
        return masks.argmax(axis=1)

    env = ChannelTunnelVectorEnv(8, "tiny", side="britain", opponent=first_legal)
    _, info = env.reset(seed=3)
    for _ in range(20):
        masks = info["action_mask"].astype(bool)
        _, _, _, _, info = env.step(random_legal(masks, np.random.default_rng(0)))
    assert np.concatenate(sides).all(), "the opponent of Britain is France"

    def broken(observations, masks):
        return np.full(len(masks), 170)

    with pytest.raises(IllegalActionError, match="opponent broken: row 0: 'track none'"):
        ChannelTunnelVectorEnv(8, "tiny", side="france", opponent=broken).reset(seed=1)
    with pytest.raises(IllegalActionError, match="opponent broken: 'track none'"):
        gymnasium.make("ChannelTunnel-v1", side="france", opponent=broken).reset(seed=1)
    with pytest.raises(ValueError, match=r"opponent <lambda>: actions: shape \(3,\)"):
        SeatVecEnv(8, "tiny", side="france", opponent=lambda seen, masks: np.zeros(3, int)).reset()


@pytest.mark.parametrize("ruleset", ["standard", "carcassonne", "eurotunnel"])
def test_a_game_starts_from_a_position_as_in_pettingzoo(ruleset: str) -> None:
    game = Game(ruleset, seed=4)
    for _ in range(12):
        game.play(int(game.legal_ids()[-1]))
    while game.mover != 0:
        game.play(int(game.legal_ids()[-1]))
    position = Game.from_position(game.to_position(), ruleset).to_position()
    there = Game.from_position(position, ruleset)
    assert there.mover == 0, "the first seat is the learner's"
    env = gymnasium.make("ChannelTunnel-v1", ruleset=ruleset).unwrapped
    observation, info = env.reset(seed=1, options={"position": position})
    assert env.game.to_position() == position
    assert (observation == there.observation(0)).all() and (info["action_mask"] == there.mask).all()
    env.reset(seed=1)
    assert env.game.to_position() != position
    with pytest.raises(PositionError, match="3; allowed: a mapping"):
        env.reset(options={"position": 3})


def test_a_batch_refuses_what_it_would_not_do() -> None:
    env = gymnasium.make_vec("ChannelTunnel-v1", num_envs=2, ruleset="tiny")
    with pytest.raises(ValueError, match="position"):
        env.reset(options={"position": Game("tiny").to_position()})
    _, info = env.reset(seed=1)
    ended = np.zeros(2, bool)
    while not ended.any():
        _, _, ended, _, info = env.step(info["action_mask"].argmax(axis=1))
    for wrong in (np.zeros(1, int), 0, np.zeros((3, 2), int)):
        with pytest.raises(ValueError, match=r"shape .*; expected \(2,\)"):
            env.step(wrong)
