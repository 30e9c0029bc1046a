"""The page in a real browser."""

from __future__ import annotations

import json
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_env.records.record import read_records, write_records
from tests.table.conftest import PATIENCE
from tests.table.helpers import (
    decide,
    hold,
    keep_nothing,
    menu,
    moved,
    open_lesson,
    random_game,
    start_game,
    take_up,
    to_new_game,
)

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
LEGAL = "#board .target.legal, #strip button:not(.quiet)"
MINE_OR_OVER = "#status.yours, #status.over"
# What stands out as the thing to do: buttons in the colour of the main action, wherever they are.
MAINS = """() => {
  const probe = document.createElement("button");
  probe.className = "main";
  document.body.append(probe);
  const colour = getComputedStyle(probe).backgroundColor;
  probe.remove();
  const open = document.querySelector("dialog[open]") ?? document.body;
  return [...open.querySelectorAll("button")]
    .filter((one) => one.checkVisibility() && !one.disabled && getComputedStyle(one).backgroundColor === colour)
    .map((one) => one.innerText);
}"""
# What people ask for in their own words, and the section that answers.
SEARCHED = {"TBM": "goal", "undo": "handling", "How do I win?": "goal"}


@pytest.fixture(scope="module")
def rooms(folder: Path) -> Rooms:
    """Those of a server with the records of a report."""
    records = folder / "report.jsonl"
    write_records(records, [random_game("tiny", seed).record() for seed in (1, 2)])
    return Rooms(Offers.of(records=[records]), folder)


def click_one(page: Any, number: int) -> None:
    """Click one of the things that can be clicked now, on the board or below it."""
    legal = page.locator(LEGAL)
    legal.nth(number % legal.count()).click()
    keep_nothing(page)


def stops_of(page: Any, most: int = 80) -> list[str]:
    """The kinds of elements at which the Tab key stops, from the beginning of the page on."""
    page.evaluate("document.activeElement.blur()")
    found: list[str] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        found.append(page.evaluate("document.activeElement.localName"))
    return found


def wait_for(page: Any, *held: list[Any]) -> None:
    """Wait until each list has something in it: what a route has held back or asked for."""
    while not all(held):
        page.wait_for_timeout(5)


def play_until_the_rival_thinks(page: Any) -> None:
    while not page.locator("#status:has-text('is thinking')").count():
        decide(page)


def link_to_the_second_seat(page: Any) -> str:
    """What follows the address in the link that the host gives away."""
    menu(page, "#people")
    page.click("#people-list button")
    page.wait_for_selector("#people-code svg")
    link = re.search(r"#game=\S+", page.locator("#people-address").inner_text())
    page.click("#people-dialog button.main")
    assert link
    return link[0]


def play_to_the_end(page: Any) -> int:
    """Click until the game is over; returns the clicks."""
    for clicks in range(2000):
        page.wait_for_selector(MINE_OR_OVER)
        if page.locator("#status.over").count():
            page.wait_for_selector("#end-dialog[open]")
            return clicks
        before = page.locator("#where").inner_text(), page.locator("#board .chosen").count()
        click_one(page, clicks * 5)
        wait_for_change(page, before)
    raise AssertionError("the game does not end")


def wait_for_change(page: Any, before: tuple[str, int]) -> None:
    """Until the click has done something; a refusal would be a bug of the rings."""
    stop = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < stop:
        if (page.locator("#where").inner_text(), page.locator("#board .chosen").count()) != before:
            return
        assert page.locator("#refusal").is_hidden(), page.locator("#refusal-text").inner_text()
        page.wait_for_timeout(5)
    raise AssertionError("a click on something legal did nothing")


def test_a_whole_game_is_played_by_clicking_replayed_and_forked(open_game, folder, tmp_path) -> None:
    page = open_game(seed="4")
    # What the line is joined from may be empty; what another game said does not stay.
    assert re.match("Round 1 . A tiny", page.locator("#about").inner_text())
    assert play_to_the_end(page) > 10
    result = page.locator("#status").inner_text()
    assert re.match(r"(Britain|France) wins|A draw", result)
    assert re.match("You (won|lost)|A draw", page.locator("#end-title").inner_text())
    page.click("#end-review")
    page.wait_for_selector("#where:has-text('0 / ')")
    assert page.locator("#analysis").is_visible()
    page.keyboard.press("End")
    page.wait_for_selector("#status.over")
    assert not page.locator("#end-dialog[open]").count(), "shown once"
    *_, record = read_records(folder / "records.jsonl")

    with page.expect_download() as download:
        menu(page, "#save-record")
    saved = tmp_path / "game.jsonl"
    download.value.save_as(saved)
    assert json.loads(saved.read_text()) == record

    menu(page, "#open-replay")
    page.set_input_files("#replay-form [name=upload]", saved)
    page.click("#replay-form button.main")
    plies = len(record["actions"])
    page.wait_for_selector(f"#where:has-text('0 / {plies}')")
    assert page.locator("#watching").is_hidden(), "nobody else looks on"
    for _ in range(3):
        with moved(page):
            page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    page.wait_for_selector("#status.over")
    assert page.locator("#status").inner_text() == result
    page.locator("#slider").fill("6")
    page.wait_for_selector(f"#where:has-text('6 / {plies}')")

    menu(page, "#fork")
    page.eval_on_selector("#advanced", "fold => { fold.open = true; }")
    page.select_option("#new-form [name=britain]", "person")
    page.select_option("#new-form [name=france]", "person")
    page.click("#new-start")
    page.wait_for_selector("#status.yours")
    assert page.locator("#where").inner_text() == "6 / 6"
    page.click("#tab-moves")
    page.locator("#moves .move").first.click()
    page.wait_for_selector("#where:has-text('7 / 7')")


