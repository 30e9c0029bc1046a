"""The web side: routes, secrets and errors. The game logic is in the modules it calls.

    GET  /                            the page                GET  /api/offers       what can be chosen
    POST /api/games  /api/records     a new game, a replay    GET  /api/games/KEY    what a tab sees
    POST /api/games/KEY/NAME          of WRITES               GET  /api/games/KEY/NAME  of READS
    GET  /api/rulebook                the rules before a game
    POST /api/lesson                  the guided first game   GET  /api/mine         a person's own games

A tab sends the secrets of its seats in the header `Table-Seats`, separated by commas, and that of its person in
`Table-Player`. Errors are
{"error": one sentence} with a status of 4xx; 502 and 504 are agent failures, 503 means no room,
time or disk space now, 500 is a bug.

The event loop runs only fast operations. Large bodies and files are read in threads
(`off_the_loop`), agents think in processes (`players`); only after that is a room looked up and
changed, without awaiting in between.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import segno
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from channel_tunnel_agents.base import FROZEN
from channel_tunnel_agents.table.errors import TableError, one_line
from channel_tunnel_agents.table.minds.agent_process import pack_game
from channel_tunnel_agents.table.minds.players import AgentPool, first_decision
from channel_tunnel_agents.table.rooms.judged import (
    chance_curve,
    check_reviewed,
    curve_decisions,
    sides_seen,
    stretches,
)
from channel_tunnel_agents.table.rooms.offers import REVIEW, extras_of, fits
from channel_tunnel_agents.table.rooms.people import PERSON, person_of, with_names
from channel_tunnel_agents.table.rooms.phase_room import PhaseRoom
from channel_tunnel_agents.table.rooms.requests import (
    SMALL,
    Called,
    Change,
    Clicks,
    Fork,
    GuidedGame,
    Invitation,
    Lines,
    Move,
    NewGame,
    Nothing,
    OpenRecord,
    Question,
    Resignation,
    Rival,
    Writing,
    parse,
)
from channel_tunnel_agents.table.rooms.requests import Model as RequestModel
from channel_tunnel_agents.table.rooms.room import Replay, Room
from channel_tunnel_agents.table.rooms.rooms import Rooms, check_extra
from channel_tunnel_agents.table.rooms.views import AT_THE_TABLE, around, can_play, may_write, view, why_not
from channel_tunnel_agents.table.web.guard import ENTRANCE, Guard, is_loopback
from channel_tunnel_env import Ruleset
from channel_tunnel_env.faces.registry import table_of
from channel_tunnel_env.faces.table import ALL, ANALYSIS, POSITIONS, PUBLIC, RULEBOOK
from channel_tunnel_env.games import is_game
from channel_tunnel_env.outside.foreign import foreign_code

STATIC = Path(__file__).parents[1] / "static"
PLAIN = "plain"
SCRIPTS = {path.stem: path for path in (STATIC / "games").glob("*.js")}
"""What games add to the page, by name: a name from outside is looked up, and never becomes a path."""
SECRETS = "table-seats"
PLAYER = "table-player"
SWEEP_SECONDS = 60.0
READERS = 2  # threads for large bodies and files
QR_ERRORS = "m"  # up to 15 % of the code may be unreadable
MOST_SENTENCE = 4000  # characters of an error sentence
Given = TypeVar("Given")
RequestedChange = TypeVar("RequestedChange", bound=Change)


def make_app(
    rooms: Rooms,
    hosts: list[str],
    any_address: bool = False,
    players: AgentPool | None = None,
    key: str | None = None,
    design: Sequence[Route] = (),
    address: str | None = None,
) -> Starlette:
    """Make the web application.

    Args:
        hosts, any_address, key: see `guard.Guard`.
        address: by which other machines reach the server, such as "http://192.168.1.5:8000"; None: they do not.
        design: the routes of the designer's page, if there is one.
    """
    table = Answers(rooms, players or AgentPool(), key, bool(design), address)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        sweeper = asyncio.create_task(_sweep(rooms))
        table.players.warm()
        yield
        sweeper.cancel()
        table.players.close()
        table.readers.shutdown(wait=False, cancel_futures=True)

    game = "/api/games/{key}"
    routes = [
        Route("/", _page),
        Route("/static/games/{name}.js", _script_of_game),
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/api/offers", table.offers),
        Route("/api/rulebook", table.rulebook_of),
        Route("/api/mine", table.mine),
        Route("/api/games", table.new_game, methods=["POST"]),
        Route("/api/lesson", table.lesson, methods=["POST"]),
        Route("/api/records", table.open_record, methods=["POST"]),
        Route(game, table.look),
        *(Route(f"{game}/{name}", partial(answer, table)) for name, answer in READS.items()),
        *(Route(f"{game}/{name}", partial(answer, table), methods=["POST"]) for name, answer in WRITES.items()),
        *design,
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, hosts=hosts, any_address=any_address, key=key), Middleware(_stay_open)],
        exception_handlers={TableError: table.refuse, HTTPException: _http_error, Exception: _bug},
        lifespan=lifespan,
    )


async def _sweep(rooms: Rooms) -> None:
    """Unload idle rooms periodically."""
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        rooms.sleep_idle()


def _stay_open(app: ASGIApp) -> ASGIApp:
    """The application; a game's code that would end the server makes one answer a failure."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        with foreign_code(interrupts=True):  # Ctrl-C is uvicorn's, and raises nothing here
            await app(scope, receive, send)

    return answer


