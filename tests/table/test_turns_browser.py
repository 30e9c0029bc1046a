"""In a browser: what a seat decides several times in a row is asked once, and a rival's turn is one short motion."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table.helpers import keep_nothing, start_game
from tests.table.test_browser import MINE_OR_OVER

DISCS = "#together-rows fieldset"
MOST = 1200  # milliseconds of a rival's turn at the usual pace, with the pause before it
PAUSE = 700  # of them, as in clock.js
# Every motion on the board: what moves, and when it is over.
MOTIONS = """() => {
  window.motions = [];
  const note = (of) => of.map((one) => ({ name: one.animationName || one.id, end: one.effect.getComputedTiming().endTime }));
  const look = () => {
    const board = document.getElementById("board");
    if (board) motions.push(...note(board.getAnimations({ subtree: true })));
    requestAnimationFrame(look);
  };
  look();
}"""
USED = {"mouse": (1280, False), "touch": (390, True), "keyboard": (1280, False)}


def do(page: Any, by: str, selector: str) -> None:
    """Press something with a mouse, a thumb or the keyboard."""
    if by == "keyboard":
        page.focus(selector)
        page.keyboard.press("Enter")
    else:
        getattr(page, "tap" if by == "touch" else "click")(selector)


def choose(page: Any, by: str, colour: int, number: int) -> None:
    """How many discs of the colour in this row are kept."""
    if by != "keyboard":
        return do(page, by, f"{DISCS}:nth-child({colour + 1}) label:nth-of-type({number + 1})")
    page.focus(f"{DISCS}:nth-child({colour + 1}) input:checked")
    for _ in range(number):
        page.keyboard.press("ArrowRight")


@pytest.mark.parametrize("by", USED)
def test_who_passes_says_once_which_discs_to_keep(open_game, by: str) -> None:
    width, touch = USED[by]
    page = open_game(ruleset="standard", seed="7", width=width, touch=touch)
    page.wait_for_selector("#status.yours")
    do(page, by, "#strip [data-target='button:pass']")
    assert page.locator(DISCS).count() > 2, "one row a colour"
    assert page.locator("#together-rows input:focus").count() == 1
    do(page, by, "#together-cancel")
    assert page.locator("#where").inner_text() == "0 / 0" and page.locator("#strip").is_visible(), (
        "nothing has been decided"
    )
    do(page, by, "#strip [data-target='button:pass']")
    choose(page, by, 0, 1)
    do(page, by, "#together-dialog .main")
    page.wait_for_selector("#where:not(:text-is('0 / 0'))")
    page.wait_for_selector(MINE_OR_OVER)
    said = page.evaluate(
        "document.querySelector('#tab-log').click(), [...document.querySelectorAll('#log .britain .go')].map((one) => one.innerText)"
    )
    kept = [words for words in said if "Keep" in words]
    assert "Pass" in said[0] and kept[0].endswith("Keep 1 blue") and len(kept) > 2
    do(page, by, "#undo")
    page.wait_for_selector("#where:text-is('0 / 0')", state="attached")  # it is taken back as one


def test_no_more_discs_can_be_chosen_than_may_be_kept(open_game) -> None:
    page = open_game()
    page.wait_for_selector("#status.yours")
    page.evaluate(
        """import("./static/table/together.js").then(({ askTogether }) => askTogether({ action: "pass", together: {
          title: "Pass", most: 2, forced: true, rows: ["blue", "white"].map((name) => ({ name, actions: [0, 1, 2].map((n) => `keep ${n} ${name}`) })),
        } }, (actions) => { window.answered = actions; }))"""
    )
    choose(page, "mouse", 0, 1)
    assert page.locator(f"{DISCS}:nth-child(2) input:disabled").count() == 1
    choose(page, "mouse", 0, 2)
    assert page.locator(f"{DISCS}:nth-child(2) input:disabled").count() == 2
    page.click("#together-dialog .main")
    assert page.evaluate("answered") == ["pass", "keep 2 blue"], "what is forced then is not asked"


@pytest.mark.parametrize(
    "ruleset, seats, names",
    [
        ("standard", {"britain": "random", "france": "person"}, {"stack"}),
        ("carcassonne", {"player_0": "person", "player_1": "greedy"}, {"laid", "stepped"}),
    ],
)
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_rivals_turn_is_one_short_motion(open_page, ruleset, seats, names, motion) -> None:
    page = open_page(script=f"localStorage.setItem('pace', '1'); ({MOTIONS})()", motion=motion)
    start_game(page, ruleset=ruleset, seed="64", **seats)
    for _ in range(12):
        page.wait_for_selector("#status.yours")
        page.wait_for_timeout(600)
        found = {one["name"]: one["end"] for one in page.evaluate("motions")}
        if names <= set(found) and motion == "no-preference":
            break
        page.locator("#moves .move").first.click()
        keep_nothing(page)
        page.wait_for_timeout(100)
    assert names & set(found) == (names if motion == "no-preference" else set())
    assert all(found[name] + PAUSE <= MOST + 1 for name in names & set(found))