def test_the_first_screen_asks_two_things_and_says_the_goal(open_page) -> None:
    page = open_page()
    to_new_game(page)
    shown = page.locator("#new-dialog").inner_text()
    assert "9 spaces" in shown and "more points wins" in shown
    assert "Seed" not in shown and "ismcts" not in shown and "Ruleset" not in shown
    levels = page.locator("#level-choice .card")
    assert levels.first.inner_text().startswith("Beginner")
    assert levels.last.inner_text().startswith("Expert")
    page.click("#side-choice .card.france")
    page.click("#level-choice .card:has-text('Amateur')")
    page.click("#new-start")
    page.wait_for_selector("#status:has-text('You are France')")
    assert page.locator("#about").inner_text().endswith("against Amateur")
    again = page.context.new_page()
    again.goto(page.url.split("#")[0])
    to_new_game(again)
    assert again.is_checked("#side-choice .france input"), "the choice is kept"
    again.click("#advanced summary")
    again.select_option("#new-form [name=france]", "club")
    again.select_option("#new-form [name=britain]", "person")
    assert again.is_checked("#side-choice .britain input"), "the seats under Advanced are shown by the two choices"
    assert again.is_checked("#level-choice input[value=club]")
    again.select_option("#new-form [name=britain]", "master")
    assert again.locator("#new-form .card :checked").count() == 0
    assert "watch" in again.locator("#seats-note").inner_text()


def test_a_game_that_takes_long_to_open_says_why(open_page) -> None:
    page = open_page()
    held = hold(page, "**/api/lesson")
    page.locator("#welcome button.lesson").first.click()
    page.wait_for_selector("#waiting:popover-open")
    held[0].continue_()
    page.wait_for_selector("#coach-title")
    page.wait_for_selector("#waiting", state="hidden")


def test_what_is_not_legal_what_to_click_next_and_what_is_pointed_at_is_explained(open_game) -> None:
    page = open_game(ruleset="standard")
    page.locator("[data-target='deviation:france']").click()
    page.wait_for_selector('#refusal-text:has-text("France\'s deviation is not part of any move")')
    page.keyboard.press("Escape")
    page.wait_for_selector("#refusal", state="hidden")
    page.locator("[data-target='disc:britain:blue']").click()
    page.wait_for_selector("#refusal-text:has-text('no blue')")
    page.keyboard.press("Escape")
    page.locator("#board [data-target='disc:britain:black']").click()
    page.wait_for_selector("#status:has-text('Now choose where your black discs go')")
    page.keyboard.press("Escape")
    page.wait_for_selector("#status:has-text('You are Britain')")
    page.locator("#board [data-target='option:plan_tunnel:plan']").click()
    page.wait_for_selector("#status:has-text('Now choose which discs to place')")
    assert page.locator("#where").inner_text() == "0 / 0", "and nothing has happened"
    page.locator("[data-target='card:slot_1']").hover()
    name = page.locator("#rule h2").inner_text()
    assert name in page.locator("[data-target='card:slot_1']").get_attribute("aria-label")
    assert "Money: reconstructed by this project" in page.locator("#rule").inner_text()
    page.locator("[data-target='step:britain:a:2']").hover()
    assert "barrier" in page.locator("#rule").inner_text()


def test_the_rulebook_is_searched_and_follows_its_links(open_page) -> None:
    page = open_page()
    to_new_game(page)
    page.keyboard.press("Escape")
    page.click("#open-rules")
    page.wait_for_selector("#rules-tunnel")
    page.click("#rules-tunnel a[href='#rules-deviation']")
    assert page.evaluate("document.activeElement.textContent") == "Deviation"
    page.fill("#rules-search", "water card")
    assert page.locator("#rules-deviation").is_visible()
    assert page.locator("#rules-plan").is_hidden()
    assert "Found in" in page.locator("#rules-found").inner_text()
    page.fill("#rules-search", "zeppelin")
    assert "No rule" in page.locator("#rules-found").inner_text()
    for words, section in SEARCHED.items():
        page.fill("#rules-search", words)
        assert page.locator(f"#rules-{section}").is_visible(), words
    page.fill("#rules-search", "")
    assert page.locator("#rules-plan").is_visible()
    page.keyboard.press("Escape")
    assert page.locator("#rules-dialog").is_hidden()


