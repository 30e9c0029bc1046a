"""Sample reports are stored without their games and painted as they were."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from channel_tunnel_agents.balance.report import stored
from channel_tunnel_agents.balance.report.numbers import Number
from channel_tunnel_agents.balance.report.page import (
    Branch,
    Chart,
    Data,
    Download,
    Drawing,
    Gallery,
    Page,
    PageSection,
    Table,
    Tree,
    Words,
)
from channel_tunnel_agents.balance.report.plain.parts import PlainAnswer
from channel_tunnel_agents.balance.report.render import render
from channel_tunnel_env import VersionError
from tests.agents.balance.report.test_report import Reader

SAMPLES = Path(__file__).parents[4] / "docs" / "reports"
ROWS = Data(
    ("agent", "share", "games"),
    (("<one>", Number(0.5, 0.4, 0.6, 100, "share"), 12), ("two", Number(np.nan, np.nan, np.nan, 3), None)),
)
ITEMS = (
    Table("t", "Table", ROWS, folded=True),
    Chart("c", "Chart", "<svg></svg>", ROWS, file=Download("file", "f.json", {"is": ["kept"]})),
    Words(("a line & more",), command="a command"),
    Tree("r", "Tree", (Branch("a", "b", (Branch("c", "d"),)),), ROWS),
    Gallery("g", "Gallery", (Drawing("<svg></svg>", "x", ("line",), True, "seat"),)),
)
PLAIN = PlainAnswer("yes", "Yes", ("Seen.",), (), "", "From A on.", (), ("F", "B"), "Help?", "None.")
PAGE = Page("Title", PLAIN, (PageSection("k", "Section", ("It is [0.1, 0.2].",), ITEMS),), ("small",))


def test_every_kind_of_item_is_rendered() -> None:
    text = render(PAGE)
    assert Reader(text).open == []
    assert "&lt;one&gt;" in text and "a line &amp; more" in text and text.count("<svg></svg>") == 2
    assert 'It is <span class="interval">[0.1, 0.2]</span>' in text
    assert text.count("<details>") == 2 and '<details id="k" class="section">' in text


def test_a_page_is_painted_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "page.json.gz"
    stored.keep_page(PAGE, path)
    found = stored.kept_page(path)
    assert render(found) == render(PAGE)
    assert found.sections[0].items[2:] == ITEMS[2:3] + found.sections[0].items[3:]
    before = path.read_bytes()
    stored.keep_page(found, path)
    assert path.read_bytes() == before


def test_the_sample_reports_are_those_of_this_version_and_small(tmp_path: Path) -> None:
    """The site links to both; together they take little more than a quarter of a megabyte."""
    assert stored.main([str(SAMPLES), str(tmp_path)]) == 0
    pages = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert {*pages} == {"report-eleven-discs.html", "report-standard.html"}
    for page in pages.values():
        assert page.count("<svg") > 20 and page.endswith("</html>")
        assert "http://127.0.0.1:8000/#record=" in page  # games to step through
    assert sum(path.stat().st_size for path in SAMPLES.iterdir()) < 260_000  # with their charts round by round


def test_a_page_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.json.gz"
    path.write_bytes(gzip.compress(json.dumps({"version": 0, "page": {}}).encode()))
    with pytest.raises(VersionError, match=f"version 0 of stored pages; this is {stored.VERSION}"):
        stored.kept_page(path)
