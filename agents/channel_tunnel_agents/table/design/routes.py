"""The routes of the designer's page.

    GET  /design                                    the page
    GET  /api/design                                bases, versions, reports
    GET  /api/design/form?base=NAME                 the fields of a base
    POST /api/design/check  test  play  versions  reports
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
from channel_tunnel_agents.table.design.searches import Searches
from channel_tunnel_agents.table.design.tunings import Tunings
from channel_tunnel_agents.table.design.workshop import (
    Compare,
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
    desk = Desk(workshop, rooms, players)
    version, report = "/api/design/versions/{name}", "/api/design/reports/{key}"
    return [
        Route("/design", _page),
        Route("/api/design", desk.look),
        Route("/api/design/form", desk.form),
        *(
            Route(f"/api/design/{name}", getattr(desk, name), methods=["POST"])
            for name in ("check", "test", "play", "versions", "reports", "compare", "tuning", "search")
        ),
        *(
            route
            for name, job in (("tuning", workshop.tunings), ("search", workshop.searches))
            for route in _routes_of_job(f"/api/design/{name}", job)
        ),
        Route("/api/design/import", desk.take_in, methods=["POST"]),
        Route(version, desk.load),
        Route(f"{version}/file", desk.export),
        Route(f"{version}/share", desk.share),
        Route(f"{version}/copy", desk.copy, methods=["POST"]),
        Route(f"{version}/delete", desk.delete_version, methods=["POST"]),
        Route(report, desk.report),
        Route(f"{report}/page", desk.report_page),
        Route(f"{report}/turn", desk.turn, methods=["POST"]),
        Route(f"{report}/again", desk.again, methods=["POST"]),
        Route(f"{report}/cancel", desk.cancel, methods=["POST"]),
        Route(f"{report}/on", desk.go_on, methods=["POST"]),
        Route(f"{report}/delete", desk.delete_report, methods=["POST"]),
    ]


def _routes_of_job(path: str, job: Tunings | Searches) -> list[Route]:
    """A look at a job in the background, and its stop, after which it keeps what it has."""

    async def look(request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(job.look))

    async def stop(request: Request) -> Response:
        parse(Nothing, await request.body())
        job.stop()
        return await look(request)

    return [Route(path, look), Route(f"{path}/stop", stop, methods=["POST"])]


async def _page(request: Request) -> Response:
    headers = {"cache-control": "no-cache", **policy_header("frame-src 'self'")}
    return FileResponse(STATIC / "design.html", headers=headers)


def _refusing(handler: Any) -> Any:
    """Answer refused fields with the reason of each."""

    @functools.wraps(handler)
    async def answer(self: Desk, request: Request) -> Response:
        try:
            found: Response = await handler(self, request)
        except RefusedFields as error:
            return JSONResponse({"error": error.sentence, "fields": error.fields}, error.status)
        return found

    return answer


async def _answered(
    request: Request, model: type[Model], work: Callable[[Model], dict[str, Any]], status: int = 200
) -> Response:
    """What some work says of a request's body."""
    wish = parse(model, await request.body())
    return JSONResponse(await run_in_threadpool(work, wish), status)


def _saved_as(file: str) -> dict[str, str]:
    """The header of an answer that the browser keeps as a file; names of versions need no quoting."""
    return {"content-disposition": f'attachment; filename="{file}"', "cache-control": "no-cache"}


