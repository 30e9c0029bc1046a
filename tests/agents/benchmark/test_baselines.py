"""Baselines of the benchmark: they train from nothing, and play in processes of their own as they do here."""

from __future__ import annotations

import shlex
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch

pytest.importorskip("sb3_contrib")

from benchmarks import maskable_ppo, value_player
from benchmarks.maskable_ppo import GAMES, SEATS, SETTINGS, train
from channel_tunnel_agents import make_agent
from channel_tunnel_env import BatchGame, load_ruleset

TINY = load_ruleset("tiny")
UPDATE = GAMES * SETTINGS["n_steps"]


def choices_of(batch: BatchGame, *words: str) -> np.ndarray:
    """What a script of `benchmarks` chooses in a process of its own."""
    agent = make_agent(f"process:{shlex.join([sys.executable, *words])}", TINY)
    return agent(batch.observations, batch.masks)


@pytest.mark.heavy
def test_stock_ppo_learns_from_no_more_decisions_than_its_budget_and_plays_in_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SETTINGS, "n_epochs", 1)
    model = train(tmp_path, SEATS * UPDATE + 1, 1, "tiny")
    assert model.num_timesteps == UPDATE, "the rival's decisions count"
    batch = BatchGame(8, TINY, seed=5)
    chosen = model.predict(batch.observations, action_masks=batch.masks, deterministic=True)[0]
    np.testing.assert_array_equal(choices_of(batch, maskable_ppo.__file__, "play", str(tmp_path)), chosen)


def test_the_player_of_values_plays_the_layers_of_a_folder_as_torch_computes_them(tmp_path: Path) -> None:
    torch.manual_seed(1)
    batch = BatchGame(8, TINY, seed=5)
    sizes = (batch.observations.shape[1], 16, 16, batch.masks.shape[1])
    linear = [torch.nn.Linear(*each) for each in pairwise(sizes)]
    net = torch.nn.Sequential(linear[0], torch.nn.ReLU(), linear[1], torch.nn.ReLU(), linear[2])
    weights = [each.numpy() for each in net.state_dict().values()]
    np.savez(tmp_path / value_player.VALUES, *weights)
    with torch.no_grad():
        values = net(torch.from_numpy(batch.observations)).numpy()
    expected = np.where(batch.masks, values, -np.inf).argmax(axis=1)
    np.testing.assert_array_equal(choices_of(batch, value_player.__file__, str(tmp_path)), expected)
