"""Who sits at the table, on the page: names, links with their codes, spectators, at all widths."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pytest
from PIL import Image

from tests.table.helpers import keep_nothing, menu, start_game, to_new_game
from tests.table.test_browser import SMALLEST, link_to_the_second_seat, playwright

WIDTHS = ((1280, 900), (1440, 900), (390, 844))


def begin_tiles(page: Any, name: str = "") -> None:
    """Carcassonne of two people, one of them with a name."""
    to_new_game(page)
    page.fill("#new-form [name=called]", name)
    start_game(page, ruleset="carcassonne", seed="3", player_0="person", player_1="person")


def open_people(page: Any) -> None:
    menu(page, "#people")
    page.wait_for_selector("#people-dialog[open]")


def link_to_watch(page: Any) -> str:
    """What follows the address in the link of who only watches."""
    open_people(page)
    page.click("#people-watch")
    page.wait_for_selector("#people-code svg")
    return "#" + page.locator("#people-address").inner_text().split("#")[1]


def test_a_name_is_typed_once_and_stands_for_the_seat(open_page) -> None:
    page = open_page()
    begin_tiles(page, "Mary & Tom")
    page.wait_for_selector("#status:has-text('Mary & Tom')")
    page.wait_for_selector("#board h3:has-text('Mary & Tom')")
    page.reload()
    page.wait_for_selector("#board h3:has-text('Mary & Tom')")
    open_people(page)
    assert page.input_value("#people-list input >> nth=0") == "Mary & Tom", "kept in this browser"


def test_a_name_that_is_refused_is_told_beside_it_and_the_old_one_stays(open_page) -> None:
    page = open_page()
    begin_tiles(page, "Mary")
    open_people(page)
    page.fill("#people-list input >> nth=0", "<i>x</i>")
    page.keyboard.press("Enter")
    page.wait_for_selector("#people-error:has-text('<')")
    assert page.input_value("#people-list input >> nth=0") == "Mary"
    page.fill("#people-list input >> nth=1", "Zoë")
    page.keyboard.press("Enter")
    page.wait_for_selector("#board h3:has-text('Zoë')")
    assert page.locator("#people-error").is_hidden()


@pytest.mark.parametrize(("width", "height"), WIDTHS)
def test_a_seat_is_given_away_with_a_code_and_its_link_is_found_again(open_page, width, height) -> None:
    page = open_page(width=width, height=height)
    begin_tiles(page, "Mary")
    link = link_to_the_second_seat(page)
    open_people(page)
    assert page.evaluate("document.activeElement.id") == "people-title", "no field: no keyboard"
    page.click("#people-list button:has-text('Link again')")
    code = page.locator("#people-code svg")
    code.wait_for()
    box = code.bounding_box()
    assert 140 < box["width"] <= width and box["width"] == pytest.approx(box["height"])
    assert page.evaluate(SMALLEST)[0] >= 11
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    guest = open_page(link, width=width, height=height)
    guest.wait_for_selector("#board svg")
    assert guest.locator("#viewer").input_value() == "player_1"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_code_of_a_link_is_read_from_the_screen_of_a_phone(open_page, theme: str) -> None:
    reader = pytest.importorskip("zxingcpp", reason="zxing-cpp is not installed")
    page = open_page(width=390, height=844, touch=True)
    page.emulate_media(color_scheme=theme)
    begin_tiles(page)
    link_to_the_second_seat(page)
    open_people(page)
    page.click("#people-list button:has-text('Link again')")
    page.wait_for_selector("#people-code svg")
    link = page.locator("#people-address").inner_text()
    shown = Image.open(io.BytesIO(page.screenshot()))  # all of the window, at its own size
    assert [found.text for found in reader.read_barcodes(shown)] == [link]


@pytest.mark.parametrize(("width", "height"), WIDTHS)
def test_who_watches_is_told_so_and_counted(open_page, width, height) -> None:
    page = open_page(width=width, height=height)
    begin_tiles(page)
    watcher = open_page(link_to_watch(page), width=width, height=height)
    watcher.wait_for_selector("#watching:has-text('You watch')")
    assert watcher.locator("#board .target.legal, #moves .move").count() == 0
    watcher.click("#menu summary")
    for name in ("undo", "restart", "lay-open"):
        assert watcher.locator(f"#{name}").is_disabled()
    page.wait_for_selector("#people-watching:has-text('Watching: 1 without a name')")
    page.click("#people-dialog button.main")
    page.wait_for_selector("#watching:has-text('1 watching')")
    assert page.locator("#status.yours").count(), "though it is this person's move and nothing happens"
    watcher.fill("#who-name", "Zoë")
    watcher.keyboard.press("Enter")
    watcher.wait_for_selector("#who", state="hidden")
    page.wait_for_selector("#watching[title='Zoë']")
    assert page.evaluate(SMALLEST)[0] >= 11


@pytest.mark.parametrize("width", [360, 390])
def test_all_of_the_bar_is_in_sight_of_who_watches_on_a_phone(open_page, width: int) -> None:
    """With one word more than a player has, and in a long game."""
    page = open_page(width=width, height=844, touch=True)
    begin_tiles(page)
    page.locator("#moves .move").first.click()
    page.wait_for_selector("#where:not(:empty)")
    watcher = open_page(link_to_watch(page), width=width, height=844, touch=True)
    watcher.wait_for_selector("#watching:has-text('You watch')")
    watcher.wait_for_selector("#where:visible")
    watcher.evaluate("document.querySelector('#where').textContent = '286 / 286'")
    reach = "one => [one.getBoundingClientRect().right, one.getBoundingClientRect().height]"
    right, height = watcher.locator("#where").evaluate(reach)
    assert right <= width and height < 30, "on one line"


# --- who comes by a link --------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), WIDTHS)
def test_who_comes_by_a_link_without_a_name_is_asked_for_one_beside_the_board(open_page, width, height) -> None:
    page = open_page(width=width, height=height)
    begin_tiles(page, "Mary")
    assert page.locator("#who").is_hidden(), "who sets the game up was asked there"
    guest = open_page(link_to_the_second_seat(page), width=width, height=height, touch=width == 390)
    guest.wait_for_selector("#who:has-text('You are Bruno. Your name?')")
    assert guest.evaluate("document.activeElement === document.body"), "nothing is in the way"
    assert guest.evaluate("document.documentElement.scrollWidth") <= width
    guest.fill("#who-name", "<i>")
    guest.click("#who button.main")
    guest.wait_for_selector("#who-error:has-text('<')")
    guest.fill("#who-name", "Tom")
    guest.click("#who button.main")
    guest.wait_for_selector("#who", state="hidden")
    page.wait_for_selector("#board h3:has-text('Tom')")
    guest.reload()
    guest.wait_for_selector("#board h3:has-text('Tom')")
    assert guest.locator("#who").is_hidden()


def test_who_does_not_say_a_name_is_not_asked_again(open_page) -> None:
    page = open_page()
    begin_tiles(page)
    guest = open_page(link_to_the_second_seat(page))
    guest.click("#who-away")
    guest.reload()
    guest.wait_for_selector("#board svg")
    assert guest.locator("#who").is_hidden()


# --- giving up ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [
        ("standard", {"britain": "person", "france": "random"}),
        ("carcassonne", {"player_0": "person", "player_1": "random"}),
        ("eurotunnel", {}),
    ],
)
@pytest.mark.parametrize("width", [1280, 390])
def test_a_game_is_resigned_after_a_question_only(open_page, ruleset, seats, width) -> None:
    page = open_page(width=width, height=844)
    start_game(page, ruleset=ruleset, seed="3", **seats)
    page.wait_for_selector("#status.yours")
    menu(page, "#resign")
    page.wait_for_selector("#resign-dialog[open]")
    page.keyboard.press("Enter")  # the button that has the focus plays on
    page.wait_for_selector("#resign-dialog", state="hidden")
    page.wait_for_selector("#status.yours")
    menu(page, "#resign")
    assert page.evaluate(SMALLEST)[0] >= 11
    page.click("#resign-yes")
    page.wait_for_selector("#end-dialog[open] #end-title:has-text('You resigned')")
    assert "resigned" in page.locator("#status").inner_text()
    page.click("#end-dialog .cancel")
    page.click("#menu summary")
    assert page.locator("#resign").is_disabled() and page.locator("#rematch").is_visible()
    page.click("#rematch")
    page.wait_for_selector("#status.yours")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_game_is_resigned_while_the_rival_thinks_and_the_rematch_begins(open_page, width: int) -> None:
    page = open_page(width=width, height=844, touch=width == 390)
    held = HeldQuestion(page, "step")
    start_game(page, ruleset="tiny", seed="3", britain="random", france="person")
    held.wait()
    menu(page, "#resign")
    page.click("#resign-yes")
    page.wait_for_selector("#end-dialog[open] #end-title:has-text('You resigned')")
    assert "thinking" not in page.locator("#status").inner_text()
    page.click("#end-rematch")
    page.wait_for_selector("#status:has-text('You are France')")
    held.let_go()
    assert page.locator("#status.yours").count() and page.locator("#refusal").is_hidden()


@pytest.mark.parametrize("asked", ["step", "play"])
def test_an_answer_of_the_game_before_is_not_shown_in_the_next(open_page, asked: str) -> None:
    page = open_page()
    sides = ("random", "person") if asked == "step" else ("person", "random")
    held = HeldQuestion(page, asked)
    start_game(page, ruleset="tiny", seed="3", britain=sides[0], france=sides[1])
    if asked == "play":
        page.locator("#moves .move").first.click()
    held.wait()
    page.click("#new-game")
    page.select_option("#new-form [name=britain]", "person", force=True)
    page.click("#new-start")
    page.wait_for_selector("#new-dialog", state="hidden")
    held.let_go()
    assert page.locator("#where").text_content() == "0 / 0"


class HeldQuestion:
    """The first question of a kind that a page asks waits until it is let go; later ones do not."""

    def __init__(self, page: Any, kind: str) -> None:
        self.page, self.route = page, None
        page.route(f"**/{kind}*", self.hold)

    def hold(self, route: Any) -> None:
        if self.route is None:
            self.route = route
        else:
            route.continue_()

    def wait(self) -> None:
        """Until it is asked."""
        while self.route is None:
            self.page.wait_for_timeout(5)

    def let_go(self) -> None:
        """It is answered now, unless the page wants it no more."""
        with contextlib.suppress(playwright.Error):
            self.route.continue_()
            self.route.request.response()
        self.page.wait_for_timeout(100)  # for the page to show it


# --- sound ----------------------------------------------------------------------------------------

COUNTED = """
window.notes = [];
window.AudioContext = class {
  constructor() { this.state = "running"; this.currentTime = 0; this.destination = null; }
};
window.GainNode = class {
  constructor() {
    this.gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  }
  connect(to) { return to; }
};
window.OscillatorNode = class {
  constructor(_, { frequency }) { window.notes.push(frequency); }
  connect(to) { return to; }
  start() {}
  stop() {}
};
"""


def test_sounds_are_heard_once_they_are_switched_on(open_page, address) -> None:
    page = open_page()
    page.add_init_script(COUNTED)
    page.goto(address)
    start_game(page, ruleset="standard", seed="3", britain="person", france="random")
    play_past_the_rival(page)
    assert page.evaluate("notes") == [], "off by default"
    page.click("#menu summary")
    page.check("#sound")
    assert page.evaluate("notes.splice(0)"), "as an example"
    page.keyboard.press("Escape")
    play_past_the_rival(page)
    assert page.evaluate("notes.splice(0)")[-2:] == [660, 880], "one's own turn has come"
    page.reload()
    page.wait_for_selector("#board svg")
    assert page.is_checked("#sound") and page.evaluate("notes") == [], "kept, and nothing is new"
    page.goto(address)
    start_game(page, ruleset="standard", seed="3", britain="random", france="random")
    page.wait_for_function("() => notes.includes(520)")  # each decision of others


def play_past_the_rival(page: Any) -> None:
    """Play until a rival's turn has come and gone."""
    while True:
        before = int(page.locator("#where").inner_text().split("/")[0])
        page.wait_for_selector("#status.yours")
        page.locator("#moves .move").first.click()
        keep_nothing(page)
        page.wait_for_function("n => parseInt(document.querySelector('#where').innerText) > n", arg=before)
        page.wait_for_selector("#status.yours")
        if int(page.locator("#where").inner_text().split("/")[0]) > before + 2:
            return
