"""The player of plain layers: in a process of its own it takes the legal action of the highest value."""

from __future__ import annotations

import shlex
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch

from benchmarks import value_player
from channel_tunnel_agents import make_agent
from channel_tunnel_env import BatchGame, load_ruleset

TINY = load_ruleset("tiny")


def test_it_plays_the_layers_of_a_folder_as_torch_computes_them(tmp_path: Path) -> None:
    torch.manual_seed(1)
    batch = BatchGame(8, TINY, seed=5)
    sizes = (batch.observations.shape[1], 16, 16, batch.masks.shape[1])
    linear = [torch.nn.Linear(*each) for each in pairwise(sizes)]
    net = torch.nn.Sequential(linear[0], torch.nn.ReLU(), linear[1], torch.nn.ReLU(), linear[2])
    weights = [each.numpy() for each in net.state_dict().values()]
    np.savez(tmp_path / value_player.VALUES, *weights)
    with torch.no_grad():
        values = net(torch.from_numpy(batch.observations)).numpy()
    agent = make_agent(f"process:{shlex.join([sys.executable, value_player.__file__, str(tmp_path)])}", TINY)
    chosen = agent(batch.observations, batch.masks)
    np.testing.assert_array_equal(chosen, np.where(batch.masks, values, -np.inf).argmax(axis=1))
