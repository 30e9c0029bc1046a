"""Gymnasium: one seat, the rival inside the environment, legal actions from `info`.

`step` goes from a decision of the learner to its own next one; the reward is +1, -1 or 0 at the end.
"""

import gymnasium

import channel_tunnel_env  # noqa: F401  (registers "ChannelTunnel-v1")

GAMES = 20

env = gymnasium.make("ChannelTunnel-v1", side="britain", opponent="heuristic")
env.action_space.seed(0)
results = []
for seed in range(GAMES):
    observation, info = env.reset(seed=seed)
    done = False
    while not done:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        done = terminated or truncated
    results.append(reward)
env.close()

print(f"random Britain won {results.count(1.0)} of {GAMES} games against the scripted France")
