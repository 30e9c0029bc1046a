"""The network of Carcassonne, shaped like the game, and credit in the view of the mover."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from channel_tunnel_agents.learning.rollout_buffer import ZeroSumRolloutBuffer
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.network import SeatPolicy, SelfPlayNetwork
from channel_tunnel_env import BatchGame
from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.observation import SECTION_BY_NAME, offset

FORM = FORMS["carcassonne"]


def test_credit_in_the_movers_view_is_that_of_the_first_seat_turned_over() -> None:
    """The same rewards and values, in the mover's view, give the same advantages."""
    env = SelfPlayVecEnv(6, "carcassonne", seed=3, credit="zero_sum")
    rng = np.random.default_rng(1)
    spaces = (env.observation_space, env.action_space)
    absolute = ZeroSumRolloutBuffer(60, *spaces, gae_lambda=0.9, gamma=1.0, n_envs=6, games=env)
    relative = ZeroSumRolloutBuffer(60, *spaces, gae_lambda=0.9, gamma=1.0, n_envs=6, games=env, values_of_mover=True)
    seen, starts = env.reset(), np.ones(6, np.bool_)
    changes = 0
    for _ in range(60):
        sign = np.where(env.batch.to_play == 0, 1.0, -1.0).astype(np.float32)
        changes += int((sign < 0).sum())
        masks = env.action_masks()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        values = rng.uniform(-1, 1, 6).astype(np.float32)
        env.step_async(actions)
        after, rewards, dones, _ = env.step_wait()
        rewards = rng.normal(size=6).astype(np.float32)  # games are long; every step pays here
        for buffer, turn in ((absolute, 1.0), (relative, sign)):
            told = torch.from_numpy(values * turn).float()
            buffer.add(seen, actions[:, None], rewards, starts, told, torch.zeros(6), action_masks=masks)
        seen, starts = after, dones
    last = torch.from_numpy(rng.uniform(-1, 1, 6).astype(np.float32))
    next_sign = torch.from_numpy(np.where(env.batch.to_play == 0, 1.0, -1.0).astype(np.float32))
    absolute.compute_returns_and_advantage(last, starts)
    relative.compute_returns_and_advantage(last * next_sign, starts)
    signs = np.where(relative.movers == 0, 1.0, -1.0)
    assert 60 < changes < 300
    assert np.allclose(absolute.advantages, relative.advantages, atol=1e-5)
    assert np.allclose(absolute.returns * signs, relative.returns, atol=1e-5)


def stages(rules: Any, games: int, steps: int, every: int) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of random games at many stages."""
    batch = BatchGame(games, rules, seed=2, autoreset=True)
    rng, seen, legal = np.random.default_rng(0), [], []
    for step in range(steps):
        if step % every == 0:
            seen.append(batch.observations.copy())
            legal.append(batch.masks.copy() > 0)
        batch.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in batch.masks]))
    return np.concatenate(seen), np.concatenate(legal)


def positions(players: int = 2) -> tuple[np.ndarray, np.ndarray]:
    return stages({"base": "carcassonne", "players": players}, 8, 90, 9)


@pytest.mark.parametrize("players", [2, 5])
def test_every_legal_action_has_a_logit_of_its_own_whatever_the_seats(players: int) -> None:
    seen, legal = positions(players)
    torch.manual_seed(1)
    network = SelfPlayNetwork(32, 1, "shared", "game", FORM)
    for parameter in network.policy.parameters():
        torch.nn.init.normal_(parameter)
    rows = torch.from_numpy(seen)
    features = network.features(rows)
    logits = network.logits(features, torch.zeros(len(rows))).detach().numpy()
    assert (logits[legal] > -1e6).all()
    for row, mask in zip(logits, legal, strict=True):
        several = mask[: c.FIRST_ROTATE].sum() > 1
        assert not several or len(np.unique(row[: c.FIRST_ROTATE][mask[: c.FIRST_ROTATE]])) > 1


def test_a_place_is_judged_alike_wherever_and_however_it_lies() -> None:
    """Turned by a quarter, a table gives every cell and turn the score it had before."""
    seen, legal = positions()
    start = offset("cells", 2)
    section = SECTION_BY_NAME["cells"]
    width = len(section.columns)
    rows = seen[(legal[:, : c.FIRST_ROTATE].sum(1) > 1)]
    cells = rows[:, start:].reshape(len(rows), -1, width)
    turned = cells.copy()
    fits, sides = section.columns.index("fits turned 0"), section.columns.index("n city")
    each = (width - sides) // 4
    for side in range(4):
        after = (side + 1) % 4
        turned[:, :, fits + after] = cells[:, :, fits + side]
        turned[:, :, sides + each * after : sides + each * (after + 1)] = cells[
            :, :, sides + each * side : sides + each * (side + 1)
        ]
    other = rows.copy()
    other[:, start:] = turned.reshape(len(rows), -1)
    torch.manual_seed(2)
    policy = SeatPolicy(32, 1, "game", FORM).eval()
    with torch.no_grad():
        (before, value), (after_turn, same) = (policy(torch.from_numpy(x)) for x in (rows, other))
    assert torch.allclose(before[:, : c.FIRST_ROTATE], after_turn[:, : c.FIRST_ROTATE], atol=1e-4)
    assert torch.allclose(value, same, atol=1e-5)
