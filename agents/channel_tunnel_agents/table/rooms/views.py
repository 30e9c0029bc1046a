"""What is sent to a tab: only what its viewer knows, equal bytes for indistinguishable states."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import asdict
from typing import Any

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.rooms.judged import sides_seen
from channel_tunnel_agents.table.rooms.offers import extras_of
from channel_tunnel_agents.table.rooms.people import PERSON
from channel_tunnel_agents.table.rooms.phase_room import PhaseRoom
from channel_tunnel_agents.table.rooms.room import Replay, Room
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.faces.table import ALL, ANALYSIS, PUBLIC, Entry
from channel_tunnel_env.outside.sentences import as_sentence

MOST_ENTRIES = 500  # most recent log entries sent; few games have more


def view(
    room: Room, held: set[str], ply: int | None = None, wanted: str | None = None, layout: str | None = None
) -> dict[str, Any]:
    """The table as a tab sees it.

    Args:
        held: the seats, and "host", whose secrets the tab has.
        ply: number of decisions after the start; None: now.
        wanted: see `Room.viewer`.
        layout: of the game's drawings; None: the first.

    Raises:
        TableError: the tab may not see that, or no such decision or layout.
    """
    face = room.face
    layout = face.LAYOUTS[0] if layout is None else layout
    if layout not in face.LAYOUTS:
        raise TableError(400, f"layout: allowed: {', '.join(face.LAYOUTS)}")
    stops = room.stops()
    now = len(stops) - 1
    ply = now if ply is None else ply
    if ply > now:
        raise TableError(404, f"decision {ply}: the game has {now}")
    game, viewer = room.at(stops[ply]), room.viewer(held, wanted)
    live = ply == now
    outcome = room.outcome(game) if live else None
    shown = {
        "version": room.version_for(held),
        "ply": ply,
        "plies": now,
        "game": game.spec.name,
        "extras": extras_of(game.spec.name),
        "in_phases": face.IN_PHASES,
        "title": game.ruleset.data.title,
        "viewer": viewer,
        "viewers": _viewers(room, held),
        "held": sorted(held),
        "seats": room.seats,
        "names": {seat: face.seat_title(seat) for seat in game.seats},
        "open": room.open,
        "replay": isinstance(room, Replay),
        "over": outcome is not None,
        "ended": room.is_over,
        "phase": str(game.phase),
        "clock": game.spec.record.clock[1],
        "round": int(game.states[game.spec.record.clock[0]][0]),
        "question": outcome.question if outcome else face.question(game),
        "waits_for_agent": room.waits_for_agent and live,
        "can_think": _can_think(room, game, viewer),
        "opening": list(face.opening(next(room.positions()))),
        "ending": outcome.ending_of(_own_side(game, held)) if outcome else None,
        "scores": game.scores() if outcome else None,
    }
    if face.IN_PHASES:
        return shown | _phase_part(room, held, viewer, layout, game, ply)
    may_play = can_play(room, held) and live
    return shown | {
        "to_play": game.to_play,
        "may_play": may_play,
        "moves": face.moves(game) if may_play else [],
        "log_from": max(0, ply - MOST_ENTRIES),
        "log": [_entry(room, entry, viewer) for entry in room.log[:ply][-MOST_ENTRIES:]],
        "svg": face.draw(game, viewer, layout, (lambda: room.at(ply - 1)) if ply else None),
    }


def around(room: Room) -> dict[str, Any]:
    """What changes at the table without the game: it is sent with every look."""
    here = [seat for seat in room.watchers.seats() if room.seats.get(seat) == PERSON]
    return {"people": room.people, "here": here, "watching": room.watchers.names(), "next": room.next}


def _phase_part(room: Room, held: set[str], viewer: str, layout: str, game: Game, ply: int) -> dict[str, Any]:
    """What a game in phases shows otherwise: the viewer's draft, and the chronicle of earlier phases."""
    live = game is room.game
    may_play = live and may_write(room, held, viewer)
    shown = {
        "to_play": viewer if may_play else None,
        "may_play": may_play,
        "moves": [],
        "draft": None,
        "log_from": 0,
        "log": [],
        "phases": _phases(room, viewer, ply),
    }
    if not isinstance(room, PhaseRoom) or not (live and viewer in held and viewer in room.seats):
        return shown | {"svg": room.face.draw(game, viewer, layout)}
    paper, draft = room.paper(viewer), room.draft(viewer)
    answers = [(slip.game, slip.answer) for slip in paper.slips if slip.answer is not None]
    return shown | {
        "moves": list(paper.moves(room.phases)) if may_play else [],
        "draft": paper.to_dict(room.phases, draft, room.can_undo_draft(viewer)) if paper.slips else None,
        "svg": room.phases.draw_draft(game, viewer, layout, answers),
    }


