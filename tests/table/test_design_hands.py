"""The designer's path by mouse, by thumb and by keyboard, at three widths; only the games of the report are not played."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import pytest

from channel_tunnel_agents.balance.report.render import render
from channel_tunnel_agents.table.design import reports
from tests.agents.balance.report.test_plain import page as report_page
from tests.table.test_design_page import HAND, open_design
from tests.table.test_hands_browser import HEIGHTS, Hand, check_comfort


@pytest.fixture
def written(monkeypatch, tmp_path) -> None:
    """Every report is one that offers a hand of 9 discs, at once."""
    found = report_page()
    assert found.plain
    change = replace(found.plain.tries[0], key="discs.hand", value=9, told="Nine discs.")
    page = tmp_path / "written.html"
    page.write_text(render(replace(found, plain=replace(found.plain, tries=(change,)))))
    copy = f"import shutil; shutil.copy({str(page)!r}, 'report.html')"
    monkeypatch.setattr(reports, "COMMAND", (sys.executable, "-c", copy))


class Designer(Hand):
    """Somebody who also types."""

    def type(self, field: str, words: str) -> None:
        """Words in place of what stands in a field."""
        if self.way != "keyboard":
            self.press(field)
        self.page.focus(field)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(words)

    def save_as(self, name: str) -> None:
        self.type("#name", name)
        self.page.wait_for_selector("#save:enabled")
        self.press("#save")
        self.page.wait_for_selector(f"#said:has-text('Saved as {name}')")


@pytest.mark.usefixtures("written")
@pytest.mark.parametrize(("way", "width"), [("touch", 390), ("keyboard", 1280), ("mouse", 1440)])
def test_a_change_is_refused_saved_played_reported_tried_and_compared(open_page, way: str, width: int) -> None:
    page = open_design(open_page, "tiny", width=width, height=HEIGHTS[width], touch=way == "touch")
    hand, name = Designer(page, way), f"{way}-{width}"
    hand.type(HAND, "999")
    page.wait_for_selector(".wrong:has-text('999 is not allowed: a whole number from 1 to 25.')")
    assert page.locator("#play").is_disabled() and page.locator("#measure").is_disabled()
    check_comfort(hand)
    hand.type(HAND, "8")
    page.wait_for_selector("#told li:has-text('8 discs')")
    hand.save_as(name)
    check_comfort(hand)
    play(hand)
    report(hand)
    assert page.input_value(HAND) == "9"
    page.wait_for_selector("#told li:has-text('9 discs')")
    hand.save_as(f"{name}-tried")
    compare(hand, name, f"{name}-tried")


def play(hand: Designer) -> None:
    """At the table, and back by its menu."""
    page = hand.page
    page.select_option("#rival", "random")
    hand.press("#play")
    page.wait_for_selector("#board svg")
    check_comfort(hand)
    hand.press("#menu summary")
    hand.press("#to-design")
    page.wait_for_selector("#told li:has-text('8 discs')")
    page.wait_for_selector("#measure:enabled")


def report(hand: Designer) -> None:
    """It opens when it is there, and its button opens the draft with the number changed."""
    page = hand.page
    hand.press("#measure")
    page.wait_for_selector("#reader:not([hidden])")
    tried: Any = page.frame_locator("#reader-page").locator("button.try:has-text('Try this change')")
    tried.wait_for()
    check_comfort(hand)
    hand.press(tried)
    page.wait_for_selector("#said:has-text('The draft is open with this change')")


def compare(hand: Designer, one: str, other: str) -> None:
    """Both versions side by side, and back to the numbers."""
    page = hand.page
    hand.press("#compare")
    page.select_option("#one", f"version:{one}")
    page.select_option("#other", f"version:{other}")
    page.wait_for_selector("#compared .differing td:text-is('9')")
    check_comfort(hand)
    hand.press("#comparison-close")
    page.wait_for_selector("#numbers:not([hidden])")
