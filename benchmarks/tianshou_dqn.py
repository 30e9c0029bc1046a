"""A baseline of a stock library for the benchmark: the DQN of Tianshou, which takes masks.

    pip install tianshou                   # MIT licence; this script alone needs it
    python benchmarks/tianshou_dqn.py runs/tianshou-dqn --decisions 1000000 --seed 1
    channel-tunnel benchmark duel-v1 'process:python benchmarks/value_player.py runs/tianshou-dqn'

    channel-tunnel benchmark few-decisions-v1 'process:python benchmarks/value_player.py {out}' --budgets 1000000 \\
        --train 'python benchmarks/tianshou_dqn.py {out} --decisions {decisions} --seed {seed}'

It learns both seats by playing itself: a row of the batch is one seat, its rival the same policy as it is now, which
explores too. The rival's decisions are counted, though nothing is learned from them. Network, replay buffer and figures are
those of Tianshou's own example for a board game of two (`test/pettingzoo/tic_tac_toe.py`), with two changes. Only the
result counts, so there is no discount. Updates are four times as large and as rare, for speed: the batch and the rate are
four times those of the example, the target network is renewed after a quarter of its updates. No figure was tuned.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from gymnasium.spaces import Discrete
from numpy.typing import NDArray
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, VectorReplayBuffer
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step
from value_player import VALUES

from channel_tunnel_env.envs.seated import SeatedBatch

GAMES = 200  # side by side
SEATS = 2
HIDDEN = (128, 128, 128, 128)
RATE = 4e-4
KEPT = 20_000  # decisions in the replay buffer
BATCH = 256  # of them in an update
ROWS_OF_UPDATE = 40  # new decisions for each update
FIRST_ROWS = 640  # before the first update
EXPLORES = 0.1
DISCOUNT = 1.0
STEPS_OF_RETURN = 3
UPDATES_OF_TARGET = 80


def make_dqn(inputs: int, actions: int) -> DQN[DiscreteQLearningPolicy[Net]]:
    """The learner with a new network."""
    net = Net(state_shape=inputs, action_shape=actions, hidden_sizes=HIDDEN)
    return DQN(
        policy=DiscreteQLearningPolicy(model=net, action_space=Discrete(actions), eps_training=EXPLORES),
        optim=AdamOptimizerFactory(lr=RATE),
        gamma=DISCOUNT,
        n_step_return_horizon=STEPS_OF_RETURN,
        target_update_freq=UPDATES_OF_TARGET,
    )


def train(folder: Path, decisions: int, seed: int, ruleset: str = "standard") -> DQN:
    """Train from nothing, save the layers of the network and return the learner.

    Args:
        decisions: of both seats together, half of which are learned from.
        seed: of the weights, the games and the exploration.
    """
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    np.random.seed(seed)  # the library draws from it

    def itself(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        return choose(dqn.policy, observations, masks)

    games = SeatedBatch(GAMES, ruleset, side="both", opponent=itself, seed=seed)
    dqn = make_dqn(games.observations.shape[1], games.masks.shape[1])
    buffer = VectorReplayBuffer(KEPT, GAMES)
    with policy_within_training_step(dqn.policy):
        games.reset()
        for rows in range(GAMES, decisions // SEATS + 1, GAMES):
            buffer.add(play_on(games, dqn.policy))
            for _ in range(GAMES // ROWS_OF_UPDATE if rows >= FIRST_ROWS else 0):
                dqn.update(buffer, BATCH)
    folder.mkdir(parents=True, exist_ok=True)
    layers = dqn.policy.model.state_dict().values()
    np.savez(folder / VALUES, *(each.numpy() for each in layers))
    return dqn


def play_on(games: SeatedBatch, policy: DiscreteQLearningPolicy[Net]) -> Batch:
    """Play a decision of every row; what was seen and done, and what it led to."""
    before = seen(games.observations, games.masks)
    actions = choose(policy, games.observations, games.masks)
    games.step(actions)
    ended = games.terminated.copy()
    return Batch(
        obs=before,
        act=actions,
        rew=games.rewards.copy(),
        terminated=ended,
        truncated=np.zeros_like(ended),
        obs_next=seen(games.observations, games.masks),  # not read where the game ended
        info=Batch(),
    )


def choose(
    policy: DiscreteQLearningPolicy[Net], observations: NDArray[np.float32], masks: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """The best legal action of each row, and sometimes any."""
    rows = Batch(obs=seen(observations, masks), info=Batch())
    with torch.no_grad():
        best = policy(rows).act
    return policy.add_exploration_noise(best, rows)


def seen(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> Batch:
    """Copies of observations (B, D) and masks (B, A) as the library takes them."""
    return Batch(obs=observations.copy(), mask=masks.copy())


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    train(arguments.folder, arguments.decisions, arguments.seed)


if __name__ == "__main__":
    main()
