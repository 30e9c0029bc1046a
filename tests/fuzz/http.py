"""Requests to the table, changed at random: only sentences come back, nothing hidden, and soon.

A datum is a request as JSON; names between @ stand for what the table has when it is sent (a game's key,
its secrets, its version, a legal move), so that what was not changed stays good.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from functools import cache
from pathlib import Path
from typing import Any

from channel_tunnel_agents.table.design import reports, searches, tunings
from channel_tunnel_agents.table.design.routes import design_routes
from channel_tunnel_agents.table.design.workshop import Save, Workshop
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.room import Room
from channel_tunnel_agents.table.rooms.rooms import Rooms, room_of
from channel_tunnel_agents.table.web.guard import host_names
from channel_tunnel_agents.table.web.server import PLAYER, READS, WRITES, make_app
from channel_tunnel_env import Game
from channel_tunnel_env.games.eurotunnel.game import Game as Eurotunnel
from tests.fuzz.mutations import Random, pick
from tests.table import asgi
from tests.table.bodies import good_bodies

SEATS = "@HOST0@,@BRITAIN0@,@HOST3@,@FRANCE3@"  # of the tab that asks
PERSON = "0123456789abcdef" * 2  # who asks
HANG_SECONDS = 2.0  # of processor time
SEED = 918_273_645  # of the games whose luck is hidden; no answer may name it
PORT = 8000
SEATINGS = (("person", "random"), ("person", "person"), ("random", "heuristic"))
REPORT = "0123456789ab"
NO_JOB = ("/bin/sh", "-c", "exit 1")  # in the place of a report, a training and a search, which ends at once
PHASED = len(SEATINGS)  # the number of the game whose phases are answered unseen
NAME = re.compile(rb"@(KEY|HOST|BRITAIN|FRANCE|VERSION|MOVE)(\d)@")
ODD_VALUES = (
    *("null", "true", "-1", "0", "1e400", "NaN", "-Infinity", "1.5", '""', '"x"', "[]", "{}"),
    *("9" * 19, "9" * 20, "9" * 5000, "[" * 50 + "]" * 50, "[" * 3000, '"\\ud800"', '"\\u0000"'),
    *('"' + "x" * 5000 + '"', '{"a": 1, "a": 2}', '"@KEY1@"', "@VERSION1@", '"person"', '"all"'),
)
ODD_TEXTS = (
    *("", "x", "..", "../..", "%00", "%2e%2e", "\x00", "\r\nX: y", "\u00e9", "\u00b2", "a" * 5000),
    *("<script>", "@KEY1@", "null", "evil.example:8000", "127.0.0.1", "http://127.0.0.1:8000"),
)
ORDERS = ("write", "orders", "send")  # which only a game in phases understands
PHASES = ("step", "undo", "restart")  # which a game in phases understands in a way of its own
METHODS = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "")


# --- requests -------------------------------------------------------------------------------------


@cache
def good_requests() -> list[dict[str, Any]]:
    """A request of every kind, each of which the table accepts."""
    bodies = good_bodies("@VERSION0@", "@MOVE0@", "", "britain", "heuristic")
    phased = good_bodies(f"@VERSION{PHASED}@", "* - BUR", "A PAR", "france", "dumb")
    game = Game("tiny", 5)
    for _ in range(12):
        game.play(game.legal_ids()[0])
    texts = [json.dumps(game.to_position()), json.dumps(game.to_position("britain"))]
    seats = {"britain": "person", "france": "random"}
    found = [_request("GET", path) for path in ("/", "/static/table.js", "/api/offers", "/api/mine")]
    found += [_request("GET", "/api/games/@KEY0@", query="ply=0&viewer=britain&layout=phone")]
    found += [_request("GET", f"/api/games/@KEY{i}@/{name}") for i in range(3) for name in READS]
    found += [_request("POST", f"/api/games/@KEY0@/{name}", bodies[name]) for name in WRITES if name not in ORDERS]
    found += [_request("GET", f"/api/games/@KEY{PHASED}@")]
    found += [_request("POST", f"/api/games/@KEY{PHASED}@/{name}", phased[name]) for name in (*ORDERS, *PHASES)]
    found += [_request("POST", "/api/games", {"ruleset": "tiny", "seats": seats, "seed": 7})]
    found += [_request("POST", "/api/games", {"position": text}) for text in texts]
    found += [_request("POST", "/api/lesson", {})]
    found += [_request("GET", "/api/rulebook", query="ruleset=tiny")]
    found += [_request("POST", "/api/records", {"text": json.dumps(game.record())})]
    return found + _designers_requests()


def _designers_requests() -> list[dict[str, Any]]:
    """Those of the designer's page; one draft of each game, and what is on the shelf."""
    hand = {"base": "tiny", "name": "mine", "changes": {"discs.hand": 6}, "note": "a larger hand"}
    farms = {"base": "carcassonne", "changes": {"points.farm": 7}}
    early = {"base": "eurotunnel", "changes": {"max_year": 1903}}
    numbers = {"targets": {"score_france": [1, 9]}, "figures": {"discs.hand": [4, 8]}, "player": "heuristic"}
    sides = {"one": {"version": "kept"}, "other": {"draft": hand}}
    kept, report = "/api/design/versions/kept", f"/api/design/reports/{REPORT}"
    asked = {
        "check": hand | {"targets": ["score_france / rounds"]},
        "measure": hand | {"expression": "rounds > 8"},
        "compare": sides,
        "versions": hand | {"replace": True},
        "import": {"text": "name: sent\nbase: tiny\ndiscs: {hand: 7}\n"},
        "play": farms | {"side": "player_1", "rival": "random"},
        "reports": hand | {"players": "scripted"},
        "tuning": hand,
        "search": hand | numbers | {"trials": searches.TRIALS[0], "deals": searches.DEALS[0]},
    }
    found = [_request("POST", f"/api/design/{name}", body) for name, body in asked.items()]
    found += [_request("POST", "/api/design/check", draft) for draft in (farms, early)]
    found += [_request("GET", "/api/design/form", query=f"base={base}") for base in ("tiny", "carcassonne")]
    shown = (
        "/design",
        "/api/design",
        "/api/design/search",
        "/api/design/tuning",
        kept,
        f"{kept}/file",
        f"{kept}/share",
    )
    found += [_request("GET", path) for path in (*shown, report, f"{report}/page")]
    done = [f"{kept}/copy", f"{kept}/delete", *(f"{report}/{name}" for name in ("cancel", "on", "delete"))]
    found += [_request("POST", path, {}) for path in (*done, "/api/design/tuning/stop", "/api/design/search/stop")]
    found += [_request("POST", f"{report}/turn", {"key": "discs.hand", "value": 6})]
    return [*found, _request("POST", f"{report}/again", {"deals": 20})]