def test_a_game_is_played_with_the_chooser_of_a_phone(open_game) -> None:
    """Everything but looking is possible from the one row below the board."""
    page = open_game(seed="4", width=390, height=844)
    assert page.locator("#about").inner_text().startswith("Round 1")
    for taps in range(600):
        page.wait_for_selector(MINE_OR_OVER)
        if page.locator("#status.over").count():
            break
        before = page.locator("#where").inner_text(), page.locator("#strip").inner_text()
        buttons = page.locator("#strip button:not(.quiet)")
        buttons.nth(taps * 5 % buttons.count()).click()
        keep_nothing(page)
        page.wait_for_function(
            "([where, strip]) => document.querySelector('#where').textContent !== where"
            " || document.querySelector('#strip').innerText !== strip",
            arg=list(before),
        )
    assert taps > 20
    page.wait_for_selector("#end-dialog[open]")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_guided_game_is_played_left_and_taken_up_by_keyboard(open_page, width: int) -> None:
    page = open_page(width=width, height=844)
    to_new_game(page)
    page.focus("#new-dialog button.lesson")
    page.keyboard.press("Enter")
    page.wait_for_selector("#coach-step:has-text('step 1 of')")
    assert page.evaluate("document.activeElement.id") == "coach-title"
    steps = int(page.locator("#coach-step").inner_text().split()[-1])
    for number in range(1, steps + 1):
        page.wait_for_selector(f"#coach-step:has-text('step {number} of')")
        assert page.locator("#board .ring.shown, #strip .hinted").count(), "each step points at something"
        if number == 5:
            page.keyboard.press("Tab")
            page.focus("#coach-leave")
            page.keyboard.press("Enter")
            page.wait_for_selector("#coach", state="hidden")
            take_up(page, 5)
        if page.locator("#coach-next").inner_text() == "Skip":
            assert page.evaluate(MAINS) == [], "the move is due"
            page.wait_for_selector("#coach-note:has-text('Try this')")
            words = page.locator("#coach-note").inner_text().removeprefix("Try this: ")[:-1]
            advised = page.locator(f"#moves .move[aria-label='{words}']")
            if width > 390:
                advised.focus()
                page.keyboard.press("Enter")
            else:
                page.evaluate("scrollTo(0, 0)")  # where the spaces are, and not what is to be chosen next
                advised.dispatch_event("click")
            keep_nothing(page)
            page.wait_for_selector("#coach-note:has-text('Well done')")
            while page.locator("#coach-note:has-text('Finish it')").count():
                note = page.locator("#coach-note").inner_text()
                assert not re.search("[?!.][.]$", note) and "passing" not in note, (
                    "the next step explains a pass that comes by itself"
                )
                assert page.locator("#coach-next").is_disabled() and page.evaluate(MAINS) == []
                if page.locator("#board .target.legal").count():
                    at, card = (page.locator(one).first.bounding_box() for one in ("#board .target.legal", "#coach"))
                    assert width > 390 or at["y"] + at["height"] <= card["y"], (
                        "what may be chosen is not behind the card"
                    )
                with moved(page):
                    page.locator("#moves .move").first.dispatch_event("click")
                page.wait_for_selector("#status.yours")
        page.wait_for_selector("#status.yours")
        page.focus("#coach-next")
        page.keyboard.press("Enter")
    page.wait_for_selector("#coach", state="hidden")
    assert page.locator("#status.yours").count(), "the game goes on"