class Answers:
    """The request handlers."""

    def __init__(
        self, rooms: Rooms, players: AgentPool, key: str | None, has_design: bool, address: str | None
    ) -> None:
        self.rooms = rooms
        self.players = players
        self.key = key
        self.has_design = has_design
        self.address = address
        self.readers = ThreadPoolExecutor(READERS, "reader")
        self._waking: dict[str, asyncio.Future[Room]] = {}

    async def off_the_loop(self, work: Callable[..., Given], *about: Any) -> Given:
        """Run something slow in one of a few threads."""
        held = foreign_code(interrupts=True)(work)
        return await asyncio.get_running_loop().run_in_executor(self.readers, held, *about)

    async def offers(self, request: Request) -> Response:
        """The choices of the dialogs."""
        return JSONResponse(self.rooms.offers.to_dict() | {"design": self.has_design})

    async def new_game(self, request: Request) -> Response:
        """Start a new game; the answer has its key and the secrets of its seats."""
        wanted = await self._read(NewGame, request)
        if wanted.position is None:
            game = self.rooms.deal(wanted)
        else:
            game = await self.off_the_loop(self.rooms.deal, wanted)
        return founded(self.players, self.rooms.found(game, wanted.seats, wanted.open))

    async def fork(self, request: Request) -> Response:
        """Start a new game from a decision of this one."""
        wanted, room, held = await self._asked(Fork, request)
        if wanted.kept:
            check_extra(room.game.ruleset, POSITIONS)
        elif not room.is_over:
            raise TableError(403, "a move is tried again once the game is over")
        return founded(self.players, self.rooms.fork(room, held, wanted))

    async def mine(self, request: Request) -> Response:
        """A person's own games."""
        return JSONResponse(await self.off_the_loop(self.rooms.storage.of_person, _person(request)))

    async def sit(self, request: Request) -> Response:
        """Put the game on the list of the person whose tab holds seats of it."""
        _, room, held = await self._asked(Nothing, request)
        if not held & set(room.game.seats):
            raise TableError(403, "only who sits at the table has the game on a list")
        room.sit(held, _person(request))
        return JSONResponse({})

    async def forget(self, request: Request) -> Response:
        """Take the game off a person's list; it is deleted if it is on no other."""
        _, room, _ = await self._asked(Nothing, request)
        self.rooms.leave(room, _person(request))
        return JSONResponse({})

    async def lesson(self, request: Request) -> Response:
        """Start the guided first game; the answer has its steps as well."""
        wanted = await self._read(GuidedGame, request)
        room, lesson = self.rooms.lesson(wanted.game)
        return founded(self.players, room, steps=with_names(lesson.plain_steps()))

    async def rematch(self, request: Request) -> Response:
        """Deal the same rules again for the same seats; only once, even if two seats ask."""
        _, room, held = await self._asked(Nothing, request)
        room.check_host(held)
        again = await self._wake(room.next) if room.next else self.rooms.rematch(room)
        return founded(self.players, again, tokens={who: again.tokens[who] for who in held})

    async def open_record(self, request: Request) -> Response:
        """Open a replay."""
        wanted = await self._read(OpenRecord, request)
        replay, line, count = await self.off_the_loop(self.rooms.read_record, wanted)
        self.rooms.admit(replay)
        found = {"key": replay.key, "line": line, "records": count, "plies": len(replay.stops()) - 1}
        return JSONResponse(found | {"tokens": {}})

    async def refuse(self, request: Request, error: Exception) -> Response:
        """A refusal in words, with the names of those who sit at the table."""
        assert isinstance(error, TableError)
        room = self.rooms.awake(str(request.path_params.get("key", "")))
        words = str(with_names(error.sentence, room.names)) if room else error.sentence
        words = words if len(words) <= MOST_SENTENCE else f"{words[:MOST_SENTENCE]} ..."
        return JSONResponse({"error": words}, error.status)

    # --- looking --------------------------------------------------------------------------------

    async def look(self, request: Request) -> Response:
        """The table as the tab sees it; only {"version"} and who is there if the tab already shows that version."""
        room, held = await self._enter(request)
        query = request.query_params
        room.watchers.sit(held)
        if not held and "watcher" in query:
            room.watchers.see(query["watcher"], query.get("called", ""))
        version = room.version_for(held)
        if query.get("seen") == str(version):
            return JSONResponse({"version": version} | around(room))
        return _seen(request, room, held, _whole(query.get("ply")))

    async def rules(self, request: Request) -> Response:
        """Every rule sentence of the game's ruleset."""
        room, _ = await self._enter(request)
        return JSONResponse(room.face.rule_sentences(room.game.ruleset))

    async def rulebook(self, request: Request) -> Response:
        """The rulebook with the figures of the game's ruleset."""
        room, _ = await self._enter(request)
        return _book(room.game.ruleset)

    async def rulebook_of(self, request: Request) -> Response:
        """The rulebook of an offered ruleset, before there is a game."""
        name = request.query_params.get("ruleset", "standard")
        return _book(self.rooms.offers.ruleset(name))

    async def record(self, request: Request) -> Response:
        """The game's record, once nothing is hidden."""
        room, _ = await self._enter(request)
        if not room.shows_all:
            raise TableError(
                403,
                "a record holds all that is hidden: it can be saved when the game is over, or when the "
                "table is laid open",
            )
        return JSONResponse(room.record(room.game))

    async def position(self, request: Request) -> Response:
        """The position as the viewer knows it."""
        room, held = await self._enter(request)
        query = request.query_params
        check_extra(room.game.ruleset, POSITIONS)
        viewer, ply = room.viewer(held, query.get("viewer")), _whole(query.get("ply"))
        game: Any = room.game if ply is None else room.at(ply)
        if viewer == PUBLIC:
            raise TableError(403, "a position is saved from a seat, or when nothing is hidden")
        return JSONResponse(game.to_position(None if viewer == ALL else viewer))

    # --- moving ---------------------------------------------------------------------------------

    async def play(self, request: Request) -> Response:
        """Play a person's move."""
        move, room, held = await self._asked(Move, request)
        room.check_version(held, move.version)
        if isinstance(room, PhaseRoom) or not can_play(room, held):
            raise TableError(403, room.whose_turn())
        room.play(move.action, *move.then)
        return _seen(request, room, held)

    async def why(self, request: Request) -> Response:
        """Why some clicks are not a legal move."""
        clicks, room, held = await self._asked(Clicks, request)
        room.check_shown(held, clicks.version)
        viewer = room.viewer(held, request.query_params.get("viewer"))
        why = why_not(room, held, viewer, tuple(clicks.clicks))
        return JSONResponse(with_names({"why": why}, room.names))

    async def step(self, request: Request) -> Response:
        """Let the agent to move make one decision."""
        change, room, held = await self._hosted(Change, request)
        if not room.waits_for_agent:
            raise TableError(409, room.whose_turn())
        if isinstance(room, PhaseRoom):
            return await self._read_phase(request, room, change.version)
        action = await self.players.choose(room.seats[str(room.game.to_play)], room.game)
        room, held = await self._enter(request)  # it may have been unloaded or changed meanwhile
        room.check_version(held, change.version)
        room.play(room.game.spec.actions.names[action])
        return _seen(request, room, held)

    async def _read_phase(self, request: Request, room: PhaseRoom, version: int) -> Response:
        """Let the agents answer the phase, and go on to the next one that is shown."""
        seats, plans, game = room.seats, room.plans(), room.game.clone()
        while True:
            phase = game.phase_key  # type: ignore[attr-defined]
            while not game.is_over and game.phase_key == phase:  # type: ignore[attr-defined]
                seat = str(game.to_play)
                plan = plans.get(seat)
                game.play(plan.pop(0) if plan else await self.players.choose(seats[seat], game))
            if room.stops_at(game):
                break
        now, held = await self._enter(request)  # it may have been unloaded or changed meanwhile
        now.check_version(held, version)
        if isinstance(now, PhaseRoom):
            now.read(game)
        return _seen(request, now, held)

    async def write(self, request: Request) -> Response:
        """Write down an answer to a question of the running phase, or take it away."""
        wanted, room, held, seat = await self._writer(Writing, request)
        room.write(seat, wanted.asked, wanted.action, wanted.given)
        return _seen(request, room, held)

    async def orders(self, request: Request) -> Response:
        """Write down what a person has typed; `unread` names the lines that are no answer, and why."""
        wanted, room, held, seat = await self._writer(Lines, request)
        unread = room.write_lines(seat, wanted.text)
        return _seen(request, room, held, unread=unread)

    async def send(self, request: Request) -> Response:
        """Make a draft final."""
        _, room, held, seat = await self._writer(Change, request)
        room.send(seat)
        return _seen(request, room, held)

    async def _writer(
        self, model: type[RequestedChange], request: Request
    ) -> tuple[RequestedChange, PhaseRoom, set[str], str]:
        """As `_asked` says, and the seat that the tab may write for on the page that it shows."""
        wanted, room, held = await self._asked(model, request)
        room.check_shown(held, wanted.version)
        seat = room.viewer(held, request.query_params.get("viewer"))
        if not isinstance(room, PhaseRoom) or not may_write(room, held, seat):
            raise TableError(403, room.whose_turn())
        return wanted, room, held, seat

    async def undo(self, request: Request) -> Response:
        """Take the last decision back; of a draft the last edit."""
        change, room, held = await self._asked(Change, request)
        seat = room.viewer(held, request.query_params.get("viewer"))
        if isinstance(room, PhaseRoom) and seat in held and room.can_undo_draft(seat):
            room.check_shown(held, change.version)
            room.undo_draft(seat)
            return _seen(request, room, held)
        room.check_version(held, change.version)
        room.check_host(held)
        room.undo()
        return _seen(request, room, held)

    async def restart(self, request: Request) -> Response:
        """Restart the same deal."""
        return await self._change(request, Room.restart)

    async def open(self, request: Request) -> Response:
        """Show everything to everybody."""
        return await self._change(request, Room.lay_open)

    async def rival(self, request: Request) -> Response:
        """Replace the agent of an agent's seat."""
        wanted, room, held = await self._hosted(Rival, request)
        agent = self.rooms.offers.agent(wanted.agent, room.game.ruleset)
        room.change_rival(wanted.side, agent)
        return _seen(request, room, held)

    async def name(self, request: Request) -> Response:
        """Call the person in a seat that the tab holds by a name."""
        wanted, room, held = await self._asked(Called, request)
        if wanted.side not in held:
            raise TableError(403, f"this tab does not hold the seat {wanted.side:.60}")
        room.call(wanted.side, wanted.called)
        return _seen(request, room, held)

    async def resign(self, request: Request) -> Response:
        """Give the game up for a seat that the tab holds."""
        wanted, room, held = await self._asked(Resignation, request)
        _check_seat(room, held, wanted.side)
        room.resign(wanted.side, self.rooms.offers.beginner_of(room.game.ruleset))
        return _seen(request, room, held)

    async def link(self, request: Request) -> Response:
        """A link to a seat that the tab holds, or to watch; `far`: whether it leads other machines here."""
        wanted, room, held = await self._asked(Invitation, request)
        words = f"game={room.key}"
        if wanted.side is not None:
            _check_seat(room, held, wanted.side)
            words += f"&seats={wanted.side}.{room.tokens[wanted.side]}"
        host, entrance = request.headers["host"], f"?{ENTRANCE}={self.key}" if self.key else ""
        is_far = not is_loopback(host)
        address = f"http://{host}" if is_far else self.address or f"http://{host}"
        link = f"{address}/{entrance}#{words}"
        far = is_far or self.address is not None
        code = segno.make_qr(link, error=QR_ERRORS).svg_inline(light="#fff", omitsize=True)
        return JSONResponse({"link": link, "svg": code, "far": far})

    async def _change(self, request: Request, change: Callable[[Room], None]) -> Response:
        _, room, held = await self._hosted(Change, request)
        change(room)
        return _seen(request, room, held)

    # --- analysing ------------------------------------------------------------------------------

    async def think(self, request: Request) -> Response:
        """A policy's moves and win estimate."""
        room, viewer, question, judge = await self._question(request)
        game = self._thinkable(room, viewer, question)
        return JSONResponse(await self.players.ask(judge, game.ruleset, "judge", game))

    async def search(self, request: Request) -> Response:
        """The policy's moves after looking ahead."""
        room, viewer, question, judge = await self._question(request)
        game, budget = self._thinkable(room, viewer, question), question.milliseconds
        if budget is None:
            raise TableError(400, "milliseconds: a search needs a budget")
        return JSONResponse(await self.players.ask(judge, game.ruleset, "search", game, budget))

    async def curve(self, request: Request) -> Response:
        """Britain's chance over the game."""
        room, viewer, question, judge = await self._question(request)
        judged = curve_decisions(room, viewer, question.ply)
        points: list[Any] = []
        if judged is not None:
            about = (judged.observations, judged.masks)
            values = await self.players.ask(judge, room.game.ruleset, "estimate", None, *about)
            points = chance_curve(room, question.ply, judged, values)
        return JSONResponse({"points": points, "viewer": viewer})

    async def review(self, request: Request) -> Response:
        """Where a seat's moves are judged: `plies`, the likeliest faults first, and in `about` who judges."""
        room, side, _, judge = await self._reviewed(request)
        reviewed = check_reviewed(room)
        found = stretches(room, reviewed, side)
        packed = [(pack_game(one.start), one.actions) for one in found.values()]
        losses: list[float] = []
        if packed:
            losses = await self.players.ask(judge, room.game.ruleset, "suspect", room.game, side, packed)
        plies = [ply for _, ply in sorted(zip((-loss for loss in losses), found, strict=True))]
        return JSONResponse({"plies": plies, "about": reviewed.about})

    async def weigh(self, request: Request) -> Response:
        """What a move that was made gained or lost."""
        room, side, question, judge = await self._reviewed(request)
        reviewed = check_reviewed(room)
        if question.ply >= len(room.stops()) - 1:
            raise TableError(409, f"decision {question.ply} has not been made yet")
        found = stretches(room, reviewed, side)
        stretch = found.get(question.ply)
        if stretch is None:
            seat = room.face.seat_title(side)
            raise TableError(
                403,
                f"decision {question.ply} is no move of the seat {seat} that is judged, or what it belongs to has not ended",
            )
        about = (stretch.start, stretch.actions, side)
        judged = await self.players.ask(judge, room.game.ruleset, "weigh", *about)
        return JSONResponse(with_names(judged, room.names))

    async def _reviewed(self, request: Request) -> tuple[Room, str, Question, str]:
        """The room of a question of a review, and the seat whose moves are judged: the tab may see what it knew."""
        room, viewer, question, judge = await self._question(request, REVIEW)
        side = question.side or viewer
        if side not in room.game.seats:
            raise TableError(400, f"side: allowed: {', '.join(room.game.seats)}")
        if side not in sides_seen(room, viewer):
            raise TableError(403, "only moves of the seat that this tab holds are judged before the end")
        return room, side, question, judge

    async def _question(self, request: Request, extra: str = ANALYSIS) -> tuple[Room, str, Question, str]:
        question, room, held = await self._asked(Question, request)
        if extra not in extras_of(room.game.spec.name):
            raise TableError(404, f"{room.game.ruleset.data.title} has no {extra} at this table")
        judges = self.rooms.offers.judges_of(room.game.ruleset)
        if question.judge not in judges:
            known = ", ".join(judges)
            raise TableError(400, f"{question.judge!r} cannot be asked here; there are {known}")
        judge = question.judge if fits(question.judge, room.game.ruleset) else FROZEN + question.judge
        return room, room.viewer(held, question.viewer), question, judge

    def _thinkable(self, room: Room, viewer: str, question: Question) -> Any:
        """The position in question, if the viewer knows what the side to play there knows."""
        game = room.at(question.ply).clone()
        if game.is_over:
            raise TableError(409, "the game is over: there is nothing to decide")
        if game.to_play not in sides_seen(room, viewer):
            raise TableError(403, "a policy may only be asked for the seat that this tab holds and that is to play")
        return game

    async def _hosted(self, model: type[RequestedChange], request: Request) -> tuple[RequestedChange, Room, set[str]]:
        """As `_asked` says, for a change that only who set the game up may make, on the page that shows the game as it is."""
        wanted, room, held = await self._asked(model, request)
        room.check_host(held)
        room.check_version(held, wanted.version)
        return wanted, room, held

    async def _asked(self, model: type[RequestModel], request: Request) -> tuple[RequestModel, Room, set[str]]:
        """What a request asks for, its room, and the seats that its tab holds."""
        wanted = await self._read(model, request)
        return wanted, *await self._enter(request)

    async def _read(self, model: type[RequestModel], request: Request) -> RequestModel:
        """Parse a request's body."""
        body = await request.body()
        if len(body) <= SMALL:
            return parse(model, body)
        return await self.off_the_loop(parse, model, body)

    async def _enter(self, request: Request) -> tuple[Room, set[str]]:
        """The room of a request, and the seats that its tab holds."""
        room = await self._wake(request.path_params["key"])
        given = ",".join(request.headers.getlist(SECRETS))
        tokens = {t.strip() for t in given.split(",") if t.strip()}
        return room, set() if isinstance(room, Replay) else room.held_by(tokens)

    async def _wake(self, key: str) -> Room:
        """A room, loaded from its file if necessary; concurrent requests wait for the same load."""
        while True:
            room = self.rooms.awake(key)
            if room is not None:
                return room
            if key not in self._waking:
                waking = asyncio.ensure_future(self.off_the_loop(self.rooms.load, key))
                self._waking[key] = waking
                waking.add_done_callback(lambda done: self._awoken(key, done))
            await asyncio.shield(self._waking[key])

    def _awoken(self, key: str, done: asyncio.Future[Room]) -> None:
        del self._waking[key]
        if not done.cancelled() and done.exception() is None:
            self.rooms.admit(done.result())


