"""Trained policies in other programs: loaded by name, asked with arrays, saved, trained on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from channel_tunnel_agents import AgentError, make_agent
from channel_tunnel_agents.commands import train
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.saved_policy import load_policy as load_file
from channel_tunnel_agents.players.pretrained import find_policy, load_policy
from channel_tunnel_env import BatchGame, VersionError, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine.actions import NUM_ACTIONS
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE
from tests.agents.saving import save_untrained

TINY = load_ruleset("tiny")


@pytest.fixture
def run(tmp_path) -> Path:
    """Policies for `tiny` with a shared trunk, as a run leaves them."""
    return save_untrained(tmp_path / "run", 16, 2, one_trunk=True, decisions=77, config={"trunk": "shared"})


@pytest.fixture(scope="module")
def positions() -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of 32 games in progress, both seats to move."""
    batch, luck = BatchGame(32, seed=3), np.random.default_rng(3)
    for _ in range(25):
        batch.step(np.array([luck.choice(np.flatnonzero(mask)) for mask in batch.masks]))
    assert len(set(batch.states["to_play"].tolist())) == 2
    return batch.observations.copy(), batch.masks.copy()


def test_a_policy_by_name_gives_logits_probabilities_and_values(positions) -> None:
    observations, masks = positions
    policy = load_policy("rookie")
    logits, probabilities, values = policy.evaluate(observations, masks)
    assert logits.shape == probabilities.shape == (32, NUM_ACTIONS) and values.shape == (32,)
    assert {array.dtype for array in (logits, probabilities, values)} == {np.dtype(np.float32)}
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-5)
    assert (probabilities[~masks] == 0).all() and (probabilities[masks] > 0).any()
    agent = make_agent("rookie")
    assert isinstance(agent, PolicyAgent)
    log_probs, british = agent.think(observations, masks)
    np.testing.assert_allclose(probabilities, np.exp(log_probs), atol=1e-5)
    assert (policy(observations, masks) == agent(observations, masks)).all()
    assert (policy(observations, masks) == np.where(masks, logits, -np.inf).argmax(axis=1)).all()
    assert np.abs(values).max() <= 1
    np.testing.assert_allclose(np.abs(values), np.abs(british), atol=1e-6)


def test_values_are_in_the_view_of_the_seat_to_move() -> None:
    """The same numbers seen by either seat: what is good for Britain is bad for France."""
    observations = np.zeros((2, OBSERVATION_SIZE), np.float32)
    observations[1, 15] = 1.0  # France to move
    policy = load_policy("rookie")
    for network in policy.networks.values():
        torch.nn.init.zeros_(network.value.weight)
        torch.nn.init.constant_(network.value.bias, 0.25)  # Britain's view
    _, _, values = policy.evaluate(observations, np.ones((2, NUM_ACTIONS), bool))
    assert values.tolist() == [0.25, -0.25]


def test_one_position_or_many_axes_are_taken_alike(positions) -> None:
    observations, masks = positions
    policy = load_policy("rookie")
    whole = policy.evaluate(observations, masks)
    one = policy.evaluate(observations[5], masks[5].astype(np.int8))  # as an environment gives them
    assert one.logits.shape == (NUM_ACTIONS,) and one.values.shape == ()
    np.testing.assert_allclose(one.probabilities, whole.probabilities[5], atol=1e-5)
    axes = policy.evaluate(observations.reshape(4, 8, -1), masks.reshape(4, 8, -1))
    assert axes.probabilities.shape == (4, 8, NUM_ACTIONS) and axes.values.shape == (4, 8)
    assert policy(observations.reshape(4, 8, -1), masks.reshape(4, 8, -1)).shape == (4, 8)
    assert policy.evaluate(observations[:0], masks[:0]).values.shape == (0,)


def test_what_does_not_fit_is_named(positions, run) -> None:
    observations, masks = positions
    policy = load_policy("rookie")
    short = OBSERVATION_SIZE - 1
    with pytest.raises(ValueError, match=rf"observations \(32, {short}\) and masks \(32, 171\)"):
        policy.evaluate(observations[:, 1:], masks)
    with pytest.raises(ValueError, match="alike in front"):
        policy.evaluate(observations[:3], masks)
    for player in (policy, make_agent("rookie")):
        with pytest.raises(ValueError, match="uint8; a policy reads float32"):
            player(observations.astype(np.uint8), masks)
    over = masks.copy()
    over[7] = False
    with pytest.raises(ValueError, match="row 7: no action is legal"):
        policy.evaluate(observations, over)
    alone = load_policy(run / "france.safetensors", "tiny")
    with pytest.raises(ValueError, match="no policy for britain"):
        alone.evaluate(observations, masks)
    for name in ("mastr", "", run.parent / "nothing"):
        with pytest.raises(AgentError, match=r"no such policy.*nown: rookie, club, master, adept, a run folder"):
            load_policy(name)


