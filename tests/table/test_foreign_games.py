"""A game whose code would end the program costs one answer, never the server; one that cannot be offered is left out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from channel_tunnel_agents.names import AgentName
from channel_tunnel_agents.table.design.workshop import bases_by_game
from channel_tunnel_agents.table.rooms import rooms
from channel_tunnel_agents.table.rooms.offers import Offers, left_out
from channel_tunnel_agents.table.web import server
from channel_tunnel_env.games import BUILT_IN
from tests.sites import FOURTH, FOURTH_AGENTS, fourth_game, install
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


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (f"{FOURTH}/spec.py", "import sys; sys.exit(3)"),
        (f"{FOURTH}/faces/__init__.py", "import sys; sys.exit(3)"),
        (f"{FOURTH}/rulesets/{FOURTH}.yaml", "no_such_figure: 3"),
        (f"{FOURTH_AGENTS}/spec.py", "import sys; sys.exit(3)"),
        (f"{FOURTH_AGENTS}/players.py", "raise RuntimeError(3)"),
        (f"{FOURTH_AGENTS}/players.py", "del NAMES"),
    ],
)
def test_a_game_that_cannot_be_offered_is_left_out_with_a_word(place: str, text: str, tmp_path: Path) -> None:
    with fourth_game(tmp_path, agents=True, adding={place: text}):
        offers = Offers.of()
        assert {ruleset["game"] for ruleset in offers.to_dict()["rulesets"]} == {*BUILT_IN}
        assert [*left_out()] == [FOURTH] and FOURTH in left_out()[FOURTH]
        assert AgentName.read("heuristic").games
        assert [*bases_by_game()] == [*BUILT_IN]


def test_a_game_that_works_is_offered(tmp_path: Path) -> None:
    with fourth_game(tmp_path, agents=True):
        offers = Offers.of()
        assert FOURTH in offers.rulesets and not left_out()
        assert FOURTH in bases_by_game()


def test_a_game_with_the_name_of_one_of_ours_leaves_ours_on_offer(tmp_path: Path) -> None:
    install(tmp_path, "odd-game", "carcassonne", "odd_game")
    with fourth_game(tmp_path):
        assert {*BUILT_IN} <= {ruleset["game"] for ruleset in Offers.of().to_dict()["rulesets"]}
        assert "odd-game 1.0" in left_out()["carcassonne"]