def _phases(room: Room, viewer: str, ply: int) -> list[dict[str, Any]]:
    """A viewer's chronicle up to a stop, each phase with the stop at which it is seen."""
    begins, stops = {begin.name: begin.ply for begin in room.begins()}, room.stops()
    told = []
    for phase in room.told(viewer):
        step = bisect_right(stops, begins[phase.name])
        if step <= ply:
            told.append(asdict(phase) | {"step": step})
    return told


def may_write(room: Room, held: set[str], viewer: str) -> bool:
    """Whether the tab may write for the viewer's seat."""
    return isinstance(room, PhaseRoom) and viewer in held and room.is_open_to(viewer)


def _can_think(room: Room, game: Game, viewer: str) -> bool:
    """Whether a policy may be asked about the decision."""
    if ANALYSIS not in room.face.EXTRAS or game.is_over:
        return False
    return game.to_play in sides_seen(room, viewer)


def _own_side(game: Game, held: set[str]) -> str | None:
    """The seat of a tab that holds exactly one."""
    sides = [side for side in game.seats if side in held]
    return sides[0] if len(sides) == 1 else None


def _viewers(room: Room, held: set[str]) -> list[str]:
    """The viewers a tab can choose."""
    if room.shows_all:
        return [ALL, *room.game.seats, PUBLIC]
    return [*(side for side in room.game.seats if side in held), PUBLIC]


def can_play(room: Room, held: set[str]) -> bool:
    """Whether the tab holds the seat that is to decide."""
    game = room.game
    if isinstance(room, Replay) or room.is_over:
        return False
    return game.to_play in held and room.seats[str(game.to_play)] == PERSON


def _entry(room: Room, entry: Entry, viewer: str) -> dict[str, Any]:
    """A log entry; what only the deciding side saw is sent only to it."""
    seen = entry.secret if viewer in (ALL, entry.side) else ""
    return {
        "side": entry.side,
        "round": entry.round,
        "words": entry.words,
        "notes": [*entry.notes, *filter(None, [seen])],
        "seen": seen,
        "turn": entry.turn,
        "drawn": [list(card) for card in entry.drawn],
    }


# --- why not --------------------------------------------------------------------------------------


def why_not(room: Room, held: set[str], viewer: str, clicks: tuple[str, ...]) -> str:
    """Why some clicks are not a legal move, in a sentence or two."""
    if isinstance(room, PhaseRoom) and may_write(room, held, viewer):
        return room.face.why_not(room.paper(viewer).asked_by(clicks).game, clicks)
    if isinstance(room, PhaseRoom) or not can_play(room, held):
        return as_sentence(room.whose_turn())
    return room.face.why_not(room.game, clicks)


AT_THE_TABLE: dict[str, Any] = {
    "key": "handling",
    "title": "At this table",
    "blocks": [
        {
            "items": [
                "**Undo** (key U) goes back to your last decision; what the agents did after it is taken back, too. "
                "Between two people, what one of them has seen since cannot be taken back.",
                "**Look back** with the slider, its buttons or the arrow keys. The game waits until you are at its last "
                "decision again.",
                "**Why not?** Click what is not ringed, and the table says why it is not possible now.",
                "**Rules at hand**: point at anything on the board for its rule.",
                "**Resign** (More) gives the game up, after a question. Between two the other wins; of more, the beginner plays "
                "the seat on while other people play. A draw is offered by no game but Eurotunnel Diplomacy, where its rules have "
                "the vote switched on: it is written with the orders.",
                "**Restart this deal**, save the game, or invite somebody to another seat: under More. **Keys** are "
                "listed there as well (key ?).",
            ]
        }
    ],
}
"""A section as `faces.rulebook` makes them."""
