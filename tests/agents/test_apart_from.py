"""A training run that keeps away from the rulesets of a track, and the card that says so."""

from __future__ import annotations

import pytest

from channel_tunnel_agents.learning.config import ConfigError, TrainConfig, make_config
from channel_tunnel_agents.learning.run_rulesets import rulesets_of_run
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.players.policy.card import DRAWN, policy_paths
from channel_tunnel_agents.players.policy.saved_policy import policy_card
from channel_tunnel_agents.rulesets.held_apart import HeldApart, held_rulesets, train_rulesets
from channel_tunnel_env import VersionError, load_ruleset
from channel_tunnel_env.tracks import TrackError
from tests.agents.test_training import small

TRACK = "rules-v1"
APART = {
    "ruleset": "standard", "network": "game", "width": 16, "drawn_rulesets": 12, "apart_from": TRACK,
    "num_games": 16, "steps": 8, "batch_size": 128, "decisions": 128, "epochs": 1,
}  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> TrainingRun:
    made = TrainingRun(small(tmp_path_factory.mktemp("apart"), **APART))
    made.train()
    return made


def test_every_ruleset_of_the_run_lies_apart_from_those_of_the_track() -> None:
    config = TrainConfig(**APART | {"seed": 34201987})  # the track's own seed
    rulesets = rulesets_of_run(config, load_ruleset("standard"), [])
    drawn = rulesets[-12:]
    assert [each.digest for each in drawn] == [each.digest for each in train_rulesets(TRACK, 12, config.seed)]
    apart = HeldApart(TRACK)
    assert min(apart.nearest(each)[0] for each in rulesets) > apart.draw.apart


def test_the_card_of_the_policies_says_what_they_were_kept_apart_from(run) -> None:
    card = policy_card(next(iter(policy_paths(run.folder).values())))
    assert card[DRAWN] == {
        "space": 2, "count": 12, "seed": 1, "apart_from": TRACK, "figures_apart": 6
    }  # fmt: skip
    assert card["config"]["apart_from"] == TRACK


@pytest.mark.heavy
def test_a_policy_that_was_kept_apart_may_be_trained_on_and_another_may_not(run, tmp_path) -> None:
    on = TrainingRun(small(tmp_path / "on", **APART, start_from=str(run.folder)))
    assert on.parent is not None
    assert on.parent[DRAWN]["apart_from"] == TRACK
    near = {**APART, "apart_from": None}
    other = TrainingRun(small(tmp_path / "other", **near))
    other.train()
    with pytest.raises(VersionError, match="not trained apart from the rulesets of rules-v1"):
        TrainingRun(small(tmp_path / "from", **APART, start_from=str(other.folder)))


def test_a_resumed_run_stays_apart(run) -> None:
    config = run.config.model_copy(update={"apart_from": None})
    with pytest.raises(VersionError, match="made with apart_from rules-v1, and"):
        TrainingRun(config, resume=True)


def test_a_ruleset_near_a_held_one_is_refused() -> None:
    held = held_rulesets(TRACK)["near"][3]
    key = next(key for key, value in held.flat.items() if key == "discs.hand" and value)
    beside = held.with_values({key: held.flat[key] + 1}, "beside")
    with pytest.raises(
        TrackError, match=f"beside: {held.name} is held out of training; .* differ from it: 1, more than 6"
    ):
        rulesets_of_run(TrainConfig(**APART), load_ruleset("standard"), [beside])


def test_a_track_that_does_not_fit_is_refused() -> None:
    for changes, error, words in (
        ({"apart_from": "rules-v9"}, TrackError, "track 'rules-v9': no such track"),
        ({"ruleset": "carcassonne"}, ConfigError, "rules-v1 is of the game tunnel_1987, the run"),
    ):
        config = TrainConfig(**APART | changes)
        with pytest.raises(error, match=words):
            rulesets_of_run(config, load_ruleset(config.ruleset), [])
    with pytest.raises(ConfigError, match="apart_from is set, so drawn_rulesets must be too"):
        make_config({"apart_from": TRACK})
