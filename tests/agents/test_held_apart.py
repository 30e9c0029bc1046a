"""The rulesets of rules-v1, a training distribution that provably keeps away from them, and a run that does so."""

from __future__ import annotations

import pytest

from channel_tunnel_agents.learning.config import ConfigError, TrainConfig, make_config
from channel_tunnel_agents.learning.run_rulesets import rulesets_of_run
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.players.policy.card import DRAWN, policy_paths
from channel_tunnel_agents.players.policy.saved_policy import policy_card
from channel_tunnel_agents.rulesets import SPACES
from channel_tunnel_agents.rulesets.held_apart import FAR, NEAR, HeldApart, figures_apart, held_rulesets, train_rulesets
from channel_tunnel_env import Ruleset, VersionError, load_ruleset
from channel_tunnel_env.tracks import TrackError, load_track
from tests.agents.test_training import small

NAME = "rules-v1"
TRACK = load_track(NAME)
DRAW = TRACK.rules
assert DRAW is not None
SPACE = SPACES[DRAW.game].at(DRAW.space)


@pytest.fixture(scope="module")
def held() -> dict[str, list[Ruleset]]:
    """The rulesets that nobody trains on."""
    return held_rulesets(TRACK)


def from_box(ruleset) -> int:
    figures = SPACE.rules_of(ruleset)
    return min(figures_apart(figures, SPACE.rules_of(load_ruleset(base))) for base in SPACE.bases)


def test_there_are_twenty_near_and_twenty_far_rulesets_all_different(held) -> None:
    assert [len(held[NEAR]), len(held[FAR])] == [20, 20]
    assert len({ruleset.digest for group in held.values() for ruleset in group}) == 40
    assert all(8 <= from_box(ruleset) <= 20 for ruleset in held[NEAR])
    assert all(from_box(ruleset) >= 45 for ruleset in held[FAR])


def test_training_draws_lie_apart_from_every_held_ruleset_by_figures(held) -> None:
    drawn = train_rulesets(TRACK, 60, seed=7)
    figures_held = [SPACE.rules_of(each) for group in held.values() for each in group]
    assert len({each.digest for each in drawn}) == 60
    for ruleset in drawn:
        figures = SPACE.rules_of(ruleset)
        assert min(figures_apart(figures, one) for one in figures_held) > DRAW.apart
    assert [each.digest for each in train_rulesets("rules-v1", 5, 7)] == [each.digest for each in drawn[:5]]


def test_the_draws_of_the_track_itself_are_left_out(held) -> None:
    """With the seed of the track the held rulesets would come first."""
    found = {each.digest for each in train_rulesets(TRACK, 40, DRAW.seed)}
    assert not found & {each.digest for group in held.values() for each in group}
    assert found < {each.digest for each in SPACE.draw(100, DRAW.seed)}


def test_figures_apart_counts_figures_of_one_alone() -> None:
    assert figures_apart({"a": 1, "b": 2}, {"a": 1, "b": 3, "c": 0}) == 2
    assert figures_apart({"a": 1}, {"a": 1}) == 0


def test_a_track_without_rulesets_or_with_other_draws_is_refused() -> None:
    with pytest.raises(TrackError, match="no rulesets are held apart"):
        train_rulesets("duel-v1", 1, 1)
    wrong = DRAW.model_copy(update={"near_digests": ["0" * 16, *DRAW.near_digests[1:]]})
    with pytest.raises(TrackError, match="draws other rulesets"):
        held_rulesets(TRACK.model_copy(update={"rules": wrong}))
    few = DRAW.model_copy(update={"drawn": 30})
    with pytest.raises(TrackError, match="30 draws: "):
        held_rulesets(TRACK.model_copy(update={"rules": few}))


# --- a run that keeps away from them ----------------------------------------------------------------


APART = {
    "ruleset": "standard", "network": "game", "width": 16, "drawn_rulesets": 12, "apart_from": NAME,
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
    assert [each.digest for each in drawn] == [each.digest for each in train_rulesets(NAME, 12, config.seed)]
    apart = HeldApart(NAME)
    assert min(apart.nearest(each)[0] for each in rulesets) > apart.draw.apart


def test_the_card_of_the_policies_says_what_they_were_kept_apart_from(run) -> None:
    card = policy_card(next(iter(policy_paths(run.folder).values())))
    assert card[DRAWN] == {
        "space": 2, "count": 12, "seed": 1, "apart_from": NAME, "figures_apart": 6
    }  # fmt: skip
    assert card["config"]["apart_from"] == NAME


@pytest.mark.heavy
def test_a_policy_that_was_kept_apart_may_be_trained_on_and_another_may_not(run, tmp_path) -> None:
    on = TrainingRun(small(tmp_path / "on", **APART, start_from=str(run.folder)))
    assert on.parent is not None
    assert on.parent[DRAWN]["apart_from"] == NAME
    near = {**APART, "apart_from": None}
    other = TrainingRun(small(tmp_path / "other", **near))
    other.train()
    with pytest.raises(VersionError, match="not trained apart from the rulesets of rules-v1"):
        TrainingRun(small(tmp_path / "from", **APART, start_from=str(other.folder)))


def test_a_ruleset_near_a_held_one_is_refused() -> None:
    held = held_rulesets(NAME)["near"][3]
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
        make_config({"apart_from": NAME})
