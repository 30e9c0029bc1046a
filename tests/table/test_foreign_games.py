"""A game whose code would end the program costs one answer, never the server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from channel_tunnel_agents.table.rooms import rooms
from channel_tunnel_agents.table.web import server
from tests.table.helpers import HOST, PEOPLE, Tab, open_table


class Stop(BaseException):
    """What no `except Exception` sees."""


@pytest.fixture(params=[SystemExit, Stop, KeyboardInterrupt])
def end(request: pytest.FixtureRequest) -> Callable[..., None]:
    """A function that ends the program."""

    def end(*given: Any, **named: Any) -> None:
        raise request.param(3)

    return end


@pytest.fixture
def tab(tmp_path: Path) -> Tab:
    """At a table whose failures are answers, as those of a server are."""
    table = open_table(tmp_path)
    seen = TestClient(table.app, base_url=f"http://{HOST}", raise_server_exceptions=False)
    seen.rooms = table.rooms
    return Tab.new(seen, ruleset="tiny", seats=PEOPLE)


def fails_once(tab: Tab, place: Any, name: str, end: Callable[..., None]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(place, name, end)
        answer = tab.get()
        assert answer.status_code == 500, answer.text
        assert answer.json() == {"error": "the server failed; its terminal says where"}
    assert tab.get().status_code == 200


def test_while_a_game_is_shown(end: Callable[..., None], tab: Tab) -> None:
    fails_once(tab, server, "view", end)


def test_while_a_game_is_loaded(end: Callable[..., None], tab: Tab) -> None:
    tab.client.rooms.idle_seconds = -1.0
    tab.client.rooms.sleep_idle()
    fails_once(tab, rooms, "load_room", end)


def test_a_change_that_a_game_ends_is_taken_back(end: Callable[..., None], tab: Tab) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tab.client.rooms.awake(tab.key), "_change", end)
        assert tab.post("open", version=tab.view()["version"]).status_code == 500
    assert tab.view()["open"] is False
