"""PettingZoo: both agents in one loop, each acting when the game asks it.

An agent may answer several decisions in a row, so the loop reads whose turn it is. Every agent is asked
once more when the game is over, with None as its action; that is where it meets its reward.
"""

import channel_tunnel_env

GAMES = 20

wins = {"britain_0": 0, "france_1": 0}
env = channel_tunnel_env.env(ruleset="standard")
for seed in range(GAMES):
    env.reset(seed=seed)  # the same seed deals the same decks
    for agent in wins:
        env.action_space(agent).seed(seed)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        if terminated or truncated:
            wins[agent] += reward > 0
            env.step(None)
        else:
            env.step(env.action_space(agent).sample(observation["action_mask"]))
env.close()

print(f"{GAMES} random games: Britain won {wins['britain_0']}, France {wins['france_1']}")
