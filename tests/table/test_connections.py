"""Real sockets that say little, nothing, or too much: nobody else is locked out."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_agents.table.serve import TableServer, _listen, make_server
from channel_tunnel_agents.table.web import connections
from channel_tunnel_agents.table.web.connections import Connection
from channel_tunnel_agents.table.web.guard import Guard, host_names
from channel_tunnel_agents.table.web.server import make_app
from tests.table.helpers import PATIENCE, Lent, wait_until

MOST = 8
BEGUN = (
    b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
)
"""A request whose body does not end."""


class Running(NamedTuple):
    """A server and where it listens."""

    port: int
    server: TableServer


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A server with few places and little patience."""
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", MOST)
    monkeypatch.setattr(Connection, "header_seconds", 2.0)
    monkeypatch.setattr(Guard, "body_seconds", 4.0)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    number = listener.getsockname()[1]
    app = make_app(Rooms(Offers.of(), tmp_path), host_names("127.0.0.1", number), players=Lent())
    server = make_server(app, Lent())
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    wait_until(lambda: server.started)
    yield Running(number, server)
    server.should_exit = True
    thread.join(PATIENCE)
    assert not thread.is_alive()


@pytest.fixture
def port(running: Running) -> int:
    """Where it listens."""
    return running.port


@contextlib.contextmanager
def calls(port: int, count: int, first: bytes = b"") -> Iterator[list[socket.socket]]:
    """Connections that say something and then no more."""
    with contextlib.ExitStack() as stack:
        found = []
        for _ in range(count):
            call = stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
            call.sendall(first)
            found.append(call)
        yield found


def all_of(call: socket.socket) -> bytes:
    """What comes until the other side closes."""
    parts = []
    with contextlib.suppress(ConnectionError):
        while part := call.recv(4096):
            parts.append(part)
    return b"".join(parts)


def offers(port: int) -> int:
    """The status of a simple question."""
    return httpx.get(f"http://127.0.0.1:{port}/api/offers", timeout=PATIENCE).status_code


def test_the_printed_address_can_be_opened_before_the_server_runs() -> None:
    with contextlib.closing(_listen("127.0.0.1", 0)) as listener:
        socket.create_connection(listener.getsockname(), PATIENCE).close()


def test_a_request_that_is_never_finished_is_closed(port: int) -> None:
    half = b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-Slow: " % port
    with calls(port, 1, half) as (slow,), calls(port, 1) as (silent,):
        for call in (slow, silent):
            answer = all_of(call)
            assert answer.startswith(b"HTTP/1.1 408") and b"no whole request" in answer


def test_a_header_in_drops_has_no_more_time_than_one_at_once(port: int) -> None:
    with calls(port, 1, b"GET / HTTP/1.1\r\n") as (slow,):
        begun, answer = time.monotonic(), b""
        slow.settimeout(0.2)
        while not answer and time.monotonic() - begun < PATIENCE:
            with contextlib.suppress(TimeoutError):
                answer = slow.recv(4096)
            with contextlib.suppress(OSError):
                slow.sendall(b"X: y\r\n")
        assert answer.startswith(b"HTTP/1.1 408")


def test_a_body_that_is_never_finished_is_refused(port: int) -> None:
    with calls(port, 1, BEGUN % port) as (slow,):
        answer = all_of(slow)
        assert answer.startswith(b"HTTP/1.1 408") and b"did not end" in answer


@pytest.mark.parametrize("coding", [b"chunked", b"Chunked", b"identity, chunked"])
def test_two_ways_to_say_where_a_body_ends_are_refused(port: int, coding: bytes) -> None:
    """What stands between could read the rest as a request of its own."""
    body = b"2\r\n{}\r\n0\r\n\r\nGET /api/offers HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port
    for length in (b"2", b"%d" % len(body)):
        head = (
            b"POST /api/lesson HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
            b"Content-Length: %s\r\nTransfer-Encoding: %s\r\n\r\n" % (port, length, coding)
        )
        with calls(port, 1, head + body) as (call,):
            answer = all_of(call)
        assert answer.startswith(b"HTTP/1.1 4") and answer.count(b"HTTP/1.1") == 1, answer
        assert not answer.startswith(b"HTTP/1.1 408")


def test_silent_connections_make_place_for_who_asks(port: int) -> None:
    with calls(port, 5 * MOST) as silent:
        assert offers(port) == 200
        assert all_of(silent[0]) == b"", "the first one was closed"
    assert offers(port) == 200


class FakeSocket:
    """A transport and its socket: what arrived is unread."""

    def __init__(self) -> None:
        self.ours, self.theirs = socket.socketpair()
        self.is_aborted = False

    def get_extra_info(self, name: str, default: object = None) -> object:
        return self.ours if name == "socket" else default

    def get_write_buffer_size(self) -> int:
        return 0

    def abort(self) -> None:
        self.is_aborted = True


def test_who_has_asked_or_is_asking_is_not_closed_for_a_newcomer(monkeypatch) -> None:
    """First those that never asked, the oldest of them; and none whose request has arrived unread."""
    monkeypatch.setattr(Connection, "most", 4)
    known: set[Connection] = set()
    made = []
    for number in range(8):
        connection = Connection.__new__(Connection)
        connection.connections, connection.cycle = known, None
        connection.transport, connection.silent_since = FakeSocket(), float(number)
        connection.has_asked = number in (0, 3)
        known.add(connection)
        made.append(connection)
    made[1].transport.theirs.sendall(b"GET / HTTP/1.1")
    closed = []
    while made[7]._make_place():
        (gone,) = [c for c in made if c.transport.is_aborted and c not in closed]
        closed.append(gone)
    assert [made.index(gone) for gone in closed] == [2, 4, 5, 6, 0, 3], "1 is asking, 7 is the newcomer"
    for connection in made:
        connection.transport.ours.close()
        connection.transport.theirs.close()


@pytest.mark.heavy
def test_requests_beside_a_flood_of_silent_connections_are_answered(port: int) -> None:
    stop = threading.Event()

    def flood() -> None:
        while not stop.is_set():
            with calls(port, 2 * MOST):
                pass

    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
        assert client.get("/api/offers").status_code == 200
        thread = threading.Thread(target=flood)
        thread.start()
        try:
            for _ in range(12):
                assert client.get("/api/rulebook").status_code == 200
        finally:
            stop.set()
            thread.join()


def test_when_all_are_at_work_a_further_one_is_told_so(running: Running) -> None:
    port = running.port
    with calls(port, MOST, BEGUN % port):
        wait_until(lambda: len(running.server.server_state.tasks) == MOST)
        with calls(port, 1) as (late,):
            answer = all_of(late)
        assert answer.startswith(b"HTTP/1.1 503")
        assert "as many connections" in json.loads(answer.split(b"\r\n\r\n")[1])["error"]
    assert offers(port) == 200


def test_a_game_is_played_beside_many_silent_connections(port: int) -> None:
    with calls(port, 4 * MOST), httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        client.timeout = httpx.Timeout(PATIENCE)
        made = client.post("/api/games", json={"ruleset": "tiny", "seed": 1}).json()
        for _ in range(20):
            with calls(port, 2):
                assert client.get(f"/api/games/{made['key']}").status_code == 200


def test_what_is_no_http_is_refused_and_not_printed(port: int, capfd) -> None:
    with calls(port, 1, b"\x16\x03\x01\x1b[31m no request\r\n\r\n") as (odd,):
        assert all_of(odd).startswith(b"HTTP/1.1 400")
    assert "\x1b" not in capfd.readouterr().err
