"""RLlib: two policies, Britain's and France's, learn by playing each other, with RLlib's own masked module."""

import numpy as np
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from channel_tunnel_env.envs.all_seats import AGENTS
from channel_tunnel_env.envs.rllib import ChannelTunnelMultiAgentEnv

ITERATIONS = 2  # a smoke test; thousands make a player
DECISIONS = 1024  # of both sides, in an iteration

network = RLModuleSpec(
    module_class=ActionMaskingTorchRLModule, model_config=DefaultModelConfig(fcnet_hiddens=[128, 128])
)
config = (
    PPOConfig()
    .environment(
        ChannelTunnelMultiAgentEnv,
        env_config={"ruleset": "standard"},
        disable_env_checking=True,  # the check plays illegal moves, which are errors here
    )
    .env_runners(num_env_runners=0, num_envs_per_env_runner=8, batch_mode="complete_episodes")
    .multi_agent(policies=set(AGENTS), policy_mapping_fn=lambda agent, episode, **rest: agent)
    .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys(AGENTS, network)))
    # The result is all there is: nothing is discounted, and it reaches every decision of a game.
    .training(gamma=1.0, lambda_=0.8, train_batch_size_per_learner=DECISIONS, minibatch_size=256)
    .debugging(seed=0, log_level="ERROR")
)

ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
algorithm = config.build_algo()
won = []
for _ in range(ITERATIONS):
    played = algorithm.train()["env_runners"]
    won.append((1 + played["agent_episode_returns_mean"][AGENTS[0]]) / 2)
decisions = int(played["num_env_steps_sampled_lifetime"])
algorithm.stop()
ray.shutdown()
print(f"{decisions} decisions; Britain won {np.mean(won):.0%} of the games while both learned")
