"""Carcassonne and Eurotunnel are trained by the same trainer: one policy for all seats, by a network shaped like the game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.commands.train import read_arguments
from channel_tunnel_agents.learning import exploit
from channel_tunnel_agents.learning.config import ConfigError, make_config
from channel_tunnel_agents.learning.exploit import measure_gain, train_response
from channel_tunnel_agents.learning.guards import TrainingStopped
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.matches.arena import play_table
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.pretrained import load_policy
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import VersionError, load_ruleset

SHORT = "base: eurotunnel\nname: short\nmax_year: 1901\n"
RULES = {
    "carcassonne": load_ruleset("carcassonne"),
    "three seats": load_ruleset({"base": "carcassonne", "players": 3}),
    "eurotunnel": load_ruleset({"base": "eurotunnel", "name": "short", "max_year": 1901}),
}
TEACHERS = {"carcassonne": "greedy", "eurotunnel": "dumb"}
SMALL = {"network": "game", "width": 16, "depth": 1, "num_games": 8, "steps": 32, "batch_size": 128, "epochs": 1}
each_game = pytest.mark.parametrize("game", TEACHERS)


def run_of(rules: str, folder: Path, resume: bool = False, **more: Any) -> TrainingRun:
    """A small run of three updates."""
    values = {"ruleset": RULES[rules].spec.name, "decisions": 768, "evaluate_games": 2, "threads": 1, "device": "cpu"}
    return TrainingRun(make_config(SMALL | values | {"run": str(folder)} | more), resume, ruleset=RULES[rules])


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, list[dict[str, Any]]]]:
    """Of each game a folder with a run that began with imitation, and what it said."""
    found = {}
    for game, teacher in TEACHERS.items():
        folder, said = tmp_path_factory.mktemp(game), list[dict[str, Any]]()
        run_of(game, folder, imitate=teacher, imitate_decisions=512).train(said.append)
        found[game] = folder, said
    return found


@each_game
def test_a_run_leaves_one_policy_that_plays_every_seat(game: str, trained: Any) -> None:
    folder, said = trained[game]
    assert [path.name for path in folder.glob("*.safetensors")] == ["player.safetensors"]
    rules = RULES[game]
    agent = make_agent(f"ppo:{folder}", rules)
    assert play_table([agent] * len(rules.seats), 2, 5, rules).shares.sum(axis=1) == pytest.approx(1)
    card = load_policy(folder, rules).card
    assert (card["game"], card["observation_size"]) == (game, rules.spec.observation.size(rules))
    assert [status["imitation"] for status in said if "imitation" in status] == [TEACHERS[game]]


def test_a_run_of_seven_seats_says_what_one_of_them_gets(trained: Any) -> None:
    warm, *rest = [status for status in trained["eurotunnel"][1] if "warm_start" not in status]
    assert set(warm["rates"]) == {"one seat v random", "one seat v dumb"}
    assert {"years", "largest_share", "entropy_movement"} <= set(rest[-1])


@each_game
def test_a_run_that_goes_on_equals_the_unbroken_one(game: str, tmp_path: Path) -> None:
    run_of(game, tmp_path / "whole").train()
    stopped = run_of(game, tmp_path / "parts")
    stopped.stop_asked = lambda: stopped.model.num_timesteps >= 256
    with pytest.raises(TrainingStopped):
        stopped.train()
    run_of(game, tmp_path / "parts", resume=True).train()
    one, other = (load_policy(tmp_path / name, RULES[game]) for name in ("whole", "parts"))
    for name, weights in one.networks["player"].state_dict().items():
        assert torch.equal(weights, other.networks["player"].state_dict()[name]), name


def test_a_policy_of_another_game_or_other_rules_is_refused_by_name(trained: Any) -> None:
    others = {"carcassonne": RULES["three seats"], "eurotunnel": load_ruleset("eurotunnel")}
    for game, (folder, _) in trained.items():
        with pytest.raises(VersionError, match=f"plays the game {game}; ruleset tiny is of the game"):
            make_agent(f"ppo:{folder}", load_ruleset("tiny"))
        with pytest.raises(VersionError, match="made for ruleset digest"):
            make_agent(f"ppo:{folder}", others[game])
    with pytest.raises(VersionError, match="plays the game tunnel_1987"):
        make_agent("master", RULES["carcassonne"])
    with pytest.raises(AgentError, match="a puct search plays tunnel_1987"):
        make_agent(f"ppo-puct:{trained['carcassonne'][0]}", RULES["carcassonne"])


@pytest.mark.parametrize(
    ("rules", "more", "message"),
    [
        ("carcassonne", {"network": "mlp"}, "network mlp: for the game carcassonne: game"),
        ("carcassonne", {"trunk": "separate"}, "one policy plays all seats of carcassonne: shared"),
        (
            *("three seats", {"pool_slots": 1, "rival_share": 0.5}),
            "pool_slots 1: past selves are drawn by their wins between two seats; at a table of 3: 0",
        ),
    ],
)
def test_a_config_that_does_not_fit_the_game_is_one_line(
    rules: str, more: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=message):
        run_of(rules, tmp_path, **more)


def test_the_ruleset_alone_chooses_the_preset_of_its_game() -> None:
    for arguments, preset in (
        (["--ruleset", "eurotunnel"], "eurotunnel"),
        (["--ruleset=carcassonne"], "carcassonne"),
        (["--ruleset", "tiny"], "demo"),
        ([], "demo"),
    ):
        assert read_arguments(arguments)[0].run == f"runs/{preset}"


@pytest.mark.parametrize(("game", "seat", "games", "least"), [("carcassonne", 0, 20, 0.94), ("eurotunnel", 2, 4, 0.8)])
def test_the_shipped_club_plays_from_its_card_and_takes_the_game_from_random(
    game: str, seat: int, games: int, least: float
) -> None:
    rules = load_ruleset(game)
    agents = [make_agent("random", rules, 3)] * len(rules.seats)
    agents[seat] = make_agent("club", rules)
    assert play_table(agents, games, 9, rules).shares[:, seat].mean() > least
    card = load_policy("club", rules).card
    assert card["game"] == game and "/" not in json.dumps(card["config"].get("run", ""))


def test_a_best_response_learns_alone_among_copies_of_the_policy(
    trained: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(exploit, "CHOOSING_GAMES", 14)
    rules = tmp_path / "short.yaml"
    rules.write_text(SHORT)
    victim = PolicyAgent.load(trained["eurotunnel"][0], load_ruleset(rules))
    small = {"num_games": 14, "steps": 32, "batch_size": 128, "epochs": 1, "threads": 1}
    response = train_response(victim, tmp_path / "run", 900, ruleset=str(rules), device="cpu", **small)
    gain = measure_gain(response, victim, 2, 3, load_ruleset(rules))
    assert len(gain.rates) == 7 and abs(gain.gain) <= 1
