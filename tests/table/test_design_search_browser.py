"""A designer sets a target, lets the page search, and opens what it found; a reload loses nothing."""

from __future__ import annotations

import pytest

from tests.table.test_browser import SMALLEST
from tests.table.test_design_page import REPORT_PATIENCE, open_design
from tests.table.test_hands_browser import COMFORT, TIGHT


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_a_target_is_set_searched_for_and_what_is_found_is_the_draft(open_page, width, height) -> None:
    page = open_design(open_page, "tiny", width=width, height=height, touch=width == 390)
    page.click("#goals > summary")
    page.fill("[aria-label='Rounds played: from']", "9")
    page.fill("[aria-label='Rounds played: to']", "8")
    page.fill("#own-measure", "roundz > 4")
    page.press("#own-measure", "Enter")
    page.wait_for_selector("#toast-text:has-text(\"did you mean 'rounds'?\")")
    for expression in ("rounds > 4", "distance / rounds"):
        page.fill("#own-measure", expression)
        page.click("#add-own")
        page.fill(f"[aria-label^='{expression}'][aria-label$=': to']", "90")
    page.click("[aria-label='Remove distance / rounds']")
    page.select_option("#add-figure", label="Discs, hand")
    page.fill("[aria-label='Discs, hand: from']", "4")
    page.fill("[aria-label='Discs, hand: to']", "5")
    page.reload()
    page.wait_for_selector("#goals[open] [aria-label^='rounds > 4']")
    assert page.locator("#aims input[aria-label^='Rounds played'], #aims input[aria-label^='rounds:']").count() == 2
    page.select_option("#searcher", "heuristic")
    page.select_option("#search-trials", "10")
    page.select_option("#search-deals", "50")
    page.click("#find:enabled")
    page.wait_for_selector("#toast-text:has-text('Rounds played: from 9 is more than to 8.')")
    page.fill("[aria-label='Rounds played: to']", "10")
    page.click("#find")
    page.wait_for_selector("#stop-searching")
    page.reload()  # it is the server that searches
    page.wait_for_selector("#stop-searching")
    page.wait_for_selector("#open-found", timeout=REPORT_PATIENCE)
    found = page.inner_text("#found")
    assert "No setting that was tried meets all targets." in found and "missed by" in found and "Amateur" in found
    assert "(rounds played) > 4: " in found and "distance" not in found
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(SMALLEST)[0] >= 12 and (width > 390 or page.evaluate(TIGHT, COMFORT) == [])
    page.click("#open-found")
    page.wait_for_selector("#said:has-text('What was found is the draft now.')")
    assert page.input_value("[data-key='discs.hand']") in ("4", "5", "10")
    assert page.input_value("[aria-label='Rounds played: to']") == "10"
