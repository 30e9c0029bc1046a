"""Shipped agents: made from a run, found by name, nearly the policy that was trained."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from numpy.random import default_rng

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.games.tunnel_1987.tree import PuctAgent
from channel_tunnel_agents.matches.arena import play_pair
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.players.shipped.__main__ import main, ship
from channel_tunnel_agents.search.policy_search import PolicySearchAgent
from channel_tunnel_env import BatchGame, VersionError, load_ruleset
from channel_tunnel_env.envs.opponents import random_legal
from channel_tunnel_env.errors import DocumentError
from tests.agents.saving import save_untrained

# Shipped agent from the days of observation 2 -> digest of its choices in the 2,000 positions below, recorded under it.
CHOICES = {"rookie": "8f0cc00518629df1", "club": "3963414d94d0fdf1"}
TINY = load_ruleset("tiny")


@pytest.fixture
def run(tmp_path) -> Path:
    """The policies of a run."""
    return save_untrained(tmp_path / "run", 32, 2, decisions=77)


def test_half_precision_moves_a_probability_by_less_than_a_thousandth(run, tmp_path) -> None:
    folder = ship(run, "club", target=tmp_path)
    batch = BatchGame(64, TINY, seed=1)
    whole, half = PolicyAgent.load(run, TINY), PolicyAgent.load(folder, TINY)
    one, other = (agent.think(batch.observations, batch.masks) for agent in (whole, half))
    assert not np.array_equal(one[1], other[1])
    assert np.abs(np.exp(one[0]) - np.exp(other[0])).max() < 1e-3
    assert np.abs(one[1] - other[1]).max() < 2e-3
    size = (run / "france.safetensors").stat().st_size
    assert (folder / "france.safetensors").stat().st_size < 0.6 * size


def test_a_shipped_agent_is_found_by_name_with_its_card(run, tmp_path, monkeypatch) -> None:
    results = tmp_path / "results.json"
    match = {"britain": "club", "france": "random", "games": 9, "britain_wins": 7, "france_wins": 2}
    other = match | {"britain": "random", "france": "club"}
    results.write_text(json.dumps({"command": "c", "seed": 3, "matches": [match, other]}))
    folder = ship(run, "club", results, target=tmp_path)
    card = json.loads((folder / shipped.CARD).read_text())
    assert (card["name"], card["ruleset"], card["decisions"]) == ("club", "tiny", 77)
    assert card["measured"] == {
        "command": "c",
        "seed": 3,
        "games": 18,
        "against": {"random": {"britain": {"wins": 7, "games": 9}, "france": {"wins": 2, "games": 9}}},
    }
    assert "side" not in card
    monkeypatch.setattr(shipped, "folder_of", lambda name, game="": tmp_path / name)
    assert isinstance(make_agent("club", TINY), PolicyAgent)
    search = make_agent("club-search@20ms", TINY)
    assert isinstance(search, PolicySearchAgent)
    assert (search.name, search.settings.milliseconds) == ("club-search@20ms", 20)
    patient = make_agent("club-search@50ms", TINY)
    assert isinstance(patient, PuctAgent)
    assert (patient.name, patient.settings.milliseconds) == ("club-search@50ms", 50)
    batch = BatchGame(3, TINY, seed=1)
    assert batch.masks[np.arange(3), search.search(batch, np.arange(3))].all()
    with pytest.raises(VersionError, match="made for ruleset digest"):
        make_agent("club", load_ruleset("standard"))


def test_the_card_of_one_against_the_rest_keeps_both_its_places(run, tmp_path) -> None:
    stand = {"agent": "club", "rest": "random", "games": 7, "measures": {}}
    stands = [stand, stand | {"agent": "random", "rest": "club"}, stand | {"agent": "random"}]
    results = tmp_path / "results.json"
    results.write_text(json.dumps({"command": "c", "seed": 3, "stands": stands}))
    card = json.loads((ship(run, "club", results, target=tmp_path) / shipped.CARD).read_text())
    assert card["measured"] == {"command": "c", "seed": 3, "games": 14, "stands": stands[:2]}


def test_what_cannot_be_read_leaves_the_agent_that_was_there(run, tmp_path, monkeypatch) -> None:
    folder = ship(run, "club", target=tmp_path)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    with pytest.raises(DocumentError, match="not valid JSON"):
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


@pytest.mark.parametrize("name", shipped.NAMES)
def test_a_shipped_agent_is_found_by_name_and_says_what_it_is(name) -> None:
    ruleset = load_ruleset("standard")
    agent = make_agent(name, ruleset)
    assert agent.name == name
    card = json.loads((shipped.FOLDER / name / shipped.CARD).read_text(encoding="utf-8"))
    assert card["ruleset_digest"] == ruleset.digest
    assert card["command"].startswith("python train.py")
    assert card["measured"]["games"] >= 1000
    batch = BatchGame(64, seed=5, autoreset=True)
    for _ in range(30):
        actions = agent(batch.observations, batch.masks)
        assert batch.masks[np.arange(64), actions].all()
        batch.step(actions)


def test_shipped_agents_are_small_and_hold_no_paths() -> None:
    found = (path for path in shipped.FOLDER.rglob("*") if path.is_file())
    files = [path for path in found if path.parent.name != "__pycache__"]  # is not shipped
    assert sum(path.stat().st_size for path in files) < 7_500_000
    for path in files:
        assert b"/tmp" not in path.read_bytes() and b"/work" not in path.read_bytes(), path


@pytest.mark.heavy
def test_stronger_names_are_stronger() -> None:
    """On fixed deals: rookie < club < adept and master, over both seats."""
    for stronger, weaker in (("master", "club"), ("adept", "club"), ("club", "rookie")):
        one, other = make_agent(stronger), make_agent(weaker)
        as_britain, as_france = play_pair(one, other, 150, 11)
        assert as_britain.wins("britain") + as_france.wins("france") > 165


def test_agents_of_observation_2_choose_as_they_did_under_it() -> None:
    batch = BatchGame(200, seed=3, autoreset=True)
    agents, rng = {name: make_agent(name, batch.rulesets[0]) for name in CHOICES}, default_rng(3)
    chosen: dict[str, bytes] = dict.fromkeys(CHOICES, b"")
    for step in range(60):
        if step % 6 == 5:
            for name, agent in agents.items():
                ids = agent(batch.observations, batch.masks)
                chosen[name] += np.asarray(ids).astype(np.uint8).tobytes()
        batch.step(random_legal(batch.masks, rng))
    assert {name: sha256(ids).hexdigest()[:16] for name, ids in chosen.items()} == CHOICES


@pytest.mark.parametrize(
    "path", sorted(shipped.FOLDER.rglob(shipped.CARD)), ids=lambda path: "-".join(path.parts[-3:-1])
)
def test_the_command_that_measured_a_shipped_agent_still_works(path: Path) -> None:
    """As far as it is one of the program's: its options are on the page of commands, which another test keeps current."""
    page = (Path(__file__).parents[2] / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    command = json.loads(path.read_text(encoding="utf-8"))["measured"]["command"]
    found = re.match(r"(?:channel-tunnel|python evaluate\.py) (?P<name>[a-z]+)", command)
    if found is None:
        return
    (shown,) = re.findall(rf"^## {found['name']}\n(.*?)(?=^## |\Z)", page, re.S | re.M)
    assert [flag for flag in re.findall(r"--[a-z-]+", command) if not re.search(rf"^  {flag}\b", shown, re.M)] == []
