"""The routes of the designer's page.

    GET  /design                                    the page
    GET  /api/design                                bases, versions, reports
    GET  /api/design/form?base=NAME                 the fields of a base
    POST /api/design/check  test  play  versions  reports
    POST /api/design/measure                        a measure of the designer's own, by an expression
    POST /api/design/tuning  tuning/stop            a policy, trained for a draft
    GET  /api/design/tuning                         how far it is
    POST /api/design/search  search/stop            numbers that meet targets
    GET  /api/design/search                         how far that is, and what was found
    GET  /api/design/versions/NAME                  a version
    GET  /api/design/versions/NAME/file             its ruleset file
    GET  /api/design/versions/NAME/share            a page for somebody else
    POST /api/design/versions/NAME/copy  delete
    POST /api/design/import                         a file as a version
    POST /api/design/compare                        two side by side
    GET  /api/design/reports/KEY                    a report, with its progress
    GET  /api/design/reports/KEY/page               its page
    POST /api/design/reports/KEY/turn               its rules with one figure changed, as a draft
    POST /api/design/reports/KEY/again              the same on more deals, or after training
    POST /api/design/reports/KEY/cancel  on  delete     on: a stopped one goes on

A refused value is 400 with {"error": sentence, "fields": {field: what is allowed}}; only `check` and `import`, which ask
whether something is allowed, answer 200 with `refused`: {field: what is wrong, in the words of the form}, or a list of
sentences.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.table.design.changes import RefusedFields
from channel_tunnel_agents.table.design.workshop import (
    AddMeasure,
    Compare,
    DraftCheck,
    FindNumbers,
    Import,
    MakeAgain,
    MakeReport,
    Play,
    Save,
    Tune,
    TurnFigure,
    Wish,
    Workshop,
)
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.minds.players import AgentPool
from channel_tunnel_agents.table.rooms.people import PERSON
from channel_tunnel_agents.table.rooms.requests import Model, Nothing, parse
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_agents.table.web.guard import policy_header
from channel_tunnel_agents.table.web.server import STATIC, founded
from channel_tunnel_env import Game, Ruleset
from channel_tunnel_env.core.whole_numbers import check_seed
from channel_tunnel_env.outside.documents import shorten

# A report is a page of its own: it shows what is in it, runs its own script, and reaches nothing here.
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "frame-ancestors 'self'; sandbox allow-scripts allow-downloads allow-popups"
)


def design_routes(workshop: Workshop, rooms: Rooms, players: AgentPool) -> list[Route]:
    """The routes of a workshop, for `server.make_app`."""
    desk, reports = Desk(workshop, rooms, players), workshop.reports
    version, report = "/api/design/versions/{name}", "/api/design/reports/{key}"

    def kept() -> dict[str, Any]:
        return {"versions": workshop.kept()}

    def shelf() -> dict[str, Any]:
        return {"reports": workshop.shelf()}

    return [
        Route("/design", _page),
        Route("/api/design", _shows(workshop.to_dict)),
        Route("/api/design/form", desk.form),
        _asks("/api/design/check", DraftCheck, workshop.tell),
        _asks("/api/design/measure", AddMeasure, workshop.own_measure),
        _asks("/api/design/test", Wish, workshop.test),
        _asks("/api/design/compare", Compare, workshop.compare),
        _asks("/api/design/versions", Save, workshop.save, 201, kept),
        _asks("/api/design/import", Import, workshop.take_in, 200, kept),
        Route("/api/design/play", desk.play, methods=["POST"]),
        _asks("/api/design/reports", MakeReport, workshop.measure, 201),
        _asks("/api/design/tuning", Tune, workshop.tune, 201),
        _asks("/api/design/tuning/stop", Nothing, workshop.tunings.stop, 200, workshop.tunings.look),
        Route("/api/design/tuning", _shows(workshop.tunings.look)),
        _asks("/api/design/search", FindNumbers, workshop.search, 201),
        _asks("/api/design/search/stop", Nothing, workshop.searches.stop, 200, workshop.searches.look),
        Route("/api/design/search", _shows(workshop.searches.look)),
        Route(version, _shows(workshop.load)),
        Route(f"{version}/file", desk.export),
        Route(f"{version}/share", desk.share),
        _asks(f"{version}/copy", Nothing, workshop.copy, 201, kept),
        _asks(f"{version}/delete", Nothing, workshop.versions.delete, 200, kept),
        Route(report, _shows(workshop.report)),
        Route(f"{report}/page", desk.report_page),
        _asks(f"{report}/turn", TurnFigure, workshop.turn),
        _asks(f"{report}/again", MakeAgain, workshop.measure_again, 201),
        _asks(f"{report}/cancel", Nothing, workshop.cancel),
        _asks(f"{report}/on", Nothing, reports.go_on, 201),
        _asks(f"{report}/delete", Nothing, reports.delete, 200, shelf),
    ]


def _shows(work: Callable[..., dict[str, Any]]) -> Any:
    """The handler that answers with what some work says of what the path names."""

    async def answer(request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(work, *request.path_params.values()))

    return answer


def _asks(
    path: str,
    model: type[Model],
    work: Callable[..., dict[str, Any] | None],
    status: int = 200,
    more: Callable[[], dict[str, Any]] = dict,
) -> Route:
    """The route that answers with what some work says of what the path names and of a request's body, and with more."""

    @_refusing
    async def answer(request: Request) -> Response:
        wish = parse(model, await request.body())
        given = [*request.path_params.values(), *([] if model is Nothing else [wish])]
        found = await run_in_threadpool(work, *given)
        return JSONResponse((found or {}) | await run_in_threadpool(more), status)

    return Route(path, answer, methods=["POST"])


