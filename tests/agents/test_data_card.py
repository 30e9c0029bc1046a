"""The cards of data sets for offline learning, and the policy that learns from a data set alone."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("minari")
pytest.importorskip("torch")

import minari

from benchmarks.offline_data import CARDS, PLANS, dataset_of
from channel_tunnel_agents import AgentError, make_agent
from channel_tunnel_agents.learning.cloning import ALGORITHM, CloningConfig, clone
from channel_tunnel_agents.learning.cloning import main as cloning
from channel_tunnel_agents.matches.arena import play_match
from channel_tunnel_agents.matches.data_card import (
    CARD,
    DataCardError,
    check_data,
    content_digest,
    read_data_card,
    write_data_card,
)
from channel_tunnel_agents.players.policy.card import policy_paths
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.saved_policy import policy_card
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.cli import main
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE

DATASET = "channel-tunnel/small-v0"
AGENTS = ("random", "heuristic")
SIZES = {"ruleset": "tiny", "width": 32, "batch": 128}


def generated(home: Path, games: int) -> Path:
    """Games of two players at a small ruleset, and their data set with its card."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MINARI_DATASETS_PATH", str(home / "minari"))
        command = ["generate", "--out", str(home / "games"), "--games", str(games), "--workers", "1"]
        command += ["--agents", *AGENTS, "--ruleset", "tiny", "--seed", "3"]
        assert main([*command, "--minari", DATASET, "--side", "all"]) == 0
    return home


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return generated(tmp_path_factory.mktemp("few"), 16)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Enough to learn from."""
    return generated(tmp_path_factory.mktemp("data"), 160)


@pytest.fixture(autouse=True)
def _at_home(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    home = request.getfixturevalue("folder" if "folder" in request.fixturenames else "few")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(home / "minari"))


@pytest.mark.heavy
def test_a_data_set_of_all_seats_says_whose_decisions_they_are(folder: Path) -> None:
    kept = minari.load_dataset(DATASET)
    infos = [episode.infos for episode in kept.iterate_episodes()]
    seats = [int(each["seat"][0]) for each in infos]
    assert seats == [0] * 160 + [1] * 160
    assert all((each["seat"] == each["seat"][0]).all() for each in infos)
    tables = [[int(each["player"][0]) for each in infos[first : first + 160]] for first in (0, 160)]
    played = list(zip(*tables, strict=True))
    assert {pair: played.count(pair) for pair in set(played)} == {(i, j): 40 for i in (0, 1) for j in (0, 1)}
    won = [episode.rewards[-1] > 0 for episode in kept.iterate_episodes()]
    by_player = [np.mean([w for w, i in zip(won, infos, strict=True) if i["player"][0] == p]) for p in (0, 1)]  # fmt: skip
    assert by_player[1] > by_player[0] + 0.2


def test_the_card_says_what_the_data_set_is(few: Path) -> None:
    card, kept = read_data_card(few / "games" / CARD), minari.load_dataset(DATASET)
    assert (card.games, card.episodes, card.steps) == (16, 32, kept.total_steps)
    assert (card.agents, card.seats) == (dict.fromkeys(AGENTS), ["britain", "france"])
    assert (card.licence, card.ruleset_digest) == ("MIT", load_ruleset("tiny").digest)
    assert card.sha256 == content_digest(kept)
    assert card.bytes == next((few / "minari").rglob("*.hdf5")).stat().st_size
    assert card.bytes < card.steps * card.observation_size * 4 / 3, "it is compressed"
    check_data(card)


@pytest.mark.heavy
def test_the_command_of_a_card_makes_the_same_data_again(folder: Path, tmp_path: Path) -> None:
    card = read_data_card(folder / "games" / CARD)
    words = card.command.split()
    assert words[:2] == ["channel-tunnel", "generate"]
    again = [word.replace(str(folder / "games"), str(tmp_path / "again")) for word in words[1:]]
    again[again.index(DATASET)] = "channel-tunnel/again-v0"
    assert main([*again, "--workers", "1"]) == 0
    assert read_data_card(tmp_path / "again" / CARD).sha256 == card.sha256


def test_another_data_set_than_that_of_the_card_is_said(few: Path, tmp_path: Path) -> None:
    card = read_data_card(few / "games" / CARD)
    with pytest.raises(DataCardError, match=r"content \w+\.\.\., its card says 0+\.\.\."):
        check_data(card.model_copy(update={"sha256": "0" * 64}))
    with pytest.raises(AgentError, match="no such Minari data set; expected in"):
        check_data(card.model_copy(update={"dataset": "channel-tunnel/none-v0"}))
    path = tmp_path / "card.json"
    write_data_card(card, path)
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"games": 0, "owner": "me"}))
    with pytest.raises(DataCardError, match=r"not a data card: games: .*; owner: "):
        read_data_card(path)


@pytest.mark.parametrize("name", PLANS)
def test_every_game_has_a_card_that_fits_its_plan_and_this_package(name: str) -> None:
    card, plan = read_data_card(CARDS / f"{name}.json"), PLANS[name]
    ruleset = load_ruleset(plan.ruleset)
    form = FORMS[ruleset.spec.name]
    assert (card.dataset, tuple(card.agents), card.seed) == (dataset_of(name), plan.agents, plan.seed)
    assert card.games >= plan.games and card.episodes == card.games * len(card.seats)
    assert card.seats == list(ruleset.seats)
    assert card.ruleset_digest == ruleset.digest
    assert card.observation_version == form.observation_version
    assert card.observation_size == ruleset.spec.observation.size(ruleset)
    assert card.command.endswith(f"--minari {dataset_of(name)} --side all")


@pytest.mark.heavy
def test_a_policy_learns_from_a_data_set_alone_and_plays(folder: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    config = CloningConfig(DATASET, tmp_path / "cloned", winners=True, epochs=6, rate=3e-3, **SIZES)
    made = clone(config, lines.append)
    assert len(lines) == 6 and lines[-1].startswith("pass 6 of 6: cross-entropy ")
    tiny = load_ruleset("tiny")
    result = play_match(make_agent(f"ppo:{made}", tiny), make_agent("random", tiny, 1), 200, 1, tiny)
    assert result.points("britain").mean() > 0.6
    card = policy_card(policy_paths(made)["france"])
    assert (card["algorithm"], card["dataset"]["winners"]) == (ALGORITHM, True)
    assert card["dataset"]["sha256"] == content_digest(minari.load_dataset(DATASET))


@pytest.mark.heavy
def test_the_same_seed_learns_the_same(folder: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        clone(CloningConfig(DATASET, tmp_path / name, epochs=1, **SIZES), lambda line: None)
    one, other = (policy_paths(tmp_path / name)["britain"].read_bytes() for name in ("a", "b"))
    assert one == other


def test_a_data_set_that_does_not_fit_is_refused(tmp_path: Path, capsys) -> None:
    words = [str(tmp_path / "x"), "--ruleset"]
    assert cloning([DATASET, *words, "carcassonne"]) == 2
    assert f"observations of {OBSERVATION_SIZE} numbers and 171 actions; carcassonne has" in capsys.readouterr().err
    assert cloning(["channel-tunnel/none-v0", *words, "tiny"]) == 2
    assert "no such Minari data set" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
