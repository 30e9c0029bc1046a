"""The SB3 VecEnvs, and credit in both seats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor

from channel_tunnel_env import BatchGame
from channel_tunnel_env.envs.opponents import RandomOpponent, random_legal
from channel_tunnel_env.envs.sb3 import ZERO_SUM, SeatVecEnv, SelfPlayVecEnv
from channel_tunnel_env.games.tunnel_1987.engine.observation import SECTION_BY_NAME

SIDE = SECTION_BY_NAME["side"].start


def masks_of(env) -> np.ndarray:
    return np.stack(env.env_method("action_masks"))


@pytest.mark.parametrize("view", ["britain", "france"])
def test_self_play_rewards_are_the_outcome_in_one_seats_view(view: str) -> None:
    """Each finished game pays its result once, whichever seat made the last move."""
    env = SelfPlayVecEnv(32, "tiny", view=view, seed=2, credit=ZERO_SUM)
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


def test_remote_calls_answer_as_a_vecenv_does() -> None:
    env = SelfPlayVecEnv(4, "tiny", seed=0, credit=ZERO_SUM)
    assert len(env.env_method("action_masks")) == 4
    assert len(env.env_method("action_masks", indices=[1, 2])) == 2
    assert env.env_is_wrapped(VecMonitor) == [False] * 4
    assert env.get_attr("render_mode") == [None] * 4
    with pytest.raises(AttributeError, match="only 'action_masks'"):
        env.env_method("fly")


@pytest.mark.parametrize(
    "ruleset", ["carcassonne", pytest.param({"base": "eurotunnel", "max_year": 1901}, marks=pytest.mark.heavy)]
)
def test_stock_ppo_learns_from_a_seat_of_any_game(ruleset: Any, one_thread: None) -> None:
    env = SeatVecEnv(4, ruleset, side="both", seed=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=16, n_epochs=1, seed=1)
    model.learn(32)
    assert all(np.isfinite(p.detach().numpy()).all() for p in model.policy.parameters())


# --- self-play with stock algorithms --------------------------------------------------------------------


def test_self_play_in_one_view_must_be_asked_for() -> None:
    """A stock rollout buffer would teach the other seat to lose; the error names the ways that are right."""
    for credit in ({}, {"credit": "stock"}):
        with pytest.raises(ValueError, match="ZeroSumRolloutBuffer") as refused:
            SelfPlayVecEnv(8, "tiny", **credit)
        assert "SeatVecEnv(side='both')" in str(refused.value)


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Small networks gain nothing by more, and lose much on a busy machine."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def stock_learner(games: int, **settings: Any) -> tuple[SeatVecEnv, MaskablePPO]:
    """The documented recipe: sb3-contrib's own MaskablePPO, whose rival is itself."""

    def itself(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return model.predict(observations, action_masks=masks)[0]

    env = SeatVecEnv(games, "tiny", side="both", opponent=itself, seed=1)
    model = MaskablePPO("MlpPolicy", env, gamma=1.0, seed=1, device="cpu", **settings)
    return env, model


def test_a_stock_buffer_credits_both_seats_with_their_own_result(one_thread: None) -> None:
    """With lambda 1 a row's return is its game's result in the view of the seat that decided it."""
    env, model = stock_learner(16, n_steps=128, batch_size=256, gae_lambda=1.0)
    ended = []  # (step, row, outcome)
    _, callback = model._setup_learn(2048, lambda now, _: ended.extend(outcomes(now["n_steps"], now["infos"])) or True)
    model.collect_rollouts(env, callback, model.rollout_buffer, 128)
    buffer, seats = model.rollout_buffer, env.seated.seats
    assert (buffer.observations[:, :, SIDE] == seats).all(), "a row never changes its seat"
    seen = set()
    for row in range(16):
        begun = 0
        for step, _, outcome in sorted(end for end in ended if end[1] == row):
            assert buffer.returns[begun : step + 1, row] == pytest.approx(outcome, abs=1e-5)
            begun = step + 1
            seen.add((int(seats[row]), outcome))
    assert seen == {(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)}


def outcomes(step: int, infos: list[dict[str, Any]]) -> list[tuple[int, int, float]]:
    """The ends in one step's infos; each tells the winner that its outcome says."""
    found = []
    for row, info in enumerate(infos):
        if info:
            side = ("britain", "france")[row % 2]
            assert info["outcome"] == (1.0 if info["winner"] == side else -1.0)
            found.append((step, row, info["outcome"]))
    return found


def test_stock_self_play_teaches_both_seats(one_thread: None) -> None:
    """Each seat, against random play on deals of their own, wins far more than a random seat does."""
    settings = {"batch_size": 512, "n_epochs": 4, "gae_lambda": 0.8, "learning_rate": 1e-3}
    _, model = stock_learner(32, n_steps=64, **settings)
    model.learn(5 * 2048)
    before, after = wins_of(None), wins_of(model)
    for seat in (0, 1):
        assert after[seat] > before[seat] + 0.2, (before, after)


def wins_of(model: MaskablePPO | None, games: int = 500) -> list[float]:
    """Share of games that a policy wins as Britain and as France against random play; None: random too."""
    shares = []
    for seat in (0, 1):
        batch, rival, wins = BatchGame(games, "tiny", seed=9), RandomOpponent(3), 0
        player = RandomOpponent(4) if model is None else predictions(model)
        while (playing := batch.masks.any(axis=1)).any():
            seen = batch.observations, batch.masks
            actions = np.where(batch.to_play == seat, player(*seen), rival(*seen))
            batch.step(np.where(playing, actions, -1))
            wins += int((batch.rewards[:, seat] > 0).sum())
        shares.append(wins / games)
    return shares


def predictions(model: MaskablePPO) -> Any:
    """The model as a player."""
    return lambda observations, masks: model.predict(observations, action_masks=masks)[0]
