"""Beyond this machine, everybody needs the key of the printed address."""

from __future__ import annotations

import errno
import socket

import pytest
from starlette.testclient import TestClient

from channel_tunnel_agents.table import serve as serve_module
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_agents.table.web.guard import host_names
from channel_tunnel_agents.table.web.server import make_app
from channel_tunnel_env.cli import main
from tests.table.helpers import PEOPLE, PLAYERS, Tab, refused

KEY = "a-key-that-nobody-guesses"
BASE = "http://192.0.2.7:8000"


@pytest.fixture
def stranger(tmp_path) -> TestClient:
    """Somebody on another machine."""
    rooms = Rooms(Offers.of(), tmp_path / "table")
    app = make_app(rooms, host_names("0.0.0.0", 8000), True, PLAYERS, KEY)
    return TestClient(app, base_url=BASE, follow_redirects=False)


def test_without_the_key_nothing_is_answered(stranger) -> None:
    for way in ("get", "post", "head", "options", "delete"):
        for path in ("/", "/static/table.js", "/api/offers", "/api/games", "/nothing"):
            extra = {"json": {}} if way == "post" else {}
            answer = getattr(stranger, way)(path, **extra)
            assert answer.status_code == 401, (way, path)
    for given in ("", "x", KEY[:-1], f"{KEY}x", "é"):
        assert "whole address" in refused(stranger.get("/", params={"key": given}), 401)
        stranger.cookies.set("channel-tunnel-table-8000", given.encode().hex())
        assert refused(stranger.get("/api/offers"), 401)


def test_the_printed_address_opens_the_table_and_hides_its_key(stranger) -> None:
    answer = stranger.get("/", params={"key": KEY})
    assert answer.status_code == 303 and answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
    assert "New game" in stranger.get("/").text
    assert stranger.get("/static/table.js").status_code == 200
    game = stranger.post("/api/games", json={"ruleset": "tiny"})
    assert game.status_code == 201
    link = stranger.post(f"/api/games/{game.json()['key']}/link", json={}).json()["link"]
    assert f"/?key={KEY}#game=" in link, "for who comes by a link"


def test_the_host_must_be_the_address_that_the_connection_came_in_by(stranger) -> None:
    stranger.get("/", params={"key": KEY})
    assert stranger.get("/api/offers", headers={"Host": "localhost:8000"}).status_code == 200
    for host in ("192.0.2.8:8000", "192.0.2.7", "192.0.2.7:80", "evil.example:8000", "[::1]", ""):
        assert refused(stranger.get("/api/offers", headers={"Host": host}), 421)
    origin = {"Origin": "http://192.0.2.8:8000"}
    assert refused(stranger.post("/api/games", json={}, headers=origin), 403)


def told_by(monkeypatch, capsys, tmp_path, *words: str) -> tuple[str, dict]:
    """What the command prints before it serves, and what its guard was given."""
    seen = []

    class Unstarted:
        def run(self, sockets) -> None:
            sockets[0].close()

    monkeypatch.setattr(serve_module, "make_server", lambda app, players: seen.append(app) or Unstarted())
    assert main(["table", "--port", "0", "--folder", str(tmp_path), *words]) == 0
    return capsys.readouterr().out, seen[0].user_middleware[0].kwargs


def test_the_command_prints_the_key_only_beyond_this_machine(monkeypatch, capsys, tmp_path) -> None:
    told, _ = told_by(monkeypatch, capsys, tmp_path)
    assert "key=" not in told and "Warning" not in told
    told, guard = told_by(monkeypatch, capsys, tmp_path, "--host", "0.0.0.0", "--name", "box.lan")
    assert "Warning: 0.0.0.0 can be reached from other machines" in told
    assert len(told.split("?key=")[1].split()[0]) >= 32
    assert "http://0.0.0.0" not in told
    assert "box.lan" in guard["hosts"] and guard["any_address"]
    assert told_by(monkeypatch, capsys, tmp_path, "--host", "0.0.0.0")[1]["key"] != guard["key"], (
        "another one each time"
    )


