"""The designer's page in a real browser: a change, a game and a report."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from channel_tunnel_agents.balance.report.plain.parts import OnceMore
from channel_tunnel_agents.balance.report.render import render
from channel_tunnel_agents.table.design import reports
from tests.agents.balance.report.test_plain import MORE
from tests.agents.balance.report.test_plain import page as report_page
from tests.table.helpers import hold
from tests.table.test_browser import SMALLEST
from tests.table.test_hands_browser import COMFORT, TIGHT

HAND = "[data-key='discs.hand']"
REPORT_PATIENCE = 300_000  # milliseconds; games are played, on a busy machine


def open_design(open_page: Any, base: str = "standard", **size: int) -> Any:
    page = open_page("design", **size)
    page.wait_for_selector("#fields .figure")
    page.select_option("#base", base)
    page.wait_for_selector("#design:not([inert])")
    return page


def change(page: Any, hand: int) -> None:
    """Another hand of discs, which the page has understood."""
    page.fill(HAND, str(hand))
    page.wait_for_selector(f"#told li:has-text('{hand} discs')")


# What is still on its way as another base is chosen.
COME_LATE = {"numbers of a base": "form?base=tiny", "a version": "versions/late"}


@pytest.mark.parametrize("asked", COME_LATE.values(), ids=COME_LATE)
def test_what_comes_after_another_base_was_chosen_takes_nothing_back(open_page, asked: str) -> None:
    """None can be changed while it is on its way."""
    page = open_design(open_page)
    held = hold(page, f"**/design/{asked}")
    if asked == COME_LATE["a version"]:
        page.fill("#name", "late")
        page.click("#save-form button")
        page.wait_for_selector("#versions [aria-current]:has-text('late')")
        page.click("[aria-label='Load late']")
    else:
        page.select_option("#base", "tiny")
    page.wait_for_selector("#design[inert]")
    page.select_option("#base", "agenda")
    page.wait_for_selector("#base-title:has-text('Agenda')")
    page.wait_for_selector("#design:not([inert])")
    with page.expect_response(f"**/design/{asked}"):
        held[0].continue_()
    change(page, 8)
    assert page.input_value("#base") == "agenda"
    assert "tiny" not in page.inner_text("#base-title").lower()


def test_a_forged_value_is_refused_at_its_field(open_page) -> None:
    page = open_design(open_page)
    said: list[str] = []
    page.on("console", lambda line: said.append(line.text))
    page.fill("[data-key='discs.hand']", "99")
    wrong = page.locator(".figure:has([data-key='discs.hand']) .wrong")
    wrong.filter(has_text="99 is not allowed: a whole number from 1 to 25.").wait_for()
    assert page.get_attribute("[data-key='discs.hand']", "aria-invalid") == "true"
    assert page.locator("body").inner_text().count("99 is not allowed") == 1
    assert page.locator("#refused").inner_text() == "Hand, under Discs: not allowed"
    page.fill("#name", "forged")
    for button in ("#save", "#play", "#measure"):
        assert page.locator(button).is_disabled()
    page.focus("#name")
    page.keyboard.press("Enter")
    assert "forged" not in str(page.locator("#reports, #versions").all_inner_texts())
    assert said == [], "a refused value is no error of the page"
    page.reload()
    page.wait_for_selector("#refused li")
    assert page.locator("#play").is_disabled()
    page.eval_on_selector(
        "[data-key='deck.cards.exchange_1.cost']",
        "one => { one.add(new Option('gratis')); one.value = 'gratis'; one.dispatchEvent(new Event('change')); }",
    )
    page.wait_for_selector("tr.why:has-text('Cost: \u201cgratis\u201d is not allowed: free')")
    page.click("#reset")
    page.wait_for_selector("#told li:has-text('Nothing yet')")
    assert not page.locator("[aria-invalid], tr.why").count()
    page.wait_for_selector("#play:enabled")


CUT_CHOICES = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll("select")].filter((one) => one.checkVisibility()).flatMap((one) => {
    const style = getComputedStyle(one), words = one.selectedOptions[0]?.text ?? "";
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - ARROW;
    return pen.measureText(words).width > room ? [words] : [];
  });
}""".replace("ARROW", "12")
"""The chosen words that are wider than their list, which shows its arrow beside them."""
SIDEWAYS = """() => [...document.querySelectorAll("#design *")].filter((one) => one.checkVisibility()
  && one.id !== "parts" && ["auto", "scroll"].includes(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth)
  .map((one) => one.className || one.id)"""
