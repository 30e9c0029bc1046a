"""Numbers that meet targets: one search at a time, stopped with the best so far, refused in a sentence, found by every tab."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from channel_tunnel_agents.table.design import searches
from tests.table.helpers import refused
from tests.table.test_design import over, post, wait_for

# Stands for `channel-tunnel tune`: begins, waits until it is asked to end if it may try many settings, and until it may, and writes what
# it found.
FAKE = """
import json, pathlib, signal, sys, time
stop = []
signal.signal(signal.SIGTERM, lambda *more: stop.append(1))
words = sys.argv[1:]
assert words[:2] == ["tune", "draft.yaml"] and pathlib.Path(words[1]).is_file() and pathlib.Path("targets.yaml").is_file()
print(json.dumps({"stage": "settings tried", "done": 1, "total": 4, "left": 9.0}), file=sys.stderr, flush=True)
while "100" in words and not stop:
    time.sleep(0.01)
while stop and not pathlib.Path("may-end").exists():
    time.sleep(0.01)
if "40" in words:
    sys.exit("channel-tunnel: no room on the disk")
low = {"name": "britain_wins", "low": 0.48, "high": 0.52, "n": 100, "status": "STATUS"}
check = low | {"found": {"value": 0.46, "low": 0.4, "high": 0.47}}
found = {"best": {"changes": {"discs.hand": 9}}, "checks": {"best": [check]}, "status": "STATUS", "stopped": bool(stop),
         "player": "heuristic", "tried": [1, 2, 3], "doubts": []}
