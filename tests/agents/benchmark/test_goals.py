"""The goals of a track whose rules change: the better of the player that reads the rules and of a policy trained from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks import references
from benchmarks.references import measure_goals
from channel_tunnel_agents.benchmark.contests import list_contests
from channel_tunnel_agents.benchmark.scoring import GOALS
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.outside.documents import read_json
from channel_tunnel_env.tracks import load_track

RULES = load_track("rules-v1")
NEAR, FAR = (load_ruleset({"base": "tiny", "name": n, "extra_finance": 4 + i}) for i, n in enumerate(("near", "far")))
TRAINED = "points"  # plays in the place of a trained policy


@pytest.fixture
def shares(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """Two small contests, and what the trained policy wins against adept on each."""
    first = list_contests(RULES, "adept", [0])[0]
    contests = [
        replace(first, ruleset=rules, group=rules.name, key=rules.name, deals=40, rival="random")
        for rules in (NEAR, FAR)
    ]
    monkeypatch.setattr(references, "list_contests", lambda *asked: contests)
    found = {"near": 0.4, "far": 0.9}

    def play(one, other, ruleset, deals, seed, workers):
        assert (one, other) == (TRAINED, "adept")
        return Estimate(found[ruleset.name], 0.0, 1.0)

    monkeypatch.setattr(references, "share_against", play)
    return found


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the rulesets that a policy was trained for."""
    names: list[str] = []

    def train(lessons, workers):
        names.extend(each.ruleset.name for each in lessons)
        return [SimpleNamespace(name=TRAINED) for _ in lessons]

    monkeypatch.setattr(references, "train_policies", train)
    return names


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The agents that played, in order, a part each."""
    names: list[str] = []
    play = references.play_part

    def watch(contest, part, seed):
        names.append(contest.agent)
        return play(replace(contest, agent="heuristic"), part, seed)

    monkeypatch.setattr(references, "play_part", watch)
    return names


def test_the_better_of_the_player_and_its_policy_sets_the_goal(shares, trained, played, tmp_path) -> None:
    found = measure_goals(RULES, 3000, tmp_path / "goals.json")
    assert trained == ["near", "far"] and [*dict.fromkeys(played)] == ["adept", TRAINED]
    assert found[GOALS].keys() == {NEAR.digest, FAR.digest}
    assert all(len(goal) == 40 and np.mean(goal) > 0.5 for goal in found[GOALS].values())
    assert read_json(tmp_path / "goals.json") == found
    played.clear()
    shares["far"] = 0.45
    measure_goals(RULES, 3000, tmp_path / "other.json")
    assert {*played} == {"adept"}, "a policy that wins no more does not play"


def test_a_measurement_that_was_stopped_goes_on(shares, trained, played, tmp_path) -> None:
    def stop(rulesets: int) -> None:
        raise KeyboardInterrupt

    file: Path = tmp_path / "goals.json"
    with pytest.raises(KeyboardInterrupt):
        measure_goals(RULES, 3000, file, stop)
    assert read_json(file)[GOALS].keys() == {NEAR.digest}
    played.clear()
    whole = measure_goals(RULES, 3000, file)
    assert {*played} == {TRAINED} and whole == read_json(file)
    played.clear()
    assert measure_goals(RULES, 3000, file) == whole and not played
    assert measure_goals(RULES, 2000, file)["decisions"] == 2000 and played, "another budget has other goals"
