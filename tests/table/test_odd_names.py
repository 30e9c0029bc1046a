"""A name from outside that no file system takes is a name that is not there, at every door."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from tests.table import asgi
from tests.table.bodies import good_bodies
from tests.table.helpers import HOST, Tab, open_desk

ODD = {
    "longer than a file's name may be": "x" * 3000,
    "just longer than that": "x" * 256,
    "as long in characters, longer in bytes": "\u00e9" * 200,
    "a path longer than a file system takes": "x/" * 5000,
    "NUL": "\0",
    "NUL within": "a\0b",
    "a half of a pair": "\udced",
    "half of a pair within": "a\ud800b",
    "bytes that are no text": b"\xff\xfe\xc0\xaf".decode("latin-1"),
    "upwards": "../../../../etc/passwd",
    "upwards, written otherwise": "..\\..\\x",
    "absolute": "/etc/passwd",
    "a device": "/dev/zero",
    "nothing": "",
    "a line end": "a\r\nb",
    "a digit of another script": "\u0663",
    "an identifier beyond ASCII": "\u212b",
    "a dot": ".",
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory) -> TestClient:
    """A table with the designer's page."""
    return open_desk(tmp_path_factory.mktemp("table"))


def asked(client: TestClient, method: str, path: str, query: str = "", body: Any = None) -> int:
    """The status of an answer."""
    headers = [(b"host", HOST.encode()), (b"content-type", b"application/json")]
    text = json.dumps({} if body is None else body).encode()
    return asyncio.run(asgi.asked(client.app, method, path, query.encode("utf-8", "replace"), headers, text))[0]


def doors(client: TestClient) -> Iterator[tuple[str, str]]:
    """Method and path of every route that takes a name."""
    for route in client.app.routes:
        if isinstance(route, Mount):
            yield "GET", f"{route.path}/{{name}}"
        elif isinstance(route, Route) and "{" in route.path:
            for method in sorted(route.methods or ()):
                yield method, route.path


@pytest.mark.parametrize("odd", ODD)
def test_every_route_refuses_it(desk, odd) -> None:
    name = ODD[odd]
    for method, path in doors(desk):
        status = asked(desk, method, re.sub(r"{[^}]*}", lambda _: name, path))
        assert 400 <= status < 500 or (not name and status == 307), (method, path)


@pytest.mark.parametrize("odd", ODD)
def test_every_query_refuses_it_or_ignores_it(desk, odd) -> None:
    name = ODD[odd]
    tab = Tab.new(desk, ruleset="tiny", seed=1)
    for path in ("/", "/design", "/api/offers", "/api/rulebook", "/api/design/form", "/static/table.js"):
        for key in ("ruleset", "base", "key", "name"):
            assert asked(desk, "GET", path, f"{key}={name}") < 500, (path, key)
    for key in ("ply", "viewer", "layout", "seen", "watcher", "called"):
        for path in ("", "/position", "/record"):
            path = f"/api/games/{tab.key}{path}"
            query = f"{key}={name}&watcher={'0' * 16}"
            assert asked(desk, "GET", path, query) < 500, (path, key)


def bodies(name: str) -> Iterator[tuple[str, Any]]:
    """Requests that hold a name."""
    yield "/api/games", {"ruleset": name}
    yield "/api/games", {"seats": {"britain": name}}
    yield "/api/games", {"seats": {name: "person"}}
    yield "/api/games", {"position": name}
    for ruleset in (name, {"base": name, "name": "x"}, {"base": "standard", "name": name}):
        yield "/api/games", {"position": json.dumps({"ruleset": ruleset})}
        entry = {"values": ruleset} if isinstance(ruleset, dict) else {"name": ruleset}
        record = {"format": 1, "game": "tunnel_1987", "ruleset": entry, "seed": 1, "actions": []}
        yield "/api/records", {"text": json.dumps(record)}
    yield "/api/records", {"text": json.dumps({"format": 1, "game": name})}
    yield "/api/records", {"file": name}
    yield "/api/lesson", {"game": name}
    for path in ("check", "test", "play", "versions", "reports", "tuning", "search"):
        yield f"/api/design/{path}", {"base": name, "changes": {}}
        yield f"/api/design/{path}", {"changes": {name: 1}}
        yield f"/api/design/{path}", {"changes": {"hand_size": name}}
    for path in ("versions", "reports", "play"):
        yield f"/api/design/{path}", {"name": name, "changes": {"nothing": 1}}
    yield "/api/design/play", {"changes": {}, "side": name}
    yield "/api/design/play", {"changes": {}, "rival": name}
    yield "/api/design/reports", {"changes": {}, "players": name}
    yield "/api/design/import", {"text": name}
    yield "/api/design/import", {"text": f"base: {name}\nname: x\n"}
    yield "/api/design/import", {"text": json.dumps({"base": name, "name": "x"})}
    yield ("/api/design/import", {"text": json.dumps({"base": "standard", "name": name, "title": name})})
    for side in ({"version": name}, {"base": name}, {"version": name, "number": 1}):
        yield "/api/design/compare", {"one": side, "other": {"base": "standard"}}


@pytest.mark.parametrize("odd", ODD)
def test_no_body_fails_by_it(desk, odd) -> None:
    for path, body in bodies(ODD[odd]):
        assert asked(desk, "POST", path, body=body) < 500, (path, body)


@pytest.mark.parametrize("odd", ODD)
def test_every_body_about_a_game_refuses_it(desk, odd) -> None:
    tab = Tab.new(desk, ruleset="tiny", seed=1)
    for route, body in good_bodies(1, "pass", "", "britain", "master").items():
        names = [key for key, value in body.items() if isinstance(value, str)]
        if names:
            path = f"/api/games/{tab.key}/{route}"
            assert 400 <= asked(desk, "POST", path, body=body | dict.fromkeys(names, ODD[odd])) < 500, route
