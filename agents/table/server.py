"""The web side: routes, secrets and errors. Everything about a game is in the modules it calls.

    GET  /                            the page                GET  /api/offers       what can be chosen
    POST /api/games  /api/records     a new game, a replay    GET  /api/games/KEY    what a tab sees
    POST /api/games/KEY/play why step undo restart open fork think search curve
    GET  /api/games/KEY/rules record position

A tab sends the secrets of its seats in the header `Table-Seats`, with commas between them. Errors are
{"error": one sentence} with a status of 4xx; 5xx are ours.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from agents import FROZEN
from agents.table import analysis
from agents.table.errors import TableError
from agents.table.guard import Guard
from agents.table.offers import fits
from agents.table.players import Players
from agents.table.requests import Change, Clicks, Fork, Move, NewGame, OpenRecord, Question, parse
from agents.table.room import ALL, PUBLIC, Replay, Room, whose_turn
from agents.table.rooms import Rooms
from agents.table.rules import rule_sentences
from agents.table.views import can_play, view, why_not
from channel_tunnel_env.engine.actions import ACTION_NAMES

STATIC = Path(__file__).parent / "static"
SECRETS = "table-seats"
SWEEP_SECONDS = 60.0


def make_app(
    rooms: Rooms, hosts: list[str], any_address: bool = False, players: Players | None = None
) -> Starlette:
    """The application.

    Args:
        hosts: see `guard.Guard`.
    """
    table = Table(rooms, players or Players())

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        sweeper = asyncio.create_task(_sweep(rooms))
        yield
        sweeper.cancel()
        table.players.close()

    key = "/api/games/{key}"
    routes = [
        Route("/", _page),
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/api/offers", table.offers),
        Route("/api/games", table.new_game, methods=["POST"]),
        Route("/api/records", table.open_record, methods=["POST"]),
        Route(key, table.look),
        *(Route(f"{key}/{name}", getattr(table, name)) for name in READS),
        *(Route(f"{key}/{name}", getattr(table, name), methods=["POST"]) for name in WRITES),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, hosts=hosts, any_address=any_address)],
        exception_handlers={TableError: _table_error, HTTPException: _http_error, Exception: _bug},
        lifespan=lifespan,
    )


READS = ("rules", "record", "position")
WRITES = ("play", "why", "step", "undo", "restart", "open", "fork", "think", "search", "curve")


async def _sweep(rooms: Rooms) -> None:
    """Put idle rooms to sleep now and then."""
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        rooms.sleep_idle()


class Table:
    """The answers to the requests."""

    def __init__(self, rooms: Rooms, players: Players) -> None:
        self.rooms = rooms
        self.players = players

    async def offers(self, request: Request) -> Response:
        """What can be chosen in the dialogs."""
        return JSONResponse(self.rooms.offers.to_dict())

    async def new_game(self, request: Request) -> Response:
        """A new game; the answer holds its key and the secrets of its seats."""
        return _founded(self.rooms.new_game(parse(NewGame, await request.body())))

    async def fork(self, request: Request) -> Response:
        """A new game from a decision of this one."""
        room, held = self._enter(request)
        return _founded(self.rooms.fork(room, held, parse(Fork, await request.body())))

    async def open_record(self, request: Request) -> Response:
        """A replay."""
        replay, line, count = self.rooms.open_record(parse(OpenRecord, await request.body()))
        return JSONResponse({"key": replay.key, "line": line, "records": count, "tokens": {}})

    # --- looking --------------------------------------------------------------------------------

    async def look(self, request: Request) -> Response:
        """The table as the tab sees it; {"version"} alone if it has seen that already."""
        room, held = self._enter(request)
        query = request.query_params
        if query.get("seen") == str(room.version):
            return JSONResponse({"version": room.version})
        return _seen(request, room, held, _whole(query.get("ply")))

    async def rules(self, request: Request) -> Response:
        """Every rule sentence of the game's ruleset."""
        room, _ = self._enter(request)
        return JSONResponse(rule_sentences(room.game.ruleset))

    async def record(self, request: Request) -> Response:
        """The game's record, once nothing is hidden any more."""
        room, _ = self._enter(request)
        if not room.shows_all:
            raise TableError(
                403,
                "a record holds all that is hidden: it can be saved when the game is over, or when the "
                "table is laid open",
            )
        return JSONResponse(room.game.record())

    async def position(self, request: Request) -> Response:
        """The position as the viewer knows it."""
        room, held = self._enter(request)
        query = request.query_params
        game, viewer = room.game, room.viewer(held, query.get("viewer"))
        ply = _whole(query.get("ply"))
        game = game if ply is None else room.at(ply)
        if viewer == PUBLIC:
            raise TableError(403, "a position is saved from a seat, or when nothing is hidden")
        return JSONResponse(game.to_position(None if viewer == ALL else viewer))

    # --- moving ---------------------------------------------------------------------------------

    async def play(self, request: Request) -> Response:
        """A person's move."""
        room, held = self._enter(request)
        move = parse(Move, await request.body())
        room.check_version(move.version)
        if not can_play(room, held):
            raise TableError(403, whose_turn(room))
        room.play(move.action)
        return _seen(request, room, held)

    async def why(self, request: Request) -> Response:
        """Why some clicks are no legal move."""
        room, held = self._enter(request)
        clicks = parse(Clicks, await request.body())
        room.check_version(clicks.version)
        return JSONResponse({"why": why_not(room, held, tuple(clicks.clicks))})

    async def step(self, request: Request) -> Response:
        """One decision of the agent that is to move."""
        room, held = self._enter(request)
        change = parse(Change, await request.body())
        room.check_host(held)
        room.check_version(change.version)
        if not room.waits_for_agent:
            raise TableError(409, whose_turn(room))
        action = await self.players.choose(room.seats[str(room.game.to_play)], room.game)
        room = self.rooms.get(room.key)  # it may have slept, or have been undone, meanwhile
        room.check_version(change.version)
        room.play(ACTION_NAMES[action])
        return _seen(request, room, held)

    async def undo(self, request: Request) -> Response:
        """Take the last decision back."""
        return await self._change(request, Room.undo)

    async def restart(self, request: Request) -> Response:
        """The same deal again."""
        return await self._change(request, Room.restart)

    async def open(self, request: Request) -> Response:
        """Show everything to everybody."""
        return await self._change(request, Room.lay_open)

    async def _change(self, request: Request, change: Callable[[Room], None]) -> Response:
        room, held = self._enter(request)
        wanted = parse(Change, await request.body())
        room.check_host(held)
        room.check_version(wanted.version)
        change(room)
        return _seen(request, room, held)

    # --- analysing ------------------------------------------------------------------------------

    async def think(self, request: Request) -> Response:
        """A policy's moves and estimate."""
        room, viewer, question, judge = await self._question(request)
        game = self._thinkable(room, viewer, question)
        found = await self.players.ask(judge, game, lambda p: analysis.judge_position(p, game))
        return JSONResponse(found)

    async def search(self, request: Request) -> Response:
        """The policy's moves after looking ahead."""
        room, viewer, question, judge = await self._question(request)
        game, budget = self._thinkable(room, viewer, question), question.milliseconds
        if budget is None:
            raise TableError(400, "milliseconds: a search needs a budget")
        found = await self.players.ask(
            judge, game, lambda p: analysis.search_position(p, game, budget)
        )
        return JSONResponse(found)

    async def curve(self, request: Request) -> Response:
        """Britain's chance over the game."""
        room, viewer, question, judge = await self._question(request)
        points = await self.players.ask(
            judge,
            room.game,
            lambda p: analysis.chance_curve(p, room, viewer, question.ply),
        )
        return JSONResponse({"points": points, "viewer": viewer})

    async def _question(self, request: Request) -> tuple[Room, str, Question, str]:
        room, held = self._enter(request)
        question = parse(Question, await request.body())
        if question.judge not in self.rooms.offers.judges:
            known = ", ".join(self.rooms.offers.judges)
            raise TableError(400, f"{question.judge!r} cannot be asked here; there are {known}")
        judge = question.judge
        judge = judge if fits(judge, room.game.ruleset) else FROZEN + judge
        return room, room.viewer(held, question.viewer), question, judge

    def _thinkable(self, room: Room, viewer: str, question: Question) -> Any:
        """The position asked about, if the viewer knows what the side to play there knows."""
        game = room.at(question.ply).clone()
        if game.is_over:
            raise TableError(409, "the game is over: there is nothing to decide")
        if game.to_play not in analysis.sides_seen(room, viewer):
            raise TableError(
                403,
                "a policy may only be asked for the seat that this tab holds and that is to play",
            )
        return game

    def _enter(self, request: Request) -> tuple[Room, set[str]]:
        """The room of a request, and the seats that its tab holds."""
        room = self.rooms.get(request.path_params["key"])
        tokens = {t.strip() for t in request.headers.get(SECRETS, "").split(",") if t.strip()}
        return room, set() if isinstance(room, Replay) else room.held_by(tokens)


def _founded(room: Room) -> Response:
    return JSONResponse({"key": room.key, "tokens": room.tokens}, 201)


def _seen(request: Request, room: Room, held: set[str], ply: int | None = None) -> Response:
    """The table as the tab sees it, in the layout and with the eyes that it asks for."""
    query = request.query_params
    return JSONResponse(view(room, held, ply, query.get("viewer"), query.get("layout", "wide")))


def _whole(text: str | None) -> int | None:
    """A whole number of a query.

    Raises:
        TableError: it is none.
    """
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise TableError(400, "ply: a whole number from 0 is expected")
    return int(text)


async def _page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


async def _table_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, TableError)
    return JSONResponse({"error": error.sentence}, error.status)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": f"{request.url.path}: {error.detail}"}, error.status_code)


async def _bug(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "the server failed; its terminal says where"}, 500)