Handler = Callable[[Answers, Request], Awaitable[Response]]
READS: dict[str, Handler] = {
    "rules": Answers.rules,
    "rulebook": Answers.rulebook,
    "record": Answers.record,
    "position": Answers.position,
}
WRITES: dict[str, Handler] = {
    "play": Answers.play,
    "write": Answers.write,
    "orders": Answers.orders,
    "send": Answers.send,
    "why": Answers.why,
    "step": Answers.step,
    "undo": Answers.undo,
    "restart": Answers.restart,
    "open": Answers.open,
    "rival": Answers.rival,
    "name": Answers.name,
    "link": Answers.link,
    "resign": Answers.resign,
    "fork": Answers.fork,
    "rematch": Answers.rematch,
    "sit": Answers.sit,
    "forget": Answers.forget,
    "think": Answers.think,
    "search": Answers.search,
    "curve": Answers.curve,
    "review": Answers.review,
    "weigh": Answers.weigh,
}
"""What a tab may ask of a game, by the last part of its address, and what answers."""


def _book(ruleset: Ruleset) -> Response:
    check_extra(ruleset, RULEBOOK)
    sections = [*table_of(ruleset.spec).rulebook(ruleset), AT_THE_TABLE]
    return JSONResponse({"title": ruleset.data.title, "sections": sections})