"""What has to be scrolled sideways to be read, but for the row of links to the parts."""


@pytest.mark.parametrize("base", ["standard", "carcassonne", "eurotunnel"])
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1440, 900), (390, 844)])
def test_the_page_fits_and_can_be_read(open_page, width: int, height: int, base: str) -> None:
    page = open_design(open_page, base, width=width, height=height)
    page.wait_for_selector("#players option:has-text('the best that fits')", state="attached")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    size, words = page.evaluate(SMALLEST)
    assert size >= 11, words
    assert page.evaluate(CUT_CHOICES) == []
    assert page.evaluate(SIDEWAYS) == []
    if base != "standard":
        return
    page.fill("#search", "water draws france")
    assert page.locator(".figure:visible").count() == 1
    page.fill("#search", "zeppelin")
    assert page.locator("#nothing").is_visible()


@pytest.mark.parametrize("base", ["standard", "carcassonne", "eurotunnel"])
def test_a_thumb_has_room_on_every_control_of_the_designers_page(open_page, base: str) -> None:
    page = open_design(open_page, base, width=390, height=844, touch=True)
    assert page.evaluate(TIGHT, COMFORT) == []
    links = page.locator("#parts a").evaluate_all("all => all.map((one) => [one.scrollWidth, one.clientWidth])")
    assert links and all(words <= room for words, room in links), "no link runs into the next"


def test_a_value_that_is_not_allowed_is_sent_for_no_test_of_the_player(open_page) -> None:
    """The test of a draft's player begins once it is left in peace, and the next figure may be wrong by then."""
    page = open_design(open_page)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "design/test" in one.url else None)
    page.clock.install()
    page.clock.pause_at("2100-01-01")
    page.fill("[data-key='discs.hand']", "11")
    page.clock.run_for(300)
    page.wait_for_selector("#player-words:has-text('in a moment')")
    page.route("**/design/check", lambda route: None)  # what is wrong is not known yet
    page.fill("[data-key='discs.hand']", "999")
    page.clock.run_for(3000)
    page.evaluate("fetch('api/design').then((found) => found.text())")  # whatever was sent before is known by then
    assert asked == []


def test_the_other_games_have_their_figures_seats_and_rivals(open_page) -> None:
    page = open_design(open_page, "carcassonne")
    assert page.locator("#base optgroup").count() == 3
    assert page.locator("#part-cards").count() == 0
    assert page.locator("#side option").all_inner_texts() == ["Anna", "Bruno"]
    assert "Collector" in page.locator("#rival option").all_inner_texts()
    page.select_option("[data-key='small_city']", "2")
    page.fill("[data-key='players']", "3")
    page.wait_for_selector("#told li:nth-child(2)")
    page.wait_for_selector("#side option:has-text('Clara')", state="attached")
    page.fill("[data-key='followers']", "21")
    page.wait_for_selector(".wrong:has-text('21 is not allowed: a whole number from 1 to 20.')")
    assert page.locator("#refused").inner_text() == "Followers, under The game: not allowed"
    assert page.locator("#play").is_disabled()

    page.select_option("#base", "eurotunnel")
    page.wait_for_selector("[data-key='absent'] input")
    scores = page.locator("[data-key='limit_score'] option").all_inner_texts()
    assert scores == ["by centres squared", "equal for all with units", "by centres", "all to the most units"]
    page.select_option("[data-key='limit_score']", "dss")
    page.wait_for_selector(
        "#told li:has-text('Score of an undecided game: equal for all with units instead of by centres squared.')"
    )
    assert "was by centres squared" in page.locator(".figure.changed").inner_text()
    page.click("[aria-label='Reset Score of an undecided game']")
    page.check("[data-key='absent'] input[value='ITALY']")
    page.wait_for_selector("#told li:has-text('ITALY')")
    assert page.locator("#side option").count() == 6, "nobody plays Italy"
    assert page.inner_text("#players option").startswith("Strategist")
    page.click("[aria-label='Reset Powers that nobody plays']")
    page.wait_for_selector("#told li:has-text('Nothing yet')")

    page.select_option("#base", "carcassonne")
    page.wait_for_selector(".wrong:has-text('21 is not allowed')")
    page.click("[aria-label='Reset Followers']")
    page.fill("[data-key='tiles.A.count']", "3")
    page.wait_for_selector("#told li")
    page.select_option("#side", "player_1")
    page.select_option("#rival", "random")
    page.wait_for_selector("#play:enabled")
    page.click("#play")
    page.wait_for_selector("#board svg")
    assert "changed from carcassonne" in page.locator("#about").inner_text()


