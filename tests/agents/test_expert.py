"""Expert iteration: lessons say what the search found, and a policy learns from them."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from channel_tunnel_agents.learning import expert
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.card import make_card
from channel_tunnel_agents.players.policy.network import SeatPolicy
from channel_tunnel_agents.players.policy.saved_policy import save_policy
from channel_tunnel_agents.search.policy_search import PolicySearchAgent, SearchSettings
from channel_tunnel_agents.search.worlds import NO_MOVE
from channel_tunnel_env import BatchGame, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

TINY = load_ruleset("tiny")
SETTINGS = SearchSettings(worlds=4, depth=8, least_prior=0.0, temperature=0.1)


@pytest.fixture
def folder(tmp_path):
    """An untrained pair of policies."""
    torch.manual_seed(3)
    policy = SeatPolicy(32, 1)
    for side in c.SEATS:
        card = make_card(TINY, width=32, depth=1, side=side, config={"trunk": "shared"})
        save_policy(tmp_path / f"{side}.safetensors", policy.state_dict(), card)
    return tmp_path


def lessons_of(folder, games: int, steps: int) -> expert.Lessons:
    teacher = PolicySearchAgent(PolicyAgent.load(folder, TINY), SETTINGS, 1)
    return expert.lessons_of(teacher, BatchGame(games, TINY, 1, autoreset=True), steps, 1)


def test_lessons_are_preferences_over_legal_moves_and_possible_results(folder) -> None:
    lessons = lessons_of(folder, 16, 10)
    assert len(lessons.values) == 160
    assert np.allclose(lessons.wanted.sum(axis=1), 1, atol=1e-5)
    known = lessons.moves != NO_MOVE
    assert (lessons.wanted[~known] == 0).all()
    rows = np.nonzero(known)[0]
    assert lessons.masks[rows, lessons.moves[known]].all()
    assert (np.abs(lessons.values) <= 1).all()
    assert len(set(lessons.values.tolist())) > 10


def test_lessons_come_back_from_their_files(folder, tmp_path) -> None:
    lessons = lessons_of(folder, 8, 4)
    (tmp_path / "lessons").mkdir()
    for name in ("001-00000.npz", "002-00000.npz"):
        lessons.save(tmp_path / "lessons" / name)
    again = expert.Lessons.load(tmp_path / "lessons")
    assert (again.wanted == np.concatenate([lessons.wanted] * 2)).all()
    with pytest.raises(FileNotFoundError, match="no lessons"):
        expert.Lessons.load(folder)


@pytest.mark.heavy
def test_a_taught_policy_takes_over_the_preferences_and_the_values(folder, capsys) -> None:
    search = ["--worlds", "2", "--depth", "4", "--least-prior", "0"]
    known, taught = folder / "lessons", folder / "taught"
    collect = ["collect", str(folder), str(known), "--positions", "2048", "--games", "128"]
    assert expert.main([*collect, "--ruleset", "tiny", *search]) == 0
    teach = ["teach", str(folder), str(known), str(taught), "--batch-size", "128"]
    assert expert.main([*teach, "--epochs", "8", "--learning-rate", "0.002"]) == 0
    assert "2,048 lessons" in capsys.readouterr().out
    lessons = expert.Lessons.load(known)
    observations, rows = lessons.observations.astype(np.float32), np.arange(2048)
    favourite = lessons.moves[rows, lessons.wanted.argmax(axis=1)]
    found = []
    for place in (folder, taught):
        log_probs, values = PolicyAgent.load(place, TINY).think(observations, lessons.masks)
        error = np.abs(values - lessons.values).mean()
        found.append((log_probs[rows, favourite].mean(), error))
    assert found[1][0] > found[0][0] + 0.2
    assert found[1][1] < found[0][1]


def test_missing_policies_and_lessons_are_refused_in_one_line(folder, tmp_path, capsys) -> None:
    assert expert.main(["collect", str(tmp_path / "none"), str(tmp_path / "x")]) == 2
    assert "a run folder" in capsys.readouterr().err
    assert expert.main(["teach", str(folder), str(tmp_path / "none"), str(tmp_path / "y")]) == 2
    assert "no lessons there" in capsys.readouterr().err
