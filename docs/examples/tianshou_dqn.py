"""Tianshou: a masked DQN learns one seat of the Gymnasium environment.

Tianshou reads the mask from the observation, where a wrapper puts it. A step goes from a decision of the learner
to its own next one; Tianshou's PettingZoo wrapper would store the rival's view as the next observation.
"""

import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from channel_tunnel_env.envs.mask_in_observation import MaskInObservation
from channel_tunnel_env.envs.single import ChannelTunnelEnv
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE

ENVS = 4
DECISIONS = 2000  # a smoke test; millions make a player


def make_env() -> MaskInObservation:
    env = ChannelTunnelEnv(side="britain")
    return MaskInObservation(env, observation="obs", mask="mask", keep_info=False)


torch.manual_seed(0)
space = ChannelTunnelEnv().action_space
net = Net(state_shape=OBSERVATION_SIZE, action_shape=int(space.n), hidden_sizes=[128, 128])
policy = DiscreteQLearningPolicy(model=net, action_space=space, eps_training=0.2)
learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=100)
settings = OffPolicyTrainerParams(
    training_collector=Collector(learner, DummyVectorEnv([make_env] * ENVS), VectorReplayBuffer(10_000, ENVS)),
    test_collector=Collector(learner, DummyVectorEnv([make_env])),
    max_epochs=1,
    epoch_num_steps=DECISIONS,
    collection_step_num_env_steps=40,
    update_step_num_gradient_steps_per_sample=0.1,
    batch_size=64,
    test_step_num_episodes=20,
    show_progress=False,
)
result = learner.run_training(settings)

print(f"{DECISIONS} decisions; best mean reward of Britain against random: {result.best_reward:+.2f}")
