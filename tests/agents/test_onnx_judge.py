"""Policies as ONNX Runtime plays them: torch's moves, from the graphs that are shipped and the weights of any file."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from channel_tunnel_agents import AgentError, make_agent
from channel_tunnel_agents.games import AGENT_SPECS
from channel_tunnel_agents.players.policy import graphs
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.card import make_card, policy_paths
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.graphs import find_graph, graph_names
from channel_tunnel_agents.players.policy.network import SeatPolicy, TorchJudge
from channel_tunnel_agents.players.policy.onnx_judge import MANY, MOST_ROWS, OnnxJudge
from channel_tunnel_agents.players.policy.saved_policy import load_policy, policy_card, save_policies
from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
from channel_tunnel_agents.players.shipped import FOLDER, folder_of
from channel_tunnel_env import BatchGame, VersionError, load_ruleset
from channel_tunnel_env.envs.opponents import random_legal
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE
from tests.agents.saving import save_untrained
from tests.games.carcassonne.records import ruleset_with as carcassonne_with

pytest.importorskip("onnxruntime")

SHIPPED = [(game, name) for game, spec in AGENT_SPECS.items() for name in spec.shipped]
POSITIONS = 10_000
TIE = 1e-5  # of a logit, or of its size where that is above 1


USUAL = {"tunnel_1987": "standard"}  # the other games' rulesets are called as they are


@pytest.mark.parametrize(("game", "name"), SHIPPED)
def test_every_shipped_policy_makes_torch_s_moves(game: str, name: str) -> None:
    """On ten thousand positions, from games of the policy with a random move now and then."""
    agent, wanted = PolicyAgent.load(folder_of(name, game)), TorchAgent.load(folder_of(name, game))
    assert isinstance(agent.network, OnnxJudge)
    batch, rng = (BatchGame(250, USUAL.get(game, game), seed=1, autoreset=True), np.random.default_rng(1))
    for _ in range(POSITIONS // 250):
        seen, masks = batch.observations, batch.masks
        (logits, values), (theirs, their_values) = agent.judge(seen), wanted.judge(seen)
        chosen, best = agent(seen, masks), wanted(seen, masks)
        rows = np.arange(len(seen))
        gap = theirs[rows, best] - theirs[rows, chosen]
        assert (gap <= TIE * np.maximum(1, np.abs(theirs[rows, best]))).all()
        np.testing.assert_allclose(logits[masks], theirs[masks], rtol=1e-4, atol=5e-4)
        np.testing.assert_allclose(values, their_values, atol=1e-5)
        batch.step(np.where(rng.random(len(seen)) < 0.2, random_legal(masks, rng), best))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_carcassonne_s_policy_makes_torch_s_moves_at_every_table(players: int) -> None:
    folder = folder_of("club", "carcassonne")
    batch, rng = BatchGame(40, carcassonne_with(players=players), seed=1), np.random.default_rng(1)
    for _ in range(30):
        batch.step(random_legal(batch.masks, rng))
    logits, values = PolicyAgent.load(folder).judge(batch.observations)
    theirs, their_values = TorchAgent.load(folder).judge(batch.observations)
    np.testing.assert_allclose(logits[batch.masks], theirs[batch.masks], atol=1e-4)
    np.testing.assert_allclose(values, their_values, atol=1e-5)


def test_every_graph_is_of_the_network_as_it_is_now() -> None:
    """Stale graphs: python -m channel_tunnel_agents.players.policy.export"""
    wanted = {}
    for game, name in SHIPPED:
        card = policy_card(next(iter(policy_paths(folder_of(name, game)).values())))
        graph = find_graph(card)
        assert graph is not None, name
        for size in FORMS[game].observation_sizes:
            assert graph.file(size).is_file()
        network = SeatPolicy(card["width"], card["depth"], card.get("network", "mlp"), FORMS[game]).state_dict()
        assert graph.shapes == {key: list(tensor.shape) for key, tensor in network.items()}
        wanted[graph.name] = graph.shapes
    assert graph_names() == sorted(wanted), "none is left over"


@pytest.fixture(scope="module")
def positions() -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of running games, of which both sides are to move in some."""
    batch, rng = BatchGame(2 * MOST_ROWS + 9, seed=3), np.random.default_rng(3)
    for _ in range(25):
        batch.step(random_legal(batch.masks, rng))
    assert 0 < batch.to_play.sum() < len(batch.masks)
    return batch.observations.copy(), batch.masks.copy()


def test_a_row_is_judged_alike_among_any_others(positions) -> None:
    seen, masks = positions
    agent = make_agent("club")
    logits, values = agent.judge(seen)
    for rows in ([0], [5, 1], [*range(3, 80)], [*reversed(range(len(seen)))]):
        some = agent.judge(seen[rows])
        np.testing.assert_allclose(some[0], logits[rows], atol=1e-5)
        np.testing.assert_allclose(some[1], values[rows], atol=1e-5)
    assert agent.judge(seen[:0])[0].shape == (0, masks.shape[1])
    log_probs, _ = agent.think(seen, masks)
    assert np.isneginf(log_probs[~masks]).all()
    np.testing.assert_allclose(np.exp(log_probs).sum(axis=1), 1, atol=1e-5)


