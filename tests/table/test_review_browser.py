"""A whole review in a browser, in each of the three games: by keyboard, and by touch on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.records.record import write_records
from tests.table.helpers import compile_agents, random_game
from tests.table.test_carcassonne import SHORT as FEW_TILES
from tests.table.test_eurotunnel import SHORT as TWO_YEARS

GAMES = {"1987": ("tiny", "britain"), "carcassonne": (FEW_TILES, "player_0"), "eurotunnel": (TWO_YEARS, "france")}
JUDGED = "#review:not(:has(#review-cancel)) .faults .fault"
# How far below the middle of what the Club player ordered the drawer begins.
ROOM = """() => {
  const box = document.querySelector("#board .compared .other").getBoundingClientRect();
  return document.querySelector(".side.pulled").getBoundingClientRect().top - (box.top + box.bottom) / 2;
}"""


@pytest.fixture(scope="module")
def rooms(folder: Path) -> Rooms:
    """Those of a server with a record of random moves of each game."""
    compile_agents("carcassonne", "greedy", "expectimax")
    compile_agents("eurotunnel", "club")
    for name, (ruleset, _) in GAMES.items():
        write_records(folder / f"{name}.jsonl", [random_game(load_ruleset(ruleset), 4).record()])
    offers = Offers.of(["tiny", "carcassonne", "eurotunnel"], records=[folder / f"{name}.jsonl" for name in GAMES])
    return Rooms(offers, folder)


def check_shown(page: Any, game: str, ply: str | None) -> None:
    """The decision of a fault is shown, with its judgement, and the better one on the board."""
    page.wait_for_selector(f"#where:has-text('{ply} / ')")
    page.wait_for_selector("#review .verdict")
    assert page.locator(f"#review .fault[data-ply='{ply}'][aria-current]").count() == 1
    assert page.locator("#status").inner_text().split(". ")[0] in ("Blunder", "Mistake", "Inaccuracy")
    if game == "eurotunnel":
        assert page.locator("#board .compared .other > *").count()
        assert page.locator("#board .key").inner_text().split() == ["ordered", "Club", "player"]
        assert not page.locator("#board .last-orders").count(), "those of the phase before"
    else:
        page.wait_for_selector("#board .hinted, #strip .hinted", state="attached")
    if game == "carcassonne":
        better = page.locator("#board .tiles .compared .other [data-tile]")
        assert better.count() == 1 and better.bounding_box()["width"] >= 40
        assert page.locator("#board .key").inner_text().split() == ["played", "Expert"]


@pytest.mark.parametrize("game", GAMES)
def test_a_review_needs_no_mouse(open_page, game: str) -> None:
    page = open_page(f"#record={game}.jsonl&line=1&ply=0")
    page.wait_for_selector("#board svg")
    page.keyboard.press("a")
    page.select_option("#review-side", GAMES[game][1])
    page.focus("#review-start")
    page.keyboard.press("Enter")
    page.wait_for_selector(JUDGED)
    faults = page.locator("#review .fault")
    faults.first.focus()
    page.keyboard.press("Enter")
    first = faults.first.get_attribute("data-ply")
    check_shown(page, game, first)
    assert page.evaluate("document.activeElement.dataset.ply") == first, "the focus stays in the list"
    if faults.count() > 1:
        page.keyboard.press("ArrowDown")
        second = faults.nth(1).get_attribute("data-ply")
        assert page.evaluate("document.activeElement.dataset.ply") == second
        page.keyboard.press("Enter")
        check_shown(page, game, second)


@pytest.mark.parametrize("game", GAMES)
def test_a_review_is_touched_on_a_phone(open_page, game: str) -> None:
    page = open_page(f"#record={game}.jsonl&line=1&ply=0", width=390, height=844, touch=True)
    page.wait_for_selector("#board svg")
    if page.locator("#drawer").is_visible():
        page.tap("#drawer")
    page.tap("#tab-analysis")
    page.select_option("#review-side", GAMES[game][1])
    page.tap("#review-start")
    page.wait_for_selector(JUDGED)
    fault = page.locator("#review .fault").first
    fault.tap()
    check_shown(page, game, fault.get_attribute("data-ply"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    if game == "eurotunnel":
        assert page.evaluate(ROOM) > 0, "the drawer does not hide the orders that are talked about"
        key = page.locator("#board .key").bounding_box()
        assert key["x"] >= 0 and key["x"] + key["width"] <= 390
        page.tap("#drawer")
        assert page.locator("#board .key").is_visible()
    else:
        better = page.locator("#board .hinted, #strip .hinted").first.bounding_box()
        assert better["y"] >= 0, "the better move is in sight"
        assert better["y"] + better["height"] <= 844
        board = page.locator("#board").bounding_box()
        assert board["x"] <= better["x"] and better["x"] + better["width"] <= 390