# How a mark is drawn: its colour, its dashes, what moves.
LOOK_OF_MARKS = """() => [".ring.shown", "rect.last"].map((name) => {
  const { stroke, strokeDasharray, animationName } = getComputedStyle(document.querySelector(`#board ${name}`));
  return [stroke, strokeDasharray, animationName];
})"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_what_a_lesson_marks_does_not_look_like_the_rivals_last_move(open_page, motion: str) -> None:
    page = open_page(motion=motion)
    open_lesson(page)
    page.click("#moves .move")
    page.wait_for_selector("#board rect.last", state="attached")
    (mark, dashes, pulse), (last, solid, _) = page.evaluate(LOOK_OF_MARKS)
    hinted = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--hinted')")
    page.evaluate("colour => { document.querySelector('#board').style.color = colour; }", hinted)
    assert mark not in (last, page.evaluate("getComputedStyle(document.querySelector('#board')).color"))
    assert dashes != solid == "none" and pulse == ("none" if motion == "reduce" else "taught")


def test_on_a_low_phone_the_card_of_a_lesson_leaves_free_what_is_to_be_pressed_next(open_page) -> None:
    page = open_page(width=390, height=664, touch=True)
    open_lesson(page, 4)
    for kind in ("option", "disc"):
        thing = page.locator(f"#board .legal[data-target^={kind}]:has(> .ring.shown)")
        at, card, status = (one.bounding_box() for one in (thing, page.locator("#coach"), page.locator("#status")))
        assert at["y"] >= status["y"] + status["height"] - 1 and at["y"] + at["height"] <= card["y"], kind
        thing.tap()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_lesson_marks_what_it_asks_for_until_it_is_done(open_page, width: int) -> None:
    page = open_page(width=width, height=844)
    open_lesson(page, 4)
    page.wait_for_selector("#coach-note:has-text('Try this')")
    shown = page.locator("#board :has(> .ring.shown)")
    targets = shown.evaluate_all("all => all.map((one) => one.dataset.target)")
    first = page.locator("#board .legal:has(> .ring.shown)").first
    pressed = first.get_attribute("data-target")
    first.click()
    page.wait_for_selector("#status:has-text('Now choose')")
    left = [target for target in targets if target != pressed]
    assert shown.evaluate_all("all => all.map((one) => one.dataset.target)") == left, (
        "what is pressed is asked for no more"
    )
    page.locator("#strip button.hinted, #board .legal:has(> .ring.shown)").first.click()
    page.wait_for_selector("#coach-note:has-text('Well done')")
    page.wait_for_selector("#board .ring.shown", state="detached")


def test_the_rivals_turn_is_listed_said_and_shown_again(open_game) -> None:
    page = open_game(ruleset="standard", seed="64", france="heuristic")
    page.locator("#moves .move[data-action='place white plan_tunnel tunnel']").click()
    page.wait_for_selector("#news-list .go")
    page.wait_for_selector("#status.yours")
    assert page.locator("#news-title").inner_text() == "France's turn"
    assert "you drew" in page.locator("#news-list .own").inner_text()
    assert "no colour" in page.locator("#news-list .own .deviation.none").inner_text()
    items = page.locator("#news-list .go").count()
    plies = int(page.locator("#where").inner_text().split()[0])
    assert items == plies - 1, "every decision of the rival"
    heard = page.locator("#said").text_content()
    assert "France:" in heard
    page.click("#news-show")
    page.wait_for_selector(f"#where:has-text('1 / {plies}')")
    page.locator("#news-list .go").last.click()
    page.wait_for_selector(f"#where:has-text('{plies} / {plies}')")
    page.wait_for_selector("#status.yours")
    page.click("#news-close")
    assert page.locator("#news").is_hidden()


# Pauses are noted, and take no time.
# What the page waits for, but for lights that go out by themselves.
PAUSES = """() => {
  const after = window.setTimeout;
  window.pauses = [];
  const noted = (act, pause) => String(act).includes("light.remove") || window.pauses.push(pause);
  window.setTimeout = (act, pause, ...rest) => after(() => { noted(act, pause); act(...rest); }, 0);
}"""


def test_the_pace_of_the_rival_is_chosen_and_kept(open_page) -> None:
    for chosen, pause in (("usual", 700), ("slow", 1400), ("at once", 0)):
        page = open_page(script=f"({PAUSES})()", motion="no-preference")
        start_game(page, ruleset="tiny", seed="64", britain="random", france="person")
        page.wait_for_selector(MINE_OR_OVER)
        if chosen != "usual":
            page.click("#menu summary")
            page.select_option("#pace", label=chosen)
            page.keyboard.press("Escape")
            page.reload()
            page.wait_for_selector(MINE_OR_OVER)
            assert page.locator("#pace option:checked").text_content() == chosen, "kept"
            page.evaluate("pauses.length = 0")
        while not (noted := [n for n in page.evaluate("pauses") if n in (0, 700, 1400)]):
            decide(page)
            page.wait_for_selector(MINE_OR_OVER)
        assert set(noted) - {0} == {pause} - {0}, chosen  # a turn that is begun goes on at once


def test_what_a_look_showed_stands_above_the_rivals_turn(open_game) -> None:
    page = open_game(ruleset="standard", france="heuristic")
    for wanted in (" technology", "track a", "peek rival 4"):
        page.locator(f"#moves .move[data-action$='{wanted}']").first.click()
    told = page.locator("#news-list .own").inner_text()
    colour = told.split("it is ")[1].strip(")")
    assert told.startswith("Before: Look at France's token 4 (it is ")
    assert colour in page.locator("[data-target='route:france:4']").get_attribute("aria-label")


def test_the_keyboard_alone_is_enough(open_page) -> None:
    page = open_page()
    to_new_game(page)
    page.focus("#new-start")
    page.keyboard.press("Enter")
    page.wait_for_selector("#status.yours")
    page.locator("#board .target.legal").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#board .chosen")
    page.keyboard.press("Escape")
    page.wait_for_selector("#board .chosen", state="detached")
    page.focus("[data-target='track:britain:a']")
    page.keyboard.press("ArrowDown")
    below = page.evaluate("document.activeElement.dataset.target")
    assert below.startswith(("step:britain:b:", "track:britain:b"))
    assert "track B" in page.locator("#rule h2").inner_text()
    page.focus("#moves .move")
    page.keyboard.press("ArrowDown")
    action = page.evaluate("document.activeElement.dataset.action")
    assert action == page.locator("#moves .move").nth(1).get_attribute("data-action")
    page.keyboard.press("Enter")
    page.wait_for_selector("#where:not(:text-is('0 / 0'))")
    page.wait_for_selector("#status.yours")
    page.keyboard.press("u")
    page.wait_for_selector("#where:has-text('0 / 0')", state="attached")
    page.keyboard.press("?")
    page.wait_for_selector("#keys-dialog[open]")


def test_an_agent_that_fails_leaves_a_choice(open_page) -> None:
    page = open_page()
    failures = [504, 502]

    def fail(route: Any) -> None:
        if not failures:
            return route.continue_()
        words = json.dumps({"error": "the agent 'random' did not answer in time"})
        return route.fulfill(status=failures.pop(0), body=words, content_type="application/json")

    page.route("**/step*", fail)
    start_game(page, ruleset="tiny", seed="3", britain="random", france="person")
    page.wait_for_selector("#refusal-text:has-text('did not answer in time')")
    assert page.locator(".rival").is_visible()
    page.click("#try-again")
    page.wait_for_selector("#refusal-text:has-text('did not answer in time')")
    assert not failures
    page.select_option("#rival-name", "heuristic")
    page.click("#rival-take")
    page.wait_for_selector("#status.yours")
    assert page.locator(".rival").is_hidden()
    page.click("#tab-log")
    assert page.locator("#log .entry.britain").count() > 0


def test_a_wish_while_an_agent_thinks_comes_before_its_answer(open_game) -> None:
    """The question to the agent is given up; what it says later is dropped."""
    page = open_game()
    held = hold(page, "**/step*")
    play_until_the_rival_thinks(page)
    wait_for(page, held)
    page.keyboard.press("u")
    page.wait_for_selector("#status.yours")
    assert page.locator("#refusal").is_hidden()


@pytest.mark.parametrize("wish", ["open", "restart", "undo"])
def test_a_wish_holds_though_an_agent_has_just_moved(open_page, wish: str) -> None:
    """The agent's answer is on its way when somebody wishes for what does not depend on it."""
    page = open_page()
    held: list[Any] = []
    is_held = True

    def answer_late(route: Any) -> None:
        """The server has moved, and the page does not know it yet: neither by this answer nor by a look around."""
        if not is_held:
            return route.continue_()
        if "/step" in route.request.url:
            route.fetch()
            held.append(route)

    page.route("**/step*", answer_late)
    page.route("**seen=*", answer_late)
    start_game(page, ruleset="tiny", seed="3", britain="person", france="random")
    play_until_the_rival_thinks(page)
    wait_for(page, held)
    at = int(page.locator("#where").inner_text().split("/")[1])
    if wish == "undo":
        page.keyboard.press("u")
        page.wait_for_selector(f"#where:has-text('{at - 1} / {at - 1}')", state="attached")
        return
    menu(page, {"open": "#lay-open", "restart": "#restart"}[wish])
    is_held = False
    page.wait_for_selector("#lay-open:disabled" if wish == "open" else "#where:has-text('0 / 0')", state="attached")