class Desk:
    """The request handlers; what reads rules or the disk runs in a thread."""

    def __init__(self, workshop: Workshop, rooms: Rooms, players: AgentPool) -> None:
        self.workshop = workshop
        self.rooms = rooms
        self.players = players

    async def look(self, request: Request) -> Response:
        """What there is to edit, load and read."""
        return JSONResponse(await run_in_threadpool(self.workshop.to_dict))

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
    async def check(self, request: Request) -> Response:
        """What a draft changes, in words."""
        return await _answered(request, Wish, self.workshop.tell)

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

    @_refusing
    async def versions(self, request: Request) -> Response:
        """Keep a draft."""
        wish = parse(Save, await request.body())
        found = await run_in_threadpool(self.workshop.save, wish)
        return await self._with_versions(found, 201)

    @_refusing
    async def test(self, request: Request) -> Response:
        """Whether the player that fits a draft plays it well."""
        return await _answered(request, Wish, self.workshop.test)

    @_refusing
    async def tuning(self, request: Request) -> Response:
        """Begin to train a policy for a draft."""
        return await _answered(request, Tune, self.workshop.tune, 201)

    @_refusing
    async def search(self, request: Request) -> Response:
        """Begin a search for numbers that meet targets."""
        return await _answered(request, FindNumbers, self.workshop.search, 201)

    async def _with_versions(self, found: dict[str, Any], status: int = 200) -> Response:
        """An answer with the versions that there are now."""
        versions = await run_in_threadpool(self.workshop.kept)
        return JSONResponse(found | {"versions": versions}, status)

    async def load(self, request: Request) -> Response:
        """A version."""
        name = request.path_params["name"]
        return JSONResponse(await run_in_threadpool(self.workshop.load, name))

    async def delete_version(self, request: Request) -> Response:
        """Delete a version."""
        parse(Nothing, await request.body())
        await run_in_threadpool(self.workshop.versions.delete, request.path_params["name"])
        return await self._with_versions({})

    async def copy(self, request: Request) -> Response:
        """A copy of a version."""
        parse(Nothing, await request.body())
        name = request.path_params["name"]
        return await self._with_versions(await run_in_threadpool(self.workshop.copy, name), 201)

    async def take_in(self, request: Request) -> Response:
        """A file as a version."""
        wish = parse(Import, await request.body())
        return await self._with_versions(await run_in_threadpool(self.workshop.take_in, wish))

    async def export(self, request: Request) -> Response:
        """The ruleset file of a version."""
        name = request.path_params["name"]
        path = await run_in_threadpool(self.workshop.export, name)
        content = await run_in_threadpool(path.read_bytes)
        return Response(content, headers=_saved_as(f"{name}.yaml"), media_type="application/yaml")

    async def share(self, request: Request) -> Response:
        """A version as a page for somebody else."""
        name = request.path_params["name"]
        text = await run_in_threadpool(self.workshop.share, name)
        headers = {"content-security-policy": REPORT_POLICY, **_saved_as(f"{name}.html")}
        return Response(text, headers=headers, media_type="text/html")

    @_refusing
    async def compare(self, request: Request) -> Response:
        """Two side by side."""
        return await _answered(request, Compare, self.workshop.compare)

    @_refusing
    async def reports(self, request: Request) -> Response:
        """Begin a report of a draft."""
        wish = parse(MakeReport, await request.body())
        return JSONResponse({"key": await run_in_threadpool(self.workshop.measure, wish)}, 201)

    async def report(self, request: Request) -> Response:
        """A report, with its progress."""
        return JSONResponse(self.workshop.report(request.path_params["key"]))

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

    async def turn(self, request: Request) -> Response:
        """A draft of a report's rules with one figure changed."""
        wish = parse(TurnFigure, await request.body())
        key = request.path_params["key"]
        return JSONResponse(await run_in_threadpool(self.workshop.turn, key, wish))

    async def again(self, request: Request) -> Response:
        """Begin a report once more, on another number of deals or after some training."""
        wish, key = parse(MakeAgain, await request.body()), request.path_params["key"]
        made = await run_in_threadpool(self.workshop.reports.start_again, key, wish.deals, wish.decisions)
        return JSONResponse({"key": made}, 201)

    async def go_on(self, request: Request) -> Response:
        """Take up a report again that was stopped."""
        parse(Nothing, await request.body())
        await run_in_threadpool(self.workshop.reports.go_on, request.path_params["key"])
        return JSONResponse({}, 201)

    async def cancel(self, request: Request) -> Response:
        """Stop a report that runs."""
        parse(Nothing, await request.body())
        key = request.path_params["key"]
        await run_in_threadpool(self.workshop.reports.cancel, key)
        return JSONResponse(self.workshop.report(key))

    async def delete_report(self, request: Request) -> Response:
        """Delete a report."""
        parse(Nothing, await request.body())
        await run_in_threadpool(self.workshop.reports.delete, request.path_params["key"])
        return JSONResponse({"reports": self.workshop.shelf()})