def test_a_network_has_the_same_answers_for_few_rows_and_for_many() -> None:
    agent = make_agent("adept")
    batch, rng = BatchGame(MANY * 12, seed=4), np.random.default_rng(4)
    for _ in range(40):
        batch.step(random_legal(batch.masks, rng))
    seen = batch.observations[batch.to_play == 1]
    graph = agent.network._networks["france"][0]
    assert graph.file(seen.shape[1], many=True).is_file() and len(seen) >= 2 * MANY
    logits, values = agent.judge(seen)
    assert ("france", seen.shape[1], True) in agent.network._sessions
    for start in range(0, len(seen), MANY - 1):
        few = agent.judge(seen[start : start + MANY - 1])
        np.testing.assert_allclose(logits[start : start + MANY - 1], few[0], rtol=1e-4, atol=5e-4)
        np.testing.assert_allclose(values[start : start + MANY - 1], few[1], atol=1e-5)


def test_actions_are_drawn_by_their_probability_and_a_seed_draws_the_same(positions) -> None:
    seen, masks = positions
    agent = make_agent(f"ppo-sample:{FOLDER / 'club'}", seed=5)
    drawn = [agent(seen, masks) for _ in range(400)]
    assert all(masks[np.arange(len(masks)), actions].all() for actions in drawn)
    shares = np.exp(agent.think(seen, masks)[0])
    found = np.zeros_like(shares)
    for actions in drawn:
        found[np.arange(len(masks)), actions] += 1 / len(drawn)
    assert np.abs(found - shares).max() < 0.15 and np.abs(found - shares).mean() < 0.001
    agent.reseed(5)
    again = [agent(seen, masks) for _ in range(400)]
    np.testing.assert_array_equal(again, drawn)
    assert (agent(seen, masks) != drawn[0]).any()


def test_a_trained_run_of_a_shipped_size_plays_by_the_graph_and_another_by_torch(tmp_path: Path, positions) -> None:
    seen, masks = positions
    for width, judge in ((128, OnnxJudge), (64, TorchJudge)):
        folder = save_untrained(tmp_path / str(width), width, 2, "standard")
        agent = make_agent(f"ppo:{folder}")
        assert type(agent.network) is judge
        wanted = load_policy(folder / "france.safetensors")[0]
        france = np.flatnonzero(FORMS["tunnel_1987"].side_of_rows(seen) == 1)
        with torch.inference_mode():
            theirs = wanted(torch.from_numpy(seen[france]))[0].numpy()
        np.testing.assert_allclose(agent.judge(seen)[0][france], theirs, atol=1e-5)
        alone = PolicyAgent.load(folder / "france.safetensors")
        with pytest.raises(ValueError, match="no policy for britain; there is one for france"):
            alone(seen, masks)
        assert (alone(seen[france], masks[france]) == agent(seen[france], masks[france])).all()


# --- what is missing or broken is said in one line ------------------------------------------------


def hide(monkeypatch: pytest.MonkeyPatch, *libraries: str) -> None:
    for library in libraries:
        monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, "channel_tunnel_agents.players.policy.network", raising=False)


def test_without_either_library_one_line_says_what_to_install(monkeypatch) -> None:
    hide(monkeypatch, "onnxruntime")
    assert type(make_agent("club").network).__name__ == "TorchJudge"
    hide(monkeypatch, "onnxruntime", "torch")
    with pytest.raises(AgentError, match=r"^onnxruntime is needed.*pip install 'channel-tunnel-env\[play\]'"):
        make_agent("club")


def test_a_network_without_a_graph_says_that_torch_plays_it(tmp_path: Path, monkeypatch) -> None:
    folder = save_untrained(tmp_path / "run", 64, 2, "standard")
    hide(monkeypatch, "torch")
    with pytest.raises(AgentError, match=r"tunnel_1987-mlp-64x2 needs torch") as caught:
        make_agent(f"ppo:{folder}")
    assert "channel-tunnel-env[train]" in str(caught.value) and "\n" not in str(caught.value)


@pytest.fixture
def own_graphs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the graphs that a test may spoil."""
    folder = tmp_path / "graphs"
    shutil.copytree(graphs.FOLDER, folder)
    monkeypatch.setattr(graphs, "FOLDER", folder)
    return folder


@pytest.mark.parametrize("content", [b"", b"no graph", None, "tunnel_1987-game-256x2"])
def test_a_graph_that_cannot_be_read_or_disagrees_with_the_weights_is_named(
    own_graphs: Path, content: bytes | str | None
) -> None:
    path = own_graphs / f"tunnel_1987-mlp-128x2-{OBSERVATION_SIZE}.onnx"
    if isinstance(content, str):
        content = (own_graphs / f"{content}-{OBSERVATION_SIZE}.onnx").read_bytes()
    path.unlink() if content is None else path.write_bytes(content)
    with pytest.raises(VersionError, match=r"128x2-\d+\.onnx: ONNX Runtime cannot") as caught:
        make_agent("club")
    assert "players.policy.export" in str(caught.value) and "\n" not in str(caught.value)


def test_weights_that_disagree_with_their_card_are_refused(tmp_path: Path) -> None:
    weights = {side: SeatPolicy(96, 2).state_dict() for side in c.SEATS}
    save_policies(tmp_path, weights, make_card(load_ruleset(), width=128, depth=2))
    with pytest.raises(VersionError, match=r"policy.weight: shape \[171, 96\]; width 128"):
        make_agent(f"ppo:{tmp_path}")
