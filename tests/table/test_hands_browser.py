"""Whole games from the first screen to the rematch: by mouse, by thumb and by keyboard, at three widths."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_env import load_ruleset
from tests.table import test_carcassonne, test_eurotunnel
from tests.table.test_browser import MINE_OR_OVER, SMALLEST
from tests.table.test_eurotunnel_browser import SEND, point_in

HEIGHTS = {390: 844, 1280: 800, 1440: 900}
# Each way and each width meets each game once, with the whole games at 1280 pixels in the tests of each game.
WAYS = {
    "tunnel_1987": (("touch", 390), ("keyboard", 1440)),
    "carcassonne": (("touch", 390), ("mouse", 1440)),
    "eurotunnel": (("touch", 390), ("mouse", 1440)),
}
THINGS = "#board .target.legal:not(.aside), #strip button:not(.quiet):enabled"
COMFORT = 40  # pixels, of what a thumb presses

# Which of some things a press in their middle would reach.
REACHED = """(selector) => [...document.querySelectorAll(selector)].map((thing, i) => {
  const box = thing.getBoundingClientRect();
  const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return hit && thing.contains(hit) ? i : -1;
}).filter((i) => i >= 0)"""
# Controls that are smaller than a thumb; what stands in a label is pressed by it.
TIGHT = """(comfort) => {
  const within = document.querySelector("dialog[open]") ?? document.body;
  return [...within.querySelectorAll("button, select, summary, input[type=range], a, label.card, label.check, .eyes")].filter((control) => {
    const box = control.getBoundingClientRect();
    return control.checkVisibility() && !control.disabled && Math.min(box.width, box.height) < comfort - 0.5;
  }).map((control) => `${control.id} ${control.className} ${control.textContent}`);
}"""
# What a press changes: how far the game is, what is offered, what is begun, what is written.
SHOWN = """() => [
  ...["#where", "#strip", "#status", "#moves .written"].map((name) => document.querySelector(name)?.textContent),
  document.querySelectorAll("#board .chosen").length,
].join("|")"""


@pytest.fixture(scope="module")
def rooms(folder: Path) -> Rooms:
    """Those of a server whose games are short, each the only one of its kind."""
    rulesets = [load_ruleset(short) for short in ("tiny", test_carcassonne.SHORT)]
    rulesets.append(load_ruleset(test_eurotunnel.SHORT | {"name": "years"}))
    offers = Offers({one.name: one for one in rulesets}, Offers.of().agents, first="tiny")
    return Rooms(offers, folder)


class Hand:
    """Somebody who presses what can be seen, in one way only."""

    def __init__(self, page: Any, way: str) -> None:
        self.page, self.way = page, way

    def press(self, thing: Any) -> None:
        """Something of the page; a tap fails where it would reach something else."""
        if isinstance(thing, str):
            thing = self.page.locator(thing)
        if self.way == "touch":
            thing.tap()
        elif self.way == "mouse":
            thing.click()
        else:
            thing.focus()
            self.page.keyboard.press("Enter")

    def choose(self, card: Any) -> None:
        """A card of a dialog."""
        if self.way == "keyboard":
            card.locator("input").focus()
            self.page.keyboard.press(" ")
        else:
            self.press(card)

    def press_place(self, place: str) -> None:
        """A province of the map; one out of sight is brought there first."""
        if self.way == "keyboard":
            return self.press(f"#board [data-target='{place}']")
        at = point_in(self.page, place)
        if at is None:
            self.press("#board .zoom button:has-text('All')")
            at = point_in(self.page, place)
        assert at, f"{place} cannot be pressed"
        (self.page.touchscreen.tap if self.way == "touch" else self.page.mouse.click)(*at)

    def press_and_see(self, thing: Any) -> None:
        """Something that changes what is shown."""
        before = self.page.evaluate(SHOWN)
        self.press(thing)
        if self.page.locator("#together-dialog[open]").count():
            self.press("#together-dialog .main")
        self.page.wait_for_function(f"before => ({SHOWN})() !== before", arg=before)


def check_comfort(hand: Hand) -> None:
    """Every text can be read; nothing runs out of the page; a thumb has room on every control."""
    page = hand.page
    least, words = page.evaluate(SMALLEST)
    assert least >= 11, words
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if hand.way == "touch":
        assert page.evaluate(TIGHT, COMFORT) == []


def begin(hand: Hand, game: str) -> None:
    """From the first screen into a game of a known deal."""
    page = hand.page
    page.wait_for_selector("#welcome .play")
    check_comfort(hand)
    hand.press(f"#welcome .game[data-game={game}] .play")
    page.wait_for_selector("#new-dialog[open]")
    check_comfort(hand)
    hand.choose(page.locator("#side-choice .card").nth(1))
    hand.choose(page.locator("#level-choice .card").first)
    hand.press("#advanced summary")
    page.fill("#new-form [name=seed]", "4")
    hand.press("#new-start")
    page.wait_for_selector("#board svg")


def play_to_the_end(hand: Hand, game: str) -> None:
    """Press whatever can be pressed until nothing is left to decide."""
    page, questions = hand.page, set()
    for number in range(600):
        page.wait_for_selector(MINE_OR_OVER)
        if page.locator("#status.over").count():
            page.wait_for_selector("#end-dialog[open]")
            return check_comfort(hand)
        question = page.locator("#status").inner_text().split(":")[-1]
        if question not in questions:
            questions.add(question)
            check_comfort(hand)
        if game == "eurotunnel":
            write_and_send(hand, number)
        else:
            decide(hand, number)
    raise AssertionError("the game does not end")


def decide(hand: Hand, number: int) -> None:
    """One press on the board or below it."""
    page = hand.page
    lay = page.locator("#strip button.main")
    if lay.count():
        return hand.press_and_see(lay)
    things = page.locator(THINGS)
    reached = list(range(things.count())) if hand.way == "keyboard" else page.evaluate(REACHED, THINGS)
    assert reached, "nothing that may be done can be pressed"
    hand.press_and_see(things.nth(reached[number * 5 % len(reached)]))


def write_and_send(hand: Hand, number: int) -> None:
    """Orders for a phase: one that moves a unit in the first, later what is asked for."""
    page = hand.page
    if not number:
        row = page.locator("#moves .written .move")
        written = row.first.text_content()
        hand.press_place(str(written)[2:5])
        page.wait_for_selector("#board .chosen", state="attached")
        hand.press_and_see("#strip button:has-text('Hold')")
        assert row.first.text_content() != written
    while page.locator(f"#strip {SEND.split()[-1]}:disabled").count():
        legal = page.locator("#board .target.legal")
        before = page.evaluate(SHOWN)
        if legal.count():
            hand.press_place(legal.first.get_attribute("data-target"))
        else:
            hand.press(page.locator("#strip button:not(.quiet):not(.send)").first)
        page.wait_for_function(f"before => ({SHOWN})() !== before", arg=before)
    hand.press_and_see(SEND)


def review(hand: Hand) -> None:
    """What was played is judged; the worst of it is looked at."""
    page = hand.page
    hand.press("#end-review")
    page.wait_for_selector("#review:not(:has(#review-cancel)) .note:has-text('judged')")
    check_comfort(hand)
    faults = page.locator("#review .fault")
    if faults.count():
        hand.press(faults.first)
        page.wait_for_selector("#review .verdict")


@pytest.mark.parametrize(("game", "way", "width"), [(game, *way) for game in WAYS for way in WAYS[game]])
def test_a_whole_game_is_played_from_the_first_screen_to_the_rematch(
    open_page, game: str, way: str, width: int
) -> None:
    page = open_page(width=width, height=HEIGHTS[width], touch=way == "touch")
    hand = Hand(page, way)
    begin(hand, game)
    play_to_the_end(hand, game)
    review(hand)
    hand.press("#menu summary")
    check_comfort(hand)
    hand.press("#rematch")
    page.wait_for_selector("#status.yours")
    page.wait_for_selector("#menu:not([open])")