pathlib.Path("found").mkdir()
pathlib.Path("found/tune.json").write_text(json.dumps(found))
"""
GOOD = {
    "base": "tiny",
    "changes": {"discs.keep_limit": 3},
    "targets": {"britain_wins": [48, 52.0], "rounds": [None, 6]},
    "figures": {"discs.hand": [8, 12], "barriers.france.a.0": [0, 3]},
    "player": "heuristic",
    "trials": 10,
    "deals": 50,
}


@pytest.fixture(autouse=True)
def fake(monkeypatch) -> None:
    """No game is played."""
    monkeypatch.setattr(searches, "COMMAND", (sys.executable, "-c", FAKE.replace("STATUS", "missed")))


def wait(desk: Any, done: Callable[[dict[str, Any]], Any] = over) -> dict[str, Any]:
    return wait_for(desk, "search", done, of="")


def test_the_nearest_setting_says_by_how_much_it_misses_and_opens_as_a_draft(desk) -> None:
    assert desk.get("/api/design/search").json() == {}
    assert post(desk, "search", **GOOD).status_code == 201
    found = wait(desk)["result"]
    assert found["words"] == "No setting that was tried meets all targets. This setting comes nearest."
    assert found["targets"][0] == {
        "title": "Britain's share of wins",
        "wanted": "48 to 52 %",
        "found": "46.0 %, very probably 40.0 to 47.0",
        "status": "missed by 2 points",
        "met": False,
    }
    assert (found["player"], found["deals"], found["settings"]) == ("Amateur", 100, 3)
    assert found["told"] == ["Players draw up to 9 discs instead of 10."]
    assert found["changes"] == {"discs.hand": 9, "discs.keep_limit": 3} and found["base"] == "tiny"


def test_a_search_that_is_stopped_keeps_the_best_so_far(desk) -> None:
    post(desk, "search", **GOOD | {"trials": 100})
    assert wait(desk, lambda job: job["progress"])["progress"]["left"] == 9.0
    for _ in range(2):  # asked twice, it is not ended by force
        assert post(desk, "search/stop").json()["stopping"]
    (desk.workshop.searches.place / "may-end").touch()
    job = wait(desk)
    assert job["state"] == "done" and "the best so far" in job["result"]["words"]
    assert "no search is running" in refused(post(desk, "search/stop"), 409)


def test_two_starts_are_one_search_that_every_tab_finds(desk) -> None:
    post(desk, "search", **GOOD | {"trials": 100})
    assert refused(post(desk, "search", **GOOD), 409) == "a search is running; wait for it or stop it first"
    assert post(desk, "check", base="tiny", changes={}).json()["search"]["state"] == "running"
    desk.workshop.close()
    assert desk.get("/api/design/search").json()["state"] == "cancelled"


def test_a_search_that_fails_says_why(desk) -> None:
    post(desk, "search", **GOOD | {"trials": 40})
    job = wait(desk)
    assert (job["state"], job["error"], job["result"]) == ("failed", "channel-tunnel: no room on the disk", None)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"targets": {}}, "set a target first"),
        ({"targets": {"nothing": [1, 2]}}, "nothing: no target of this game"),
        ({"targets": {"turns": [1, 2]}}, "turns: no target of this game"),
        ({"targets": {"rounds / turns": [1, 2]}}, "measure 'rounds / turns': 'turns': no measure of this game"),
        ({"targets": {"rounds > 5": [0, 101]}}, "(rounds played) > 5: a share lies between 0 and 100 %"),
        ({"targets": {"britain_wins": [60, 50]}}, "Britain's share of wins: from 60 is more than to 50"),
        ({"targets": {"britain_wins": [50, 101]}}, "Britain's share of wins: a share lies between 0 and 100 %"),
        ({"targets": {"rounds": [None, None]}}, "Rounds played: a number is needed"),
        ({"targets": {"rounds": ["six", None]}}, "Rounds played: from and to are numbers"),
        ({"targets": {"rounds": [True, None]}}, "Rounds played: from and to are numbers"),
        ({"targets": {"rounds": 6}}, "Rounds played: from and to are numbers"),
        ({"figures": {}}, "add a number that may change first"),
        ({"figures": {f"nothing-{i}": [1, 2] for i in range(9)}}, "at most 8 numbers may change"),
        ({"figures": {"discs.hnd": [1, 2]}}, "discs.hnd: no number of these rules"),
        ({"figures": {"switches.hand_cap": [0, 1]}}, "Switches, the limit of a hand holds: only a number"),
        ({"figures": {"barriers.france.a": [0, 1]}}, "Barriers, France, track A: only a number"),
        ({"figures": {"discs.hand": [9, 26]}}, "Discs, hand: from and to are whole numbers from 1 to 25"),
        ({"figures": {"discs.hand": [None, 9]}}, "Discs, hand: from and to are whole numbers"),
        ({"figures": {"discs.hand": [9, 8]}}, "Discs, hand: from 9 is more than to 8"),
        ({"figures": {"deviation.limit": [0, 7]}}, "Deviation, last safe level: "),
        ({"player": "master"}, "player: master: allowed: adept, heuristic"),
        ({"trials": 7}, "trials"),
    ],
)
def test_a_target_or_a_range_that_is_wrong_is_one_sentence_and_nothing_begins(desk, wish, words) -> None:
    told = refused(post(desk, "search", **GOOD | wish), 400)
    assert told.startswith(words) and "--param" not in told and "\n" not in told
    assert desk.get("/api/design/search").json() == {}


def test_a_measure_of_ones_own_is_offered_as_long_as_the_draft_has_it_and_searched_for(desk) -> None:
    draft = {"base": "tiny", "changes": {}}
    aim = post(desk, "measure", **draft, expression="rounds >= 5").json()
    assert aim == {"name": "rounds >= 5", "title": "(rounds played) >= 5", "unit": "%", "own": True}
    targets = ["rounds", "rounds >= 5", "decisions", "turns / 2", "rounds **"]
    offered = post(desk, "check", **draft, targets=targets).json()["aims"]
    assert [each["name"] for each in offered if each.get("own")] == ["rounds >= 5", "decisions"]
    assert [each["name"] for each in offered].count("rounds") == 1, "it is offered already"
    assert post(desk, "search", **GOOD | {"targets": {"rounds >= 5": [10, 90]}}).status_code == 201
    wanted = yaml.safe_load((desk.workshop.searches.place / "targets.yaml").read_text())["targets"]
    assert wanted == {"rounds >= 5": [0.1, 0.9]}


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("", "not an expression"),
        ("rounds" * 40, "at most 200 characters"),
        ("roundz", "roundz: no target of this game; did you mean 'rounds'?"),
        ("__import__('os')", "allowed are measures"),
        ("rounds\u2028+ 1", "control characters are not allowed"),
    ],
)
def test_what_is_no_measure_is_refused_in_a_sentence(desk, expression: str, why: str) -> None:
    assert why in refused(post(desk, "measure", base="tiny", changes={}, expression=expression), 400)


@pytest.mark.parametrize("base", ["standard", "carcassonne", "eurotunnel"])
def test_every_game_offers_the_seats_shares_and_the_length_in_plain_words(desk, base) -> None:
    aims = post(desk, "check", base=base, changes={}).json()["aims"]
    assert {"rounds", "turns"} & {aim["name"] for aim in aims} and any(aim["unit"] == "%" for aim in aims)
    assert not [aim for aim in aims if "_" in aim["title"] + aim["unit"]]
    offered = desk.get(f"/api/design/form?base={base}").json()["search"]
    assert offered["searchers"] and all(
        each["min"] < each["max"] and "_" not in each["name"] for each in offered["figures"]
    )
