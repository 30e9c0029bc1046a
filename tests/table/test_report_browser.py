"""In a browser: a report's tables are sorted, filtered and taken along as CSV."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from channel_tunnel_agents.balance.report import stored

SAMPLES = Path(__file__).parents[2] / "docs" / "reports"
TABLE = "#table-cards"
CARDS = f"{TABLE} tbody tr:not([hidden]) th"


@pytest.mark.heavy
@pytest.mark.parametrize("width", [1280, 390])
def test_the_card_table_sorts_filters_and_exports_what_is_shown(browser: Any, width: int, tmp_path: Path) -> None:
    assert stored.main([str(SAMPLES), str(tmp_path)]) == 0
    context = browser.new_context(viewport={"width": width, "height": 900}, has_touch=width < 1000)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{(tmp_path / 'report-standard.html').as_uri()}#cards")
    heads = page.locator(f"{TABLE} thead th")
    before = page.locator(CARDS).all_inner_texts()

    seen = heads.nth(1)  # a column of figures: the largest first, then the smallest
    if width < 1000:
        seen.locator("button").tap()
    else:
        seen.locator("button").focus()
        page.keyboard.press("Enter")
    assert seen.get_attribute("aria-sort") == "descending"
    shares = [float(cell.get_attribute("data-v")) for cell in page.locator(f"{TABLE} tbody td:nth-child(2)").all()]
    assert shares == sorted(shares, reverse=True) and len(shares) == len(before)
    heads.first.locator("button").press("Space")  # words by letters, and no other head is marked
    assert heads.first.get_attribute("aria-sort") == "ascending" and seen.get_attribute("aria-sort") is None
    names = page.locator(CARDS).all_inner_texts()
    assert names != before and names == sorted(names, key=str.casefold)

    page.fill(f"{TABLE} .filter", "INFLUENCE european")
    left = page.locator(CARDS).all_inner_texts()
    assert 1 < len(left) < len(names) and all("European influence" in name for name in left)
    assert page.inner_text(f"{TABLE} .shown") == f"{len(left)} of {len(names)} rows"
    assert read(page, tmp_path)[1:] == left
    page.fill(f"{TABLE} .filter", "")
    assert read(page, tmp_path) == ["card", *names]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth") and not errors
    context.close()


def read(page: Any, folder: Path) -> list[str]:
    """The first column of the file behind the table's link, whose figures are plain numbers."""
    with page.expect_download() as waiting:
        page.click(f"{TABLE} a.data")
    waiting.value.save_as(folder / "cards.csv")
    rows = list(csv.reader((folder / "cards.csv").read_text(encoding="utf-8").splitlines()))
    assert rows[0][1:5] == ["seen", "seen: low", "seen: high", "seen: n"]
    assert all(0 <= float(row[2]) <= float(row[1]) <= float(row[3]) <= 1 for row in rows[1:])
    return [row[0] for row in rows]
