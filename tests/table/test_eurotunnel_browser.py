"""Eurotunnel Diplomacy's page in a real browser: two years by clicks, and by the list with the keyboard."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games.eurotunnel.board.theme import solid_colours
from tests.table.helpers import menu, moved, take_up, to_new_game
from tests.table.test_browser import (
    MAINS,
    MINE_OR_OVER,
    OVER_EACH_OTHER,
    SMALLEST,
    link_to_the_second_seat,
    press_forth_in_vain,
    stops_of,
)
from tests.table.test_eurotunnel import SHORT

SEND = "#strip button.send"
UNIT = "#board .target.legal"


@pytest.fixture(scope="module")
def rooms(folder: Path) -> Rooms:
    """Those of a server with a game of two years."""
    offers = Offers.of(["eurotunnel"])
    offers.rulesets["short"] = load_ruleset(SHORT)
    return Rooms(offers, folder)


def start(page: Any, side: str = "france", rival: str = "dumb", **seats: str) -> None:
    """A game of a person against six agents, or with others in some seats."""
    to_new_game(page)
    page.eval_on_selector("#advanced", "fold => { fold.open = true; }")
    page.select_option("#new-form [name=ruleset]", "short")
    page.locator(f"#side-choice input[value={side}]").check(force=True)
    page.locator(f"#level-choice input[value={rival}]").check(force=True)
    for seat, holder in seats.items():
        page.select_option(f"#new-form [name={seat}]", holder)
    page.click("#new-start")
    page.wait_for_selector("#status.yours")


@pytest.fixture
def open_game(open_page: Any) -> Callable[..., Any]:
    """Opens a page at a new game, as `start` begins one."""

    def open_one(side: str = "france", rival: str = "dumb", **window: Any) -> Any:
        page = open_page(**window)
        start(page, side, rival)
        return page

    return open_one


def click_on(page: Any, place: str) -> None:
    """A click on a province."""
    at = point_in(page, place)
    assert at, f"{place} cannot be clicked"
    page.mouse.click(*at)


def point_in(page: Any, place: str) -> list[float] | None:
    """Where a press reaches a province, whatever lies on top of it; None: nowhere in sight."""
    found: list[float] | None = page.evaluate(
        """place => {
          const map = document.querySelector("svg.map"), group = map.querySelector(`[data-target='${place}']`);
          const path = group.querySelector("path"), box = path.getBBox();
          for (let step = 0; step < 400; step += 1) {
            const x = box.x + box.width * ((step % 20) + 0.5) / 20, y = box.y + box.height * (Math.floor(step / 20) + 0.5) / 20;
            const point = new DOMPoint(x, y);
            if (!path.isPointInFill(point)) continue;
            const seen = point.matrixTransform(path.getScreenCTM());
            if (document.elementFromPoint(seen.x, seen.y)?.closest("[data-target]") === group) return [seen.x, seen.y];
          }
          return null;
        }""",
        place,
    )
    return found


# Provinces whose name or unit stands below the buttons of the map.
COVERED = """() => {
  const zoom = document.querySelector("#board .zoom").getBoundingClientRect();
  const isBelow = (box) => box.right > zoom.left && box.left < zoom.right && box.bottom > zoom.top && box.top < zoom.bottom;
  return [...document.querySelectorAll("#board svg.map text")].filter((t) => isBelow(t.getBoundingClientRect())).map((t) => t.textContent);
}"""


# How many powers have no room for two digits.
TOO_NARROW = """() => [...document.querySelectorAll(".powers .power")].filter((power) => {
  const count = power.querySelector("b");
  count.textContent = "18";
  return count.getBoundingClientRect().right > power.getBoundingClientRect().right - 2;
}).length"""


# How far down the map reaches.
SOUTHERN_EDGE = """() => Math.max(...[...document.querySelectorAll("svg.map .target")].map((one) => one.getBoundingClientRect().bottom))"""


def row(page: Any, words: str) -> Any:
    begins = re.compile(rf"^\s*{re.escape(words)}")
    return page.locator("#moves .written li").filter(has_text=begins)


def send(page: Any) -> None:
    """Send what is written, and wait for the next question or the end."""
    before = page.locator("#status").inner_text()
    page.click(SEND)
    page.wait_for_function("was => document.querySelector('#status').innerText !== was", arg=before)
    page.wait_for_selector(MINE_OR_OVER)


def order(page: Any, unit: str, goal: str) -> None:
    """A move, by clicks."""
    click_on(page, unit)
    page.wait_for_selector(f"#status:has-text('{unit}: where to?')")
    click_on(page, goal)
    page.locator("#moves .written .move", has_text=re.compile(rf"^[AF] {unit} - {goal}$")).wait_for()


def to_the_first_winter(page: Any) -> None:
    """France takes Spain and Portugal, and may build in two of its three homes, which are empty; all others hold."""
    others = ("austria", "england", "germany", "italy", "russia", "turkey")
    start(page, **dict.fromkeys(others, "hold"))
    for unit, goal in (("MAR", "SPA"), ("BRE", "MAO"), ("PAR", "PIC")):
        order(page, unit, goal)
    send(page)
    order(page, "MAO", "POR")
    send(page)
    page.wait_for_selector("#status:has-text('Winter 1901')")


def to_the_winter_step(page: Any) -> None:
    """The step of the guided game that asks for a build, with nothing written."""
    page.click("#welcome .game[data-game=eurotunnel] .learn")
    for number in range(1, 11):
        page.wait_for_selector(f"#coach-step:has-text('step {number} of')")
        page.click("#coach-next")
    page.wait_for_selector("#coach-step:has-text('step 11 of')")


def test_sending_is_the_main_action_once_nothing_is_left_to_write(open_game) -> None:
    page = open_game()
    assert page.locator("#about").inner_text() == "Two years", "the line begins with the title"
    assert page.locator("button.send").count() == 1 and page.evaluate(MAINS) == []
    for unit, goal in (("MAR", "SPA"), ("BRE", "MAO")):
        order(page, unit, goal)
        assert page.evaluate(MAINS) == []
    order(page, "PAR", "PIC")
    assert page.evaluate(MAINS) == ["Send"]


def test_in_winter_the_page_says_how_many_builds_are_due(open_page) -> None:
    page = open_page()
    to_the_first_winter(page)
    page.wait_for_selector("#status:has-text('2 units to build')")
    assert page.locator(SEND).inner_text() == "Send no orders" and page.evaluate(MAINS) == []
    click_on(page, "PAR")
    row(page, "Build an army in Paris").wait_for()  # no fleet can be there, so nothing is asked
    page.wait_for_selector("#status:has-text('1 unit to build')")
    assert page.locator(SEND).inner_text() == "Send: 1 more could be built" and page.evaluate(MAINS) == []
    click_on(page, "BRE")
    page.click("#strip button:has-text('Fleet')")
    row(page, "Build a fleet in Brest").wait_for()
    assert page.evaluate(MAINS) == ["Send"]


def test_a_clicked_support_out_of_reach_and_a_typed_order_are_refused_in_the_same_words(open_game) -> None:
    page = open_game("austria")
    click_on(page, "VIE")
    page.click("#strip button:has-text('Support')")
    click_on(page, "BUD")
    click_on(page, "SER")
    page.wait_for_selector("#refusal-text:has-text('A VIE does not reach SER, so it cannot support there')")
    page.fill(".lines input", "A BUD - MOS")
    page.keyboard.press("Enter")
    page.wait_for_selector("#refusal-text:has-text('A BUD - MOS: no border that the unit can cross leads there')")
    assert "S1901M" not in page.locator("#refusal-text").inner_text()


def test_a_unit_that_can_be_chosen_lies_above_its_mark(open_game) -> None:
    """Own units are as bright as the others."""
    page = open_game()
    for kind in ("legal", "chosen"):
        above = page.evaluate(
            """kind => {
          const follows = (one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
          const rings = [...document.querySelectorAll(`svg.map .ring.${kind}`)];
          const units = [...document.querySelectorAll("svg.map > :is([class^='unit'], [class^='owner'], [class$='code'])")];
          return rings.length && units.length && rings.every((ring) => units.every((unit) => follows(ring, unit)));
        }""",
            kind,
        )
        assert above, kind
        click_on(page, "PAR")


def test_sending_is_no_main_action_while_the_guided_game_asks_for_an_order(open_page) -> None:
    """What it shows lies above what can be clicked."""
    page = open_page()
    page.click("#welcome .game[data-game=eurotunnel] .learn")
    for number in range(2, 4):
        page.click("#coach-next")
        page.wait_for_selector(f"#coach-step:has-text('step {number} of')")
    for written, unit in enumerate(("MAR", "BRE", "PAR")):
        page.wait_for_selector(f"#tab-moves:has-text('Orders {written}/3')")
        click_on(page, unit)
        if unit == "MAR":
            assert page.locator("svg.map .ring.shown + .ring:not(.shown)").count() == 0
        page.click("#strip button:has-text('Hold')")
    page.wait_for_selector(f"{SEND}:text-is('Send')")
    assert page.evaluate(MAINS) == []


def test_a_winter_without_a_build_is_over_for_the_guided_game(open_page) -> None:
    page = open_page()
    to_the_winter_step(page)
    assert page.evaluate(MAINS) == []
    page.wait_for_selector("#coach-note:has-text('Press Send')")
    for _ in range(8):
        if "1902" in page.locator("#status").inner_text():
            break
        send(page)
        page.wait_for_selector("#status.yours")
    assert "Winter 1901 is over" in page.locator("#coach-note").inner_text()
    assert page.evaluate(MAINS) == ["Next"]


def test_the_guided_game_asks_for_what_is_missing_before_it_is_sent(open_page) -> None:
    """As in a retreat, where nothing can be sent until it is answered."""
    page = open_page()

    def with_a_retreat(route: Any) -> None:
        answer = route.fetch()
        view = answer.json()
        if view.get("draft"):
            view["question"], view["draft"]["missing"] = "Fall 1901: retreats", ["A MAR"]
        route.fulfill(response=answer, json=view)

    page.route("**/api/games/*?*", with_a_retreat)
    to_the_winter_step(page)
    page.wait_for_selector("#coach-note:has-text('Answer for A MAR')")
    assert page.evaluate(MAINS) == []


def test_an_order_is_changed_before_it_is_sent_and_an_arrow_does_not_stop_the_others(open_game) -> None:
    page = open_game()
    press_forth_in_vain(page)
    assert page.locator(UNIT).count() == 3
    order(page, "PAR", "BUR")
    click_on(page, "PAR")
    page.click("#strip button:has-text('Support')")
    click_on(page, "MAR")
    click_on(page, "BUR")
    row(page, "A PAR S A MAR - BUR").wait_for()
    assert row(page, "A PAR - BUR").count() == 0, "the order is changed"
    for unit, goal in (("MAR", "BUR"), ("BRE", "MAO")):
        order(page, unit, goal)
    page.keyboard.press("u")
    page.wait_for_selector("#moves .written li:has-text('F BRE: nothing written')")
    send(page)
    told = page.locator("#news").inner_text()
    assert "Spring 1901" in told and "A PAR S A MAR - BUR" in told and "Turkey" in told
    page.click("#tab-log")
    page.wait_for_selector("#log .phase [aria-current]:has-text('Spring 1901')")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_guided_game_is_played_left_and_taken_up(open_page, width: int) -> None:
    page = open_page(width=width, height=844, touch=width == 390)
    page.click("#welcome .game[data-game=eurotunnel] .learn")
    page.wait_for_selector("#coach-step:has-text('step 1 of')")
    steps = int(page.locator("#coach-step").inner_text().split()[-1])
    tried = 0
    for number in range(1, steps + 1):
        page.wait_for_selector(f"#coach-step:has-text('step {number} of')")
        page.wait_for_selector("#status.yours")
        if number == 5:
            page.click("#coach-leave")
            take_up(page, 5)
        is_to_be_sent = page.locator("#coach-note").inner_text().startswith("Press Send")
        marked = "#strip button.hinted:has-text('Send')" if is_to_be_sent else "#board .ring.shown"
        assert page.locator(marked).count(), f"step {number} points at what is to be pressed"
        if width == 390:
            end = page.evaluate(SOUTHERN_EDGE)
            assert end >= page.locator("#coach").bounding_box()["y"] - 2, "no void above the card"
        if number == 5:
            assert page.locator("#board .ring.shown").count() == 1, "Belgium can be pressed once Dig is chosen"
        if page.locator("#coach-next").inner_text() == "Skip":
            do_as_advised(page)
            tried += 1
        if number == 5:
            told = page.locator("#moves .note").text_content()
            assert "BT digs a tunnel to" in told and "~" not in told, "what the written signs mean, and no others"
        page.click("#coach-next")
    page.wait_for_selector("#coach", state="hidden")
    assert tried == 8 and page.locator("#status.yours").count(), "the game goes on"


def do_as_advised(page: Any) -> None:
    """Write what the card says, or send until there is something to write or nothing is left to do."""
    note = page.locator("#coach-note")
    while not (told := note.inner_text()).startswith("Well done"):
        before = told, page.locator("#status").inner_text()
        if told.startswith("Try this: "):
            unit, _, words = told.removeprefix("Try this: ")[:-1].rpartition(": ")
            with pulled_drawer(page):
                if unit:
                    row(page, unit).locator(".move").click()
                    before = told, page.locator("#status").inner_text()  # asks where the unit goes
                page.locator("#moves .options .move", has_text=re.compile(f"^{words}$")).click()
        else:
            assert told.startswith("Press Send.")
            page.click(SEND)
        page.wait_for_function(
            "was => document.querySelector('#coach-note').innerText !== was[0]"
            " || document.querySelector('#status').innerText !== was[1]",
            arg=before,
        )
        page.wait_for_selector("#status.yours")


@contextlib.contextmanager
def pulled_drawer(page: Any) -> Iterator[None]:
    """On a phone the list is pulled over the map, and the card of the guided game, and down again."""
    is_phone = page.locator("#drawer").is_visible()
    if is_phone:
        page.click("#drawer")
    yield
    if is_phone:
        page.click("#drawer")


def test_what_is_begun_goes_on_when_only_others_have_written_and_can_be_written_once_more(open_game) -> None:
    page = open_game()
    row(page, "A PAR").locator(".move").click()
    answers = page.locator("#moves .options .move")
    answers.first.wait_for()
    offered = answers.all_inner_texts()
    page.evaluate("() => import('./static/table/asking.js').then(({ look }) => look())")
    assert answers.all_inner_texts() == offered
    page.locator("#moves .options .move[data-action='* - BUR']").click()
    row(page, "A PAR - BUR").wait_for()
    row(page, "A PAR").locator(".move").click()
    with page.expect_response(lambda answer: "/write" in answer.url):
        page.locator("#moves .options .move[data-action='* - BUR']").click()
    row(page, "A PAR - BUR").wait_for()
    page.wait_for_selector(SEND)


def test_orders_are_typed_and_what_is_refused_stays_to_be_mended(open_game) -> None:
    page = open_game()
    page.fill(".lines input", "par-bur, F BRE - XYZ, mar s Paris to Burgundy")
    page.keyboard.press("Enter")
    row(page, "A PAR - BUR").wait_for()
    row(page, "A MAR S A PAR - BUR").wait_for()
    assert "no place 'XYZ'" in page.locator("#refusal-text").inner_text()
    field = page.locator(".lines input")
    assert field.input_value() == "F BRE - XYZ"
    field.fill("F BRE hold")
    field.press("Enter")
    row(page, "F BRE H").wait_for()
    page.wait_for_function("() => document.activeElement.name === 'lines'")
    assert field.input_value() == "" and not page.locator("#refusal-text").is_visible()


def test_two_years_are_played_by_the_list_with_the_keyboard(open_game) -> None:
    page = open_game("turkey", "lively")
    for phases in range(14):
        page.wait_for_selector(MINE_OR_OVER)
        if page.locator("#status.over").count():
            break
        missing = page.locator(f"{SEND}:disabled").count()
        if missing or (phases == 0 and page.locator("#moves .written .open").count() == 3):
            before = page.locator("#moves .written").inner_text()
            if page.locator("#moves .written .open").count():
                page.locator("#moves .written .open").first.focus()
                page.keyboard.press("Enter")
            page.locator("#moves .options .move").first.focus()
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
            page.wait_for_function("was => document.querySelector('#moves .written').innerText !== was", arg=before)
            continue
        before = page.locator("#status").inner_text()
        page.locator(SEND).focus()
        page.keyboard.press("Enter")
        page.wait_for_function("was => document.querySelector('#status').innerText !== was", arg=before)
    page.wait_for_selector("#end-dialog[open]")
    assert "1902" in page.locator("#end-why").inner_text()
    assert "Shares" in page.locator("#end-points").inner_text()


def test_of_two_people_one_takes_sent_orders_back_while_the_other_writes(open_page, address) -> None:
    page = open_page()
    start(page, england="person")
    guest = open_page(link_to_the_second_seat(page))
    guest.wait_for_selector("#status.yours")
    order(guest, "PAR", "BUR")
    guest.click(SEND)
    guest.wait_for_selector("#moves h2:has-text('Sent: waiting')")
    guest.click("#moves button:has-text('Take back')")
    guest.wait_for_selector(f"{SEND}:enabled")
    row(guest, "A PAR - BUR").wait_for()
    guest.click(SEND)
    page.click(SEND)
    page.wait_for_selector("#news:has-text('A PAR - BUR')")


def test_on_a_phone_the_orders_are_a_drawer_over_the_map(open_game) -> None:
    page = open_game(width=390, height=844)
    drawer, window = page.locator(".side"), page.locator("#board .view")
    strip = page.locator("#strip").bounding_box()
    whole, closed = window.bounding_box(), drawer.bounding_box()
    assert page.evaluate("document.documentElement.scrollHeight") <= 844, "nothing to scroll"
    assert whole["height"] >= 500, "the map has most of the window"
    assert whole["y"] + whole["height"] <= closed["y"] and page.locator("#moves").is_hidden()
    assert closed["y"] + closed["height"] <= strip["y"]
    assert page.evaluate(OVER_EACH_OTHER) == []
    assert page.locator("#tab-moves").inner_text() == "Orders 0/3"
    page.click("#tab-moves")
    row(page, "A PAR").click()
    page.locator("#moves .options .move:has-text('Burgundy')").first.click()
    row(page, "A PAR - BUR").wait_for()
    opened = drawer.bounding_box()
    assert page.locator("#tab-moves").inner_text() == "Orders 1/3"
    assert opened["height"] > closed["height"] + 100
    assert opened["y"] > whole["y"] + 100, "part of the map stays in sight"
    assert opened["y"] + opened["height"] <= strip["y"]
    assert window.bounding_box() == whole, "over the map, which stays where it is"
    page.click("#drawer")
    assert drawer.bounding_box() == closed
    click_on(page, "MAR")
    page.wait_for_selector("#strip button:has-text('Support')")
    page.click("#strip button:has-text('Hold')")
    page.wait_for_selector("#tab-moves:has-text('Orders 2/3')")
    assert page.evaluate(TOO_NARROW) == 0, "a power of two digits has room for both"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_powers_have_the_colours_of_the_map_in_the_list_of_people(open_page, theme) -> None:
    """France too, which another game has in another colour."""
    page = open_page()
    page.emulate_media(color_scheme=theme)
    start(page)
    menu(page, "#people")
    page.wait_for_selector("#people-dialog[open]")
    of_the_map = solid_colours(theme)
    for power in ("austria", "england", "france"):
        edge = page.eval_on_selector(f"#people-list li.{power}", "line => getComputedStyle(line).borderLeftColor")
        assert tuple(map(int, re.findall(r"\d+", edge))) in of_the_map, power
    line = page.wait_for_selector("#people-list li.england")
    page.evaluate("() => import('./static/table/asking.js').then(({ lookAround }) => lookAround())")
    assert line.evaluate("line => line.isConnected"), "the list is left as it is while nothing is new"


def test_on_a_phone_what_was_told_of_a_place_goes_when_something_is_done(open_game) -> None:
    """It lies over the drawer of the orders."""
    page = open_game(width=390, height=844, touch=True)
    click_on(page, "LON")
    page.wait_for_selector("#rule.shown")
    click_on(page, "PAR")
    page.wait_for_selector("#rule:not(.shown)", state="attached")
    page.keyboard.press("Escape")
    click_on(page, "LON")
    page.wait_for_selector("#rule.shown")
    send(page)
    assert not page.locator("#rule.shown").count()


@pytest.mark.parametrize("size", [(390, 844), (1280, 800), (1440, 900)])
def test_the_map_has_its_place_and_every_text_can_be_read_however_far_it_is(open_game, size) -> None:
    page = open_game(width=size[0], height=size[1])
    least, words = page.evaluate(SMALLEST)
    assert least >= 11, words
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "no sideways scrolling"
    box = page.locator("#board [data-target='PAR']").bounding_box()
    assert min(box["width"], box["height"]) >= 30
    for part in (SEND, "#board .power.mine", "#board .zoom"):
        assert page.locator(part).first.is_visible()
    whole = page.locator("svg.map").get_attribute("viewBox")
    page.click("#board .zoom button:has-text('+')")
    assert page.locator("svg.map").get_attribute("viewBox") != whole
    page.click("#board .zoom button:has-text('All')")
    assert page.evaluate(COVERED) == []
    box = page.locator("#board .view").bounding_box()
    for place in ("NAO", "SYR"):
        seen = page.locator(f"#board [data-target='{place}']").bounding_box()
        assert seen["x"] >= box["x"] - 1 and seen["x"] + seen["width"] <= box["x"] + box["width"] + 1
    for button in ("All", "\u2212"):
        page.click(f"#board .zoom button:has-text('{button}')")
        least, words = page.evaluate(SMALLEST)
        assert least >= 11, words
    assert "svg" not in stops_of(page), "the keyboard stops only where something can be done"


def test_orders_are_reviewed_once_nothing_is_hidden(open_game) -> None:
    page = open_game(width=390, height=844)
    page.click("#drawer")
    page.click("#tab-analysis")
    page.wait_for_selector("#review:has-text('waits for the end of the game')")
    assert page.locator("#review-start").count() == 0
    for _ in range(2):
        page.wait_for_selector(SEND)
        with moved(page):
            page.click(SEND)
    menu(page, "#lay-open")
    page.wait_for_selector("#review-start")
    page.click("#review-start")
    page.wait_for_selector("#review:not(:has(#review-cancel)) .note:has-text('2 phases judged')")
    assert "Club player writes orders" in page.locator("#review .judged-by").inner_text()
    page.keyboard.press("Home")
    page.wait_for_selector("#review .verdict:has-text('would have ordered')")
    assert "16 guesses" in page.locator("#review .verdict").inner_text()
