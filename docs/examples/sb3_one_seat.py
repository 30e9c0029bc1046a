"""Stable-Baselines3: stock MaskablePPO learns France against a rival that plays inside the batch."""

import numpy as np
from sb3_contrib import MaskablePPO

from channel_tunnel_env.envs.sb3 import SeatVecEnv

DECISIONS = 2048  # a minute's worth is a smoke test; millions make a player
GAMES = 100

env = SeatVecEnv(num_envs=32, side="france", opponent="random", seed=1)
model = MaskablePPO(
    "MlpPolicy",
    env,
    n_steps=64,
    batch_size=512,
    n_epochs=4,
    gamma=1.0,  # only the result counts
    gae_lambda=0.8,
    seed=1,
    device="cpu",
)
model.learn(total_timesteps=DECISIONS)

results: list[float] = []
observations = env.reset()
while len(results) < GAMES:
    actions, _ = model.predict(observations, action_masks=np.stack(env.env_method("action_masks")))
    observations, _, dones, infos = env.step(actions)
    results += [infos[row]["outcome"] for row in np.flatnonzero(dones)]

print(f"{model.num_timesteps} decisions; France then won {np.mean(np.array(results) > 0):.0%}")
