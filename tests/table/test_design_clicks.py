"""The buttons of the designer's page in a real browser: versions that are copied, sent, taken in, gone back to; a policy trained."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from channel_tunnel_env import load_ruleset
from tests.table.test_design_page import change, open_design
from tests.table.test_design_tuning import POLICY, asked, hand, policies, shares  # noqa: F401


def save_as(page: Any, name: str, hand: int, note: str = "") -> None:
    """Save the draft with a hand of so many discs, as a version that is then the one edited."""
    change(page, hand)
    page.fill("#name", name)
    page.fill("#note", note)
    page.click("#save")
    page.wait_for_selector(f"#said:has-text('Saved as {name}')")


def more_of(page: Any, name: str) -> Any:
    """The buttons of a version, unfolded."""
    row = page.locator(f"#versions > li:has([data-name='{name}'])")
    row.locator("summary").click()
    return row


def test_a_copy_is_opened_with_the_same_numbers_and_note_and_each_version_says_its_own(open_page) -> None:
    page = open_design(open_page)
    change(page, 8)
    page.fill("#name", " Eight discs, no more ")
    page.click("#save")
    page.wait_for_selector("#said:has-text('Saved as Eight-discs-no-more')")  # the name of a file
    save_as(page, "copied", 7, "seven are enough")
    more_of(page, "copied").get_by_role("button", name="Copy copied").click()
    page.wait_for_selector("#said:has-text('copied-copy is a copy of copied.')")
    assert page.input_value("#name") == "copied-copy"
    assert page.input_value("#note") == "seven are enough"
    assert page.input_value("[data-key='discs.hand']") == "7"
    assert page.locator("#versions [aria-current]").get_attribute("data-name") == "copied-copy"
    page.reload()
    page.wait_for_selector("#versions [data-name='copied']")
    assert page.locator("[data-name='copied'] .its-note").inner_text() == "seven are enough"
    assert page.locator("[data-name='Eight-discs-no-more'] .its-note").count() == 0


@pytest.mark.parametrize(("what", "end"), [("Export", "yaml"), ("Share", "html")])
def test_what_is_saved_as_a_file_is_taken_in_again(open_page, tmp_path, what, end) -> None:
    page, name = open_design(open_page), f"sent-{end}"
    save_as(page, name, 6, "six are enough")
    with page.expect_download() as sent:
        more_of(page, name).get_by_role("link", name=f"{what} {name}").click()
    assert sent.value.suggested_filename == f"{name}.{end}"
    file = tmp_path / sent.value.suggested_filename
    sent.value.save_as(file)
    if end == "html":
        seen = page.context.new_page()
        seen.goto(file.as_uri())
        assert "6 discs instead of 10" in seen.locator("body").inner_text()
        assert "six are enough" in seen.locator("body").inner_text()
    else:
        assert load_ruleset(file).data.discs.hand == 6

    take_in(page, file)
    page.wait_for_selector(f"#said:has-text('{name} is here already; it is open.')")
    page.click(f"[aria-label='Delete {name}']") if page.locator(".more-of[open]").count() else (
        more_of(page, name).get_by_role("button", name=f"Delete {name}").click()
    )
    page.click(f"[aria-label='Really delete {name}']")
    page.locator(f"[data-name='{name}']").wait_for(state="detached")
    page.click("#reset")
    page.wait_for_selector("#told li:has-text('Nothing yet')")
    take_in(page, file)
    page.wait_for_selector(f"#said:has-text('{name} has been imported and is open.')")
    assert page.input_value("[data-key='discs.hand']") == "6"
    assert page.input_value("#note") == "six are enough"


def take_in(page: Any, file: Path) -> None:
    with page.expect_file_chooser() as chooser:
        page.click("#import")
    chooser.value.set_files(file)


def test_a_file_that_is_refused_says_where_and_changes_nothing(open_page, tmp_path) -> None:
    page, file = open_design(open_page), tmp_path / "bad.yaml"
    save_as(page, "stays", 7)
    file.write_text("base: standard\nname: bad\ndiscs:\n  hand: 99\n")
    take_in(page, file)
    refused = page.locator("#import-refused")
    refused.filter(has_text="Line 4").wait_for()
    assert "discs.hand" not in refused.inner_text() and "1 to 25" in refused.inner_text()
    assert page.input_value("#name") == "stays"
    assert page.locator("[data-name='bad']").count() == 0
    page.fill("[data-key='discs.hand']", "8")
    refused.wait_for(state="hidden")  # what was wrong with another file is said no more


def test_on_a_phone_a_comparison_opens_in_view(open_page) -> None:
    page = open_design(open_page, width=390, height=844)
    save_as(page, "seen", 7)
    page.click("#compare")
    page.wait_for_selector("#compared .part")
    for shown in ("#comparison-title", "#one", "#other", "#compared h3"):
        box = page.locator(shown).first.bounding_box()
        assert 0 <= box["y"] < 844, shown
    page.click("#comparison-close")
    assert page.locator("#fields").is_visible()


REFUSED = [
    ("discs.hand", "99"),
    ("route.length", "99"),
    ("track_points.britain.a", "0, 1, 2, 99, 6, 9"),
    ("barriers.britain.a", "1"),
    ("deviation.cards", "pink3"),
    ("deviation.penalties", "0, 1"),
    ("rubble.tokens.blue", "5"),
    ("deck.cards.exchange_2.points", "1000"),
]


def test_every_refused_field_says_so_once_beside_it_and_in_no_keys(open_page) -> None:
    page = open_design(open_page)
    page.wait_for_selector("#play:enabled")
    tried = 0
    for key, value in REFUSED:
        control = page.locator(f"[data-key='{key}']")
        if not control.count():
            continue
        before = control.input_value()
        control.fill(value)
        page.wait_for_selector("#refused:not([hidden])")
        told = [text for text in page.locator(".wrong:visible").all_inner_texts() if text]
        assert told and len(set(told)) == len(told), key
        assert page.locator("[aria-invalid]").count() == len(told), key
        body = page.locator("body").inner_text()
        for text in told:
            assert body.count(text) == 1, text
        assert key not in body and "_" not in " ".join(told), told
        beside = page.locator(f".figure:has([data-key='{key}']) .wrong, tr.why[data-of='{key}']")
        if beside.count() and beside.first.is_visible():
            near, own = beside.first.bounding_box(), control.bounding_box()
            assert abs(near["y"] - own["y"]) < 200, key
        assert page.locator("#play").is_disabled() and page.locator("#tune").is_disabled()
        control.fill(before)
        page.wait_for_selector("#play:enabled")
        assert not page.locator("[aria-invalid]").count(), key
        tried += 1
    assert tried >= 6, "most of these figures are in the form"


# --- a policy that is trained ---------------------------------------------------------------------


@pytest.mark.usefixtures("asked", "shares")
@pytest.mark.parametrize("width", [1280, 390])
def test_a_number_is_a_guess_until_a_policy_is_trained_which_then_plays(open_page, policies, width) -> None:  # noqa: F811
    page = open_design(open_page, width=width, height=844)
    assert page.locator("#player-of").is_hidden(), "master was trained for these rules"
    page.fill("[data-key='discs.hand']", "11")
    page.wait_for_selector("#player-words:has-text('Adept plays these rules best')")
    assert "not practised" in page.inner_text("#player-words")
    assert page.input_value("#rival") == "adept"
    page.click("#tune")
    page.wait_for_selector("#tuning .note:has-text('25 %')")
    assert "about 9 s left" in page.inner_text("#tuning .note")
    assert page.locator("#tune").is_disabled()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    policies[hand().digest] = POLICY
    page.click("#stop-tuning")
    page.wait_for_selector("#player-words:has-text('and has practised them')")
    assert "what the policy has learnt is kept" in page.inner_text("#said")
    assert page.input_value("#rival") == POLICY.name
    assert page.locator("#rival option:checked").inner_text() == "Trained policy 1"
    assert page.locator("#players option").first.inner_text().startswith("Trained policy 1, the best")
    assert page.inner_text("#tune") == "Train it for longer"
    change(page, 12)
    page.wait_for_selector("#players option:text-is('Adept, the best that fits')", state="attached")
    assert page.input_value("#rival") == "adept"


@pytest.mark.usefixtures("asked", "shares")
def test_a_training_that_cannot_begin_says_so_in_a_line(open_page, monkeypatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *more: None)
    page = open_design(open_page)
    page.fill("[data-key='discs.hand']", "13")
    page.wait_for_selector("#tune:enabled")
    page.click("#tune")
    page.wait_for_selector("#toast:has-text('training needs torch: pip install')")
