"""The network of Carcassonne, shaped like the game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.network import SeatPolicy, SelfPlayNetwork
from channel_tunnel_env import BatchGame
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.observation import SECTION_BY_NAME, offset

FORM = FORMS["carcassonne"]


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
