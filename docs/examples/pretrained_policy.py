"""Pretrained policies: judge arrays, learn from a stronger one with plain torch, save, play.

`rookie` learns `club`'s policy (distillation) on positions of games in which both seats sample rookie's moves; it is
saved with a card that names rookie as its parent, and plays its parent on 200 deals, each once from either seat.
"""

import tempfile

import numpy as np
import torch

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.matches.arena import play_pair
from channel_tunnel_agents.players.pretrained import load_policy
from channel_tunnel_env import BatchGame

GAMES, STEPS, DEALS = 128, 100, 200
SIDE = 15  # of an observation: 1 where France is to move

torch.set_num_threads(1)  # sums in one order: the same numbers at every run
luck = np.random.default_rng(0)
pupil, teacher = load_policy("rookie"), load_policy("club")
optimizers = {side: torch.optim.Adam(network.parameters(), lr=1e-4) for side, network in pupil.networks.items()}

batch = BatchGame(GAMES, seed=0, autoreset=True)
for _ in range(STEPS):
    observations, masks = batch.observations.copy(), batch.masks.copy()
    wanted = teacher.evaluate(observations, masks).probabilities
    for seat, (side, network) in enumerate(pupil.networks.items()):
        rows = np.flatnonzero(observations[:, SIDE] == seat)
        logits, _ = network(torch.from_numpy(observations[rows]))
        logits = logits.masked_fill(~torch.from_numpy(masks[rows]), -1e8)
        loss = torch.nn.functional.cross_entropy(logits, torch.from_numpy(wanted[rows]))
        optimizers[side].zero_grad()
        loss.backward()
        optimizers[side].step()
    _, probabilities, _ = pupil.evaluate(observations, masks)
    chances = probabilities.cumsum(axis=1)
    actions = (chances < luck.random((GAMES, 1)) * chances[:, -1:]).sum(axis=1)
    batch.step(actions)

with tempfile.TemporaryDirectory() as folder:
    pupil.save(folder, trained=f"{STEPS} steps towards club")
    parent = load_policy(folder).card["parent"]["name"]
    as_britain, as_france = play_pair(make_agent(f"ppo:{folder}"), make_agent("rookie"), DEALS, 1)
wins = as_britain.wins("britain") + as_france.wins("france")
print(f"a child of {parent} won {wins} of {2 * DEALS} games against it")