def test_a_wish_holds_though_the_agents_move_is_heard_of_before_the_refusal(open_page) -> None:
    """The look around brings the agent's move while the wish, sent for the state before it, is refused."""
    page = open_page()
    asked = hold(page, "**/step*")
    looks: list[Any] = []
    refused: list[Any] = []
    on_their_way: list[Any] = []

    def answer_look(route: Any) -> None:
        if asked and not refused:
            return looks.append(route)
        on_their_way.append(route)
        with suppress(playwright.Error):  # the page has given it up
            route.fulfill(response=route.fetch())
        return on_their_way.remove(route)

    page.route("**seen=*", answer_look)
    page.route("**/restart*", lambda route: refused.append((route, route.fetch())))
    start_game(page, ruleset="tiny", seed="3", britain="person", france="random")
    play_until_the_rival_thinks(page)
    wait_for(page, asked)
    while on_their_way:  # none of them may bring the move
        page.wait_for_timeout(20)
    asked[0].fetch()  # the agent moves, and the page does not hear of it
    wait_for(page, looks)
    menu(page, "#restart")
    wait_for(page, refused)
    page.unroute("**/restart*")
    with page.expect_response("**seen=*") as heard:
        for look in looks:  # the page has given up all but the last
            with suppress(playwright.Error):
                look.continue_()
    heard.value.finished()
    page.evaluate(
        "() => new Promise((done) => setTimeout(done))"
    )  # the page has read it, whether or not it shows half a turn
    route, response = refused[0]
    assert response.status == 409
    route.fulfill(response=response)
    page.wait_for_selector("#where:has-text('0 / 0')", state="attached")
    page.unroute_all(behavior="ignoreErrors")


def test_a_wish_waits_for_a_move_that_is_on_its_way(open_game) -> None:
    page = open_game()
    moves = hold(page, "**/play*")
    page.locator("#moves .move").first.click()
    wait_for(page, moves)
    menu(page, "#lay-open")
    page.wait_for_timeout(100)
    moves[0].continue_()
    page.wait_for_selector("#lay-open:disabled", state="attached")
    assert len(moves) == 1


def press_forth_in_vain(page: Any) -> None:
    """Press the arrow where there is nothing to go forth to: at a person's decision."""
    page.wait_for_selector("#status.yours")
    before = page.locator("#status").inner_text()
    page.evaluate("document.activeElement.blur()")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert page.locator("#status").inner_text() == before


def test_a_look_that_answers_late_does_not_undo_a_newer_one(open_game) -> None:
    page = open_game()
    page.route("**/step*", lambda route: None)
    play_until_the_rival_thinks(page)
    back = hold(page, "**ply=*")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("End")
    wait_for(page, back)
    page.wait_for_timeout(300)  # for the answer to the newer look
    with page.expect_response("**ply=*"):
        back[0].continue_()
    page.wait_for_timeout(200)
    assert page.locator("#last").is_disabled()


def test_a_rivals_answer_does_not_call_back_who_looks_back(open_game) -> None:
    page = open_game()
    steps = hold(page, "**/step*")
    play_until_the_rival_thinks(page)
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#last:enabled")
    at, plies = (int(word) for word in page.locator("#where").inner_text().split("/"))
    steps[0].continue_()
    page.wait_for_selector(f"#where:has-text('{at} / {plies + 1}')")
    page.keyboard.press("End")
    page.wait_for_selector("#last:disabled")


def test_an_arrow_while_the_rival_is_to_move_does_not_stop_it(open_game) -> None:
    page = open_game()
    held: list[Any] = []
    is_held = True
    page.route("**/step*", lambda route: held.append(route) if is_held else route.continue_())
    play_until_the_rival_thinks(page)
    for key in ("ArrowRight", "ArrowLeft", "End", "ArrowRight"):
        page.keyboard.press(key)
    page.wait_for_selector("#last:disabled")
    is_held = False
    for route in held:
        route.continue_()
    page.wait_for_selector(MINE_OR_OVER)


def test_a_rival_that_failed_is_asked_again_after_an_undo(open_game) -> None:
    page = open_game()
    words = json.dumps({"error": "the agent 'random' failed: no"})
    failure = {"status": 502, "body": words, "content_type": "application/json"}
    page.route("**/step*", lambda route: route.fulfill(**failure))
    while not page.locator("#refusal-text:has-text('failed: no')").count():
        decide(page)
        page.wait_for_selector("#status.yours, #refusal:not([hidden])")
    assert "thinking" not in page.locator("#status").inner_text()
    page.unroute("**/step*")
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    assert play_to_the_end(page) > 10


