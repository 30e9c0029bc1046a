"""A copy of a draft's player: tested, tuned in the background, stopped, found again, and then the usual player."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from channel_tunnel_agents.balance.changing import libraries
from channel_tunnel_agents.balance.changing.trust import Speaker
from channel_tunnel_agents.balance.changing.tuned import TunedCopy
from channel_tunnel_agents.balance.measuring.footing import Footing
from channel_tunnel_agents.names import TUNED_HOME
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_agents.table.design import players, tunings
from channel_tunnel_agents.table.rooms import offers
from channel_tunnel_env import Ruleset, load_ruleset
from tests.table.helpers import refused
from tests.table.test_design import HAND, PATIENCE, desk, post  # noqa: F401

# Stands for `channel-tunnel adapt`: notes its words, tells of its progress, and ends when it is asked to, as that does.
FAKE = """
import json, pathlib, signal, sys, time
stop = []
signal.signal(signal.SIGTERM, lambda *more: stop.append(1))
pathlib.Path(sys.argv[1]).open("a").write(json.dumps(sys.argv[2:]) + "\\n")
assert sys.argv[2] == "adapt" and pathlib.Path(sys.argv[3]).is_file()
print(json.dumps({"stage": "tuning", "done": 0.25, "total": 1.0, "left": 9.0}), file=sys.stderr, flush=True)
if "broken" in sys.argv[3]:
    sys.exit("channel-tunnel: no room on the disk")
while "quick" not in sys.argv[3] and not stop:
    time.sleep(0.01)
if stop:
    pathlib.Path(sys.argv[1]).with_name("kept").touch()
