"""A table in this process, and tabs that sit at it."""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from channel_tunnel_agents.base import choose_action
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.table.design.routes import design_routes
from channel_tunnel_agents.table.design.workshop import Workshop
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.minds.players import AgentPool
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_agents.table.serve import make_server
from channel_tunnel_agents.table.web.guard import host_names
from channel_tunnel_agents.table.web.server import make_app
from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.core.game import Game as AnyGame
from channel_tunnel_env.rulesets.ruleset import AnyRuleset

ROOT = Path(__file__).parents[2]
HOST = "127.0.0.1:8000"
PLAYERS = AgentPool(patience=60, making=300)  # of all tables of a run: a process takes seconds to start
PEOPLE = {"britain": "person", "france": "person"}
PATIENCE = 60  # seconds until a test gives up


def wait_until(done: Callable[[], Any], what: str = "") -> Any:
    """What is there in the end; a test that waits too long fails."""
    stop = time.monotonic() + PATIENCE
    while not (found := done()):
        assert time.monotonic() < stop, what
        time.sleep(0.02)
    return found


def at_once(count: int, work: Callable[[int], object]) -> list[TableError | None]:
    """Do some work in threads that begin together; the refusals."""
    together = threading.Barrier(count)

    def attempt(number: int) -> TableError | None:
        together.wait()
        try:
            work(number)
        except TableError as error:
            return error
        return None

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(attempt, range(count)))


def compile_agents(ruleset: str, *names: str) -> None:
    """Let agents decide once: those that are not compiled yet take longer than a table waits."""
    rules = load_ruleset(ruleset)
    for name in names:
        game = Game(rules, 1)
        game.play(choose_action(make_agent(name, rules), game))


class Lent:
    """The agents of the tests, for a server that closes its own when it stops."""

    check, choose, ask, prepare = map(staticmethod, (PLAYERS.check, PLAYERS.choose, PLAYERS.ask, PLAYERS.prepare))

    def warm(self) -> None:
        """They are."""

    def close(self) -> None:
        """They go on."""


def open_table(folder: Path, offers: Offers | None = None, players: AgentPool = PLAYERS, **limits: Any) -> TestClient:
    """A client of a table that keeps its games in a folder; its `rooms` are at hand."""
    rooms = Rooms(offers or Offers.of(), folder, **limits)
    app = make_app(rooms, host_names("127.0.0.1", 8000), players=players)
    client = TestClient(app, base_url=f"http://{HOST}")
    client.rooms = rooms
    return client


@contextlib.contextmanager
def served(rooms: Rooms) -> Iterator[str]:
    """The address of a running server of these rooms, with the designer's page."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    port, players, workshop = listener.getsockname()[1], Lent(), Workshop(rooms.storage.rooms.parent)
    design = design_routes(workshop, rooms, players)
    server = make_server(make_app(rooms, host_names("127.0.0.1", port), players=players, design=design), players)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{port}/"
    workshop.close()
    server.should_exit = True
    thread.join(5)


def open_desk(folder: Path, offers: Offers | None = None) -> TestClient:
    """A client of a table with the designer's page; its `rooms` and its `workshop` are at hand."""
    rooms, workshop = Rooms(offers or Offers.of(), folder), Workshop(folder)
    design = design_routes(workshop, rooms, PLAYERS)
    app = make_app(rooms, host_names("127.0.0.1", 8000), players=PLAYERS, design=design)
    client = TestClient(app, base_url=f"http://{HOST}")
    client.rooms, client.workshop = rooms, workshop
    return client


