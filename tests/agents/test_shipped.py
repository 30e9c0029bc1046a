"""Shipped agents: made from a run, found by name, nearly the policy that was trained."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from agents import make_agent, shipped
from agents.policy_search import PolicySearchAgent
from agents.ppo.agent import PolicyAgent
from agents.ppo.network import SeatPolicy
from agents.ppo.saved_policy import make_card, save_policy
from agents.shipped.__main__ import main, ship
from channel_tunnel_env import BatchGame, VersionError, load_ruleset
from channel_tunnel_env.engine.constants import SEATS

TINY = load_ruleset("tiny")


@pytest.fixture
def run(tmp_path) -> Path:
    """The policies of a run."""
    torch.manual_seed(0)
    folder = tmp_path / "run"
    folder.mkdir()
    for side in SEATS:
        card = make_card(TINY, width=32, depth=2, side=side, decisions=77)
        weights = SeatPolicy(32, 2).state_dict()
        save_policy(folder / f"{side}.safetensors", weights, card)
    return folder


def test_half_precision_moves_a_probability_by_less_than_a_thousandth(run, tmp_path) -> None:
    folder = ship(run, "club", target=tmp_path)
    batch = BatchGame(64, TINY, seed=1)
    whole, half = PolicyAgent.load(run, TINY), PolicyAgent.load(folder, TINY)
    one, other = (agent.think(batch.observations, batch.masks) for agent in (whole, half))
    assert not torch.equal(one[1], other[1])
    assert (one[0].exp() - other[0].exp()).abs().max() < 1e-3
    assert (one[1] - other[1]).abs().max() < 2e-3
    size = (run / "france.safetensors").stat().st_size
    assert (folder / "france.safetensors").stat().st_size < 0.6 * size


def test_a_shipped_agent_is_found_by_name_with_its_card(run, tmp_path, monkeypatch) -> None:
    results = tmp_path / "results.json"
    results.write_text('{"random": 0.99}')
    folder = ship(run, "club", results, target=tmp_path)
    card = json.loads((folder / shipped.CARD).read_text())
    assert (card["name"], card["ruleset"], card["decisions"]) == ("club", "tiny", 77)
    assert card["measured"] == {"random": 0.99}
    assert "side" not in card
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    assert isinstance(make_agent("club", TINY), PolicyAgent)
    search = make_agent("club-search@20ms", TINY)
    assert isinstance(search, PolicySearchAgent)
    assert (search.name, search.settings.milliseconds) == ("club-search@20ms", 20)
    batch = BatchGame(3, TINY, seed=1)
    assert batch.masks[np.arange(3), search.search(batch, np.arange(3))].all()
    with pytest.raises(VersionError, match="made for ruleset digest"):
        make_agent("club", load_ruleset("standard"))


def test_what_cannot_be_read_leaves_the_agent_that_was_there(run, tmp_path, monkeypatch) -> None:
    folder = ship(run, "club", target=tmp_path)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    with pytest.raises(json.JSONDecodeError):
        ship(run, "club", broken, target=tmp_path)
    with pytest.raises(VersionError, match="the folder of a run is needed"):
        ship(run / "france.safetensors", "club", target=tmp_path)
    (run / "france.safetensors").unlink()
    with pytest.raises(VersionError, match="not a saved policy"):
        ship(run, "club", target=tmp_path)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_the_command_refuses_in_one_line(tmp_path, capsys) -> None:
    assert main([str(tmp_path / "nothing"), "club"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and str(tmp_path / "nothing") in lines[0]
