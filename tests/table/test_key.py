"""Beyond this machine, everybody needs the key of the printed address."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from channel_tunnel_agents.table import serve as serve_module
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_agents.table.web.guard import host_names
from channel_tunnel_agents.table.web.server import make_app
from channel_tunnel_env.cli import main
from tests.table.helpers import PLAYERS, refused

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
        stranger.cookies.set("channel-tunnel-table", given.encode().hex())
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


def test_the_command_prints_the_key_only_beyond_this_machine(monkeypatch, capsys, tmp_path) -> None:
    seen = []

    class Unstarted:
        def run(self, sockets) -> None:
            sockets[0].close()

    def make_server(app, players):
        seen.append(app)
        return Unstarted()

    monkeypatch.setattr(serve_module, "make_server", make_server)
    arguments = ["table", "--port", "0", "--folder", str(tmp_path)]
    assert main(arguments) == 0
    told = capsys.readouterr().out
    assert "key=" not in told and "Warning" not in told
    assert main([*arguments, "--host", "0.0.0.0", "--name", "box.lan"]) == 0
    told = capsys.readouterr().out
    assert "Warning: 0.0.0.0 can be reached from other machines" in told
    assert len(told.split("?key=")[1].split()[0]) >= 32
    assert "http://0.0.0.0" not in told
    assert main([*arguments, "--host", "0.0.0.0"]) == 0
    assert capsys.readouterr().out != told, "another key each time"
    guard = seen[1].user_middleware[0].kwargs
    assert "box.lan" in guard["hosts"] and guard["any_address"]
