"""The rulesets of rules-v1, and a training distribution that provably keeps away from them."""

from __future__ import annotations

import pytest

from channel_tunnel_agents.rulesets import SPACES
from channel_tunnel_agents.rulesets.held_apart import FAR, NEAR, figures_apart, held_rulesets, train_rulesets
from channel_tunnel_env import Ruleset, load_ruleset
from channel_tunnel_env.tracks import TrackError, load_track

TRACK = load_track("rules-v1")
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


def test_the_box_itself_may_be_trained_on(held) -> None:
    figures_held = [SPACE.rules_of(each) for group in held.values() for each in group]
    for base in SPACE.bases:
        figures = SPACE.rules_of(load_ruleset(base))
        assert min(figures_apart(figures, one) for one in figures_held) > DRAW.apart


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