def test_another_ruleset_is_refused_unless_asked_for(run) -> None:
    with pytest.raises(VersionError, match="made for ruleset digest"):
        load_policy("rookie", "tiny")
    with pytest.raises(VersionError, match="made for ruleset digest"):
        load_policy(run)
    assert load_policy(run, TINY).card["ruleset"] == "tiny"
    for name, ruleset in (("frozen:rookie", "tiny"), ("rookie", None)):
        assert load_policy(name, ruleset).card["ruleset"] == "standard"


def test_names_mean_the_same_as_for_agents(run) -> None:
    assert find_policy("master") == find_policy("frozen:master") == shipped.FOLDER / "master"
    assert find_policy(f"ppo:{run}") == find_policy(run) == run


def test_a_saved_policy_names_its_parent_and_plays_as_any_other(run, tmp_path, positions) -> None:
    observations, masks = positions
    policy = load_policy(run, "tiny")
    with torch.no_grad():
        policy.networks["france"].policy.bias += 0.5
    folder = policy.save(tmp_path / "mine", trained="by hand")
    again = load_policy(folder, "tiny")
    for one, other in zip(policy.evaluate(observations, masks), again.evaluate(observations, masks), strict=True):
        np.testing.assert_array_equal(one, other)
    assert again.card["trained"] == "by hand"
    parent = again.card["parent"]
    assert parent == {
        "name": "run",
        "ruleset": "tiny",
        "ruleset_digest": TINY.digest,
        "decisions": 77,
        "sha256": policy.digests,
    }
    assert again.digests["france"] != policy.digests["france"]
    assert again.digests["britain"] != policy.digests["britain"]  # its card has changed
    assert make_agent(f"ppo:{folder}", TINY)(observations, masks).shape == (32,)
    with pytest.raises(ValueError, match="notes width: the card holds these already"):
        policy.save(tmp_path / "other", width=3)
    assert not (tmp_path / "other").exists()


@pytest.mark.heavy
def test_training_starts_from_a_policy_by_name_with_its_network(tmp_path, capsys) -> None:
    """Of the preset its network and its warm start give way; what is said on the command line does not."""
    folder = tmp_path / "run"
    words = [
        "demo", "--start-from", "rookie", "--num-games", "32", "--steps", "16", "--batch-size", "256",
        "--epochs", "1", "--threads", "1", "--decisions", "512", "--max-minutes", "None",
        "--evaluate-games", "4", "--entropy", "0.004", "--device", "cpu",
    ]  # fmt: skip
    assert train.main([*words, "--width", "64", "--run", str(folder)]) == 2
    assert "its network has width 128, the config says width 64" in capsys.readouterr().err
    assert not (folder / "checkpoint.pt").exists()
    assert train.main([*words, "--run", str(folder)]) == 0
    assert "starts from rookie: width 128, depth 2" in " ".join(capsys.readouterr().out.split())
    card = load_file(folder / "britain.safetensors")[1]
    config = card["config"]
    assert (config["width"], config["imitate"], config["entropy"]) == (128, None, 0.004)
    assert config["learning_rate"] == 3e-4  # small steps
    assert card["parent"]["name"] == "rookie"
    assert card["parent"]["sha256"] == load_policy("rookie").digests
    assert train.main(["demo", "--run", str(folder), "--resume", "--decisions", "1024"]) == 0
    card = load_file(folder / "britain.safetensors")[1]
    assert card["parent"]["name"] == "rookie" and card["config"]["start_from"] == "rookie"


def test_half_precision_becomes_the_same_numbers_in_float32() -> None:
    """Shipped files hold float16; what is trained on starts as exactly those numbers."""
    from safetensors.torch import load_file as tensors_of

    stored = tensors_of(shipped.FOLDER / "rookie" / "france.safetensors")
    network = load_policy("rookie").networks["france"]
    for name, tensor in network.state_dict().items():
        assert stored[name].dtype == torch.float16 and tensor.dtype == torch.float32
        assert torch.equal(stored[name].float(), tensor)