async def _page(request: Request) -> Response:
    headers = {"cache-control": "no-cache", **policy_header("frame-src 'self'")}
    return FileResponse(STATIC / "design.html", headers=headers)


def _refusing(handler: Any) -> Any:
    """Answer refused fields with the reason of each."""

    @functools.wraps(handler)
    async def answer(*given: Any) -> Response:
        try:
            found: Response = await handler(*given)
        except RefusedFields as error:
            return JSONResponse({"error": error.sentence, "fields": error.fields}, error.status)
        return found

    return answer


def _saved_as(file: str) -> dict[str, str]:
    """The header of an answer that the browser keeps as a file; names of versions need no quoting."""
    return {"content-disposition": f'attachment; filename="{file}"', "cache-control": "no-cache"}


class Desk:
    """The request handlers; what reads rules or the disk runs in a thread."""

    def __init__(self, workshop: Workshop, rooms: Rooms, players: AgentPool) -> None:
        self.workshop = workshop
        self.rooms = rooms
        self.players = players

    def _usual_rival(self, draft: Ruleset) -> str:
        """The strongest agent that plays a draft as its rules say, if it is offered."""
        best, offers = self.workshop.judges.best(draft), self.rooms.offers
        return best if offers.has(best, draft) else agents_of(draft.spec.name).ladder[-1]

    async def form(self, request: Request) -> Response:
        """The fields of a base, and the rivals to play it against."""
        base = request.query_params.get("base", "standard")
        found = await run_in_threadpool(self.workshop.form, base)
        levels = self.rooms.offers.levels_of(found["game"])
        return JSONResponse(found | {"levels": levels})

    @_refusing
    async def play(self, request: Request) -> Response:
        """Found a game of a draft; the answer has its key and the secrets of its seats."""
        wish = parse(Play, await request.body())
        _, draft = await run_in_threadpool(self.workshop.called, wish)
        rival = wish.rival or self._usual_rival(draft.ruleset)
        names = draft.ruleset.played_seats
        own = wish.side or names[0]
        if own not in names:
            raise TableError(400, f"side: {shorten(own)}: allowed: {', '.join(names)}")
        seats = {seat: PERSON if seat == own else rival for seat in names}
        game = Game(ruleset=draft.ruleset, seed=check_seed(None))
        room = self.rooms.found(game, seats, False)
        return founded(self.players, room)

    async def export(self, request: Request) -> Response:
        """The ruleset file of a version."""
        name = request.path_params["name"]
        path = await run_in_threadpool(self.workshop.versions.file, name)
        content = await run_in_threadpool(path.read_bytes)
        return Response(content, headers=_saved_as(f"{name}.yaml"), media_type="application/yaml")

    async def share(self, request: Request) -> Response:
        """A version as a page for somebody else."""
        name = request.path_params["name"]
        text = await run_in_threadpool(self.workshop.share, name)
        headers = {"content-security-policy": REPORT_POLICY, **_saved_as(f"{name}.html")}
        return Response(text, headers=headers, media_type="text/html")

    async def report_page(self, request: Request) -> Response:
        """The page of a report, which may still grow."""
        path = self.workshop.reports.page(request.path_params["key"])
        headers = {
            "content-security-policy": REPORT_POLICY,
            "x-frame-options": "SAMEORIGIN",
            "cache-control": "no-cache",
        }
        # Read whole: a page that grows is replaced at any moment, and its length with it.
        content = await run_in_threadpool(path.read_bytes)
        return Response(content, headers=headers, media_type="text/html")
