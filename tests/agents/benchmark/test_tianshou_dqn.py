"""The DQN baseline: its budget counts both seats, and the player plays the network that was learned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("tianshou")

from benchmarks import tianshou_dqn
from benchmarks.value_player import VALUES, best_actions
from channel_tunnel_env import BatchGame, load_ruleset

TINY = load_ruleset("tiny")


def test_it_learns_from_no_more_decisions_than_its_budget_and_its_values_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tianshou_dqn, "FIRST_ROWS", tianshou_dqn.GAMES)
    played = []
    monkeypatch.setattr(
        tianshou_dqn,
        "play_on",
        lambda games, policy, step=tianshou_dqn.play_on: played.append(1) or step(games, policy),
    )
    budget = 2 * tianshou_dqn.SEATS * tianshou_dqn.GAMES
    dqn = tianshou_dqn.train(tmp_path, budget + 1, 1, "tiny")
    assert len(played) == 2, "the rival's decisions count"
    batch = BatchGame(8, TINY, seed=5)
    with np.load(tmp_path / VALUES) as kept:
        layers = [kept[name] for name in kept.files]
    chosen = tianshou_dqn.choose(dqn.policy, batch.observations, batch.masks)
    np.testing.assert_array_equal(best_actions(layers, batch.observations, batch.masks), chosen)