def founded(players: AgentPool, room: Room, **more: Any) -> Response:
    """A new game's key and secrets; its agents get ready meanwhile."""
    for side, name in room.seats.items():
        if name != PERSON:
            players.prepare(name, first_decision(room.game, side))
    return JSONResponse({"key": room.key, "tokens": room.tokens} | more, 201)


def _seen(request: Request, room: Room, held: set[str], ply: int | None = None, **more: Any) -> Response:
    """The table as the tab sees it, in the layout and for the viewer it requests; with any remarks on it."""
    query = request.query_params
    seen = view(room, held, ply, query.get("viewer"), query.get("layout"))
    return JSONResponse(with_names(seen | more, room.names) | around(room))


def _person(request: Request) -> str:
    """Whose request it is, as files name a person."""
    return person_of(request.headers.get(PLAYER, ""))


def _check_seat(room: Room, held: set[str], side: str) -> None:
    if side not in held or side not in room.game.seats:
        raise TableError(403, f"this tab does not hold the seat {side:.60}")


def _whole(text: str | None) -> int | None:
    """A whole number in a query."""
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise TableError(400, "ply: a whole number from 0 is expected")
    return int(text)


async def _script_of_game(request: Request) -> Response:
    """What a game adds to the page; of one that adds nothing, the plain script."""
    name = request.path_params["name"]
    if name not in SCRIPTS and not is_game(name):
        raise HTTPException(404)
    return FileResponse(SCRIPTS.get(name, SCRIPTS[PLAIN]))


async def _page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    where = one_line(request.scope["path"], 80)
    return JSONResponse({"error": f"{where}: {error.detail}"}, error.status_code)


async def _bug(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "the server failed; its terminal says where"}, 500)
