"""A table for every test, in a folder of its own; for each module that looks at pages a server and a browser."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from channel_tunnel_agents.base import choose_action
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.table.design import reports
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_env import Game, VersionError
from tests.table.helpers import open_desk, open_table, served, start_game

# The shell is Chromium without what stands around a page, which takes a third of a test's time. Debian has both.
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
PATIENCE = 180_000  # milliseconds; the first move of an agent may compile, and a review takes a core, on a busy machine


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """Everything that a table and its agents run is in the kernels' cache: agents have little patience here."""
    for name in ("random", "heuristic", "rookie", "ismcts:2"):
        game = Game("standard", 1)
        with suppress(
            VersionError
        ):  # a policy that a change of the rules has retired fails only the tests that need it
            game.play(choose_action(make_agent(name, game.ruleset), game))
        Game.from_position(game.to_position("britain")).determinize(0, 1)


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    """A client of a table."""
    return open_table(tmp_path / "table")


# --- the designer's page ------------------------------------------------------------------------------

REPORT = """
import json, pathlib, sys, time
print(json.dumps({"stage": "games", "done": 3, "total": 10, "left": 4.2}), file=sys.stderr, flush=True)
what = pathlib.Path(sys.argv[sys.argv.index("--ruleset") + 1]).stem
if what == "slow":
    time.sleep(600)
if what == "grows":
    for known in range(600):
        pathlib.Path("next.html").write_text(f"<title>report</title><p>as far as known: {known}</p>")
        pathlib.Path("next.html").replace("report.html")
        time.sleep(1)
if what == "broken":
    sys.exit("report: no such agent")
pathlib.Path("report.html").write_text("<title>report</title>")
"""


@pytest.fixture
def fake_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports that take no time, or for ever, by the name of their rules."""
    monkeypatch.setattr(reports, "COMMAND", (sys.executable, "-c", REPORT))


@pytest.fixture
def desk(tmp_path: Path, fake_reports: None) -> Iterator[TestClient]:
    """A client of a table with the designer's page."""
    client = open_desk(tmp_path / "table")
    yield client
    client.workshop.close()


# --- pages in a real browser: Debian's Chromium, driven by Playwright ---------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server keeps its games."""
    return tmp_path_factory.mktemp("table")


@pytest.fixture(scope="module")
def rooms(folder: Path) -> Rooms:
    """The server's games; a module that offers others has its own."""
    return Rooms(Offers.of(), folder)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One Chromium for all tests of a module."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no browser (apt-get install chromium-headless-shell)")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def address(rooms: Rooms) -> Iterator[str]:
    """A running server's."""
    with served(rooms) as found:
        yield found


@pytest.fixture
def open_page(browser: Any, address: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Opens pages, each in a context of its own; no script error may happen on any. A failed test prints what they show."""
    errors: list[str] = []
    contexts, failed = [], request.session.testsfailed

    def open_one(
        words: str = "",
        width: int = 1280,
        height: int = 900,
        touch: bool = False,
        script: str = "",
        motion: str = "reduce",  # agents and replays do not wait to be watched
    ) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=touch,
            is_mobile=touch,
            reduced_motion=motion,
            accept_downloads=True,
        )
        contexts.append(context)
        context.add_init_script(script)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address + words)
        return page

    yield open_one
    for context in contexts:
        if request.session.testsfailed > failed:
            print(
                *(f"{page.url}: {page.locator('body').inner_text(timeout=5_000)}" for page in context.pages), sep="\n"
            )
        context.close()
    assert not errors


@pytest.fixture
def open_game(open_page: Any) -> Callable[..., Any]:
    """Opens a page at a new game: of a person in Britain against random moves, unless something else is said."""

    def open_one(
        ruleset: str = "tiny", seed: str = "3", britain: str = "person", france: str = "random", **window: Any
    ) -> Any:
        page = open_page(**window)
        start_game(page, ruleset=ruleset, seed=seed, britain=britain, france=france)
        return page

    return open_one
