"""An agent that hangs, fails or dies tells the page so, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.minds.players import AgentPool
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_env import Game
from channel_tunnel_env.cli import main
from tests.table.helpers import PATIENCE, Lent, Tab, open_table, refused, start_server, wait_until

BAD = "tests.table.bad_agents"
HANG, HANG_TOO = f"{BAD}:hang", f"{BAD}:hang_too"


@pytest.fixture(scope="module")
def impatient() -> Iterator[AgentPool]:
    """Agents that have a second or two."""
    players = AgentPool(patience=1.0, making=5.0)
    yield players
    players.close()


def test_hung_agents_are_ended_and_stop_nobody_else(impatient: AgentPool) -> None:
    game = Game("tiny", 1)

    async def ask_all() -> list[object]:
        names = (HANG, HANG_TOO, HANG, "random", "random")
        asked = [impatient.choose(name, game) for name in names]
        return await asyncio.gather(*asked, return_exceptions=True)

    *hung, one, two = asyncio.run(ask_all())
    for error in hung:
        assert isinstance(error, TableError) and error.status == 504
        assert "did not answer in time (1 s) and was ended" in error.sentence
    assert {one, two} <= set(game.legal_ids())
    assert len(impatient._all) == 1, "the processes of the hung ones are gone"
    assert asyncio.run(impatient.choose("random", game)) in game.legal_ids()


def test_an_agent_that_was_made_may_compile_in_its_first_decision() -> None:
    players, game, name = AgentPool(patience=1.0, making=60.0), Game("tiny", 1), f"{BAD}:compile_first"
    try:
        players.check(name, game.ruleset)
        asyncio.run(players.ask(name, game.ruleset, "make"))
        assert asyncio.run(players.choose(name, game)) in game.legal_ids()
    finally:
        players.close()


@pytest.mark.heavy
def test_an_agent_computes_with_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that wait for each other on busy cores make a decision take a hundred times as long."""
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    players = AgentPool()
    try:
        with pytest.raises(TableError, match=r"failed: ValueError: 1 threads"):
            asyncio.run(players.choose(f"{BAD}:count_threads", Game("tiny", 1)))
    finally:
        players.close()


def test_the_page_is_told_and_the_game_goes_on_against_another_rival(impatient: AgentPool, tmp_path: Path) -> None:
    client = open_table(tmp_path, Offers.of(agents=[HANG]), impatient)
    tab = Tab.new(client, ruleset="tiny", seed=3, seats={"britain": HANG, "france": "person"})
    before = tab.view()
    assert "did not answer" in refused(tab.post("step", version=before["version"]), 504)
    assert tab.view() == before
    changed = tab.change("rival", side="britain", agent="random")
    assert changed["seats"]["britain"] == "random"
    assert tab.change("step")["ply"] == 1
    again = Tab(open_table(tmp_path, players=impatient), tab.key, tab.tokens).view()
    assert again["seats"]["britain"] == "random", "it is on disk"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("fail", "ValueError"),
        ("leave", "failed: SystemExit: 1"),
        ("crash", "process ended"),
        ("cheat", "action -1: ids run from 0"),
        ("Unmade", "no weights"),
    ],
)
def test_an_agent_that_fails_is_named_and_the_server_is_well(tmp_path, name, words) -> None:
    spec = f"{BAD}:{name}"
    client = open_table(tmp_path, Offers.of(agents=[spec]))
    tab = Tab.new(client, ruleset="tiny", seed=3, seats={"britain": spec, "france": "random"})
    sentence = refused(tab.post("step", version=1), 502)
    assert f"the agent '{spec}' failed" in sentence and words in sentence
    assert sentence.isprintable() and len(sentence) < 400
    assert tab.change("rival", side="britain", agent="random")
    assert tab.change("step")["ply"] == 1


def test_only_the_host_gives_an_agents_seat_to_an_agent_that_is_offered(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=3, seats={"britain": "random", "france": "person"})
    wish = {"side": "britain", "agent": "heuristic"}
    assert refused(tab.holding("france").post("rival", version=1, **wish), 403)
    assert "version" in refused(tab.post("rival", version=7, **wish), 409)
    assert "not offered" in refused(tab.post("rival", version=1, side="britain", agent="os:x"), 400)
    assert "person" in refused(tab.post("rival", version=1, side="france", agent="random"), 409)
    assert refused(tab.post("rival", version=1, side="britain", agent="person"), 400)
    assert tab.view()["seats"] == {"britain": "random", "france": "person"}


def test_an_answer_to_a_game_that_went_on_is_dropped(impatient: AgentPool, tmp_path: Path) -> None:
    """A person who takes another rival while one thinks is not surprised by the first one's move."""
    client = open_table(tmp_path, Offers.of(), impatient)
    tab = Tab.new(client, ruleset="tiny", seed=3, seats={"britain": "random", "france": "person"})
    room = client.rooms.get(tab.key)
    choose = impatient.choose

    async def slow(name: str, game: Game) -> int:
        room.change_rival("britain", "heuristic")
        return await choose(name, game)

    impatient.choose = slow  # type: ignore[method-assign]
    try:
        assert "version" in refused(tab.post("step", version=1), 409)
    finally:
        impatient.choose = choose  # type: ignore[method-assign]
    assert tab.view()["ply"] == 0


# --- the command ----------------------------------------------------------------------------------


def children_of(pid: int) -> list[int]:
    """The processes that a process started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:
            continue
        if re.search(rf"^PPid:\t{pid}$", text, re.M) and "State:\tZ" not in text:
            found.append(int(status.parent.name))
    return found


@pytest.mark.heavy
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="processes are read from /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_server_with_a_hung_agent_ends_at_once_and_leaves_nothing(tmp_path, number) -> None:
    server, address = start_server(tmp_path, "--agent", HANG_TOO)
    answers: list[httpx.Response | Exception] = []
    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        tab = Tab.new(client, ruleset="tiny", seed=3, seats={"britain": HANG_TOO, "france": "person"})

        def step() -> None:
            try:
                answers.append(tab.post("step", version=1))
            except httpx.TransportError as error:
                answers.append(error)

        asking = threading.Thread(target=step)
        asking.start()
        wait_until(lambda: len(children_of(server.pid)) > 0, "an agent's process is started")
        time.sleep(2)  # for the question to reach the agent
        agents = children_of(server.pid)
        os.kill(server.pid, number)
        _, errors = server.communicate(timeout=PATIENCE)
        asking.join(PATIENCE)
    assert "Traceback" not in errors and "ancel" not in errors, errors
    if number == signal.SIGINT:
        assert server.returncode == 130
        assert "the server is stopping" in refused(answers[0], 503)
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in agents), "agents end too")


@pytest.mark.parametrize(
    ("agent", "words"), [("nobody", "known: random"), (f"{BAD}:nothing", "nothing"), (f"{BAD}:Unmade", "no weights")]
)
def test_an_agent_that_cannot_be_made_is_refused_at_start(tmp_path, capsys, monkeypatch, agent, words) -> None:
    monkeypatch.setattr("channel_tunnel_agents.table.serve.AgentPool", lambda patience: Lent())
    assert main(["table", "--folder", str(tmp_path), "--port", "0", "--agent", agent]) == 2
    error = capsys.readouterr().err
    assert f"--agent {agent}" in error and words in error and error.count("\n") == 1
