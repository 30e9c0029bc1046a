"""Stable-Baselines3: stock MaskablePPO learns both seats at once by playing itself.

Half of the rows are Britain, half France, and the rival in each game is the model as it is now. A step goes from a
row's decision to its own next one, paid in its own seat's view, so stock advantages are right for both seats.
"""

import numpy as np
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from channel_tunnel_env import BatchGame
from channel_tunnel_env.envs.opponents import RandomOpponent
from channel_tunnel_env.envs.sb3 import SeatVecEnv

DECISIONS = 2048  # a minute's worth is a smoke test; millions make a player
GAMES = 200


def itself(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    return model.predict(observations, action_masks=masks)[0]  # the model made below


model = MaskablePPO(
    "MlpPolicy",
    SeatVecEnv(num_envs=32, side="both", opponent=itself, seed=1),
    n_steps=64,
    batch_size=512,
    n_epochs=4,
    gamma=1.0,  # only the result counts
    gae_lambda=0.8,
    seed=1,
    device="cpu",
)
model.learn(total_timesteps=DECISIONS)

# Each seat's policy against random play: one batch, each row answered by whoever is to move.
shares, rival = [], RandomOpponent(3)
for seat in (0, 1):
    batch, wins = BatchGame(num_games=GAMES, seed=2), 0
    while (playing := batch.masks.any(axis=1)).any():
        seen = batch.observations, batch.masks
        actions = np.where(batch.to_play == seat, itself(*seen), rival(*seen))
        batch.step(np.where(playing, actions, -1))  # a game that is over waits
        wins += int((batch.rewards[:, seat] > 0).sum())
    shares.append(wins / GAMES)

print(f"{model.num_timesteps} decisions; it won {shares[0]:.0%} as Britain, {shares[1]:.0%} as France")
