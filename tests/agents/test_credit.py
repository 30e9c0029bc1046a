"""Credit in self-play: one trajectory for both seats, judged in the mover's view."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from channel_tunnel_agents.learning.rollout_buffer import ZeroSumRolloutBuffer
from channel_tunnel_agents.learning.sb3_policy import SelfPlayPolicy
from channel_tunnel_agents.players.policy.network import SIDE, SeatPolicy, bounded
from channel_tunnel_env.envs.opponents import RandomOpponent
from channel_tunnel_env.envs.sb3 import ZERO_SUM, SelfPlayVecEnv
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import NUM_ACTIONS
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE

BRITAIN, FRANCE = 0.0, 1.0


@pytest.mark.parametrize("view", [0, 1])
@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("last_mover", [BRITAIN, FRANCE])
def test_winner_gains_and_loser_loses_whoever_moved_last(view, winner, last_mover) -> None:
    """With values of 0 and lambda 1, every decision of the winner has advantage 1, of the loser -1."""
    movers = [BRITAIN, FRANCE, BRITAIN, FRANCE, last_mover]
    seen, actions = spaces.Box(0, 1, (OBSERVATION_SIZE,), np.float32), spaces.Discrete(NUM_ACTIONS)
    buffer = ZeroSumRolloutBuffer(5, seen, actions, "cpu", gae_lambda=1.0, gamma=1.0, n_envs=1, view=view)
    masks, zero = np.ones((1, NUM_ACTIONS)), torch.zeros(1)
    for step, mover in enumerate(movers):
        observation = np.zeros((1, OBSERVATION_SIZE), np.float32)
        observation[0, SIDE] = mover
        reward = 0.0 if step < 4 else 1.0 if winner == view else -1.0
        buffer.add(
            observation, np.zeros((1, 1)), np.array([reward]), np.array([step == 0]), zero, zero, action_masks=masks
        )
    buffer.compute_returns_and_advantage(zero, np.array([True]))
    assert buffer.advantages[:, 0] == pytest.approx([1.0 if mover == winner else -1.0 for mover in movers])


STEPS, GAMES = 160, 8


def collected(rival_share: float = 0.5, trunk: str = "shared"):
    """A model and its buffer after one rollout of games with rivals; advantages computed."""
    env = SelfPlayVecEnv(
        GAMES, "tiny", seed=3, rivals=[RandomOpponent(1)] if rival_share else [],
        rival_share=rival_share, credit=ZERO_SUM,
    )  # fmt: skip
    model = MaskablePPO(
        SelfPlayPolicy,
        env,
        n_steps=STEPS,
        batch_size=64,
        gamma=1.0,
        gae_lambda=0.9,
        rollout_buffer_class=ZeroSumRolloutBuffer,
        rollout_buffer_kwargs={"view": 0, "games": env},
        policy_kwargs={"width": 16, "depth": 1, "trunk": trunk},
        seed=5,
        device="cpu",
    )
    watch = Watch(env)
    _, callback = model._setup_learn(STEPS * GAMES, watch)
    model.collect_rollouts(env, callback, model.rollout_buffer, STEPS)
    return model, watch


class Watch(BaseCallback):
    """Notes what each step really was, from the games themselves."""

    def __init__(self, env) -> None:
        super().__init__()
        self.env = env
        self.seen: list[dict] = []
        self.to_play = None

    def _on_rollout_start(self) -> None:
        self.to_play = self.env.batch.to_play.copy()

    def _on_step(self) -> bool:
        self.seen.append(
            {
                "mover": self.to_play,
                "by_rival": self.to_play == self.env.rival_seat,
                "rewards": self.locals["rewards"].copy(),
                "dones": self.locals["dones"].copy(),
            }
        )
        self.to_play = self.env.batch.to_play.copy()
        return True

    def noted(self, name: str) -> np.ndarray:
        """Steps by games."""
        return np.array([step[name] for step in self.seen])


def test_every_row_comes_once_an_epoch_with_all_that_belongs_to_it() -> None:
    """Rows are distinguished by their return; every field of a minibatch is the same row's."""
    model, _ = collected()
    buffer = model.rollout_buffer
    rows = STEPS * GAMES
    buffer.returns[:] = np.arange(rows).reshape(STEPS, GAMES)
    fields = {
        "observations": buffer.observations.reshape(rows, -1),
        "actions": buffer.actions.reshape(rows, 1),
        "old_values": buffer.values.reshape(rows),
        "old_log_prob": buffer.log_probs.reshape(rows),
        "advantages": buffer.advantages.reshape(rows),
        "action_masks": buffer.action_masks.reshape(rows, -1),
    }
    orders = []
    for _ in range(2):
        seen = []
        for batch in buffer.get(64):
            names = batch.returns.numpy().astype(int)
            seen += names.tolist()
            for field, whole in fields.items():
                assert (getattr(batch, field).numpy() == whole[names]).all(), field
        assert sorted(seen) == list(range(rows))
        orders.append(seen)
    assert orders[0] != orders[1]


@pytest.mark.parametrize("trunk", ["shared", "separate"])
def test_what_was_noted_in_play_is_what_the_network_says_of_the_minibatch(trunk: str) -> None:
    """Before any step the ratio is 1 and the value the same: nothing was mixed up on the way."""
    model, _ = collected(trunk=trunk)
    for batch in model.rollout_buffer.get(64):
        values, log_probs, _ = model.policy.evaluate_actions(
            batch.observations, batch.actions.flatten(), batch.action_masks
        )
        assert torch.allclose(bounded(values[:, 0]), batch.old_values, atol=1e-5)
        assert torch.allclose(log_probs, batch.old_log_prob, atol=1e-5)


