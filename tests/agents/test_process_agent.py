"""Agents in processes of their own: what they are sent, and one line for everything that goes wrong."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from channel_tunnel_agents import AgentError, make_agent
from channel_tunnel_agents.matches.arena import play_match
from channel_tunnel_agents.players import process_agent
from channel_tunnel_env import BatchGame, IllegalActionError, load_ruleset
from tests.agents.test_agents import FirstLegal

TINY = load_ruleset("tiny")
BODY = """
import base64, json, struct, sys, time
def say(**answer):
    print(json.dumps(answer), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        hello = asked
        {ready}
    elif asked["type"] == "adapt":
        say(type="adapted")
    else:
        rows = asked["rows"]
        {act}
"""
READY = 'say(type="ready")'
ACT = 'say(type="actions", id=asked["id"], actions=[row["legal"][0] for row in rows])'
Make = Callable[..., str]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Writes a program of `ready` and `act` and returns the agent's name."""

    def write(ready: str = READY, act: str = ACT) -> str:
        path = tmp_path / f"agent{len(list(tmp_path.iterdir()))}.py"
        path.write_text(BODY.format(ready=ready, act=act))
        return f"process:{shlex.quote(sys.executable)} {path}"

    return write


@pytest.mark.parametrize("way", ["list", "base64", "none"])
def test_a_process_plays_as_the_same_player_in_this_process(make: Make, way: str) -> None:
    name = make(f'say(type="ready", observations="{way}")')
    theirs = play_match(make_agent(name, TINY), make_agent("random", TINY, 1), 8, 3, TINY)
    ours = play_match(FirstLegal(), make_agent("random", TINY, 1), 8, 3, TINY)
    assert theirs.decisions == ours.decisions and (theirs.shares == ours.shares).all()


def test_it_is_sent_observations_masks_and_legal_ids(make: Make) -> None:
    check = """
        values = rows[0]["observation"]
        assert len(values) == hello["observation_size"] and set(rows[0]) == {"observation", "mask", "legal"}
        assert [i for i, bit in enumerate(rows[0]["mask"]) if bit == "1"] == rows[0]["legal"]
        assert len(rows[0]["mask"]) == len(hello["actions"]) and hello["seats"] == ["britain", "france"]
        say(type="actions", id=asked["id"], actions=[int(1000 * sum(values)) % 2 * 0 + rows[0]["legal"][0]])"""
    batch = BatchGame(1, TINY, seed=4)
    agent = make_agent(make(act=check), TINY)
    assert agent(batch.observations, batch.masks) == batch.masks[0].argmax()


@pytest.mark.parametrize(
    ("way", "numbers"),
    [
        ("list", 'rows[0]["observation"]'),
        ("base64", """struct.unpack(f"<{hello['observation_size']}f", base64.b64decode(rows[0]["observation"]))"""),
    ],
)
def test_observations_arrive_whole_to_the_last_bit(make: Make, way: str, numbers: str) -> None:
    batch = BatchGame(1, TINY, seed=4)
    seen = np.full_like(batch.observations, 1 / 3)
    seen[0, :4] = 0.1, 2 / 3, 1 / 7, 1 - 2**-24
    act = f"""
        numbers = {numbers}
        same = struct.pack(f"<{{len(numbers)}}f", *numbers).hex() == "{seen.tobytes().hex()}"
        say(type="actions", id=asked["id"], actions=[int(same)])"""
    agent = make_agent(make(f'say(type="ready", observations="{way}")', act), TINY)
    assert agent(seen, batch.masks) == 1


@pytest.mark.parametrize(
    ("ready", "act", "why"),
    [
        ("sys.exit(3)", ACT, "the process ended with status 3"),
        (READY, "raise ValueError('lost my way')", r"the process ended with status 1 \(ValueError: lost my way\)"),
        (
            READY,
            "print('loading weights', flush=True)",
            r"answered 'loading weights': not valid JSON: .*; other words belong on standard error",
        ),
        (READY, 'say(type="actions", id=0, actions=[])', "answered question 0, not 1"),
        (READY, 'say(type="actions", id=1, actions=[])', "0 actions for 1 rows"),
        (READY, 'say(type="actions", id=1, actions=[1.5])', "expected a list of whole numbers"),
        (READY, 'say(type="actions", id=1, actions=[100000])', "action 100000: ids go from 0 to 170"),
        (READY, 'say(type="error", message="no idea")', "no idea"),
        ('say(type="ready", observations="film")', ACT, "observations 'film': expected list, base64, none"),
        (READY, f"time.sleep(60 * (asked['id'] > 1)); {ACT}", "no answer to act within 0.3 s"),
        ("time.sleep(60)", ACT, "no answer to hello within 0.3 s"),
    ],
)
def test_what_goes_wrong_is_one_line(
    make: Make, monkeypatch: pytest.MonkeyPatch, ready: str, act: str, why: str
) -> None:
    if "sleep" in ready:
        monkeypatch.setattr(process_agent, "START_SECONDS", 0.3)
    batch = BatchGame(1, TINY, seed=4)
    agent = make_agent(make(ready, act), TINY)
    agent.milliseconds = 100
    if "sleep" in act:
        monkeypatch.setattr(process_agent, "SPARE_SECONDS", 0.2)
        agent(batch.observations, batch.masks)  # the first answer has the time of a start
    with pytest.raises(AgentError, match=why) as caught:
        agent(batch.observations, batch.masks)
    assert "\n" not in str(caught.value) and agent.name in str(caught.value)


def test_an_illegal_answer_names_the_agent_and_the_game_goes_on_with_another(make: Make) -> None:
    batch = BatchGame(1, TINY, seed=4)
    wrong = int((batch.masks[0] == 0).argmax())
    name = make(act=f'say(type="actions", id=asked["id"], actions=[{wrong}] * len(rows))')
    with pytest.raises(IllegalActionError, match="agent 'process:"):
        play_match(make_agent(name, TINY), make_agent("random", TINY), 2, 1, TINY)


def test_a_process_that_failed_is_started_again(make: Make, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    act = f"""
        import pathlib
        if not pathlib.Path({str(mark)!r}).exists():
            pathlib.Path({str(mark)!r}).touch()
            sys.exit(1)
        {ACT}"""
    batch, agent = BatchGame(1, TINY, seed=4), make_agent(make(act=act), TINY)
    with pytest.raises(AgentError, match="status 1"):
        agent(batch.observations, batch.masks)
    assert agent(batch.observations, batch.masks) == batch.masks[0].argmax()


def test_a_program_that_is_not_there_is_named() -> None:
    batch = BatchGame(1, TINY, seed=4)
    with pytest.raises(AgentError, match=r"No such file or directory: /no/such/program"):
        make_agent("process:/no/such/program --fast", TINY)(batch.observations, batch.masks)
    with pytest.raises(AgentError, match="not a command"):
        make_agent("process:python 'unfinished", TINY)
