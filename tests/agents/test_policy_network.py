"""Rows of both seats in one batch: each is answered by its own seat's policy, however they are mixed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

from channel_tunnel_agents.players.policy.network import SeatModules, SeatPolicy, have_equal_trunks, join_equal_trunks
from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
from channel_tunnel_agents.players.pretrained import load_policy
from channel_tunnel_agents.players.shipped import folder_of
from channel_tunnel_env import BatchGame
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

ROWS = 40


@pytest.fixture
def batch() -> BatchGame:
    """Games of which both seats are to move in some."""
    games = BatchGame(ROWS, "standard", 1)
    for _ in range(30):
        games.step(games.masks.argmax(axis=1))
    assert 0 < games.to_play.sum() < ROWS
    return games


def policies(shared: bool) -> dict[str, SeatPolicy]:
    torch.manual_seed(1)
    made = {seat: SeatPolicy(32, 2, "game").eval() for seat in c.SEATS}
    if shared:
        made["france"].trunk.load_state_dict(made["britain"].trunk.state_dict())
    return made


@pytest.mark.parametrize("shared", [True, False])
def test_every_row_of_a_mixed_batch_is_answered_by_its_seats_policy(shared: bool, batch: BatchGame) -> None:
    both = join_equal_trunks(policies(shared))
    assert have_equal_trunks(both) is (both["britain"].trunk is both["france"].trunk) is shared
    logits, values = TorchAgent(both).judge(batch.observations)
    for row, seat in enumerate(batch.to_play):
        alone = both[c.SEATS[seat]](torch.from_numpy(batch.observations[row : row + 1]))
        np.testing.assert_allclose(logits[row], alone[0][0].detach(), atol=1e-5)
        np.testing.assert_allclose(values[row], alone[1][0].detach(), atol=1e-5)


def test_a_trunk_of_both_seats_is_passed_once(batch: BatchGame) -> None:
    agent, passes = TorchAgent.load(folder_of("master")), []
    agent.policies["britain"].trunk.register_forward_hook(lambda *_: passes.append(1))
    agent.judge(batch.observations)
    assert len(passes) == 1


def test_policies_that_are_trained_apart_keep_apart(batch: BatchGame) -> None:
    """A pretrained policy's networks can be trained, each by itself."""
    policy = load_policy("master")
    with torch.no_grad():
        for weights in policy.networks["france"].trunk.parameters():
            weights.mul_(0.5)
    mixed = policy.evaluate(batch.observations, batch.masks)
    for row in range(ROWS):
        alone = policy.evaluate(batch.observations[row], batch.masks[row])
        np.testing.assert_allclose(mixed.values[row], alone.values, atol=1e-5)


def test_ordered_rows_and_both_heads_at_once_give_the_answers_and_gradients_of_mixed_rows() -> None:
    """Rows in the order of their seats take a way without copies; a GPU asks both heads at once."""
    torch.manual_seed(1)
    heads = SeatModules({seat: torch.nn.Linear(4, 3) for seat in c.SEATS})
    rows, side = torch.randn(9, 4, requires_grad=True), (torch.arange(9) % 3 == 0).float()
    target = torch.randn(9, 3)

    def run(order: torch.Tensor, ask: Callable[..., torch.Tensor]) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """Answers and gradients in the first order."""
        answers = ask(rows[order], side[order])
        loss = (answers * target[order]).sum()
        grads = torch.autograd.grad(loss, [rows, *heads.parameters()])
        return answers[order.argsort()], list(grads)

    mixed = run(torch.arange(9), heads)
    torch.testing.assert_close(run(side.argsort(stable=True), heads), mixed)
    torch.testing.assert_close(run(torch.arange(9), lambda rows, side: heads.both(rows, side > 0.5)), mixed)
    only = torch.ones(9)
    torch.testing.assert_close(heads(rows, only), heads.of(c.SEATS[1])(rows))