def test_a_game_of_agents_that_is_paused_says_so_and_goes_on_by_steps(open_page) -> None:
    page = open_page()
    steps: list[Any] = []
    is_held = True
    page.route("**/step*", lambda route: steps.append(route) if is_held else route.continue_())
    start_game(page, ruleset="tiny", seed="3", britain="heuristic", france="random")
    page.wait_for_selector("#status:has-text('is thinking')")
    wait_for(page, steps)
    page.keyboard.press(" ")
    steps[0].continue_()
    page.wait_for_selector("#where:has-text('1 / 1')")
    page.wait_for_selector("#status:has-text('Paused')")
    assert "thinking" not in page.title() + page.locator("#status").inner_text()
    is_held = True
    steps.clear()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#status:has-text('is thinking')")
    wait_for(page, steps)
    is_held = False
    steps[-1].continue_()
    page.wait_for_selector("#where:has-text('2 / 2')")
    page.wait_for_selector("#status:has-text('Paused')")
    assert page.locator("#run").inner_text() == "Play"
    page.click("#run")
    page.wait_for_selector("#status.over")


def test_the_first_screen_shows_the_games_and_what_can_be_gone_on_with(open_page) -> None:
    page = open_page()
    cards = page.locator("#welcome .game")
    cards.first.wait_for()
    names = cards.locator("h2").all_inner_texts()
    assert names == ["1987 Channel Tunnel", "Carcassonne with The Tunnel", "Eurotunnel Diplomacy"]
    for shown in cards.all():
        assert "players" in shown.inner_text() and shown.locator("p").first.inner_text()
        assert shown.locator("img").evaluate("async image => (await image.decode(), image.naturalWidth > 0)")
        assert shown.locator(".learn").inner_text() == "Learn it"
    assert page.locator("#welcome .begun").is_hidden()
    start_game(page, ruleset="tiny", seed="4", britain="person", france="random")
    page.locator("#moves .move").first.click()
    page.wait_for_selector("#where:not(:text-is('0 / 0'))")
    page.goto(page.url.split("#")[0])
    page.click("#welcome .go-on:has-text('as Britain')")
    page.wait_for_selector("#board svg")
    assert page.locator("#welcome").is_hidden() and page.locator("#status").is_visible()
    menu(page, "#all-games")
    page.click("#welcome .begun .away")
    page.click("#welcome .begun .away:has-text('for good')")
    page.wait_for_selector("#welcome .begun", state="hidden")


# The smallest letters of the pictures of the first screen, in pixels.
SMALLEST_IN_PICTURES = """async () => {
  const sizes = [];
  for (const image of document.querySelectorAll("#welcome img")) {
    const drawn = document.createElement("div");
    drawn.style.width = `${image.clientWidth}px`;
    drawn.innerHTML = await (await fetch(image.src)).text();
    document.body.append(drawn);
    for (const text of drawn.querySelectorAll("text")) {
      const { a, b } = text.getScreenCTM();
      sizes.push(parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b));
    }
    drawn.remove();
  }
  return Math.min(...sizes);
}"""


@pytest.mark.parametrize("width", [390, 1280, 1440])
def test_letters_in_the_pictures_of_the_first_screen_can_be_read(open_page, width: int) -> None:
    page = open_page(width=width, height=844)
    page.locator("#welcome .game img").nth(2).wait_for()
    assert page.evaluate(SMALLEST_IN_PICTURES) >= 11


def test_a_game_that_the_server_has_lost_is_offered_no_more(open_game, folder) -> None:
    page = open_game(seed="4", france="person")
    key = page.evaluate("location.hash.slice(6)")
    page.goto(page.url.split("#")[0])
    page.wait_for_selector("#welcome .go-on")
    (folder / "rooms" / f"{key}.json").unlink()
    page.click("#welcome .go-on")
    page.wait_for_selector("#welcome .begun", state="hidden")


@pytest.mark.parametrize("number", ["2", "6"])
def test_how_many_play_is_chosen_where_a_game_begins(open_page, number: str) -> None:
    page = open_page(width=390, height=844)
    page.click("#welcome .game[data-game=carcassonne] .play")
    page.select_option("#new-form [name=players]", number)
    page.locator("#side-choice .card").nth(int(number) - 1).click()
    page.click("#new-start")
    page.wait_for_selector("#board svg")
    assert page.locator("#board .seat").count() == int(number)
    last = ["Anna", "Bruno", "Clara", "David", "Emma", "Felix"][int(number) - 1]
    page.wait_for_selector(f"#status:has-text('You are {last}')")
    assert "Player 0" not in page.locator("body").inner_text()


def test_a_link_of_a_report_opens_the_game_at_its_decision(open_page) -> None:
    page = open_page("#record=report.jsonl&line=2&ply=5")
    page.wait_for_selector("#where:has-text('5 / ')")
    assert page.locator("#status").inner_text().startswith("Replay")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#where:has-text('4 / ')")
    assert page.url.endswith("#record=report.jsonl&line=2&ply=4")


def test_the_analysis_shows_moves_curve_search_and_a_hint(open_game) -> None:
    page = open_game(ruleset="standard")
    page.keyboard.press("a")
    page.wait_for_selector("#thoughts .thought")
    shares = page.locator("#thoughts .share").all_inner_texts()
    assert 0 < sum(int(share.removesuffix(" %")) for share in shares) <= 101
    page.wait_for_selector("#curve .dot", state="attached")
    page.select_option("#budget", "300")
    page.click("#look-ahead")
    page.wait_for_selector("#found .thought.best")
    page.keyboard.press("h")
    page.wait_for_selector("#board .ring.hinted", state="attached")