EVERY_ADDRESS = ["0.0.0.0", "0", "00.0", "::", "::0", "0:0:0:0:0:0:0:0"]


@pytest.mark.parametrize("host", EVERY_ADDRESS)
def test_where_no_other_machine_can_be_reached_no_such_address_is_printed(monkeypatch, capsys, tmp_path, host) -> None:
    """An address on 127.0.0.1 would be the reader's own machine, not this one."""

    class NoNetwork(socket.socket):
        def connect(self, address) -> None:
            raise OSError(errno.ENETUNREACH, "Network is unreachable")

    monkeypatch.setattr(serve_module.socket, "socket", NoNetwork)
    told, guard = told_by(monkeypatch, capsys, tmp_path, "--host", host)
    assert "127.0.0.1" not in told and "http://0" not in told and "[::" not in told
    assert "http://localhost:" in told and "?key=" in told
    assert "no address in a network" in told
    assert guard["any_address"] and guard["key"], "once there is one, it can be used"


@pytest.mark.parametrize("host", EVERY_ADDRESS)
def test_every_address_in_any_spelling_is_printed_as_the_one_that_others_reach(
    monkeypatch, capsys, tmp_path, host
) -> None:
    monkeypatch.setattr(serve_module, "_own_address", lambda: "192.0.2.7")
    told, guard = told_by(monkeypatch, capsys, tmp_path, "--host", host)
    assert "http://192.0.2.7:" in told and "no address in a network" not in told
    assert guard["any_address"] and guard["key"]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1", "0x7f.1", "localhost", "::1", "0:0::1"])
def test_this_machine_in_any_spelling_needs_no_key(monkeypatch, capsys, tmp_path, host) -> None:
    told, guard = told_by(monkeypatch, capsys, tmp_path, "--host", host)
    assert "key=" not in told and "Warning" not in told
    assert guard["key"] is None and not guard["any_address"]
    shown = told.split("http://")[1].split("/")[0]
    assert shown in guard["hosts"], "the printed address is one that is answered"


# --- what stands beside our cookie, and headers that come twice --------------------------------------

OURS = f"channel-tunnel-table-8000={KEY}"
BESIDE = {
    "alone": OURS,
    "last": f"a=b; {OURS}",
    "first": f"{OURS}; a=b",
    "in quotation marks": f'channel-tunnel-table-8000="{KEY}"',
    "beside quotation marks": f'a="b c"; {OURS}',
    "beside an open quotation mark": f'a="b; {OURS}',
    "beside quoted semicolons": f'a="b; c"; {OURS}',
    "beside JSON": f'a={{"b": [1, 2]}}; {OURS}',
    "after a comma in a value": f"a=b,c; {OURS}",
    "after a comma for a semicolon": f"a=b, {OURS}",
    "with a version": f"$Version=1; {OURS}; $Path=/",
    "beside bytes beyond ASCII": f"a=\u00e9\u00ff; {OURS}",
    "beside a name beyond ASCII": f"\u00e9=a; {OURS}",
    "beside an empty name": f"=a; {OURS}",
    "beside an empty value": f"a=; {OURS}",
    "beside no equals sign": f"a; {OURS}",
    "beside two equals signs": f"a=b=c; {OURS}",
    "beside nothing": f";; ;{OURS};",
    "without a space": f"a=b;{OURS}",
    "with spaces": f"a=b ;  channel-tunnel-table-8000 = {KEY} ",
    "with a tab": f"a=b;\t{OURS}",
    "beside a name with signs": f"a[b]@c:d/e=f; {OURS}",
    "beside a name that others reserve": f"path=/; domain=x; expires=0; {OURS}",
    "after an old one of the name": f"channel-tunnel-table-8000=old; {OURS}",
    "before an old one of the name": f"{OURS}; channel-tunnel-table-8000=old",
    "beside another table's": f"channel-tunnel-table-8001=other; {OURS}",
    "beside many": f"{'; '.join(f'a{i}=b' for i in range(500))}; {OURS}",
}


