"""The stock baseline: it trains from nothing, and plays in a process of its own as it does here."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from benchmarks import maskable_ppo
from benchmarks.maskable_ppo import GAMES, SEATS, SETTINGS, train
from channel_tunnel_agents import make_agent
from channel_tunnel_env import BatchGame, load_ruleset

TINY = load_ruleset("tiny")
UPDATE = GAMES * SETTINGS["n_steps"]


@pytest.mark.heavy
def test_it_learns_from_no_more_decisions_than_its_budget_and_plays_in_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SETTINGS, "n_epochs", 1)
    model = train(tmp_path, SEATS * UPDATE + 1, 1, "tiny")
    assert model.num_timesteps == UPDATE, "the rival's decisions count"
    batch = BatchGame(8, TINY, seed=5)
    chosen = model.predict(batch.observations, action_masks=batch.masks, deterministic=True)[0]
    words = [sys.executable, maskable_ppo.__file__, "play", str(tmp_path)]
    agent = make_agent(f"process:{shlex.join(words)}", TINY)
    np.testing.assert_array_equal(agent(batch.observations, batch.masks), chosen)