def test_who_goes_through_a_record_on_a_phone_keeps_the_board_in_sight(open_page) -> None:
    page = open_page("#record=report.jsonl&line=1&ply=5", width=390, height=844, touch=True)
    page.wait_for_selector("#board svg")
    assert page.evaluate("scrollY") == 0
    for button in ("#forth", "#back", "#last"):
        before = page.inner_text("#where")
        page.tap(button)
        page.wait_for_selector(f"#where:not(:text-is('{before}'))")
        assert page.evaluate("scrollY") == 0, button
        shown = "#log .scores .total" if button == "#last" else "#log [aria-current]"
        assert page.evaluate(HIDDEN_IN_PANEL, shown) == 0, button


@pytest.mark.parametrize("width", [1280, 1440, 390])
def test_at_the_end_the_log_shows_whose_points_decided_whole(open_page, width: int) -> None:
    page = open_page("#record=report.jsonl&line=1&ply=99999", width=width, height=844)
    page.wait_for_selector("#status.over")  # a link beyond the last decision opens it
    at, plies = page.locator("#where").inner_text().split(" / ")
    assert at == plies and page.url.endswith(f"&ply={plies}") and page.locator("#refusal").is_hidden()
    page.wait_for_selector("#log .scores .total", state="attached")
    assert page.evaluate(HIDDEN_IN_PANEL, "#log .scores .total") == 0
    assert page.evaluate("(log => log.scrollWidth - log.clientWidth)(document.querySelector('#log'))") <= 0
    rows = page.locator("#log .scores tbody tr")
    at_the_right = {
        round(box["x"] + box["width"]) for box in (cell.bounding_box() for cell in rows.locator("td:last-child").all())
    }
    assert len(at_the_right) == 1, "the numbers of every row stand in one column"


@pytest.mark.parametrize("ruleset", ["standard", "agenda"])
@pytest.mark.parametrize("side", ["britain", "france"])
def test_on_a_phone_all_that_a_decision_needs_is_seen_at_once(open_page, ruleset: str, side: str) -> None:
    page = open_page(width=390, height=844, touch=True)
    rival = "france" if side == "britain" else "britain"
    start_game(page, ruleset=ruleset, seed="4", **{side: "person", rival: "random"})
    heard = 0
    for _ in range(9):
        page.wait_for_selector(MINE_OR_OVER)
        page.evaluate("scrollTo(0, 0)")
        least, words = page.evaluate(SMALLEST)
        assert least >= 11, words
        assert page.evaluate(STICKING_OUT) == []
        assert page.evaluate(OVER_EACH_OTHER) == []
        assert page.evaluate(OUT_OF_SIGHT, NEEDED + [f"{kind}:{side}" for kind in OWN]) == []
        heard += page.locator("#news").is_visible()
        with moved(page):
            page.evaluate("document.querySelector('#moves .move').click()")
            keep_nothing(page)
    assert heard, "the rival's turn is listed at least once meanwhile"


def test_on_a_phone_the_rivals_turn_is_a_line_that_opens_as_a_sheet(open_game) -> None:
    page = open_game(ruleset="standard", seed="64", france="heuristic", width=390, height=844)
    while page.locator("#news-list .go").count() < 2:
        page.wait_for_selector("#status.yours")
        decide(page)
    news = page.locator("#news")
    assert news.bounding_box()["height"] < 40
    shown = page.locator("#news-list .go:visible")
    assert shown.count() == 1 and page.locator("#news-list .go").count() > 1
    page.click("#news-more")
    assert shown.count() == page.locator("#news-list .go").count()
    box, strip = news.bounding_box(), page.locator("#strip").bounding_box()
    assert box["y"] > 0 and box["y"] + box["height"] <= strip["y"]
    assert page.locator("#news-more").inner_text() == "Fold"
    page.click("#news-more")
    assert shown.count() == 1


def test_on_a_phone_the_board_stands_in_one_column_and_nothing_overflows(open_game) -> None:
    page = open_game(ruleset="standard", width=390, height=844)
    box = page.locator("#board svg").get_attribute("viewBox").split()
    assert float(box[3]) > 2 * float(box[2])
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_selector("#board svg[viewBox^='0 0 1110']")


def test_on_a_phone_board_and_choices_are_seen_together(open_game) -> None:
    page = open_game(ruleset="standard", width=390, height=844)
    page.click("#menu summary")
    menu = page.locator("#menu .sheet").bounding_box()
    assert menu["x"] >= 0 and menu["x"] + menu["width"] <= 390
    page.click("#menu summary")
    strip = page.locator("#strip")
    box = strip.bounding_box()
    assert box["y"] + box["height"] <= 844 and box["height"] < 844 / 8
    page.locator("#strip [data-target='disc:britain:black']").click()
    assert page.locator("#strip button").count() > 5
    box = strip.bounding_box()
    assert box["height"] < 844 / 8, "one row, however many choices"
    ring = page.locator("#board .target.legal").first.bounding_box()
    assert 0 < ring["y"] < box["y"], "the board shows what is asked for"
    page.locator("#strip button").first.click()
    page.wait_for_selector("#where:not(:text-is('0 / 0'))")


