"""Carcassonne's page in a real browser: a game by clicks, one by keyboard, on a desk and on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_env.games.carcassonne.board.completed import completed
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.explain import ACTION_NAMES
from tests.table.helpers import moved, open_lesson, start_game, take_up, to_new_game
from tests.table.test_browser import MAINS, MINE_OR_OVER, PAUSES, SMALLEST, press_forth_in_vain, stops_of
from tests.table.test_carcassonne import PEOPLE, SHORT, played
from tests.table.test_hands_browser import COMFORT

GHOST = "#board [data-target^='cell'].legal"


@pytest.fixture(scope="module")
def rooms(folder: Path) -> Rooms:
    """Those of a server with a short game of Carcassonne."""
    short = folder / "short.yaml"
    short.write_text(yaml.safe_dump(SHORT))
    return Rooms(Offers.of([str(short), "carcassonne"]), folder)


@pytest.fixture
def open_game(open_page: Any) -> Callable[..., Any]:
    """Opens a page at a new game of a person against an agent."""

    def open_one(ruleset: str = "short", seed: str = "4", **window: Any) -> Any:
        page = open_page(**window)
        start_game(page, ruleset=ruleset, seed=seed, player_0="person", player_1="random")
        page.wait_for_selector(MINE_OR_OVER)
        return page

    return open_one


def decision(page: Any) -> str:
    return str(page.locator("#where").inner_text())


def after_a_change(page: Any, before: str) -> None:
    page.wait_for_selector(f"#where:not(:text-is('{before}'))")
    page.wait_for_selector(MINE_OR_OVER)


def test_the_first_screen_proposes_the_game_of_the_command_line(open_page) -> None:
    page = open_page()
    to_new_game(page)
    shown = page.locator("#new-dialog").inner_text()
    assert "followers" in shown and "Anna" in shown and "Club player" in shown
    assert "Learn it" in shown
    for absent in ("Agenda", "Britain"):
        assert absent not in shown
    page.select_option("#new-form [name=ruleset]", "standard", force=True)
    shown = page.locator("#new-dialog").inner_text()
    assert "Learn it" in shown and "Britain" in shown and "Anna" not in shown


def test_a_whole_game_is_played_by_clicks_and_reviewed_and_an_arrow_does_not_stop_the_rival(open_game) -> None:
    page = open_game()
    press_forth_in_vain(page)
    assert play_by_clicks(page) > 10
    assert re.match("You (won|lost|share)", page.locator("#end-title").inner_text())
    assert "field" in page.locator("#end-scores").inner_text().lower() or page.locator("#end-scores .total").count()
    page.click("#end-review")
    page.wait_for_selector("#where:has-text('0 / ')")
    page.wait_for_selector("#review .note:has-text('turns judged')")
    page.wait_for_selector("#review:not(:has(#review-cancel)) .faults .fault")
    marks = page.locator("#review .fault .mark").all_inner_texts()
    assert marks == sorted(marks, key=["??", "?", "?!"].index), "the worst stand first"
    assert "The Expert plays each turn again" in page.locator("#review .judged-by").inner_text()
    page.locator("#review .fault").first.click()
    page.wait_for_selector("#review .verdict:has-text('Better: '):has-text('Lead one round later')")
    page.wait_for_selector("#board .hinted", state="attached")
    page.keyboard.press("End")
    page.wait_for_selector("#status.over")
    page.click("#tab-log")
    page.wait_for_selector("#log .entry.player_0")


def is_in_sight(page: Any, thing: Any) -> bool:
    """Whether its middle is in the window of the tiles; a mouth may be elsewhere, and has a button then."""
    thing.scroll_into_view_if_needed()
    box, view = thing.bounding_box(), page.locator("#board .view").bounding_box()
    middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    return all(
        view[axis] <= middle[axis] <= view[axis] + view[size] for axis, size in (("x", "width"), ("y", "height"))
    )


def play_by_clicks(page: Any) -> int:
    """Tiles on ghosts, laid as they lie; followers and tokens where they are offered, else none."""
    for clicks in range(200):
        page.wait_for_selector(MINE_OR_OVER)
        if page.locator("#status.over").count():
            page.wait_for_selector("#end-dialog[open]")
            return clicks
        before = decision(page)
        things = page.locator("#board .target.legal:not(.aside)")
        lay = page.locator("#strip button.main")
        if lay.count():
            lay.click()
        elif things.count() and is_in_sight(page, things.nth(clicks % things.count())):
            things.nth(clicks % things.count()).click()
        else:
            page.locator("#strip button").first.click()
        if page.locator("#strip button[data-target^='button:t']").count() > 1 and decision(page) == before:
            page.locator("#strip button[data-target^='button:t']").first.click()
        page.wait_for_selector(f"#where:not(:text-is('{before}'))")
    raise AssertionError("the game does not end")


def test_a_whole_game_is_played_by_keyboard(open_page) -> None:
    page = open_page()
    to_new_game(page)
    page.focus("#new-start")
    page.keyboard.press("Enter")
    page.wait_for_selector(MINE_OR_OVER)
    for presses in range(200):
        page.wait_for_selector(MINE_OR_OVER)
        if page.locator("#status.over").count():
            break
        before = decision(page)
        page.wait_for_function(
            "() => document.activeElement.closest('.legal, #strip') || document.querySelector('#status.over')"
        )
        if presses % 3 == 1 and page.evaluate("document.activeElement.closest('#board') !== null"):
            page.keyboard.press("ArrowRight")
        if page.locator("#strip button.main").count():
            page.keyboard.press("t")
        page.keyboard.press("Enter")
        if page.locator("#status:has-text('Which token')").count():
            page.keyboard.press("Enter")
        page.wait_for_selector(f"#where:not(:text-is('{before}'))")
    page.wait_for_selector("#end-dialog[open]")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_guided_game_is_played_left_and_taken_up(open_page, width: int) -> None:
    page = open_page(width=width, height=844)
    to_new_game(page)
    page.focus("#new-dialog button.lesson")
    page.keyboard.press("Enter")
    page.wait_for_selector("#coach-step:has-text('step 1 of')")
    steps = int(page.locator("#coach-step").inner_text().split()[-1])
    tried = 0
    for number in range(1, steps + 1):
        page.wait_for_selector(f"#coach-step:has-text('step {number} of')")
        if number == 5:
            page.click("#coach-leave")
            take_up(page, 5)
        page.wait_for_selector("#status.yours")
        points = page.locator("#board .ring.shown").count() > 0
        assert points == (number == 1 or page.locator("#coach-next").inner_text() == "Skip"), f"step {number}"
        if page.locator("#coach-title").inner_text() == "Claim a city":
            marked, cells = page.locator(f"{GHOST}:has(> .ring.shown)").count(), page.locator(GHOST).count()
            assert 0 < marked < cells, "where a knight can stand"
        tried += make_the_move(page)
        page.wait_for_selector("#status.yours")
        assert page.evaluate(MAINS) == [page.locator("#coach-next").inner_text()]
        page.click("#coach-next")
    page.wait_for_selector("#coach", state="hidden")
    assert tried == 6 and page.locator("#status.yours").count(), "the game goes on"


@pytest.mark.parametrize("width", [1280, 390])
def test_a_mouth_has_room_for_a_thumb_and_its_tokens_stand_in_one_row(open_page, width: int) -> None:
    page = open_page(width=width, height=844, touch=width == 390)
    to_step(page, 10)
    while not page.locator("#status:has-text('A tunnel token on a mouth')").count():
        with moved(page):
            page.locator(".move[data-action='claim none'], .move").last.dispatch_event("click")
        page.wait_for_selector("#status.yours")
    mouths = [mouth.bounding_box() for mouth in page.locator("#board [data-target^=mouth] circle").all()]
    assert width > 390 or min(min(box["width"], box["height"]) for box in mouths) >= COMFORT
    page.locator("#board .legal[data-target^=mouth]:has(> .ring.shown)").click()
    page.wait_for_selector("#status:has-text('Which token?')")
    assert not page.locator("#board .ring.shown").count(), "the mouth has been pressed"
    strip = page.locator("#strip")
    assert strip.locator("button").first.inner_text() == "First token" and strip.bounding_box()["height"] < 50
    assert "Finish a tunnel" in strip.locator("button.hinted").inner_text()
    assert strip.locator("button.hinted").get_attribute("aria-label").count(" mouth ") == 2, (
        "both ends, for who listens"
    )


def test_a_second_tap_on_a_tile_that_fits_one_way_refuses_no_follower(open_page) -> None:
    """The answer comes where the button was that laid the tile."""
    page = open_page(width=390, height=844, touch=True)
    start_game(page, ruleset="carcassonne", seed="3", player_0="person", player_1="greedy")
    page.wait_for_selector("#status.yours")
    with moved(page):
        page.locator(".move").first.dispatch_event("click")
    page.locator("#strip button:has-text('Lay it'), #strip button:has-text('No follower')").first.wait_for()
    if (lay := page.locator("#strip button:has-text('Lay it')")).count():
        lay.tap()
    none = page.locator("#strip button:has-text('No follower')")
    none.wait_for()
    assert none.evaluate("button => getComputedStyle(button).animationName") == "settle", "no tap counts at first"
    none.tap()  # waits until it can be tapped
    page.wait_for_selector("#status:not(:has-text('A follower on the tile'))")


def test_a_lesson_marks_turn_while_the_tile_lies_otherwise_than_it_asks_for(open_page) -> None:
    page = open_page()
    to_step(page, 3)
    page.wait_for_selector("#coach-note:has-text('Try this: Lay it')")
    marked = page.locator("#strip button.hinted")
    assert "Lay it" in marked.inner_text()
    page.keyboard.press("t")
    assert "Turn" in marked.inner_text()
    while "Turn" in marked.inner_text():
        marked.click()
    assert "Lay it" in marked.inner_text(), "it has come round"


def test_a_move_of_the_next_step_counts_when_it_is_made_ahead_and_after_undo(open_page) -> None:
    page = open_page()
    open_lesson(page, 2)
    make_the_move(page)
    before = decision(page)
    page.click("#strip button:has-text('Lay it')")
    after_a_change(page, before)
    page.click("#coach-next")
    page.wait_for_selector("#coach-step:has-text('step 3 of')")
    page.wait_for_selector("#coach-note:has-text('Well done')")
    assert not page.locator("#board .ring.shown").count()
    page.keyboard.press("u")
    page.wait_for_selector("#coach-note:has-text('Try this: Lay it')")
    make_the_move(page)


def test_a_turn_that_went_by_without_the_move_is_taken_back_with_the_green_button(open_page) -> None:
    page = open_page(width=390, height=844)
    to_step(page, 6)
    page.wait_for_selector("#coach-title:text-is('Claim a city')")
    begun = decision(page)
    for choice in (".move", ".move", ".move[data-action='claim none']", ".move[data-action='token none']"):
        page.wait_for_selector("#status.yours")
        if page.locator(choice).count():
            with moved(page):
                page.locator(choice).first.dispatch_event("click")
    page.wait_for_selector("#coach-next:text-is('Undo')")
    page.wait_for_selector("#status.yours")
    while page.locator("#coach-next").inner_text() == "Undo":
        assert page.evaluate(MAINS) == ["Undo"]
        before = decision(page)
        page.click("#coach-next")
        page.wait_for_selector(f"#where:not(:text-is('{before}'))")
    while decision(page) != begun:
        with moved(page):
            page.keyboard.press("u")
    assert make_the_move(page) == 1


def to_step(page: Any, step: int) -> None:
    """The guided game at a step, with every move before it made."""
    open_lesson(page)
    for number in range(1, step):
        page.wait_for_selector(f"#coach-step:has-text('step {number} of')")
        make_the_move(page)
        page.wait_for_selector("#status.yours")
        page.click("#coach-next")


def make_the_move(page: Any) -> int:
    """Do what a step advises, after what it says is to be done first; 0 if it is only to be read."""
    if page.locator("#coach-next").inner_text() not in ("Skip", "Undo"):
        return 0
    assert all(words.startswith(("Lay it", "Undo")) for words in page.evaluate(MAINS)), "the move is due"
    places: list[str] = []  # that were chosen
    for _ in range(40):
        page.wait_for_selector("#status.yours")
        note, before = page.locator("#coach-note").inner_text(), decision(page)
        if note.startswith("Well done"):
            return 1
        words = note.removeprefix("Try this: ")[:-1]
        advised = page.locator(f'.move[aria-label="{words}"]')
        none = page.locator(".move[data-action$=' none']")
        if page.locator("#coach-next").inner_text() == "Undo":
            page.click("#coach-next")
        elif advised.count() or none.count():
            (advised if advised.count() else none).first.dispatch_event("click")
        else:
            moves = page.locator(".move")
            labels = [moves.nth(i).get_attribute("aria-label") for i in range(moves.count())]
            choice = next((label for label in labels if label not in places), labels[0])
            places.append(choice)
            moves.nth(labels.index(choice)).dispatch_event("click")
        page.wait_for_selector(f"#where:not(:text-is('{before}'))")
    raise AssertionError("the move is never possible")


def test_a_tile_is_turned_before_it_is_laid_and_taken_back(open_game) -> None:
    page = open_game(ruleset="carcassonne", seed="2")
    while not page.locator("#strip button:has-text('Turn')").count():
        before = decision(page)
        ghosts = page.locator(GHOST)
        (ghosts if ghosts.count() else page.locator("#strip button")).first.click()
        after_a_change(page, before)
    shown = page.locator("#board [data-target^='rotate']:not(.aside)")
    first = shown.get_attribute("data-target")
    shown.click()
    assert shown.get_attribute("data-target") != first, "a click turns it"
    page.keyboard.press("t")
    number = decision(page)
    page.keyboard.press("Escape")
    page.wait_for_selector(f"#where:not(:text-is('{number}'))")
    page.wait_for_selector(GHOST)


def test_what_is_not_legal_is_explained_and_a_rule_is_at_hand(open_game) -> None:
    page = open_game()
    page.locator("[data-target='cell 0 0']").click()
    page.wait_for_selector("#refusal-text:has-text('A tile lies there.')")
    page.keyboard.press("Escape")
    assert "svg" not in stops_of(page), "the keyboard stops only where something can be done"
    page.locator(GHOST).first.hover()
    assert "matches its neighbour" in page.locator("#rule").inner_text()
    assert page.locator(f"{GHOST} .preview").first.is_visible()
    page.click("#open-rules")
    page.wait_for_selector("#rules-tokens")
    assert "The other 12" in page.locator("#rules-table").inner_text(), "the rulebook is that of the ruleset in play"


def test_the_table_is_dragged_zoomed_and_shown_whole_again(open_game) -> None:
    page = open_game()
    tiles = page.locator("#board svg.tiles")
    whole = tiles.get_attribute("viewBox")
    box = tiles.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = decision(page)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 90, middle[1] + 40, steps=4)
    page.mouse.up()
    moved = tiles.get_attribute("viewBox")
    assert moved != whole and decision(page) == before
    assert page.locator("#refusal").is_hidden(), "a drag is no click"
    page.mouse.wheel(0, -300)
    page.wait_for_function("was => document.querySelector('svg.tiles').getAttribute('viewBox') !== was", arg=moved)
    page.click("#board .zoom button:has-text('All')")
    assert tiles.get_attribute("viewBox") == whole


def test_a_table_that_has_room_again_is_shown_whole_again(open_page, address) -> None:
    """What was too small to tap on a phone is moved by the page; what somebody has moved stays."""
    page = open_page()
    to_the_middle_of_a_game(page, address)
    tiles = page.locator("#board svg.tiles")
    whole = tiles.get_attribute("viewBox")
    look_again(page, 390)
    assert tiles.get_attribute("viewBox") != whole
    look_again(page, 1280)
    page.wait_for_function(f"() => document.querySelector('.tiles').getAttribute('viewBox') === '{whole}'")
    page.click("#board .zoom button:has-text('+')")
    nearer = tiles.evaluate("one => one.viewBox.baseVal.width")
    look_again(page, 390)
    look_again(page, 1280)
    page.wait_for_function(
        "width => Math.abs(document.querySelector('.tiles').viewBox.baseVal.width - width) < 1", arg=nearer
    )


def go_to_position(page: Any, address: str, game: Any, *held: str) -> None:
    """A game of two people from here, seen from some seats."""
    wish = {"position": json.dumps(game.to_position()), "seats": PEOPLE}
    made = page.request.post(f"{address}api/games", data=wish).json()
    seats = ",".join(f"{seat}.{made['tokens'][seat]}" for seat in held)
    page.goto(f"{address}#game={made['key']}&seats={seats}")


def to_the_middle_of_a_game(page: Any, address: str) -> None:
    go_to_position(page, address, played(11, 90), "player_0")
    page.reload()
    page.wait_for_selector("#board .last")


@pytest.mark.parametrize("size", [(390, 844), (1280, 800), (1440, 900)])
def test_everything_has_its_place_and_tiles_can_be_tapped(open_page, address, size) -> None:
    page = open_page(width=size[0], height=size[1])
    to_the_middle_of_a_game(page, address)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "no sideways scrolling"
    tile = page.locator("#board svg.tiles .last").bounding_box()
    assert tile["width"] >= 38
    for part in (".hand", ".seat", ".view"):
        assert page.locator(f"#board {part}").first.is_visible()
    for button in (None, "All", "\u2212", "\u2212", "+", "+"):
        if button:
            page.click(f"#board .zoom button:has-text('{button}')")
        least, words = page.evaluate(SMALLEST)
        assert least >= 11, (button, words)


@pytest.mark.parametrize("width", [1280, 390])
def test_places_are_named_along_the_edges_and_the_tiles_left_are_shown(open_game, width: int) -> None:
    page = open_game(ruleset="carcassonne", seed="2", width=width, height=844)
    cell = page.locator("#board [aria-label*='at the start tile:']")
    for _ in range(0 if width > 700 else 6):
        page.click("#board .zoom button:has-text('\u2212')")
    name = page.locator("#board .ruler .across:text-is('start')")
    at, box = name.bounding_box(), cell.bounding_box()
    assert abs(at["x"] + at["width"] / 2 - box["x"] - box["width"] / 2) < 4, "above its column"
    names = page.locator("#board .ruler .down").all_inner_texts()
    assert "start" in names and ("1 north" if width > 700 else "1 N") in names
    left = page.locator("#board .rest summary")
    left.click()
    shown = page.locator("#board .rest li span").all_inner_texts()
    assert sum(int(words.split("\u00d7")[1]) for words in shown) == int(left.inner_text().split()[0])
    sheet = page.locator("#board .rest ul").bounding_box()
    assert sheet["x"] >= 0 and sheet["x"] + sheet["width"] <= width
    assert page.evaluate(SMALLEST)[0] >= 11


def test_on_a_phone_a_follower_is_placed_by_tapping_its_piece(open_game) -> None:
    """The tile is large enough meanwhile, and its pieces do not stand in a row of words as well."""
    page = open_game(ruleset="carcassonne", seed="2", width=390, height=844)
    claims = page.locator("#board [data-target^='claim '].legal")
    for _ in range(12):
        if claims.count():
            break
        before = decision(page)
        lay = page.locator("#strip button.main")
        (lay if lay.count() else page.locator("#board [data-target^='cell '].legal")).first.click()
        after_a_change(page, before)
    assert page.locator("#strip button").all_inner_texts() == ["No follower"]
    near = page.locator("#board .tiles").get_attribute("viewBox")
    frame = page.locator("#board .view").bounding_box()
    for claim in claims.all():
        box = claim.bounding_box()
        assert min(box["width"], box["height"]) >= 40
        assert frame["y"] <= box["y"] and box["y"] + box["height"] <= frame["y"] + frame["height"]
    with moved(page):
        claims.first.click()
    page.wait_for_selector(MINE_OR_OVER)
    assert page.locator("#board .tiles").get_attribute("viewBox") != near, "all is shown again"


LIT_CITY = "#board .lit[data-lit='city']"
HALF = 1300  # milliseconds: half the moment


def test_what_was_completed_is_lit_for_a_moment_and_not_again(open_page, address) -> None:
    """The clock of the page goes on only where the test lets it."""
    page = open_page()
    before, action = next(finished_cities())
    go_to_position(page, address, before, *PEOPLE)
    page.clock.install()
    page.reload()
    page.wait_for_selector("#board svg.tiles")
    page.clock.pause_at("2100-01-01")
    lit = page.locator(LIT_CITY)
    assert not page.locator("#board .lit").count()
    page.locator(f"#moves .move[data-action='{action}']").dispatch_event("click")
    lit.wait_for()
    assert "city of" in lit.get_attribute("aria-label")
    assert lit.evaluate("light => getComputedStyle(light).pointerEvents") == "none"

    page.clock.run_for(HALF)
    look_again(page, 390)
    look_again(page, 1280)
    before_it = decision(page)
    page.locator("#board .target.legal:not(.aside)").first.click()
    page.wait_for_selector(f"#where:not(:text-is('{before_it}'))")
    assert lit.count() == 1, "it goes on over the table that is drawn anew"
    page.clock.run_for(HALF - 100)
    assert lit.count() == 1
    page.clock.run_for(200)
    assert not lit.count(), "and no longer than if nothing had been decided"

    page.keyboard.press("Home")
    page.wait_for_selector("#where:has-text('0 / ')")
    assert not page.locator("#board .lit").count()
    page.click("#forth")
    lit.wait_for()  # a replay lights it, too
    page.clock.run_for(2 * HALF + 100)
    assert not lit.count()
    look_again(page, 390)
    page.clock.run_for(1)
    assert not lit.count(), "a table that is only drawn anew lights nothing again"


def look_again(page: Any, width: int) -> None:
    """Another width has a drawing of its own."""
    layout = "phone" if width < 700 else "table"
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_selector(f"#board .carcassonne.{layout}")


def finished_cities() -> Iterator[tuple[Any, str]]:
    """Positions before a decision that completes a city, and that decision."""
    for seed in range(20):
        game = played(seed, 0)
        rng = np.random.default_rng(seed)
        while not game.is_over:
            before, action = game.clone(), int(rng.choice(game.legal_ids()))
            game.play(action)
            if not game.is_over and any(f.kind == c.CITY for f in completed(before, game)):
                yield before, ACTION_NAMES[action]


# How often the table is drawn.
DRAWS = """() => {
  window.draws = 0;
  new MutationObserver((records) => {
    draws += records.filter(({ addedNodes }) => [...addedNodes].some((node) => node.matches?.(".carcassonne"))).length;
  }).observe(document.querySelector("#board"), { childList: true });
}"""


def test_a_turn_of_the_rival_is_one_pause_and_one_picture(open_game) -> None:
    """Whether or not it also turns its tile and puts a follower on it."""
    page = open_game(script=f"({PAUSES})()", motion="no-preference", height=800)
    page.evaluate(DRAWS)
    seen = 0
    while seen < 3:
        before = decision(page)
        page.evaluate("() => { draws = 0; pauses.length = 0; }")
        page.locator("#moves .move").first.click()
        after_a_change(page, before)
        page.wait_for_selector(MINE_OR_OVER)
        if int(decision(page).split()[0]) - int(before.split()[0]) < 3:
            continue
        seen += 1
        assert page.evaluate("draws") <= 2, "the own decision and the turn"
        assert sum(n for n in page.evaluate("pauses") if n < 2000) <= 800
    assert page.locator("#board.arrived .newest").count() == 1