@pytest.mark.usefixtures("fake_reports")
def test_a_report_is_read_while_it_grows(open_page) -> None:
    page = open_design(open_page, "tiny")
    page.fill("#name", "grows")
    page.click("#measure")
    page.click("#running .peek")
    report = page.frame_locator("#reader-page")
    known = report.locator("p").inner_text()
    # The page may have grown between the look at it and its loading: then the first newer one is the same. The button
    # goes when it is pressed, and is back within a second: a busy machine may never see it gone.
    while report.locator("p").inner_text() == known:
        page.click("#reader-newer")
    assert report.locator("p").inner_text().startswith("as far as known")
    assert page.locator("#running .peek").is_hidden()
    page.click("#reader-close")
    page.click("#cancel-report")
    page.wait_for_selector("#reports li:has-text('was not finished')")
    page.click("[aria-label='Read the report on grows']")
    report.locator("p:has-text('as far as known')").wait_for()
    page.click("#reader-close")
    page.click("[aria-label='Go on with the report on grows']")
    page.wait_for_selector("#running #cancel-report")
    assert page.locator("#reports li:has-text('grows')").count() == 1, "it is the same report"
    page.click("#cancel-report")
    page.wait_for_selector("#reports li:has-text('was not finished')")


@pytest.mark.usefixtures("fake_reports")
def test_the_rules_of_a_report_are_opened_as_the_draft(open_page) -> None:
    page = open_design(open_page, width=390, height=844)
    change(page, 7)
    page.click("#measure:not(:disabled)")
    page.wait_for_selector("#reader:not([hidden])")
    page.click("#reader-close")
    page.select_option("#base", "carcassonne")
    page.wait_for_selector("#told:has-text('Nothing yet')")
    page.locator("#reports button:has-text('Open these rules')").first.click()
    page.wait_for_selector("#told:has-text('7 discs')")
    assert page.input_value("#base") == "standard" and page.input_value("[data-key='discs.hand']") == "7"


COMPILES_THEN_PLAYS = """
import json, shutil, sys, time
for done, seconds in ((0, 5), (1, 2)):
    print(json.dumps({"stage": "games", "done": done, "total": 2, "left": 1}), file=sys.stderr, flush=True)
    time.sleep(seconds)
"""


LIE_APART = """() => [...document.querySelectorAll(".levels li")].every((one) => {
  const [who, short] = [".who", ".short"].map((part) => one.querySelector(part).getBoundingClientRect());
  return who.right <= short.left && who.width > 100;
})"""


def test_on_a_phone_a_long_verdict_leaves_room_for_its_player(browser) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.set_content(render(report_page()))
    long = "France and Turkey win too often and Austria, Germany and Russia too seldom"
    page.eval_on_selector(".levels .short", "(one, words) => { one.textContent = words; }", long)
    assert page.evaluate(LIE_APART)
    page.close()


TRAIN = OnceMore(50, 1_200_000, "channel-tunnel report mine.yaml --verdict", "It takes about 9 min on two free cores.")
# Two seconds of 50 deals are four minutes of 6,600; what was compiled first is not played again.
ONCE_MORE = {
    "deals": (MORE, "At most ([2-9]|1[0-4]) minutes, by what these took", "#reader-title:has-text('6600 deals')"),
    "training": (TRAIN, TRAIN.takes, "#reports small:has-text('after training')"),
}


@pytest.mark.parametrize(("more", "takes", "made"), ONCE_MORE.values(), ids=ONCE_MORE)
def test_a_report_that_cannot_tell_is_made_again_with_what_would(
    open_page, monkeypatch, tmp_path, more: OnceMore, takes: str, made: str
) -> None:
    written = tmp_path / "report.html"
    written.write_text(render(report_page(more=more)))
    copy = COMPILES_THEN_PLAYS + f"shutil.copy({str(written)!r}, 'report.html')"
    monkeypatch.setattr(reports, "COMMAND", (sys.executable, "-c", copy))
    page = open_design(open_page, "tiny", width=390, height=844)
    page.click("#measure")
    report = page.frame_locator("#reader-page")
    report.locator(f"button:has-text('{more.label}')").wait_for()
    report.locator(f".took:text-matches('{takes}')").wait_for()
    assert report.locator("#plain .copy:visible").count() == 0
    report.locator(f"button:has-text('{more.label}')").click()
    page.wait_for_selector("#running .note")
    page.wait_for_selector(made)