# What a decision of 1987 needs, by the beginnings of the targets' names; of one's own board: what OWN names.
NEEDED = ["route:", "space:", "option:", "card:slot"]
OWN = ["disc", "storage", "deviation", "track", "money"]
# How many pixels of a thing in a panel are scrolled out of it.
HIDDEN_IN_PANEL = """(name) => {
  const thing = document.querySelector(name).getBoundingClientRect();
  const panel = document.querySelector(name).closest(".panel").getBoundingClientRect();
  return Math.round(Math.max(0, panel.top - thing.top, Math.min(thing.bottom - panel.bottom, thing.top - panel.top)));
}"""
# Targets that are hidden by the edge of the window, the question above the board or the choice below it.
OUT_OF_SIGHT = """(beginnings) => {
  const top = document.querySelector("#status").getBoundingClientRect().bottom;
  const strip = document.querySelector("#strip");
  const bottom = strip.hidden ? innerHeight : strip.getBoundingClientRect().top;
  const targets = [...document.querySelectorAll("#board [data-target]")];
  return beginnings.flatMap((beginning) => {
    const found = targets.filter((target) => target.dataset.target.startsWith(beginning));
    if (!found.length) return [`no ${beginning}`];
    return found.filter((target) => {
      const box = target.getBoundingClientRect();
      return box.top < top - 1 || box.bottom > bottom + 1 || box.left < 0 || box.right > innerWidth;
    }).map((target) => target.dataset.target);
  });
}"""
# Texts of the board that are written over each other.
OVER_EACH_OTHER = """() => {
  const texts = [...document.querySelectorAll("#board svg text")];
  const boxes = texts.map((text) => text.getBoundingClientRect());
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5;
  return texts.flatMap((text, i) => texts.slice(0, i).filter((_, j) => over(boxes[i], boxes[j]))
    .map((other) => `${text.textContent} over ${other.textContent}`));
}"""
# Texts of the board that end beyond its edges.
STICKING_OUT = """() => {
  const board = document.querySelector("#board svg").getBoundingClientRect();
  return [...document.querySelectorAll("#board svg :is(text, rect)")].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.left < board.left - 1 || box.right > board.right + 1;
  }).map((part) => part.textContent);
}"""
# The smallest text of the page in pixels, and its words.
SMALLEST = """() => {
  let least = [99, ""];
  for (const node of document.querySelectorAll("body *")) {
    if (node.closest("style, script") || !node.checkVisibility()) continue;
    if (![...node.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
    const drawn = node.getScreenCTM?.(); // of a drawing, however deep it lies there
    const scale = drawn ? Math.hypot(drawn.a, drawn.b) : 1;
    const size = parseFloat(getComputedStyle(node).fontSize) * scale;
    if (size < least[0]) least = [size, node.textContent];
  }
  return least;
}"""


def test_in_a_low_window_the_board_is_scrolled_before_it_is_too_small_to_read(open_game) -> None:
    page = open_game(ruleset="agenda", width=1280, height=700)
    size, words = page.evaluate(SMALLEST)
    assert size >= 12, words
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    assert page.evaluate("(one => one.scrollHeight > one.clientHeight)(document.querySelector('.stage'))")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1440, 900)])
@pytest.mark.parametrize("ruleset", ["standard", "agenda"])
def test_the_board_is_seen_whole_and_every_text_can_be_read(open_game, ruleset, width, height) -> None:
    page = open_game(ruleset=ruleset, width=width, height=height)
    for tab in ("moves", "log", "analysis"):
        page.click(f"#tab-{tab}")
        if tab == "analysis":
            page.wait_for_selector("#thoughts .thought, #thoughts .note")
        size, words = page.evaluate(SMALLEST)
        assert size >= 12, words
    box = page.locator("#board svg").bounding_box()
    assert box["y"] > 0 and box["y"] + box["height"] <= height
    assert box["x"] + box["width"] <= width
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_page_finds_the_server_again_by_itself(open_game) -> None:
    page = open_game()
    page.context.set_offline(True)
    page.locator("#moves .move").first.click()
    page.wait_for_selector("#refusal-text:has-text('does not answer')")
    page.context.set_offline(False)
    page.wait_for_selector("#refusal-text:has-text('answers again')")
    page.locator("#moves .move").first.click()
    page.wait_for_selector("#where:not(:text-is('0 / 0'))")
    page.wait_for_selector("#status.yours")
    assert page.locator("#refusal").is_hidden()


def test_a_review_marks_mistakes_and_shows_the_better_move(open_game) -> None:
    page = open_game(seed="4", france="heuristic")
    play_to_the_end(page)
    page.click("#end-review")
    page.wait_for_selector("#review .note:has-text('decisions judged')")
    page.wait_for_selector("#review:not(:has(#review-cancel)) .faults .fault")
    assert page.locator("#curve .fault-dot").count() == page.locator("#review .fault").count()
    fault = page.locator("#review .fault").first
    before, after = (int(n) for n in re.findall(r"(\d+) %", fault.inner_text()))
    assert after <= before - 5, "the person's own chance, from which on a mark is given"
    ply = fault.get_attribute("data-ply")
    fault.click()
    page.wait_for_selector(f"#where:has-text('{ply} / ')")
    page.wait_for_selector("#board .ring.hinted", state="attached")
    told = page.locator("#review .verdict").inner_text()
    assert f"your chance to win fell from {before} % to {after} %" in told
    assert "Better: " in told and "worlds that were possible then" in told
    page.keyboard.press("End")
    page.wait_for_selector("#last:disabled")  # the log is that of the decision looked at
    page.click("#tab-log")
    assert page.locator("#log .mark").count() == page.locator("#review .fault").count()


def test_a_review_is_cancelled_and_taken_up_again(open_game) -> None:
    page = open_game(seed="4")
    hold(page, "**/weigh*")
    while int(page.locator("#where").inner_text().split()[0]) < 4:
        page.wait_for_selector("#status.yours")
        decide(page)
    page.keyboard.press("a")
    page.click("#review-start")
    page.wait_for_selector("#review progress")
    page.click("#review-cancel")
    page.wait_for_selector("#review progress", state="detached")
    page.unroute("**/weigh*")
    page.click("#review-start")
    page.wait_for_selector("#review .note:has-text('decisions judged')")
