"""Self-play PPO in one file, on `BatchGame`: no library but torch, nothing hidden.

One network plays both seats. The value of a position is the result that the seat to move expects, so it changes
its sign where the move passes to the other seat; a seat may also decide several times in a row. That sign is all
that zero-sum self-play adds to PPO.

    python ppo_single_file.py 2000000     decisions; the default is a test that everything runs
"""

import sys

import numpy as np
import torch
from torch import nn

from channel_tunnel_agents import evaluate
from channel_tunnel_env import BatchGame

DECISIONS = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 8_192
GAMES, STEPS, EPOCHS, MINIBATCH = 128, 64, 3, 1024
LAMBDA, CLIP, ENTROPY, VALUE, LEARNING_RATE, MAX_GRADIENT = 0.9, 0.2, 0.01, 0.5, 1e-3, 0.5

torch.manual_seed(1)
torch.set_num_threads(1)
batch = BatchGame(GAMES, "standard", seed=1, autoreset=True)
inputs, actions_there = batch.observations.shape[1], batch.masks.shape[1]
trunk = nn.Sequential(nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
policy_head, value_head = nn.Linear(256, actions_there), nn.Linear(256, 1)
network = nn.ModuleList([trunk, policy_head, value_head])
optimiser = torch.optim.Adam(network.parameters(), LEARNING_RATE, eps=1e-5)


def judge(observations, masks):
    """Distribution over the legal actions, and the value for the seat to move."""
    hidden = trunk(observations)
    logits = policy_head(hidden).masked_fill(~masks, -1e9)
    return torch.distributions.Categorical(logits=logits), value_head(hidden)[:, 0].tanh()


def play(observations, masks):
    """The network as an agent: its most likely action in every row."""
    with torch.no_grad():
        found, _ = judge(torch.from_numpy(observations), torch.from_numpy(masks))
    return found.probs.argmax(1).numpy()


def collect():
    """STEPS decisions in every game: tensors (STEPS, GAMES, ...), advantages and returns among them."""
    rows = {name: [] for name in ("observation", "mask", "action", "log_p", "value", "seat")}
    rewards, ended = np.zeros((STEPS, GAMES), np.float32), np.zeros((STEPS, GAMES), bool)
    for step in range(STEPS):
        observation = torch.from_numpy(batch.observations.copy())
        mask = torch.from_numpy(batch.masks.copy())
        seat = batch.to_play.astype(np.int64)
        with torch.no_grad():
            found, value = judge(observation, mask)
            action = found.sample()
        batch.step(action.numpy())
        rewards[step] = batch.rewards[np.arange(GAMES), seat]  # in the view of who moved
        ended[step] = batch.terminated
        row = (observation, mask, action, found.log_prob(action), value, torch.from_numpy(seat))
        for name, found_there in zip(rows, row, strict=True):
            rows[name].append(found_there)
    data = {name: torch.stack(found) for name, found in rows.items()}
    with torch.no_grad():
        _, next_value = judge(torch.from_numpy(batch.observations), torch.from_numpy(batch.masks))
    next_seat = torch.from_numpy(batch.to_play.astype(np.int64))
    advantage, following = torch.zeros_like(data["value"]), torch.zeros(GAMES)
    for step in reversed(range(STEPS)):
        sign = (next_seat == data["seat"][step]).float() * 2 - 1  # +1: the same seat moves again
        sign *= 1 - torch.from_numpy(ended[step]).float()  # 0: nothing follows
        surprise = torch.from_numpy(rewards[step]) + sign * next_value - data["value"][step]
        following = surprise + LAMBDA * sign * following
        advantage[step], next_value, next_seat = following, data["value"][step], data["seat"][step]
    data["advantage"], data["return"] = advantage, advantage + data["value"]
    return {name: found.flatten(0, 1) for name, found in data.items()}


def improve(data):
    """PPO's clipped update."""
    for _ in range(EPOCHS):
        for rows in torch.randperm(GAMES * STEPS).split(MINIBATCH):
            part = {name: found[rows] for name, found in data.items()}
            found, value = judge(part["observation"], part["mask"])
            advantage = part["advantage"]
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            ratio = (found.log_prob(part["action"]) - part["log_p"]).exp()
            gain = torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage)
            error = (value - part["return"]).square()
            loss = -gain.mean() + VALUE * error.mean() - ENTROPY * found.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), MAX_GRADIENT)
            optimiser.step()


updates = max(1, DECISIONS // (GAMES * STEPS))
for update in range(updates):
    optimiser.param_groups[0]["lr"] = LEARNING_RATE * (1 - update / updates)
    improve(collect())
for score in evaluate(play, ["random", "heuristic"], deals=200, seed=99):
    print(f"after {updates * GAMES * STEPS:,} decisions: {score}")
