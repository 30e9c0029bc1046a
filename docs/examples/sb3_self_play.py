"""Stable-Baselines3: MaskablePPO learns both seats at once by playing itself.

Every row is the seat to move. Rewards are in Britain's view, and the rollout buffer turns the advantages to the
mover's, so both seats are credited, the loser too. `train.py` adds past selves, a warm start and more to this.
"""

import numpy as np
from sb3_contrib import MaskablePPO

from agents.ppo.rollout_buffer import ZeroSumRolloutBuffer
from channel_tunnel_env import BatchGame
from channel_tunnel_env.envs.opponents import RandomOpponent
from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv

DECISIONS = 2048  # a minute's worth is a smoke test; millions make a player
GAMES = 200

model = MaskablePPO(
    "MlpPolicy",
    SelfPlayVecEnv(num_envs=32, seed=1),
    rollout_buffer_class=ZeroSumRolloutBuffer,
    n_steps=64,
    batch_size=512,
    n_epochs=4,
    gamma=1.0,  # only the result counts
    gae_lambda=0.8,
    seed=1,
    device="cpu",
)
model.learn(total_timesteps=DECISIONS)

# The policy as Britain against random play: one batch, each row answered by whoever is to move.
batch, rival, wins = BatchGame(num_games=GAMES, seed=2), RandomOpponent(3), 0
while (playing := batch.masks.any(axis=1)).any():
    actions, _ = model.predict(batch.observations, action_masks=batch.masks)
    actions = np.where(batch.to_play == 0, actions, rival(batch.observations, batch.masks))
    batch.step(np.where(playing, actions, -1))  # a game that is over waits
    wins += int((batch.rewards[:, 0] > 0).sum())

print(f"{model.num_timesteps} decisions; as Britain it then won {wins / GAMES:.0%}")
