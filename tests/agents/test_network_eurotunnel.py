"""The network of Eurotunnel, shaped like the game: what an order is scored by, and what an answer depends on."""

from __future__ import annotations

from typing import Any

import torch

from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.network import SelfPlayNetwork
from channel_tunnel_env.games.eurotunnel.actions import action_id
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import observation as seen
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from tests.agents.test_network_carcassonne import stages

FORM = FORMS["eurotunnel"]


def positions(steps: int) -> torch.Tensor:
    """Observations of random games at many stages."""
    return torch.from_numpy(stages({"base": "eurotunnel", "max_year": 1902}, 4, steps, 7)[0])


def new_network() -> SelfPlayNetwork:
    """A network whose head is not nearly 0, as a new one's is."""
    torch.manual_seed(1)
    network = SelfPlayNetwork(32, 2, "shared", "game", FORM).eval()
    for parameter in network.policy.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return network


@torch.no_grad()
def logits_of(network: SelfPlayNetwork, rows: torch.Tensor) -> torch.Tensor:
    return network.logits(network.features(rows), torch.zeros(len(rows)))


@torch.no_grad()
def test_an_id_is_scored_by_its_kind_source_and_goal() -> None:
    """The product written out for single ids, each from the features of its own provinces."""
    rows = positions(30)
    network = new_network()
    head: Any = network.policy.of("player")
    features = network.features(rows)
    asking, places = features[:, : head.asking], features[:, head.asking :].unflatten(1, (75, -1))
    queries = head.queries(asking).unflatten(1, (-1, 32))
    gates = head.gates(asking).unflatten(1, (2, 16))
    logits, index = network.logits(features, torch.zeros(len(rows))), load_board().index

    def place(name: str) -> Any:
        return places[:, index[name]].split([32, 16, 16], dim=1)

    def dot(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
        return (one * other).sum(1)

    expected = {
        "* - STP/NC": dot(queries[:, 0], place("STP")[0]),
        "* BT PIC": dot(queries[:, 3], place("PIC")[0]),
        "* S LON": dot(queries[:, 4], place("LON")[0]),
        "PAR D": dot(queries[:, 9], place("PAR")[0]),
    }
    for k, name in enumerate(("* S LON - BEL", "* C LON - BEL")):
        source, goal = place("LON"), place("BEL")
        ends = dot(queries[:, 10 + 2 * k], source[0]) + dot(queries[:, 11 + 2 * k], goal[0])
        expected[name] = ends + dot(source[1] * gates[:, k], goal[2])
    for name, score in expected.items():
        action = action_id(name)
        assert torch.allclose(logits[:, action], score + head.bias[action], atol=1e-4), name


def test_the_answer_depends_on_the_unit_asked_and_on_the_neighbours() -> None:
    rows = positions(1)
    network = new_network()
    before = logits_of(network, rows)
    other = rows.clone()
    asked = other[:, seen.ASKED : seen.ASKED + c.NUM_PROVINCES]
    asked[:] = asked.roll(1, dims=1)
    assert (logits_of(network, other) - before).abs().max() > 1e-3
    far = rows.clone()
    kiel, berlin = (load_board().index[name] for name in ("KIE", "BER"))
    far[:, seen.BOARD + kiel * seen.BOARD_WIDTH] = 1 - far[:, seen.BOARD + kiel * seen.BOARD_WIDTH]
    change = (logits_of(network, far) - before)[:, c.FIRST_SUPPORT_HOLD + berlin]
    assert change.abs().min() > 1e-4