def with_headers(client: TestClient, *headers: tuple[str, str], path: str = "/api/offers"):
    """The answer to a request with just these headers, however often a name comes."""
    sent = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    return client.get(path, headers=sent)


@pytest.mark.parametrize("beside", BESIDE)
def test_our_cookie_is_found_whatever_stands_beside_it(stranger, beside) -> None:
    assert with_headers(stranger, ("Cookie", BESIDE[beside])).status_code == 200


@pytest.mark.parametrize("beside", BESIDE)
def test_beside_a_wrong_key_nothing_opens_the_table(stranger, beside) -> None:
    wrong = BESIDE[beside].replace(KEY, KEY[:-1])
    assert refused(with_headers(stranger, ("Cookie", wrong)), 401)


def test_a_key_under_another_name_is_no_key(stranger) -> None:
    names = ("", "a", "channel-tunnel-table", "channel-tunnel-table-80001", "x-channel-tunnel-table-8000")
    for name in names:
        assert refused(with_headers(stranger, ("Cookie", f"{name}={KEY}")), 401)
    assert refused(with_headers(stranger, ("Cookie", KEY)), 401)


def test_two_tables_of_one_host_have_cookies_of_their_own(stranger) -> None:
    """Browsers send a host's cookies to all its ports."""
    other = TestClient(stranger.app, base_url="http://192.0.2.7:8001", follow_redirects=False)
    for client, port in ((stranger, 8000), (other, 8001)):
        cookie = client.get("/", params={"key": KEY}).headers["set-cookie"]
        assert cookie.startswith(f"channel-tunnel-table-{port}={KEY};")


def test_cookies_in_two_headers_are_all_read(stranger) -> None:
    for cookies in ((OURS, "a=b"), ("a=b", OURS), ('a="b', OURS, "c")):
        answer = with_headers(stranger, *(("Cookie", cookie) for cookie in cookies))
        assert answer.status_code == 200, cookies


@pytest.mark.parametrize("name", ["Host", "Origin", "Content-Type", "Content-Length"])
def test_a_header_that_decides_and_comes_twice_must_fit_each_time(client, name) -> None:
    good = {
        "Host": "127.0.0.1:8000",
        "Origin": "http://127.0.0.1:8000",
        "Content-Type": "application/json",
        "Content-Length": "2",
    }
    bad = {"Host": "evil.example", "Origin": "http://evil.example", "Content-Type": "text/plain"}
    values = good[name], bad.get(name, "3")
    others = [(one.encode(), value.encode()) for one, value in good.items() if one != name]
    for given in (values, values[::-1], (values[0], values[0], values[1])):
        sent = [*others, *((name.encode(), value.encode()) for value in given)]
        answer = client.post("/api/lesson", content=b"{}", headers=sent)
        assert 400 <= answer.status_code < 500 and set(answer.json()) == {"error"}, given
    twice = [*others, *[(name.encode(), good[name].encode())] * 2]
    assert client.post("/api/lesson", content=b"{}", headers=twice).status_code == 201


def test_two_names_of_ours_are_no_name_of_ours(client) -> None:
    """One reader would take the first, and another the last."""
    hosts = [(b"Host", b"127.0.0.1:8000"), (b"Host", b"localhost:8000")]
    assert "twice" in refused(client.get("/api/offers", headers=hosts), 400)


def test_secrets_in_two_headers_are_all_read(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=1, seats=PEOPLE)
    sent = [(b"Table-Seats", token.encode()) for token in tab.tokens.values()]
    held = client.get(f"/api/games/{tab.key}", headers=sent).json()["held"]
    assert held == sorted(tab.tokens)


def test_a_length_that_is_no_number_is_refused(client) -> None:
    for length in ("x", "-1", "2.0", "", "\u00b2", "9" * 5000):
        answer = client.post(
            "/api/lesson",
            content=b"{}",
            headers=[(b"Content-Type", b"application/json"), (b"Content-Length", length.encode("latin-1"))],
        )
        assert refused(answer, 413 if length.startswith("9") else 400), length