class Tab:
    """One tab at a game: its key and the secrets it holds."""

    def __init__(self, client: TestClient, key: str, tokens: dict[str, str]) -> None:
        self.client, self.key, self.tokens = client, key, tokens
        self.version = 0

    @classmethod
    def new(cls, client: TestClient, **request: Any) -> Tab:
        """A tab with a game of its own."""
        answer = client.post("/api/games", json=request)
        assert answer.status_code == 201, answer.text
        return cls.at(client, answer)

    @classmethod
    def at(cls, client: TestClient, answer: Any) -> Tab:
        """A tab at the game that an answer leads to, with the secrets that it holds."""
        return cls(client, answer.json()["key"], answer.json()["tokens"])

    def holding(self, *who: str) -> Tab:
        """Another tab at the same game, with some of the secrets."""
        return Tab(self.client, self.key, {name: self.tokens[name] for name in who})

    @property
    def headers(self) -> dict[str, str]:
        return {"Table-Seats": ",".join(self.tokens.values())}

    @property
    def file(self) -> Path:
        """Where its table keeps the game."""
        path: Path = self.client.rooms.storage.rooms / f"{self.key}.json"
        return path

    def get(self, name: str = "", **query: Any) -> Any:
        """A look, as an HTTP answer."""
        path = f"/api/games/{self.key}" + (f"/{name}" if name else "")
        return self.client.get(path, params=query, headers=self.headers)

    def post(self, name: str, **body: Any) -> Any:
        """A request, as an HTTP answer."""
        return self.client.post(f"/api/games/{self.key}/{name}", json=body, headers=self.headers)

    def view(self, **query: Any) -> dict[str, Any]:
        """What the tab sees."""
        answer = self.get(**query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def change(self, name: str, **body: Any) -> dict[str, Any]:
        """A change of the game as it stands that must succeed; what the tab sees then."""
        answer = self.post(name, version=self.view()["version"], **body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def play_on(self, most: int, choose: Callable[[list[Any]], Any] = lambda m: m[0]) -> dict[str, Any]:
        """Play up to `most` decisions, persons' by `choose`; what the tab sees then."""
        view = self.view()
        for _ in range(most):
            if view["over"]:
                break
            if view["waits_for_agent"]:
                answer = self.post("step", version=view["version"])
            else:
                action = choose(view["moves"])["action"]
                answer = self.post("play", version=view["version"], action=action)
            assert answer.status_code == 200, answer.text
            view = answer.json()
        return view


def towards_a_peek(moves: list[dict[str, Any]]) -> dict[str, Any]:
    """Technology on track a, whose first space is a look at a token."""
    return next((m for m in moves if m["action"].endswith((" technology", "track a"))), moves[0])


def play_until(tab: Tab, beginning: str) -> str:
    """Play on to a decision with a move that begins so; that move."""
    for _ in range(60):
        wanted = [m["action"] for m in tab.view()["moves"] if m["action"].startswith(beginning)]
        if wanted:
            return str(wanted[0])
        tab.play_on(1, choose=towards_a_peek)
    raise AssertionError(f"no {beginning}")


def check_ways(game: AnyGame, found: list[dict[str, Any]], html: str) -> None:
    """Every legal move is listed, with words and ways of clicks of its own: no way begins another, and each step is drawn."""
    assert [move["action"] for move in found] == game.legal_actions()
    words = [move["words"] for move in found]
    assert len(set(words)) == len(words) and all(word[0].isupper() for word in words)
    paths = [tuple(path) for move in found for path in move["paths"]]
    assert len(set(paths)) == len(paths) and all(paths), game.phase
    assert not [p for p in paths for q in paths if p != q and q[: len(p)] == p]
    shown = {step for path in paths for step in path if not step.startswith("button:")}
    assert all(f'data-target="{step}"' in html for step in shown)


def refused(answer: Any, status: int) -> str:
    """The sentence of a refusal of this status."""
    assert answer.status_code == status, (answer.status_code, answer.text[:300])
    content = answer.json()
    assert set(content) == {"error"} and "Traceback" not in content["error"]
    return content["error"]


def random_game(ruleset: AnyRuleset, seed: int) -> Game:
    """A whole game of random moves, the same for a seed."""
    game = Game(ruleset, seed)
    while not game.is_over:
        ids = game.legal_ids()
        game.play(ids[(len(game.actions) * 7919 + seed) % len(ids)])
    return game


def start_server(folder: Path, *words: str) -> tuple[subprocess.Popen[str], str]:
    """The real command on a free port, and its address."""
    command = [sys.executable, "-m", "channel_tunnel_env", "table", "--port", "0"]
    server = subprocess.Popen(
        [*command, "--folder", str(folder), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert server.stdout is not None
    line = server.stdout.readline()
    found = re.search(r"http://[^/]+:\d+", line)
    assert found, (line, server.poll())
    return server, found[0]


# --- pages in a browser -------------------------------------------------------------------------------


def to_new_game(page: Any) -> None:
    """The dialog of a new game: from the first screen that of the first game there."""
    page.wait_for_selector("#new-dialog[open], #welcome .play")
    if not page.locator("#new-dialog[open]").count():
        page.locator("#welcome .play").first.click()
    page.wait_for_selector("#new-dialog[open]")


def start_game(page: Any, **fields: str) -> None:
    """Fill the dialog of a new game and start."""
    to_new_game(page)
    page.eval_on_selector("#advanced", "fold => { fold.open = true; }")
    for name, value in fields.items():
        if name == "seed":
            page.fill("#new-form [name=seed]", value)
        else:
            page.select_option(f"#new-form [name={name}]", value)
    page.click("#new-start")
    page.wait_for_selector("#board svg")


def open_lesson(page: Any, step: int = 1) -> None:
    """The guided game of the game proposed, at a step until which there is only something to read."""
    to_new_game(page)
    page.click("#new-dialog button.lesson")
    for number in range(2, step + 1):
        page.click("#coach-next")
        page.wait_for_selector(f"#coach-step:has-text('step {number} of')")


def take_up(page: Any, step: int) -> None:
    """A guided game that was left, after a reload of the page."""
    page.reload()
    page.wait_for_selector("#board svg")
    assert page.locator("#coach").is_hidden()
    menu(page, f"#menu button.lesson:has-text('step {step} of')")
    page.wait_for_selector(f"#coach-step:has-text('step {step} of')")


def hold(page: Any, pattern: str) -> list[Any]:
    """Questions of the page that are not answered: those asked from now on."""
    held: list[Any] = []
    page.route(pattern, lambda route: held.append(route))
    return held


def keep_nothing(page: Any) -> None:
    """Answer the dialog of a pass, if the last click was one."""
    if page.locator("#together-dialog[open]").count():
        page.click("#together-dialog .main")


@contextlib.contextmanager
def moved(page: Any) -> Iterator[None]:
    """What is done within makes a decision."""
    before = page.locator("#where").inner_text()
    yield
    page.wait_for_selector(f"#where:not(:text-is('{before}'))")


def decide(page: Any) -> None:
    """Make the first move of the list."""
    with moved(page):
        page.locator("#moves .move").first.click()
        keep_nothing(page)


def menu(page: Any, thing: str) -> None:
    """Click something under More."""
    page.click("#menu summary")
    page.click(thing)
