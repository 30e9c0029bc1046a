"""A run for several rulesets at once: its games, what its policies then play, and going on with it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.commands.train import read_arguments
from channel_tunnel_agents.learning.config import ConfigError, TrainConfig
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.players.pretrained import load_policy
from channel_tunnel_env import Ruleset, VersionError, load_ruleset
from tests.agents.test_training import small

STANDARD, AGENDA = load_ruleset("standard"), load_ruleset("agenda")
FROZEN_OF = {"rivals": ("frozen:club",), "imitate": "frozen:club"}
OTHER = STANDARD.with_values({"discs.hand": 7})


def both(folder: Path, **changes) -> TrainConfig:
    """A short run for the two rulesets of the box."""
    return small(folder, **{"ruleset": "standard", "also_rulesets": ("agenda",), **changes})


def write(ruleset: Ruleset, file: Path) -> str:
    """The ruleset as a file."""
    file.write_text(yaml.safe_dump(ruleset.plain()))
    return str(file)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A finished run."""
    run = TrainingRun(both(tmp_path_factory.mktemp("both")))
    run.train()
    return run.folder


@pytest.mark.heavy
def test_games_are_played_by_each_ruleset_as_often(tmp_path) -> None:
    run = TrainingRun(both(tmp_path, decisions=64 * 32 * 12))
    run.train()
    of_row = run.env.batch.states["ruleset"]
    assert np.bincount(of_row, minlength=2).min() > 15  # of 64; 32 are expected
    assert [each.name for each in run.env.batch.rulesets] == ["standard", "agenda"]


def test_its_policies_play_both_and_no_other(folder) -> None:
    for ruleset in (STANDARD, AGENDA):
        assert make_agent(f"ppo:{folder}", ruleset)
    with pytest.raises(VersionError, match="made for ruleset digest"):
        make_agent(f"ppo:{folder}", OTHER)


def test_the_card_names_the_other_ruleset_with_its_digest(folder) -> None:
    card = load_policy(folder).card
    assert card["ruleset"] == "standard"
    assert card["also_rulesets"] == [{"ruleset": "agenda", "ruleset_digest": AGENDA.digest}]
    assert load_policy(folder).parent()["also_rulesets"] == card["also_rulesets"]


def test_a_ruleset_named_twice_counts_once(tmp_path) -> None:
    run = TrainingRun(both(tmp_path, also_rulesets=("agenda", "standard", "agenda")))
    assert [each.name for each in run.env.batch.rulesets] == ["standard", "agenda"]


def test_a_run_goes_on_with_the_rulesets_it_has(folder, tmp_path) -> None:
    config = both(tmp_path, run=str(folder), decisions=8192)
    moved = write(AGENDA.with_values({}, "moved"), tmp_path / "moved.yaml")  # and renamed
    TrainingRun(config.model_copy(update={"also_rulesets": (moved,)}), resume=True)
    other = AGENDA.with_values({"discs.hand": 7}, "agenda")
    changed = write(other, tmp_path / "changed.yaml")
    for also, given in (((), "none"), ((changed,), rf"agenda \({other.digest}\)")):
        words = rf"made with also_rulesets agenda \({AGENDA.digest}\), this is {given};"
        with pytest.raises(VersionError, match=words):
            TrainingRun(config.model_copy(update={"also_rulesets": also}), resume=True)


def test_two_rulesets_of_one_name_are_two_and_keep_their_order(tmp_path) -> None:
    files = [write(STANDARD.with_values({"discs.hand": hand}, "best"), tmp_path / f"{hand}.yaml") for hand in (8, 9)]
    config = both(tmp_path, also_rulesets=tuple(files))
    run = TrainingRun(config)
    run.train()
    for file in files:
        assert make_agent(f"ppo:{run.folder}", load_ruleset(file))
    TrainingRun(config, resume=True)
    swapped = config.model_copy(update={"also_rulesets": tuple(reversed(files))})
    with pytest.raises(VersionError, match="keeps its rulesets and their order"):
        TrainingRun(swapped, resume=True)


@pytest.mark.parametrize("field", [{"rivals": ("club",), "rival_share": 0.5}, {"imitate": "club"}])
@pytest.mark.parametrize("mix", [{}, {"also_rulesets": (), "drawn_rulesets": 3}])
def test_a_policy_that_plays_along_must_fit_every_ruleset(field, mix, tmp_path) -> None:
    TrainingRun(both(tmp_path / "alone", **field, also_rulesets=()))
    with pytest.raises(VersionError, match="frozen:club"):
        TrainingRun(both(tmp_path / "mixed", **field, **mix))
    frozen = {key: value if key == "rival_share" else FROZEN_OF[key] for key, value in field.items()}
    TrainingRun(both(tmp_path / "frozen", **frozen, **mix))


def test_a_ruleset_of_another_game_is_refused(tmp_path) -> None:
    with pytest.raises(ConfigError, match="carcassonne is of the game carcassonne, standard of"):
        TrainingRun(both(tmp_path, also_rulesets=("carcassonne",)))
    assert not (tmp_path / "run").exists()


def test_a_start_must_fit_every_ruleset(tmp_path) -> None:
    start = {"start_from": "club", "width": 128}
    TrainingRun(both(tmp_path / "a", **start, also_rulesets=()))
    with pytest.raises(VersionError, match="start-from-other-ruleset lets it in"):
        TrainingRun(both(tmp_path / "b", **start))
    TrainingRun(both(tmp_path / "c", **start, start_from_other_ruleset=True))


def test_a_presets_other_rulesets_go_with_its_own(tmp_path) -> None:
    preset = TrainConfig(ruleset="standard", also_rulesets=("agenda",))
    assert read_arguments(["master"])[0].also_rulesets == preset.also_rulesets
    for words in (["master", "--ruleset", "tiny"], ["master", "--ruleset=tiny"]):
        assert read_arguments(words)[0].also_rulesets == ()
    asked = ["master", "--ruleset", "tiny", "--also-rulesets", "standard", "agenda"]
    assert read_arguments(asked)[0].also_rulesets == ("standard", "agenda")
