"""AgileRL: its PPO learns one seat of the Gymnasium vector environment, masks from `info`."""

import gymnasium
import torch
from agilerl.algorithms import PPO
from agilerl.rollouts import collect_rollouts

import channel_tunnel_env  # noqa: F401  (registers ChannelTunnel-v1)

ENVS = 16
STEPS = 128  # of every environment before an update
UPDATES = 2  # a smoke test; thousands make a player

torch.manual_seed(0)
env = gymnasium.make_vec("ChannelTunnel-v1", num_envs=ENVS, side="france", opponent="random", autoreset_mode="SameStep")
learner = PPO(
    env.single_observation_space,
    env.single_action_space,
    batch_size=256,
    learn_step=ENVS * STEPS,
    gamma=1.0,  # only the result counts
    gae_lambda=0.8,
    num_envs=ENVS,
)
scores: list[float] = []
observation = done = score = info = None
for _ in range(UPDATES):
    finished, observation, done, score, info = collect_rollouts(
        learner, env, last_obs=observation, last_done=done, last_scores=score, last_info=info
    )
    learner.learn()
    scores += finished

wins = sum(score > 0 for score in scores)
print(f"{ENVS * STEPS * UPDATES} decisions; France won {wins} of {len(scores)} games while it learned")
