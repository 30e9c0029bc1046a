"""Credit in self-play: one trajectory for both seats, judged in the mover's view."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from gymnasium import spaces

from agents.ppo.network import SIDE
from agents.ppo.rollout_buffer import ZeroSumRolloutBuffer
from channel_tunnel_env.engine.actions import NUM_ACTIONS
from channel_tunnel_env.engine.observation import OBSERVATION_SIZE

BRITAIN, FRANCE = 0.0, 1.0


def fill(movers, values, rewards, dones, last_value, view=0, gae_lambda=0.9):
    """A buffer of one game's decisions, advantages computed."""
    buffer = ZeroSumRolloutBuffer(
        len(movers),
        spaces.Box(0, 1, (OBSERVATION_SIZE,), np.float32),
        spaces.Discrete(NUM_ACTIONS),
        "cpu",
        gae_lambda=gae_lambda,
        gamma=1.0,
        n_envs=1,
        view=view,
    )
    starts = [True, *dones[:-1]]
    for mover, value, reward, start in zip(movers, values, rewards, starts, strict=True):
        observation = np.zeros((1, OBSERVATION_SIZE), np.float32)
        observation[0, SIDE] = mover
        buffer.add(
            observation,
            np.zeros((1, 1)),
            np.array([reward]),
            np.array([start]),
            torch.tensor([value]),
            torch.zeros(1),
            action_masks=np.ones((1, NUM_ACTIONS)),
        )
    buffer.compute_returns_and_advantage(torch.tensor([last_value]), np.array([dones[-1]]))
    return buffer.advantages[:, 0], buffer.returns[:, 0]


def test_a_two_seat_game_against_a_hand_computed_one() -> None:
    """Britain, France, France, Britain; Britain wins. lambda 0.5, values in Britain's view."""
    values = [0.0, 0.2, -0.4, 0.6]
    advantages, returns = fill(
        [BRITAIN, FRANCE, FRANCE, BRITAIN],
        values,
        [0, 0, 0, 1.0],
        [0, 0, 0, 1],
        9.0,
        gae_lambda=0.5,
    )
    fourth = 1.0 - 0.6
    third = (0.6 - -0.4) + 0.5 * fourth
    second = (-0.4 - 0.2) + 0.5 * third
    first = (0.2 - 0.0) + 0.5 * second
    britain_view = [first, second, third, fourth]
    assert advantages == pytest.approx([first, -second, -third, fourth])
    assert returns == pytest.approx([a + v for a, v in zip(britain_view, values, strict=True)])


@pytest.mark.parametrize("view", [0, 1])
@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("last_mover", [BRITAIN, FRANCE])
def test_winner_gains_and_loser_loses_whoever_moved_last(view, winner, last_mover) -> None:
    """With values of 0 and lambda 1, every decision of the winner has advantage 1, of the loser -1."""
    reward = 1.0 if winner == view else -1.0
    movers = [BRITAIN, FRANCE, BRITAIN, FRANCE, last_mover]
    rewards = [0.0] * 4 + [reward]
    advantages, _ = fill(movers, [0.0] * 5, rewards, [0, 0, 0, 0, 1], 0.0, view, 1.0)
    assert advantages == pytest.approx([1.0 if mover == winner else -1.0 for mover in movers])


def test_a_drawn_truncation_is_terminal_and_pays_nobody() -> None:
    advantages, returns = fill([BRITAIN, FRANCE], [0.0, 0.0], [0.0, 0.0], [0, 1], 5.0)
    assert advantages == pytest.approx([0.0, 0.0])
    assert returns == pytest.approx([0.0, 0.0])
