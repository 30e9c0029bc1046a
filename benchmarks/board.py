"""How fast the board is drawn, and how soon a move at the table is answered.

    python benchmarks/board.py            # drawing, one core
    python benchmarks/board.py --table    # also a server on loopback and a page in Chromium

Prints one JSON line a figure, medians in milliseconds. A frame of a film reuses what did not change since the one
before; the first frame has nothing to reuse.
"""

from __future__ import annotations

import json
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import httpx
import tyro

from channel_tunnel_env import Game
from channel_tunnel_env.games.tunnel_1987.board import raster

AGENTS = ("heuristic", "master")  # a scripted one and a trained one
SEATS = ("britain", "france")
CHROMIUM = "/usr/bin/chromium"
CLICK = """async (turns) => {
  const spent = [];
  for (let i = 0; i < turns; i++) {
    const moves = document.querySelectorAll('#moves .move');
    if (!moves.length) break;
    const before = document.querySelector('#where').textContent, begun = performance.now();
    moves[(i * 3) % moves.length].click();
    while (document.querySelector('#where').textContent === before) await new Promise(r => setTimeout(r, 1));
    spent.push(performance.now() - begun);
    await new Promise(r => setTimeout(r, 20));
  }
  return spent;
}"""


@dataclass(frozen=True)
class Arguments:
    """What to time."""

    positions: int = 60
    """Positions of random games that are drawn."""
    table: bool = False
    """Time a move at the table as well: over HTTP, and from a click to the new board in Chromium."""
    moves: int = 40
    """Moves at the table."""


def main() -> None:
    """Print every figure."""
    arguments = tyro.cli(Arguments, description=__doc__)
    games = [midgame(seed) for seed in range(arguments.positions)]
    tell("SVG, wide", [timed(game.to_svg) for game in games])
    tell("SVG, narrow", [timed(partial(game.to_svg, layout="narrow")) for game in games])
    tell("1200-px array, first frame", [timed(partial(first_frame, game)) for game in games[:8]])
    tell("1200-px array, next frame of a game", frames(Game("standard", 7)))
    if arguments.table:
        with server() as address:
            tell("move at the table, over HTTP", moves_over_http(address, arguments.moves))
            for agent in AGENTS:
                tell(f"move of {agent}, over HTTP", agents_moves(address, agent, arguments.moves))
            tell("move at the table, click to board", moves_by_click(address, arguments.moves))


def tell(name: str, seconds: list[float]) -> None:
    """One JSON line."""
    figures = {"median_ms": statistics.median(seconds), "worst_ms": max(seconds)}
    rounded = {key: round(1000 * value, 2) for key, value in figures.items()}
    print(json.dumps({"name": name, **rounded, "n": len(seconds)}), flush=True)


def timed(work: Callable[[], object]) -> float:
    """Seconds of one call after one to warm up."""
    work()
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def midgame(seed: int) -> Game:
    """A random game stopped somewhere."""
    game, rng = Game("standard", seed), random.Random(seed)
    stop = rng.randrange(5, 140)
    while not game.is_over and len(game.actions) < stop:
        game.play(rng.choice(game.legal_ids()))
    return game


def first_frame(game: Game) -> None:
    """The picture with nothing to reuse."""
    raster._tile.cache_clear()
    raster.to_rgb(game)


def frames(game: Game) -> list[float]:
    """Seconds of every frame of a random game but the first."""
    rng, spent = random.Random(1), []
    raster.to_rgb(game)
    while not game.is_over:
        game.play(rng.choice(game.legal_ids()))
        begun = time.perf_counter()
        raster.to_rgb(game)
        spent.append(time.perf_counter() - begun)
    return spent


@contextmanager
def server() -> Iterator[str]:
    """A table on a free port; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "channel_tunnel_env", "table"]
        process = subprocess.Popen(
            [*command, "--port", str(port), "--folder", folder], stdout=subprocess.DEVNULL
        )
        address = f"http://127.0.0.1:{port}"
        try:
            for _ in range(600):
                try:
                    httpx.get(address)
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
            yield address
        finally:
            process.terminate()
            process.wait()


def moves_over_http(address: str, moves: int) -> list[float]:
    """Seconds that `moves` moves of a game take in which one client holds both seats."""
    with httpx.Client(base_url=address, timeout=90) as client:
        seats = {"britain": "person", "france": "person"}
        made = client.post("/api/games", json={"seed": 8, "seats": seats}).json()
        path, headers = (
            f"/api/games/{made['key']}",
            {"Table-Seats": ",".join(made["tokens"].values())},
        )
        seen, spent = client.get(path, headers=headers).json(), []
        for i in range(moves):
            if seen["over"]:
                break
            chosen = seen["moves"][i % len(seen["moves"])]["action"]
            move = {"version": seen["version"], "action": chosen}
            begun = time.perf_counter()
            seen = client.post(f"{path}/play", json=move, headers=headers).json()
            spent.append(time.perf_counter() - begun)
        return spent


def agents_moves(address: str, agent: str, moves: int) -> list[float]:
    """Seconds that `moves` moves of an agent against itself take, after one that loads it."""
    with httpx.Client(base_url=address, timeout=300) as client:
        made = client.post("/api/games", json={"seed": 8, "seats": dict.fromkeys(SEATS, agent)})
        found = made.json()
        path = f"/api/games/{found['key']}/step"
        headers = {"Table-Seats": ",".join(found["tokens"].values())}
        spent, version = [], 1
        for _ in range(moves + 1):
            begun = time.perf_counter()
            answer = client.post(path, json={"version": version}, headers=headers)
            spent.append(time.perf_counter() - begun)
            version = answer.raise_for_status().json()["version"]
        return spent[1:]


def moves_by_click(address: str, moves: int) -> list[float]:
    """Seconds from a click in the list of moves to the new board."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        page.goto(address)
        page.wait_for_selector("#new-dialog[open]")
        page.fill("#new-form [name=seed]", "8")
        page.select_option("#new-form [name=france]", "person")
        page.click("#new-start")
        page.wait_for_selector("#status.yours")
        spent = [milliseconds / 1000 for milliseconds in page.evaluate(CLICK, moves)]
        browser.close()
        return spent


if __name__ == "__main__":
    main()
