"""The players of a draft meet; a policy is trained for it in the background, stopped, found again, and then the usual player."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from channel_tunnel_agents.balance.judging import Judged
from channel_tunnel_agents.balance.players import training
from channel_tunnel_agents.balance.players.training import Trained
from channel_tunnel_agents.names import TUNED_HOME
from channel_tunnel_agents.table.design import players, tunings
from channel_tunnel_agents.table.rooms import offers
from channel_tunnel_env import Ruleset, load_ruleset
from tests.agents.balance.helpers import judged_of, trained
from tests.table.helpers import refused
from tests.table.test_design import HAND, over, post, wait_for

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


@pytest.fixture
def asked(tmp_path, monkeypatch) -> Path:
    """The file of the words with which trainings began."""
    monkeypatch.setattr(tunings, "COMMAND", (sys.executable, "-c", FAKE, str(tmp_path / "asked")))
    return tmp_path / "asked"


@pytest.fixture
def policies(monkeypatch) -> dict[str, Trained]:
    """Digest of rules -> the policy that was trained for them."""
    found: dict[str, Trained] = {}
    for module in (players, tunings):
        monkeypatch.setattr(module, "find_apart", lambda parent, ruleset: found.get(ruleset.digest))
    monkeypatch.setattr(offers, "find_trained", lambda parent, ruleset: [*filter(None, [found.get(ruleset.digest)])])
    return found


@pytest.fixture
def shares(monkeypatch, policies) -> dict[str, float]:
    """What the first seat gets as adept plays both, and what the policy wins against adept; `games` counts the tests."""
    found: dict[str, float] = {"games": 0, "adept": 0.55, "policy": 0.6}

    def play(ruleset: Ruleset, deals: int, workers: int) -> list[Judged]:
        found["games"] += 1
        adept, won, policy = found["adept"], found["policy"], policies.get(ruleset.digest)
        if policy is None:
            return [judged_of(ruleset, [[0.5, 0.4], [0.6, adept]])]
        return [judged_of(ruleset, [[0.5, 0.4, 0.4], [0.6, adept, 1 - won], [0.6, won, 0.5]], [policy])]

    monkeypatch.setattr(players, "judge", play)
    return found


def look(desk: Any) -> dict[str, Any]:
    found: dict[str, Any] = desk.get("/api/design/tuning").json()
    return found


def wait(desk: Any, done: Callable[[dict[str, Any]], Any] = over) -> dict[str, Any]:
    return wait_for(desk, "tuning", done, of="")


def begun(asked: Path) -> list[list[str]]:
    return [json.loads(line) for line in asked.read_text().splitlines()]


def hand(cards: int = 11) -> Ruleset:
    return load_ruleset("standard").with_values({"discs.hand": cards}, "mine")


POLICY = trained(hand())


def test_a_policy_is_trained_by_the_command_and_two_starts_are_one(desk, asked, policies) -> None:
    assert look(desk) == {}
    first = post(desk, "tuning", name="mine", changes=HAND, decisions=200_000)
    assert first.status_code == 201 and first.json()["here"]
    job = wait(desk, lambda job: job["progress"])
    assert job["state"] == "running"
    assert job["progress"] == {"stage": "tuning", "done": 0.25, "total": 1.0, "left": 9.0}
    again = post(desk, "tuning", name="another-name", changes=HAND)
    assert again.status_code == 201 and again.json()["name"] == "mine"
    assert "other rules" in refused(post(desk, "tuning", changes={"discs.hand": 12}), 409)
    assert begun(asked) == [["adapt", "mine.yaml", "--agent", "adept", "--decisions", "200000"]]
    here = post(desk, "check", changes=HAND).json()["tuning"]
    assert here["here"] and not post(desk, "check", changes={}).json()["tuning"]["here"]


def test_a_training_that_is_stopped_keeps_what_it_has(desk, asked, policies) -> None:
    post(desk, "tuning", name="mine", changes=HAND)
    wait(desk, lambda job: job["progress"])
    for _ in range(2):  # asked twice, it is not ended by force
        post(desk, "tuning/stop")
    job = wait(desk)
    assert job["stopping"] and not job["error"] and asked.with_name("kept").exists()
    assert "no policy is being trained" in refused(post(desk, "tuning/stop"), 409)


def test_a_server_that_ends_leaves_no_training_and_loses_nothing(desk, asked, policies) -> None:
    post(desk, "tuning", name="mine", changes=HAND)
    wait(desk, lambda job: job["progress"])
    desk.workshop.close()
    assert look(desk)["state"] != "running" and asked.with_name("kept").exists()


def test_a_policy_that_there_is_learns_for_longer(desk, asked, policies) -> None:
    policies[hand().digest] = POLICY
    post(desk, "tuning", name="quick", changes=HAND, decisions=4_000_000)
    assert wait(desk)["state"] == "done"
    assert begun(asked)[0][-2:] == ["--decisions", "4600000"]


def test_a_training_that_fails_says_why(desk, asked, policies) -> None:
    post(desk, "tuning", name="broken", changes=HAND)
    job = wait(desk)
    assert (job["state"], job["error"]) == ("failed", "channel-tunnel: no room on the disk")


def test_without_torch_one_line_says_what_to_install(desk, asked, policies, monkeypatch) -> None:
    monkeypatch.setattr(training.importlib.util, "find_spec", lambda name: None)
    told = refused(post(desk, "tuning", changes=HAND), 409)
    assert told == "training needs torch: pip install 'channel-tunnel-env[train]'"
    assert not asked.exists() and look(desk) == {}


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        # master was trained for these
        ({"changes": {}}, "no agent that plays these rules can be trained"),
        ({"base": "eurotunnel", "changes": {}}, "no agent that plays these rules can be trained"),
        ({"changes": HAND, "decisions": 7}, "decisions"),
        ({"changes": HAND, "base": "nowhere"}, "base"),
    ],
)
def test_what_cannot_be_trained_is_refused(desk, asked, wish, words) -> None:
    assert words in refused(post(desk, "tuning", **wish), 400)


def test_the_players_meet_once_and_what_was_found_is_said_in_words(desk, shares, policies) -> None:
    assert post(desk, "check", changes=HAND).json()["best"]["tested"] is None
    for _ in range(2):
        best = post(desk, "test", changes=HAND).json()
    assert shares["games"] == 1 and best["agent"] == "adept" and not best["tested"]["trusted"]
    told = " ".join(best["tested"]["words"])
    assert "Adept plays these rules best. It has not practised them" in told
    assert not any(word in told for word in ("%", "[", "adept", "heuristic", "of 100")), (
        "a report says that, on its own deals"
    )
    policies[hand().digest] = POLICY
    best = post(desk, "test", changes=HAND).json()
    assert shares["games"] == 2 and best["tested"]["trusted"]
    assert "has practised them" in " ".join(best["tested"]["words"])


def test_a_trained_policy_is_the_usual_rival_unless_it_is_no_better(desk, shares, policies) -> None:
    policies[hand().digest] = POLICY
    best = post(desk, "check", changes=HAND).json()["best"]
    assert best["agent"] == POLICY.name and best["decisions"] == 600_000
    assert best["name"] == "Trained policy 1"
    key = post(desk, "play", name="mine", changes=HAND).json()["key"]
    assert desk.rooms.get(key).seats["france"] == POLICY.name
    other = post(desk, "play", changes={"discs.hand": 12}, rival=POLICY.name)
    assert "not offered" in refused(other, 400), "it was trained for other rules"
    shares |= {"policy": 0.1}
    assert post(desk, "test", changes=HAND).json()["agent"] == "adept"


def test_a_report_knows_where_the_policies_are(desk, asked, policies, monkeypatch, tmp_path) -> None:
    words = f"import os, pathlib; pathlib.Path({str(tmp_path / 'home')!r}).write_text(os.environ[{TUNED_HOME!r}])"
    monkeypatch.setattr("channel_tunnel_agents.table.design.reports.COMMAND", (sys.executable, "-c", words))
    key = post(desk, "reports", name="mine", changes=HAND).json()["key"]
    wait_for(desk, key, over)
    assert (tmp_path / "home").read_text() == str(Path("runs/tuned").resolve())
