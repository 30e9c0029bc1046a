"""In a browser: the first screen says what it is, proposes a trained rival, and the keyboard goes on from there."""

from __future__ import annotations

import pytest

WIDTHS = (1440, 1280, 390)
# The lines at the top and the bottom of the news that only partly are in sight.
CUT = """() => {
  const box = document.querySelector("#news-list").getBoundingClientRect();
  return [...document.querySelectorAll("#news-list > li")].filter((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top < box.top - 1 && bottom > box.top + 1;
  }).length;
}"""


@pytest.mark.parametrize("width", WIDTHS)
def test_the_first_screen_says_what_it_is_and_proposes_a_trained_rival(open_page, width: int) -> None:
    page = open_page(width=width, touch=width == 390)
    page.wait_for_selector("#welcome .lead:has-text('no account')")
    assert page.get_attribute("link[rel=icon]", "href") != "data:,"
    for game in ("tunnel_1987", "carcassonne", "eurotunnel"):
        page.click(f"#welcome .game[data-game={game}] .main")
        assert page.locator("#level-choice .card:has(:checked)").inner_text().startswith("Club player")
        page.keyboard.press("Escape")
    page.click("#welcome .game[data-game=tunnel_1987] .main")
    page.click("#new-start")
    page.wait_for_selector("#about:has-text('against Club player')")
    asked = page.locator("#judge option").all_text_contents()
    assert len(set(asked)) == len(asked) and {"Master", "Learner"} <= set(asked) and "rookie" not in asked


def test_the_keyboard_goes_on_in_the_list_of_moves_after_a_dialog(open_page) -> None:
    page = open_page()
    page.focus("#welcome .game[data-game=tunnel_1987] .main")
    page.keyboard.press("Enter")
    page.focus("#new-start")
    page.keyboard.press("Enter")
    page.wait_for_selector("#new-dialog", state="hidden")
    page.wait_for_selector("#moves .move")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.matches('#moves .move')")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("m")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.matches('#moves .move')")


@pytest.mark.parametrize("height", [700, 800, 900])
def test_the_news_show_whole_lines(open_game, height: int) -> None:
    page = open_game(ruleset="standard", seed="64", britain="random", france="person", height=height)
    page.wait_for_selector("#status.yours")
    page.click("#strip [data-target='button:pass']")
    page.click("#together-dialog .main")
    page.wait_for_selector("#status.yours, #status.over")
    page.wait_for_selector("#news-list > li:nth-child(4)", state="attached")
    assert page.evaluate(CUT) == 0
