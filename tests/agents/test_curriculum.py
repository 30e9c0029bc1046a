"""The curriculum: which drawn rulesets come again, and how often."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_agents.learning.config import ConfigError, make_config
from channel_tunnel_agents.learning.run_rulesets import DOUBT, Curriculum
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_env import VersionError, load_ruleset
from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv
from tests.agents.test_training import assert_state, resumed_after, small, state_of

MIXED = {
    "ruleset": "standard",
    "network": "game",
    "width": 16,
    "drawn_rulesets": 12,
    "curriculum": 0.5,
    "rivals": ("heuristic",),
    "rival_share": 0.5,
    "pool_slots": 1,
}
TINY = load_ruleset("tiny").with_values({"extra_finance": 2}, "tiny_other")
OWN, EASY, HARD, LOPSIDED, NEW = range(5)


def played() -> Curriculum:
    """The game's own ruleset, then three drawn ones after 40 games in each seat, and a new one."""
    curriculum = Curriculum(5, 4, 0.5)
    for ruleset, losses in {OWN: (40, 40), EASY: (4, 4), HARD: (30, 30), LOPSIDED: (0, 40)}.items():
        for seat, lost in enumerate(losses):
            results = np.arange(40) < lost
            rows = np.full(40, ruleset)
            curriculum.count(rows, np.full(40, seat), results.astype(float))
    return curriculum


def test_rulesets_on_which_both_seats_lose_come_most_and_the_games_own_never_come_for_it() -> None:
    scores = played().scores()
    assert scores[OWN] == 0
    assert scores[HARD] == pytest.approx((30 + DOUBT / 2) / (40 + DOUBT))
    assert scores[HARD] > scores[NEW] == 0.5
    assert scores[NEW] > scores[EASY] > scores[LOPSIDED] > 0


def test_every_ruleset_keeps_its_share_of_the_games_that_are_not_for_the_curriculum() -> None:
    chances = played().chances()
    assert chances.sum() == pytest.approx(1)
    assert chances[OWN] == pytest.approx(0.5 / 5) == chances.min()
    assert chances[HARD] == chances.max() > 0.3


def test_new_games_are_played_by_the_rulesets_that_have_a_chance() -> None:
    env = SelfPlayVecEnv(64, ["tiny", TINY, "tiny"], seed=1, credit="zero_sum", mix=True)
    env.chances = np.array([0.0, 1.0, 0.0])
    env.reset()
    ended = np.zeros(64, np.bool_)
    rng = np.random.default_rng(0)
    for _ in range(400):
        masks = env.action_masks()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        ended |= env.step(actions)[2]
    assert ended.sum() > 30
    assert set(env.batch.states["ruleset"][ended]) == {1}


@pytest.mark.heavy
def test_a_runs_games_against_the_scripted_rival_are_counted_and_come_back_after_a_stop(tmp_path) -> None:
    run = TrainingRun(small(tmp_path, **MIXED, decisions=64 * 32 * 12))
    run.train()
    games, lost = run.curriculum.games, run.curriculum.lost
    scripted = (run.env.rival_of == 0).sum()
    assert 0 < scripted < run.env.num_envs / 2
    assert games.sum() >= scripted / 2 and (lost <= games).all()
    assert lost.sum() > games.sum() / 2  # an untrained policy
    assert run.env.chances is not None
    resumed = TrainingRun(run.config, resume=True)
    assert (resumed.curriculum.games == games).all() and (resumed.curriculum.lost == lost).all()


@pytest.mark.heavy
def test_a_run_with_a_curriculum_stopped_and_resumed_equals_the_unbroken_one(tmp_path) -> None:
    rows = 64 * 32
    whole = TrainingRun(small(tmp_path / "a", **MIXED, decisions=8 * rows))
    whole.train()
    config = small(tmp_path / "b", **MIXED, decisions=8 * rows)
    resumed = resumed_after(config, 4 * rows)
    assert_state(resumed, state_of(whole))
    assert (resumed.curriculum.games == whole.curriculum.games).all()


@pytest.mark.parametrize(
    "state",
    [
        {"games": [[1, 1]], "lost": [[0, 0]]},
        {"games": [[1, 1]] * 5, "lost": [[2, 0]] * 5},
        {"games": [[float("nan"), 1]] * 5, "lost": [[0, 0]] * 5},
        {"games": "all"},
    ],
)
def test_a_state_that_no_curriculum_can_have_is_refused(state: dict) -> None:
    with pytest.raises((ValueError, KeyError)):
        Curriculum(5, 4, 0.5).restore(state)


def test_a_checkpoint_with_a_broken_curriculum_is_refused(tmp_path, monkeypatch) -> None:
    config = small(tmp_path, **MIXED, decisions=64 * 32)
    monkeypatch.setattr(Curriculum, "state", lambda self: {"games": [], "lost": []})
    TrainingRun(config).train()
    with pytest.raises(VersionError, match="curriculum of 0 rulesets"):
        TrainingRun(config, resume=True)


@pytest.mark.parametrize("missing", [{"drawn_rulesets": 0}, {"rivals": (), "pool_slots": 1}])
def test_a_curriculum_needs_drawn_rulesets_and_a_scripted_rival(missing: dict) -> None:
    with pytest.raises(ConfigError, match="curriculum is set, so drawn_rulesets and rivals must"):
        make_config(MIXED | {"num_games": 64, "steps": 32, "batch_size": 64} | missing)
