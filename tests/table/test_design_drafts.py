"""No draft is lost: not to another base, a version, a file, a reset or a second tab; and each keeps its own name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.table.test_design_clicks import more_of, save_as, take_in
from tests.table.test_design_page import HAND, change, open_design
from tests.table.test_hands_browser import COMFORT, TIGHT

SIZES = [(1280, 900), (390, 844)]
sizes = pytest.mark.parametrize(("width", "height"), SIZES)


def choose(page: Any, base: str) -> None:
    """Another base, whose figures are here."""
    page.select_option("#base", base)
    page.wait_for_selector("#design:not([inert])")
    assert page.input_value("#base") == base


def undo(page: Any) -> None:
    page.click("#bring-back")
    page.wait_for_selector("#design:not([inert])")


def settled(page: Any, words: str) -> None:
    page.wait_for_selector(f"#told li:has-text('{words}')")


LEAVE_A_FIELD = """() => import("./static/design_fields.js").then(({ Fields }) => {
  const form = document.querySelector("#fields"), changes = {}, input = () => form.querySelector("input");
  const hand = { key: "hand", label: "Hand", kind: "number", value: 5, limits: { min: 0, max: 9 }, sentence: "" };
  const rules = { sections: [{ key: "discs", title: "Discs", fields: [hand] }], cards: [] };
  const fields = new Fields(form, document.createElement("nav"), (key) => { delete changes[key]; });
  const type = (text) => { input().focus(); document.execCommand("insertText", false, text); };
  fields.fill(rules, {}); type("7"); changes.hand = 8; fields.fill(rules, changes);
  const left = input().value;
  type("6"); fields.fill({ sections: [], cards: [] }, {}); return left;
})"""


def test_a_field_that_is_left_as_its_form_goes_changes_nothing_in_the_next(open_page) -> None:
    assert open_design(open_page).evaluate(LEAVE_A_FIELD) == "8", "its browser says so once the next form is there"


@sizes
def test_a_base_that_is_chosen_again_or_brought_back_has_its_draft(open_page, width, height) -> None:
    page = open_design(open_page, width=width, height=height, touch=width == 390)
    assert page.locator("#bring-back").is_disabled()
    change(page, 7)
    page.fill("#name", "seven")
    page.fill("#note", "seven are enough")
    choose(page, "carcassonne")
    page.locator("#bring-back:not(:disabled)").wait_for()
    assert "standard" in page.get_attribute("#bring-back", "title")
    assert width > 390 or page.evaluate(TIGHT, COMFORT) == []
    undo(page)
    settled(page, "7 discs")
    assert page.input_value("#base") == "standard" and page.locator("#bring-back").is_disabled()
    for other in ("carcassonne", "eurotunnel", "agenda"):
        choose(page, other)
        settled(page, "Nothing yet")
        assert page.input_value("#name") == "" == page.input_value("#note"), "these are other rules"
        assert "The draft on standard is kept" in page.inner_text("#said")
        choose(page, "standard")
        settled(page, "7 discs")
        assert page.input_value(HAND) == "7" and page.input_value("#name") == "seven"
        assert page.input_value("#note") == "seven are enough"
    choose(page, "agenda")
    change(page, 8)
    page.reload()
    page.wait_for_selector("#fields .figure")
    for base, hand in (("standard", 7), ("agenda", 8), ("standard", 7)):
        choose(page, base)
        settled(page, f"{hand} discs")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_nothing_that_takes_the_place_of_a_draft_loses_it(open_page, tmp_path) -> None:
    page = open_design(open_page)
    save_as(page, "kept-one", 12, "a note")
    saving = page.evaluate("fetch('/api/design/versions/kept-one/file').then((r) => r.text())")
    file = tmp_path / "sent.yaml"
    file.write_text(saving.replace("kept-one", "sent-one"))
    save_as(page, "kept-one", 13, "a note")
    for hand, what in ((5, "Reset"), (6, "Load"), (7, "Copy"), (8, "Import")):
        change(page, hand)
        replace(page, what, file)
        assert page.input_value(HAND) != str(hand), what
        undo(page)
        settled(page, f"{hand} discs")
        assert page.input_value(HAND) == str(hand), what


def replace(page: Any, what: str, file: Path) -> None:
    """Something that opens another draft."""
    if what == "Reset":
        page.click("#reset")
        settled(page, "Nothing yet")
    elif what == "Load":
        page.click("[aria-label='Load kept-one']")
        page.wait_for_selector("#said:has-text('Loaded kept-one.')")
    elif what == "Copy":
        more_of(page, "kept-one").get_by_role("button", name="Copy kept-one").click()
        page.wait_for_selector("#said:has-text('is a copy of kept-one.')")
    else:
        take_in(page, file)
        page.wait_for_selector("#said:has-text('sent-one has been imported')")


def test_undo_goes_round_all_that_was_left(open_page) -> None:
    page = open_design(open_page)
    for hand in (5, 6, 7):
        change(page, hand)
        page.click("#reset")
        settled(page, "Nothing yet")
    found = set()
    for _ in range(3):
        undo(page)
        page.wait_for_selector("#told li:has-text(' discs ')")
        found.add(page.input_value(HAND))
    assert found == {"5", "6", "7"}


def test_a_draft_whose_place_was_not_taken_is_left_where_it_is(open_page) -> None:
    page = open_design(open_page)
    change(page, 7)
    page.route("**/design/form?base=tiny", lambda route: route.abort())
    page.select_option("#base", "tiny")
    page.wait_for_selector("#toast:has-text('does not answer')")
    page.wait_for_selector("#design:not([inert])")
    assert page.input_value("#base") == "standard" and page.input_value(HAND) == "7"
    assert page.locator("#bring-back").is_disabled()


def test_two_tabs_have_drafts_of_their_own_and_a_closed_one_is_kept(open_page) -> None:
    one = open_design(open_page)
    change(one, 7)
    other = one.context.new_page()
    other.goto(one.url)
    other.wait_for_selector("#fields .figure")
    settled(other, "7 discs")
    change(other, 8)
    one.reload()
    settled(one, "7 discs")
    assert one.input_value(HAND) == "7"
    change(one, 6)
    with other.expect_event("close"):
        other.close(run_before_unload=True)
    one.reload()
    settled(one, "6 discs")
    one.locator("#bring-back:not(:disabled)").wait_for()
    undo(one)
    settled(one, "8 discs")


def test_a_draft_that_cannot_be_read_hinders_nothing(open_page) -> None:
    page = open_design(open_page)
    for text in ("{", "null", "[]", '"x"', "{}", '{"base": 5}', '{"base": "gone", "changes": {"a": 1}}'):
        for store in ("localStorage", "sessionStorage"):
            page.evaluate(f"text => {{ {store}.clear(); {store}.setItem('design-draft', text); }}", text)
            page.evaluate("text => localStorage.setItem('design-aside', text)", text)
        page.reload()
        page.wait_for_selector("#fields .figure")
        settled(page, "Nothing yet")
        assert page.input_value("#base") == "standard"


# --- names ----------------------------------------------------------------------------------------


def report(page: Any) -> str:
    """Start a report and wait for it; what its page and the list call it."""
    page.select_option("#players", "scripted")
    page.click("#measure:not(:disabled)")
    page.wait_for_selector("#reader:not([hidden])")
    title = page.inner_text("#reader-title")
    page.click("#reader-close")
    now = page.locator("#reports .what").all_inner_texts()
    named = [row.split("\n") for row in now]
    name, about = next(row for row in named if title == f"Report on {row[0]}, 50 deals")  # the latest first
    assert page.locator(f"#reports [aria-label='Open the rules of the report on {name}']").count()
    return f"{name}: {about}"


@sizes
@pytest.mark.usefixtures("fake_reports")
def test_a_report_has_the_name_of_the_rules_that_it_is_on(open_page, width, height) -> None:
    page = open_design(open_page, width=width, height=height)
    name = f"mine-{width}"
    save_as(page, name, 12)
    assert report(page).startswith(f"{name}: 50 deals")
    change(page, 7)
    unsaved = report(page)
    assert "7 discs" in unsaved and f": no longer {name}, 50 deals" in unsaved, "by what is changed"
    for base in ("carcassonne", "agenda"):
        choose(page, base)
        assert report(page).startswith(f"{base}, unchanged: not saved, 50 deals")
    choose(page, "standard")
    settled(page, "7 discs")
    save_as(page, name, 7)
    assert report(page).startswith(f"{name}: 50 deals")
    assert page.locator(f"#reports .what:has-text('an older version of {name}')").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_version_is_not_replaced_by_rules_of_another_base_that_bear_its_name(open_page) -> None:
    page = open_design(open_page)
    save_as(page, "based", 12)
    choose(page, "tiny")
    page.fill("#name", "based")
    page.click("#save:not(:disabled)")
    page.wait_for_selector("#toast:has-text('save it again to replace it')")
    assert "from standard" in page.inner_text("#versions [data-name='based']")
