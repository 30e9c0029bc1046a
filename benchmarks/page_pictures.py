"""The pictures of pages in the documents, taken again in Chromium: the table, and the sample report.

    python benchmarks/page_pictures.py                     # a minute
    python benchmarks/page_pictures.py --chromium /usr/bin/chromium

It starts a table of its own in a temporary folder. The other pictures of the documents are those of `make pictures`.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tyro
from PIL import Image
from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
DESK, PHONE, SHEET = (1280, 800), (390, 844), (1000, 1150)  # pixels
COLOURS = 256  # of a picture: half the bytes, and no difference to see
PATIENCE = 120_000  # milliseconds; the first answers may compile
SPRING = "A PAR - BUR, A MAR - SPA, F BRE - MAO"


@dataclass(frozen=True)
class PictureOptions:
    """Where the browser is."""

    chromium: Path = Path("/usr/bin/chromium")
    """Its program."""
    only: tuple[str, ...] = ()
    """Names of the pictures. Default: all."""


@contextmanager
def table() -> Iterator[str]:
    """A table on a free port; its address."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "channel_tunnel_env", "table", "--port", "0", "--folder", folder]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            yield next(word for line in process.stdout for word in line.split() if word.startswith("http"))
        finally:
            process.terminate()
            process.wait()


def first_screen(page: Any) -> None:
    """The three games."""
    page.wait_for_selector("#welcome .play")


def table_1987(page: Any) -> None:
    """Britain against the Club player, some turns into a game."""
    page.click("#welcome .game[data-game=tunnel_1987] .play")
    page.locator("#side-choice input[value=britain]").check(force=True)
    page.locator("#level-choice input[value=club]").check(force=True)
    page.eval_on_selector("#advanced", "fold => { fold.open = true; }")
    page.fill("#new-form [name=seed]", "7")
    page.click("#new-start")
    for number in range(24):
        page.wait_for_selector("#status.yours")
        before = page.inner_text("#where")
        moves, kept = page.locator("#moves .move"), page.locator("dialog[open] button.main")  # of a pass
        while page.inner_text("#where") == before:
            if kept.count():
                kept.click()
            elif moves.count():
                moves.nth(number * 5 % moves.count()).dispatch_event("click")
            page.wait_for_timeout(700)
    page.wait_for_selector("#status.yours")
    page.mouse.move(0, 0)


def eurotunnel(page: Any) -> None:
    """France has sent its spring orders and writes those of the fall: what it may dig to is marked."""
    page.click("#welcome .game[data-game=eurotunnel] .play")
    page.locator("#side-choice input[value=france]").check(force=True)
    page.locator("#level-choice input[value=dumb]").check(force=True)
    page.eval_on_selector("#advanced", "fold => { fold.open = true; }")
    page.fill("#new-form [name=seed]", "4")
    page.click("#new-start")
    write(page, SPRING)
    page.click("#strip button.send")
    page.wait_for_selector("#status:has-text('Fall 1901')")
    write(page, "A SPA - POR")
    page.click("#moves .written .move:has-text('A BUR')")
    page.click("#strip button:has-text('Dig')")
    page.mouse.move(0, 0)


def write(page: Any, orders: str) -> None:
    """Type orders into the list."""
    page.fill(".lines input", orders)
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#moves .written li:has-text('{orders.split(', ')[-1]}')")


def guided(page: Any) -> None:
    """A step of Eurotunnel's guided first game that asks for an order."""
    page.click("#welcome .game[data-game=eurotunnel] .learn")
    for number in range(1, 5):
        page.wait_for_selector(f"#coach-step:has-text('step {number} of')")
        page.click("#coach-next")
    page.wait_for_selector("#coach-note:has-text('Dig a tunnel')")


def designer(page: Any) -> None:
    """A figure that is changed, and the player that was tested on the draft."""
    design(page, "nine-discs", "shorter turns", "discs.hand", "9")
    page.wait_for_selector("#player-words:has-text('plays these rules best')")
    page.evaluate("document.activeElement.blur()")


def designer_report(page: Any) -> None:
    """A report on a saved version, opened beside its draft."""
    measured(page)
    page.locator("#reports li:has-text('head-start') button:has-text('Read')").click()
    page.frame_locator("#reader-page").locator("h1").wait_for()


def designer_compare(page: Any) -> None:
    """The same version beside its base."""
    measured(page)
    page.click("#compare")
    page.locator("#one").select_option("base:standard")
    page.wait_for_selector("#compared .differing")
    page.wait_for_selector("#compared .bar-of")


def measured(page: Any) -> None:
    """A version with a finished report, made by the first picture that needs it."""
    design(page, "head-start", "four points for Britain", "head_start.points.britain", "4")
    done = "#reports li:has-text('head-start') button:has-text('Read')"
    if not page.locator(done).count():
        page.locator("#deals").select_option("50")
        page.click("#measure")
    page.wait_for_selector(done, timeout=5 * PATIENCE)


def design(page: Any, name: str, note: str, key: str, value: str) -> None:
    """A saved version of the base with one figure changed: loaded if an earlier picture saved it."""
    page.goto(f"{page.url.split('#')[0]}design")
    page.wait_for_selector("#play:enabled")
    saved = page.locator(f"#versions li:has-text('{name}') button:has-text('Load')")
    if saved.count():
        saved.click()
        page.wait_for_selector("#told li")
        return
    page.fill(f"[data-key='{key}']", value)
    page.fill("#name", name)
    page.fill("#note", note)
    page.wait_for_selector("#save:enabled")
    page.click("#save")
    saved.wait_for()


def report(page: Any) -> None:
    """The first page of the sample report, as `make reports` writes it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "channel_tunnel_agents.balance.report.stored"]
        subprocess.run([*command, str(IMAGES.parent / "reports"), folder], check=True)
        page.goto(f"file://{folder}/report-eleven-discs.html")
        page.wait_for_selector("h1")


PICTURES: dict[str, tuple[tuple[int, int], Callable[[Any], None]]] = {
    "first-screen": (DESK, first_screen),
    "table": (DESK, table_1987),
    "eurotunnel-table": (DESK, eurotunnel),
    "guided-game": (PHONE, guided),
    "designer-page": (DESK, designer),
    "designer-report": (DESK, designer_report),
    "designer-compare": (DESK, designer_compare),
    "report": (SHEET, report),
}


def main() -> None:
    """Take every picture."""
    options = tyro.cli(PictureOptions)
    with table() as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(options.chromium), args=["--no-sandbox"])
        for name in options.only or PICTURES:
            (width, height), show = PICTURES[name]
            page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
            page.set_default_timeout(PATIENCE)
            page.goto(address)
            show(page)
            page.wait_for_timeout(500)  # until what has just been clicked has its colour
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            picture.quantize(COLOURS).save(IMAGES / f"{name}.png", optimize=True)
            print(f"{name}.png: {(IMAGES / f'{name}.png').stat().st_size:,} bytes")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