def _request(method: str, path: str, body: Any = None, query: str = "") -> dict[str, Any]:
    headers = {"host": f"127.0.0.1:{PORT}", "table-seats": SEATS, PLAYER: PERSON}
    if body is not None:
        headers |= {"content-type": "application/json", "origin": f"http://127.0.0.1:{PORT}"}
    text = "" if body is None else _with_names(json.dumps(body))
    return {"method": method, "path": path, "query": query, "headers": headers, "body": text}


def _with_names(text: str) -> str:
    """A version is a number, so its name stands without quotation marks."""
    return re.sub(r'"(@VERSION\d@)"', r"\1", text)


def mutate(rng: Random) -> bytes:
    """A good request with up to three changes, as JSON."""
    good = good_requests()
    request = json.loads(json.dumps(good[rng.integers(len(good))]))
    for _ in range(rng.integers(4)):
        _CHANGES[rng.integers(len(_CHANGES))](request, rng)
    return json.dumps(request).encode()


def _change_method(request: dict[str, Any], rng: Random) -> None:
    request["method"] = pick(rng, METHODS)


def _change_path(request: dict[str, Any], rng: Random) -> None:
    parts = request["path"].split("/")
    parts[rng.integers(len(parts))] = pick(rng, (*ODD_TEXTS, *READS, *WRITES, "@KEY2@"))
    request["path"] = "/".join(parts)


