"""Policies of observation 2: refused with a word, and taken over by a command so that they play as before."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.policy.card import WIDENED, make_card
from channel_tunnel_agents.players.policy.network import SeatPolicy
from channel_tunnel_agents.players.policy.saved_policy import load_policy, save_policies
from channel_tunnel_agents.players.policy.widen import FIRST, main, widen
from channel_tunnel_env import BatchGame, VersionError, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.observation import SECTION_BY_NAME

TINY = load_ruleset("tiny")
OLD = 2


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A policy as observation 2 left it."""
    torch.manual_seed(1)
    weights = SeatPolicy(16, 2).state_dict()
    weights[FIRST] = weights[FIRST][:, : WIDENED[OLD]].contiguous()
    card = make_card(TINY, width=16, depth=2, decisions=7)
    card |= {"observation_version": OLD, "observation_size": WIDENED[OLD]}
    save_policies(tmp_path / "old", dict.fromkeys(c.SEATS, weights), card)
    return tmp_path / "old"


def test_the_sections_of_observation_2_stand_first() -> None:
    assert SECTION_BY_NAME["turn_flags"].start + SECTION_BY_NAME["turn_flags"].size == WIDENED[OLD]


def test_an_old_policy_is_refused_with_the_way_out(old: Path) -> None:
    with pytest.raises(
        VersionError, match=r"observation version 2, this is 3; .*policy\.widen .*old "
    ):
        PolicyAgent.load(old)


def test_a_widened_policy_says_what_it_said(old: Path, tmp_path: Path) -> None:
    widen(old, tmp_path / "new")
    policy, card = load_policy(tmp_path / "new" / "france.safetensors", TINY)
    assert (card["widened_from"], card["decisions"]) == (OLD, 7)
    rows = torch.from_numpy(BatchGame(32, TINY, seed=1).observations)
    wide, narrow = policy.trunk.layers[0], torch.nn.Linear(WIDENED[OLD], 16)
    narrow.weight.data, narrow.bias.data = wide.weight[:, : WIDENED[OLD]], wide.bias
    with torch.inference_mode():
        torch.testing.assert_close(wide(rows), narrow(rows[:, : WIDENED[OLD]]))


def test_what_is_no_old_policy_is_refused_in_one_line(
    old: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    widen(old, tmp_path / "new")
    for folder, word in (
        (tmp_path / "new", "version 3; allowed: [2]"),
        (tmp_path, "not a saved policy"),
    ):
        assert main([str(folder), str(tmp_path / "again")]) == 2
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == 1 and word in lines[0], lines
        assert not (tmp_path / "again").exists()