def test_the_rows_of_a_seat_stand_together_in_a_minibatch() -> None:
    model, _ = collected()
    for batch in model.rollout_buffer.get(64):
        flags = batch.observations[:, SIDE].numpy()
        assert 0 < flags.sum() < len(flags)
        assert (np.diff(flags) >= 0).all()


def test_minibatches_are_of_nearly_one_size() -> None:
    """A last one of a few rows would move the weights as far as a full one."""
    model, _ = collected()
    sizes = [len(batch.returns) for batch in model.rollout_buffer.get(100)]
    assert max(sizes) <= 100 and max(sizes) - min(sizes) <= 1
    assert len(list(model.rollout_buffer.get(None))) == 1


def test_credit_runs_through_the_rivals_moves_and_turns_to_the_mover() -> None:
    """The recursion written out, game by game, from rewards and seats noted beside the buffer.

    Rivals' rows teach the value alone: without them it would know nothing of the games that only rivals lead to.
    """
    model, watch = collected()
    buffer = model.rollout_buffer
    assert watch.noted("dones").any() and 0.1 < buffer.by_rival.mean() < 0.5
    assert (buffer.by_rival == watch.noted("by_rival")).all()
    assert (buffer.rewards == watch.noted("rewards")).all()
    last = model.policy.predict_values(torch.from_numpy(model._last_obs))[:, 0].detach().numpy()
    for game in range(GAMES):
        expected = np.zeros(STEPS)
        advantage = 0.0
        for step in reversed(range(STEPS)):
            done = watch.noted("dones")[step, game]
            after = last[game] if step == STEPS - 1 else buffer.values[step + 1, game]
            error = buffer.rewards[step, game] - buffer.values[step, game] + (1 - done) * after
            advantage = error + 0.9 * (1 - done) * advantage
            expected[step] = advantage
        assert buffer.returns[:, game] == pytest.approx(expected + buffer.values[:, game], abs=1e-5)
        sign = np.where(watch.noted("mover")[:, game] == 0, 1, -1)
        signed = np.where(buffer.by_rival[:, game], 0, sign * expected)
        assert buffer.advantages[:, game] == pytest.approx(signed, abs=1e-5)


def test_values_in_the_movers_view_give_the_credit_of_the_first_seats_turned_over() -> None:
    """The same rewards and values, seen by the mover, give the same advantages."""
    model, watch = collected()
    absolute, relative = model.rollout_buffer, copy.copy(model.rollout_buffer)
    sign = np.where(watch.noted("mover") == 0, 1, -1).astype(np.float32)
    relative.values_of_mover, relative.values = True, absolute.values * sign
    last = model.policy.predict_values(torch.from_numpy(model._last_obs))[:, 0].detach()
    to_play = torch.from_numpy(np.where(watch.env.batch.to_play == 0, 1.0, -1.0))
    relative.compute_returns_and_advantage(last * to_play, model._last_episode_starts)
    assert relative.advantages == pytest.approx(absolute.advantages, abs=1e-5)
    assert relative.returns == pytest.approx(absolute.returns * sign, abs=1e-5)


def test_advantages_are_normalised_over_the_learners_rows() -> None:
    model, _ = collected()
    buffer = model.rollout_buffer
    before = buffer.advantages.copy()
    buffer.normalise = True
    buffer.compute_returns_and_advantage(
        model.policy.predict_values(torch.from_numpy(model._last_obs)).detach(), model._last_episode_starts
    )
    learned = buffer.advantages[~buffer.by_rival]
    assert learned.mean() == pytest.approx(0, abs=1e-5)
    assert learned.std() == pytest.approx(1, abs=1e-4)
    before = before[~buffer.by_rival]
    assert np.corrcoef(before, learned)[0, 1] == pytest.approx(1)


def test_a_share_of_rivals_out_of_range_is_refused() -> None:
    for share in (-0.1, 1.5, float("nan")):
        with pytest.raises(ValueError, match=r"rival_share .*: allowed: 0 to 1"):
            SelfPlayVecEnv(4, "tiny", rivals=[RandomOpponent(1)], rival_share=share, credit=ZERO_SUM)


def test_no_position_is_worth_more_than_a_win() -> None:
    """Else the last Tunnel of a won game would look like a loss of value, and be put off."""
    network = SelfPlayPolicy(
        spaces.Box(0, 1, (OBSERVATION_SIZE,), np.float32),
        spaces.Discrete(NUM_ACTIONS),
        lambda _: 1e-3,
        width=8,
        depth=1,
    )
    observations = torch.rand(20, OBSERVATION_SIZE)
    observations[:, SIDE] = torch.arange(20) % 2
    for seat, value in ((0, 5.0), (1, -5.0)):
        getattr(network.value_net, c.SEATS[seat]).bias.data.fill_(value)
    expected = torch.where(observations[:, SIDE] > 0.5, -1.0, 1.0)
    assert torch.equal(network.predict_values(observations)[:, 0], expected)
    assert torch.equal(network(observations)[1][:, 0], expected)
    # The loss sees the head itself, or a value beyond the bounds could never come back.
    raw = network.evaluate_actions(observations, torch.zeros(20))[0][:, 0]
    assert (raw.abs() > 1).all()
    policy = SeatPolicy(8, 1)
    policy.load_state_dict(network.all_weights()["britain"])
    assert torch.equal(policy(observations)[1], torch.ones(20))