"""
COPY = TunedCopy("tuned:adept-1-standard-2", Path("runs/tuned/adept-1-standard-2"), 6.0)


@pytest.fixture
def asked(tmp_path, monkeypatch) -> Path:
    """The file of the words with which tunings began."""
    monkeypatch.setattr(tunings, "COMMAND", (sys.executable, "-c", FAKE, str(tmp_path / "asked")))
    return tmp_path / "asked"


@pytest.fixture
def copies(monkeypatch) -> dict[str, TunedCopy]:
    """Digest of rules -> the copy of adept that there is for them."""
    found: dict[str, TunedCopy] = {}

    def find(parent: str, ruleset: Ruleset) -> TunedCopy | None:
        return found.get(ruleset.digest)

    for module in (players, tunings, offers):
        monkeypatch.setattr(module, "find_copy", find)
    return found


@pytest.fixture
def shares(monkeypatch, copies) -> dict[str, float]:
    """Name -> what it wins against the scripted player, in place of games; `games` counts the tests."""
    found: dict[str, float] = {"games": 0}

    def speakers(names: list[str], ruleset: Ruleset, minutes: float, workers: int) -> list[Speaker]:
        assert minutes == 0, "a test trains nothing"
        found["games"] += 1
        copy = copies.get(ruleset.digest)

        def footing(name: str) -> Footing:
            return Footing(name, "heuristic", ruleset.name, Estimate(found[name], 0.0, 1.0), 100)

        of_copy = None if copy is None else footing(copy.name)
        return [Speaker(name, footing(name), 0.8, copy, of_copy) for name in names]

    monkeypatch.setattr(players, "find_speakers", speakers)
    return found


def look(desk: Any) -> dict[str, Any]:  # noqa: F811
    found: dict[str, Any] = desk.get("/api/design/tuning").json()
    return found


def wait(desk: Any, done: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:  # noqa: F811
    stop = time.monotonic() + PATIENCE
    while not done(job := look(desk)):
        assert time.monotonic() < stop, job
        time.sleep(0.02)
    return job


def begun(asked: Path) -> list[list[str]]:
    return [json.loads(line) for line in asked.read_text().splitlines()]


def hand(cards: int = 11) -> Ruleset:
    return load_ruleset("standard").with_values({"discs.hand": cards}, "mine")


def test_a_copy_is_tuned_by_the_command_and_two_starts_are_one(desk, asked, copies) -> None:  # noqa: F811
    assert look(desk) == {}
    first = post(desk, "tuning", name="mine", changes=HAND, minutes=1)
    assert first.status_code == 201 and first.json()["here"]
    job = wait(desk, lambda job: job["progress"])
    assert job["state"] == "running"
    assert job["progress"] == {"stage": "tuning", "done": 0.25, "total": 1.0, "left": 9.0}
    again = post(desk, "tuning", name="another-name", changes=HAND)
    assert again.status_code == 201 and again.json()["name"] == "mine"
    assert "other rules" in refused(post(desk, "tuning", changes={"discs.hand": 12}), 409)
    assert begun(asked) == [["adapt", "mine.yaml", "--agent", "adept", "--minutes", "1"]]
    here = post(desk, "check", changes=HAND).json()["tuning"]
    assert here["here"] and not post(desk, "check", changes={}).json()["tuning"]["here"]


def test_a_tuning_that_is_stopped_keeps_what_it_has(desk, asked, copies) -> None:  # noqa: F811
    post(desk, "tuning", name="mine", changes=HAND)
    wait(desk, lambda job: job["progress"])
    for _ in range(2):  # asked twice, it is not ended by force
        post(desk, "tuning/stop")
    job = wait(desk, lambda job: job["state"] != "running")
    assert job["stopping"] and not job["error"] and asked.with_name("kept").exists()
    assert "no copy is being tuned" in refused(post(desk, "tuning/stop"), 409)


def test_a_server_that_ends_leaves_no_tuning_and_loses_nothing(desk, asked, copies) -> None:  # noqa: F811
    post(desk, "tuning", name="mine", changes=HAND)
    wait(desk, lambda job: job["progress"])
    desk.workshop.close()
    assert look(desk)["state"] != "running" and asked.with_name("kept").exists()


def test_a_copy_that_there_is_learns_for_longer(desk, asked, copies) -> None:  # noqa: F811
    copies[hand().digest] = COPY
    post(desk, "tuning", name="quick", changes=HAND, minutes=20)
    assert wait(desk, lambda job: job["state"] != "running")["state"] == "done"
    assert begun(asked)[0][-2:] == ["--minutes", "26"]


def test_a_tuning_that_fails_says_why(desk, asked, copies) -> None:  # noqa: F811
    post(desk, "tuning", name="broken", changes=HAND)
    job = wait(desk, lambda job: job["state"] != "running")
    assert (job["state"], job["error"]) == ("failed", "channel-tunnel: no room on the disk")


def test_without_torch_one_line_says_what_to_install(desk, asked, copies, monkeypatch) -> None:  # noqa: F811
    monkeypatch.setattr(libraries.importlib.util, "find_spec", lambda name: None)
    told = refused(post(desk, "tuning", changes=HAND), 409)
    assert told == "training needs torch: pip install 'channel-tunnel-env[train]'"
    assert not asked.exists() and look(desk) == {}


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        # master was trained for these
        ({"changes": {}}, "no agent that plays these rules can be tuned"),
        ({"base": "eurotunnel", "changes": {}}, "no agent that plays these rules can be tuned"),
        ({"changes": HAND, "minutes": 7}, "minutes"),
        ({"changes": HAND, "base": "nowhere"}, "base"),
    ],
)
def test_what_cannot_be_tuned_is_refused(desk, asked, wish, words) -> None:  # noqa: F811
    assert words in refused(post(desk, "tuning", **wish), 400)


def test_a_player_is_tested_once_and_what_was_found_is_told_in_words(desk, shares) -> None:  # noqa: F811
    assert post(desk, "check", changes=HAND).json()["best"]["tested"] is None
    shares["adept"] = 0.45
    for _ in range(2):
        best = post(desk, "test", changes=HAND).json()
    assert shares["games"] == 1 and best["agent"] == "adept" and not best["tested"]["trusted"]
    told = " ".join(best["tested"]["words"])
    assert "Adept wins 45 games of 100" in told and "may be wrong" in told
    assert not any(word in told for word in ("%", "[", "adept", "heuristic"))
    shares["adept"] = 0.9
    best = post(desk, "test", changes={"discs.hand": 9}).json()
    assert best["tested"]["trusted"] and "plays these rules well" in " ".join(best["tested"]["words"])


def test_a_tuned_copy_is_the_usual_rival_unless_it_is_no_better(desk, shares, copies) -> None:  # noqa: F811
    copies[hand().digest] = COPY
    best = post(desk, "check", changes=HAND).json()["best"]
    assert best["agent"] == COPY.name and best["minutes"] == 6
    assert best["name"] == "Adept's tuned copy"
    key = post(desk, "play", name="mine", changes=HAND).json()["key"]
    assert desk.rooms.get(key).seats["france"] == COPY.name
    other = post(desk, "play", changes={"discs.hand": 12}, rival=COPY.name)
    assert "not offered" in refused(other, 400), "it is the copy of other rules"
    shares |= {"adept": 0.9, COPY.name: 0.8}
    assert post(desk, "test", changes=HAND).json()["agent"] == "adept"


def test_a_report_knows_where_the_copies_are(desk, asked, copies, monkeypatch, tmp_path) -> None:  # noqa: F811
    words = f"import os, pathlib; pathlib.Path({str(tmp_path / 'home')!r}).write_text(os.environ[{TUNED_HOME!r}])"
    monkeypatch.setattr("channel_tunnel_agents.table.design.reports.COMMAND", (sys.executable, "-c", words))
    key = post(desk, "reports", name="mine", changes=HAND).json()["key"]
    stop = time.monotonic() + PATIENCE
    while desk.get(f"/api/design/reports/{key}").json()["state"] == "running":
        assert time.monotonic() < stop
        time.sleep(0.02)
    assert (tmp_path / "home").read_text() == str(Path("runs/tuned").resolve())