def _change_query(request: dict[str, Any], rng: Random) -> None:
    name = pick(rng, ("ply", "viewer", "layout", "seen", "key", "x"))
    value = pick(rng, (*ODD_TEXTS, "all", "public", "france", "99999", "-1", "1e3", "\u0663"))
    request["query"] = f"{request['query']}&{name}={value}"


def _change_header(request: dict[str, Any], rng: Random) -> None:
    names = ("host", "origin", "content-type", "content-length", "table-seats", "cookie", "x")
    value = pick(rng, (*ODD_TEXTS, "@FRANCE1@", "9" * 30, "-1", "text/plain", "a=b; c", None))
    request["headers"][pick(rng, names)] = value


def _change_value(request: dict[str, Any], rng: Random) -> None:
    """Another value, or a further key, in the place of one in the JSON."""
    values = list(re.finditer(r'(?<=: )("[^"]*"|[^,"}\[{]+)', request["body"]))
    if values:
        found = pick(rng, values)
        odd = pick(rng, ODD_VALUES) + pick(rng, ("", "", ', "more": 1', ', "version": 1'))
        request["body"] = request["body"][: found.start()] + odd + request["body"][found.end() :]


def _change_inside_text(request: dict[str, Any], rng: Random) -> None:
    """The same in a position or a record, which is JSON within a text."""
    try:
        body = json.loads(request["body"])
        name = next(name for name in ("position", "text") if name in body)
    except (ValueError, StopIteration, TypeError, RecursionError):
        return
    inner = {"body": str(body[name])}
    _change_value(inner, rng)
    request["body"] = json.dumps(body | {name: inner["body"]})


def _change_bytes(request: dict[str, Any], rng: Random) -> None:
    body = request["body"]
    if body:
        place = int(rng.integers(len(body)))
        cut = place + int(rng.integers(1, 20))
        kinds = (body[:place], body[:place] + body[cut:], body[:cut] + body[place:])
        request["body"] = pick(rng, (*kinds, body[:place] + pick(rng, ODD_TEXTS) + body[place:]))


_CHANGES = (
    *(_change_method, _change_path, _change_query, _change_header),
    *(_change_value, _change_value, _change_inside_text, _change_bytes),
)


# --- the table ------------------------------------------------------------------------------------


class FirstMove:
    """Agents that take the first legal move at once; nothing is judged."""

    def prepare(self, name: str, game: Game) -> None:
        """Nothing: they are always ready."""

    async def choose(self, name: str, game: Game) -> int:
        """The first legal action."""
        return game.legal_ids()[0]

    async def ask(self, name: str, *question: Any) -> Any:
        """No judge sits at this table."""
        raise TableError(409, "nobody judges here")


