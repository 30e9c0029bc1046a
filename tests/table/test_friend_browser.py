"""In a browser: a friend is invited from the first screen, and who leaves is missed; Back leads to the list of games."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table.helpers import menu, start_game

WIDTHS = {"1440": (1440, False), "1280": (1280, False), "390": (390, True)}


def invite(page: Any, game: str) -> str:
    """Play a friend from a game's card; the link that is shown."""
    page.click(f"#welcome .game[data-game={game}] .friend")
    page.wait_for_selector("#new-dialog[open]")
    page.fill("#new-form [name=called]", "Ann")
    page.click("#new-start")
    page.wait_for_selector("#people-link:visible #people-code svg")
    link = page.inner_text("#people-address")
    page.click("#people-dialog .end .main")
    return link.split("/", 3)[3]


@pytest.mark.parametrize("game, at", [("tunnel_1987", "1440"), ("carcassonne", "390"), ("eurotunnel", "1280")])
def test_a_friend_is_invited_from_the_card_of_a_game(open_page, game: str, at: str) -> None:
    width, touch = WIDTHS[at]
    page = open_page(width=width, touch=touch)
    page.wait_for_selector("#welcome .friend")
    page.click("#welcome .friend >> nth=0")
    assert page.locator("#level-field").is_visible() is False, "nobody but the two of them plays"
    page.click("#new-dialog .cancel")
    words = invite(page, game)
    host = page.evaluate(
        "Object.keys(JSON.parse(sessionStorage.getItem(`game:${location.hash.slice(6)}`)).tokens).sort()"
    )
    assert len(host) == 2, "the host, and one seat"
    friend = open_page(words, width=width, touch=touch)
    friend.wait_for_selector("#board svg")
    assert "seats" not in friend.evaluate("location.hash"), "no secret stays in the address"
    held = friend.evaluate("Object.keys(JSON.parse(sessionStorage.getItem(`game:${location.hash.slice(6)}`)).tokens)")
    assert len(held) == 1 and held[0] not in host
    if game != "eurotunnel":
        page.wait_for_selector("#status.yours")
        friend.wait_for_selector("#status:has-text('Waiting for Ann')")


def test_who_closes_the_tab_is_missed_soon(open_page) -> None:
    page = open_page()
    friend = open_page(invite(page, "tunnel_1987"))
    friend.wait_for_selector("#status:has-text('Waiting for Ann')")
    assert "not here" not in friend.inner_text("#status")
    menu(page, "#people")
    page.wait_for_selector("#people-list .france:has-text('is here')")
    page.close()
    friend.wait_for_selector("#status:has-text('who is not here')")  # how soon: test_links


@pytest.mark.parametrize("width, touch", WIDTHS.values(), ids=WIDTHS)
def test_back_and_forward_go_between_list_and_game(open_game, width: int, touch: bool) -> None:
    page = open_game(seed="4", france="person", width=width, touch=touch)
    page.wait_for_selector("#status.yours")
    page.locator("#moves .move").first.click()
    page.wait_for_selector("#where:text-is('1 / 1')", state="attached")
    first, where = page.evaluate("location.hash"), page.locator("#where").text_content()
    page.go_back()
    page.wait_for_selector("#welcome .game")
    assert page.locator("#board svg").is_visible() is False and page.evaluate("location.hash") == ""
    page.go_forward()
    page.wait_for_selector("#board svg")
    assert page.evaluate("location.hash") == first and page.locator("#status.yours").count()
    menu(page, "#all-games")
    page.wait_for_selector("#welcome .game")
    start_game(page, ruleset="tiny", seed="5", britain="person", france="person")
    second = page.evaluate("location.hash")
    page.go_back()
    page.wait_for_selector("#welcome .game")
    page.go_back()
    page.wait_for_selector("#board svg")
    assert page.evaluate("location.hash") == first != second
    page.wait_for_selector(f"#where:text-is('{where}')", state="attached")
