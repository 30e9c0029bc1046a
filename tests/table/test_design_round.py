"""A designer's whole round in one go, on a page of 390 px: change, play, report, try, second version, compare."""

from __future__ import annotations

from typing import Any

from tests.table.test_design_clicks import save_as
from tests.table.test_design_page import REPORT_PATIENCE, open_design

STATISTICS = ("Holm", "95 %", " pp", "interval")
CARD = "deck.cards.extra_finance_1.points"


def test_a_designers_round_is_made_without_leaving_the_page(open_page) -> None:
    page = open_design(open_page, "tiny", width=390, height=844)
    said: list[str] = []
    page.on("console", lambda line: said.append(line.text))
    assert page.input_value("#players") == "best"
    page.wait_for_selector("#players option:first-child:text-is('Adept, the best that fits')", state="attached")
    assert "processor time" in page.inner_text("#players-cost")

    page.wait_for_selector("#versions .note")  # there is none yet
    save_as(page, "round-one", 8, "eight discs")
    play(page)
    report = watch_a_report(page, "round-one")
    try_a_change(page, report)

    page.click("[aria-label='Load round-one']")
    page.wait_for_selector("#said:has-text('Loaded round-one.')")
    page.fill(f"[data-key='{CARD}']", "3")
    save_as(page, "round-two", 5)
    watch_a_report(page, "round-two")
    page.click("#reader-close")
    compare(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert said == []


def play(page: Any) -> None:
    """The draft at the table, and back."""
    page.select_option("#rival", "random")
    page.click("#play")
    page.wait_for_selector("#board svg")
    assert "round-one: eight discs" in page.locator("#about").inner_text()
    page.go_back()
    page.wait_for_selector("#told li:has-text('8 discs')")
    page.wait_for_selector("#versions [data-name='round-one']")  # saved since the page was first loaded


def watch_a_report(page: Any, name: str) -> Any:
    """Its progress, then its page, which opens by itself and needs no statistics."""
    page.select_option("#players", "scripted")
    page.click("#measure")
    page.wait_for_selector("#running .note:has-text('%')")
    page.wait_for_selector("#reader:not([hidden])", timeout=REPORT_PATIENCE)
    page.wait_for_selector(f"#reader-title:has-text('Report on {name}')")
    report = page.frame_locator("#reader-page")
    first = report.locator("#plain")
    first.wait_for()
    told = first.inner_text()
    assert "Is it fair?" in told and not [word for word in STATISTICS if word in told]
    assert report.locator("#plain .coins").count() and report.locator("#plain .levels .dot").count()
    assert not report.locator(".copy-line").first.is_visible()
    assert not report.locator("#front-beside").is_visible(), "statistics wait below How we know"
    report.locator("#how-we-know > summary").click()
    report.locator("#front-beside").wait_for()
    return report


def try_a_change(page: Any, report: Any) -> None:
    """The button of a change opens the draft of the report with that number changed, and nothing else."""
    offered = report.locator(".tries li").first
    told = offered.locator("strong").first.inner_text()
    button = offered.locator("button.try:has-text('Try this change')")
    key, value = (button.get_attribute(f"data-{name}") for name in ("key", "value"))
    button.click()
    page.wait_for_selector(f'#said:has-text("{told}")')
    assert page.locator("#reader").is_hidden()
    assert figure(page, key) == value
    assert key == "discs.hand" or figure(page, "discs.hand") == "8"
    differing = page.locator("#fields [data-new]")
    assert differing.count() == len({key, "discs.hand"}) - (value == "10" and key == "discs.hand")


def figure(page: Any, key: str) -> str:
    """What a field shows; of a list one of its numbers, whose place ends the key."""
    field = page.locator(f"[data-key='{key}']")
    if field.count():
        return str(field.input_value())
    name, _, place = key.rpartition(".")
    return str(page.input_value(f"[data-key='{name}']").split(", ")[int(place)])


def compare(page: Any) -> None:
    """Two versions: the rules that differ, what each side wins as bars, and the card that the rules change, drawn."""
    page.click("#compare")
    page.select_option("#one", "version:round-one")
    page.select_option("#other", "version:round-two")
    page.wait_for_selector("#compared .differing td:text-is('5')")
    assert "Discs, hand" in page.inner_text("#compared .differing")
    assert page.locator("#compared .player").first.locator(".bar-of").count() == 4
    drawn = page.locator("#compared .gallery figure:has-text('Extra finance 1')")
    assert drawn.locator("svg").count() == 1
    page.click("#comparison-close")
