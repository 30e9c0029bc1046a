"""In a browser: one's games are found again with their results, and what went wrong in one is tried again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from channel_tunnel_agents.base import choose_action
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.table.rooms.people import person_of
from channel_tunnel_agents.table.rooms.room import Room
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_env import Game
from tests.table.helpers import keep_nothing
from tests.table.test_friend_browser import WIDTHS

ANN = "a" * 32
AWAY = "#welcome .own .row:not([hidden])"


@pytest.fixture(autouse=True)
def empty(rooms: Rooms) -> None:
    """No game is there yet."""
    rooms._awake.clear()  # what is on its way there is not written any more
    for key in list(rooms.storage.keys()):
        rooms.storage.remove(key)


def played(rooms: Rooms, rival: str, wins: bool, until: int = 500) -> Room:
    """A game of Ann's against a rival that she won or lost, in which both move at random."""
    for seed in range(100):
        trial = Game("tiny", seed)
        player = make_agent("random", trial.ruleset)
        actions = []
        while not trial.is_over and len(actions) < until:
            actions.append(trial.spec.actions.names[choose_action(player, trial)])
            trial.play(trial.spec.actions.id_of(actions[-1]))
        if until < 500 or (trial.winner == "britain") == wins:
            break
    room = rooms.found(Game("tiny", seed), {"britain": "person", "france": rival}, False)
    for action in actions:
        room.play(action)
    room.sit(set(room.tokens), person_of(ANN))
    return room


def come(open_page: Any, width: int = 1280, touch: bool = False) -> Any:
    page = open_page(width=width, touch=touch)
    page.evaluate(f"localStorage.setItem('player', '{ANN}')")
    page.reload()
    page.wait_for_selector("#welcome .game")
    return page


@pytest.mark.parametrize("width, touch", WIDTHS.values(), ids=WIDTHS)
def test_ones_games_are_listed_with_results_and_what_to_try_next(open_page, rooms, width: int, touch: bool) -> None:
    played(rooms, "heuristic", wins=True)
    played(rooms, "heuristic", wins=True)
    played(rooms, "rookie", wins=False)
    running = played(rooms, "random", wins=True, until=4)
    page = come(open_page, width, touch)
    press = page.tap if touch else page.click
    page.wait_for_selector(AWAY)
    assert "you beat Amateur twice: try Club player." in page.inner_text("#welcome .progress")
    results = page.locator(f"{AWAY} .result").all_inner_texts()
    assert sorted(results) == ["Lost", "Won", "Won"]
    assert page.locator(f"{AWAY}:has-text('against Learner')").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    press("#welcome .go-on")
    page.wait_for_selector("#board svg")
    assert running.key in page.url
    page.go_back()
    with page.expect_download() as file:
        press(f"{AWAY}.lost button:has-text('Export')")
    record = json.loads(file.value.path().read_text())
    assert record["actions"]
    press(f"{AWAY}.lost .away")
    press(f"{AWAY}.lost .away:has-text('for good')")
    page.wait_for_selector(f"{AWAY}.lost", state="detached")
    assert len(rooms.storage.keys()) == 3 and page.locator(AWAY).count() == 2


def test_by_keyboard_a_game_is_deleted_after_two_presses(open_page, rooms) -> None:
    played(rooms, "random", wins=True)
    page = come(open_page)
    page.focus(f"{AWAY} .away")
    page.keyboard.press("Enter")
    assert len(rooms.storage.keys()) == 1
    page.keyboard.press("Enter")
    page.wait_for_selector("#welcome .own", state="hidden")
    assert not rooms.storage.keys()


def test_a_list_of_somebody_else_is_empty(open_page, rooms) -> None:
    played(rooms, "random", wins=True)
    page = open_page()
    page.wait_for_selector("#welcome .game")
    page.wait_for_timeout(300)
    assert page.locator(AWAY).count() == 0


@pytest.mark.parametrize("width, touch", [WIDTHS["1280"], WIDTHS["390"]], ids=["1280", "390"])
def test_a_marked_move_is_tried_again_and_judged(open_page, rooms, width: int, touch: bool) -> None:
    lost = played(rooms, "random", wins=False)
    page = come(open_page, width, touch)
    files = len(rooms.storage.keys())
    page.click(f"{AWAY} button:has-text('Review')")
    page.click("#review .fault >> nth=0")  # while others are judged
    page.click("#try")
    page.wait_for_selector("#trying:visible")
    at = page.locator("#where").text_content()
    page.wait_for_selector("#status.yours")
    page.locator("#moves .move").first.click()
    keep_nothing(page)
    page.wait_for_selector("#trying-words:has-text('Not yet.'), #trying-words:has-text('Well found.')")
    assert "Better:" not in page.inner_text("#trying-words")
    page.click("#trying-again")
    page.wait_for_selector(f"#where:text-is('{at}')", state="attached")
    page.click("#trying-back")
    page.wait_for_selector("#review .fault")
    assert lost.key in page.url and len(rooms.storage.keys()) == files
    assert page.locator("#review .judging, #review-start").count() <= 1, "what was judged is still there"
