"""Eurotunnel Diplomacy is trained by the same trainer: one policy for seven seats, each paid by itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from channel_tunnel_agents.commands.train import read_arguments
from channel_tunnel_agents.learning.config import ConfigError, TrainConfig, make_config
from channel_tunnel_agents.learning.exploit import measure_gain, train_response
from channel_tunnel_agents.learning.guards import TrainingStopped
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.matches.arena import play_table
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.network import SelfPlayNetwork
from channel_tunnel_agents.players.pretrained import load_policy
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import BatchGame, VersionError, load_ruleset
from channel_tunnel_env.games.eurotunnel.actions import action_id
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import observation as seen
from channel_tunnel_env.games.eurotunnel.provinces import load_board

FORM = FORMS["eurotunnel"]
RULES = load_ruleset({"base": "eurotunnel", "max_year": 1901})
SMALL = {
    "ruleset": "eurotunnel",
    "network": "game",
    "width": 32,
    "depth": 1,
    "num_games": 8,
    "steps": 32,
    "batch_size": 128,
    "epochs": 1,
    "decisions": 768,
    "evaluate_games": 2,
    "threads": 1,
}


def run_of(folder: Path, resume: bool = False, **more: Any) -> TrainingRun:
    """A small run under short rules."""
    config: TrainConfig = make_config(SMALL | {"run": str(folder)} | more)
    return TrainingRun(config, resume, ruleset=RULES)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    folder, said = tmp_path_factory.mktemp("run"), list[dict[str, Any]]()
    run_of(folder, imitate="dumb", imitate_decisions=512).train(said.append)
    return folder, said


def test_a_run_leaves_one_policy_that_plays_every_seat(trained: Any) -> None:
    folder, said = trained
    assert [path.name for path in folder.glob("*.safetensors")] == ["player.safetensors"]
    agent = make_agent(f"ppo:{folder}", RULES)
    assert play_table([agent] * 7, 2, 5, RULES).shares.sum(axis=1) == pytest.approx(1)
    card = load_policy(folder, RULES).card
    assert (card["game"], card["observation_size"]) == ("eurotunnel", seen.OBSERVATION_SIZE)
    warm, *rest = [status for status in said if "warm_start" not in status]
    assert set(warm["rates"]) == {"one seat v random", "one seat v dumb"}
    assert {"years", "largest_share", "entropy_movement"} <= set(rest[-1])


def test_a_run_that_goes_on_equals_the_unbroken_one(tmp_path: Path) -> None:
    run_of(tmp_path / "whole").train()
    stopped = run_of(tmp_path / "parts")
    stopped.stop_asked = lambda: stopped.model.num_timesteps >= 256
    with pytest.raises(TrainingStopped):
        stopped.train()
    run_of(tmp_path / "parts", resume=True).train()
    one, other = (load_policy(tmp_path / name, RULES) for name in ("whole", "parts"))
    for name, weights in one.networks["player"].state_dict().items():
        assert torch.equal(weights, other.networks["player"].state_dict()[name]), name


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"network": "mlp"}, "network mlp: for the game eurotunnel: game"),
        ({"trunk": "separate"}, "one policy plays all seats of eurotunnel: shared"),
        (
            {"pool_slots": 1, "rival_share": 0.5},
            "pool_slots 1: past selves are drawn by their wins between two seats; at a table of 7: 0",
        ),
    ],
)
def test_a_config_that_does_not_fit_the_game_is_one_line(tmp_path: Path, more: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        run_of(tmp_path, **more)


def test_a_policy_is_refused_for_other_rules_and_games_by_name(trained: Any) -> None:
    folder, _ = trained
    with pytest.raises(VersionError, match="plays the game eurotunnel; ruleset tiny is of the game"):
        make_agent(f"ppo:{folder}", load_ruleset("tiny"))
    with pytest.raises(VersionError, match="made for ruleset digest"):
        make_agent(f"ppo:{folder}", load_ruleset("eurotunnel"))


def test_the_ruleset_alone_chooses_the_preset_of_its_game() -> None:
    for arguments, preset in (
        (["--ruleset", "eurotunnel"], "eurotunnel"),
        (["--ruleset=carcassonne"], "carcassonne"),
        (["--ruleset", "tiny"], "demo"),
        ([], "demo"),
    ):
        assert read_arguments(arguments)[0].run == f"runs/{preset}"


def test_the_shipped_club_plays_from_its_card_and_takes_the_game_from_random() -> None:
    rules = load_ruleset("eurotunnel")
    club, rival = make_agent("club", rules), make_agent("random", rules, 3)
    shares = play_table([rival] * 2 + [club] + [rival] * 4, 4, 9, rules).shares
    assert shares[:, 2].mean() > 0.8
    card = load_policy("club", rules).card
    assert card["game"] == "eurotunnel" and "/" not in json.dumps(card["config"].get("run", ""))


# --- the network --------------------------------------------------------------------------------------


def positions(games: int = 12, steps: int = 120) -> tuple[torch.Tensor, np.ndarray]:
    """Observations and masks of random games at many stages."""
    batch = BatchGame(games, {"base": "eurotunnel", "max_year": 1902}, seed=2, autoreset=True)
    rng, found, legal = np.random.default_rng(0), [], []
    for step in range(steps):
        if step % 7 == 0:
            found.append(batch.observations.copy())
            legal.append(batch.masks.copy())
        batch.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in batch.masks]))
    return torch.from_numpy(np.concatenate(found)), np.concatenate(legal)


def new_network(seed: int = 1) -> SelfPlayNetwork:
    """A network whose head is not nearly 0, as a new one's is."""
    torch.manual_seed(seed)
    network = SelfPlayNetwork(32, 2, "shared", "game", FORM).eval()
    for parameter in network.policy.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return network


@torch.no_grad()
def logits_of(network: SelfPlayNetwork, rows: torch.Tensor) -> torch.Tensor:
    return network.logits(network.features(rows), torch.zeros(len(rows)))


def test_every_action_has_a_logit_of_its_own() -> None:
    rows, legal = positions()
    logits = logits_of(new_network(), rows).numpy()
    assert logits.shape == legal.shape and np.isfinite(logits).all()
    for row, mask in zip(logits, legal, strict=True):
        assert len(np.unique(row[mask])) == mask.sum()


@torch.no_grad()
def test_an_id_is_scored_by_its_kind_source_and_goal() -> None:
    """The product written out for single ids, each from the features of its own provinces."""
    rows, _ = positions(4, 30)
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
    rows, _ = positions(4, 1)
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


def test_a_best_response_learns_alone_among_copies_of_the_policy(trained: Any, tmp_path: Path) -> None:
    rules = tmp_path / "short.yaml"
    rules.write_text("base: eurotunnel\nname: short\nmax_year: 1901\n")
    victim = PolicyAgent.load(trained[0], load_ruleset(rules))
    small = {"num_games": 14, "steps": 32, "batch_size": 128, "epochs": 1, "threads": 1}
    response = train_response(victim, tmp_path / "run", 900, ruleset=str(rules), device="cpu", **small)
    gain = measure_gain(response, victim, 2, 3, load_ruleset(rules))
    assert len(gain.rates) == 7 and abs(gain.gain) <= 1