class Table:
    """A table in this process, with a game of each seating, one of the game in phases, and the designer's page with a version and a report."""

    def __init__(self, folder: Path) -> None:
        self.rooms, self.workshop = Rooms(Offers.of(), folder, most=20), Workshop(folder)
        players: Any = FirstMove()
        design = design_routes(self.workshop, self.rooms, players)
        self.app = make_app(self.rooms, host_names("127.0.0.1", PORT), players=players, design=design)
        self.runner = asyncio.Runner()
        self.keys = [self._deal(i) for i in range(PHASED + 1)]
        self.commands = {module: module.COMMAND for module in (reports, searches, tunings)}
        for module in self.commands:
            module.COMMAND = NO_JOB
        self.workshop.save(Save(base="tiny", name="kept", changes={"discs.hand": 5}))
        self._report(self.workshop.reports.folder / REPORT)

    def _report(self, place: Path) -> None:
        place.mkdir()
        (place / "kept.yaml").write_text("name: kept\nbase: tiny\ndiscs: {hand: 5}\n")
        (place / reports.ABOUT).write_text(json.dumps({**reports.UNKNOWN, "name": "kept", "base": "tiny", "deals": 50}))
        (place / reports.PAGE).write_text("<p>a page</p>")

    def close(self) -> None:
        """Give back the event loop, its files and the commands."""
        self.runner.close()
        self.workshop.close()
        for module, command in self.commands.items():
            module.COMMAND = command

    def _deal(self, number: int) -> str:
        if number == PHASED:
            game = Eurotunnel({"base": "eurotunnel", "max_year": 1901}, SEED)
            seats = dict.fromkeys(game.seats, "random") | {"france": "person"}
        else:
            game = Game("tiny", SEED)
            seats = dict(zip(game.seats, SEATINGS[number], strict=True))
        room = room_of(game).begin(game, seats, False)
        room.keep = self.rooms.storage.keep
        return self.rooms._join(room).key

    def room(self, number: int) -> Room:
        """A game under way; a new one if it is over, laid open or deleted."""
        number %= len(self.keys)
        if not self.rooms.awake(self.keys[number]) or self.rooms.get(self.keys[number]).shows_all:
            self.keys[number] = self._deal(number)
        return self.rooms.get(self.keys[number])

    def fill(self, text: bytes) -> bytes:
        """A text with the names between @ replaced."""

        def value(found: re.Match[bytes]) -> bytes:
            room = self.room(int(found[2]))
            name = found[1].decode()
            if name == "KEY":
                return room.key.encode()
            if name == "VERSION":
                return str(room.version_for(set(room.tokens))).encode()
            if name == "MOVE":
                return room.game.legal_actions()[0].encode()
            return room.tokens.get(name.lower(), "nobody").encode()

        return NAME.sub(value, text)

    def ask(self, request: dict[str, Any]) -> tuple[int, bytes]:
        """Status and body of the answer."""
        path, query = request["path"], request["query"]
        body = self.fill(request["body"].encode("utf-8", "surrogatepass"))
        headers = {name: self.fill(value.encode()) for name, value in request["headers"].items() if value}
        return self.runner.run(
            asgi.asked(
                self.app,
                request["method"],
                self.fill(path.encode("utf-8", "replace")).decode("utf-8", "replace"),
                self.fill(query.encode("utf-8", "replace")),
                [(name.encode(), value) for name, value in headers.items()],
                body,
            )
        )


def warm(folder: Path) -> None:
    """Compile and load what the first request would otherwise wait for."""
    table = Table(folder)
    for request in good_requests():
        table.ask(request)
    table.close()


def check(data: bytes, folder: Path) -> str:
    """Send a request to a table of its own; "accepted" or "refused".

    Raises:
        AssertionError: an answer of 500, a refusal without its sentence, a hang, or something hidden.
    """
    table = Table(folder)
    try:
        return _check(table, json.loads(data))
    finally:
        table.close()


def _check(table: Table, request: dict[str, Any]) -> str:
    hidden = _hidden(table, request)
    begun = time.process_time()
    status, body = table.ask(request)
    spent = time.process_time() - begun
    assert spent < HANG_SECONDS, f"{spent:.1f} s"
    assert status not in (500, 501), body[:200]
    for secret in hidden:
        assert secret not in body, f"{secret!r} is hidden"
    if status < 400:
        return "accepted"
    if request["method"] != "HEAD":
        assert set(json.loads(body)) <= {"error", "fields"} and b"Traceback" not in body
    return "refused"


def _hidden(table: Table, request: dict[str, Any]) -> list[bytes]:
    """What no answer may hold: the luck of the games under way, and secrets that were not sent."""
    secrets = [token.encode() for i in range(PHASED + 1) for token in table.room(i).tokens.values()]
    sent = table.fill(json.dumps(request).encode())
    shown = request["path"].endswith("/open")  # the luck is everybody's then
    return [s for s in secrets if s not in sent] + ([] if shown else [str(SEED).encode()])
