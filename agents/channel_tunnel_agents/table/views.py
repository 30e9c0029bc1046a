"""What is sent to a tab: only what its viewer knows, equal bytes for indistinguishable states."""

from __future__ import annotations

from typing import Any

from channel_tunnel_agents.table.analysis import sides_seen
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.offers import PERSON
from channel_tunnel_agents.table.room import Replay, Room, whose_turn
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.table_face import ALL, ANALYSIS, PUBLIC, Entry, as_sentence

MOST_ENTRIES = 500  # most recent log entries sent; few games have more


def view(
    room: Room,
    held: set[str],
    ply: int | None = None,
    wanted: str | None = None,
    layout: str | None = None,
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
    now = len(room.game.actions)
    ply = now if ply is None else ply
    game, viewer = room.at(ply), room.viewer(held, wanted)
    may_play = can_play(room, held) and ply == now
    return {
        "version": room.version,
        "ply": ply,
        "plies": now,
        "game": game.spec.name,
        "extras": sorted(face.EXTRAS),
        "title": game.ruleset.data.title,
        "viewer": viewer,
        "viewers": _viewers(room, held),
        "held": sorted(held),
        "seats": room.seats,
        "names": {seat: face.seat_title(seat) for seat in game.seats},
        "open": room.open,
        "replay": isinstance(room, Replay),
        "over": game.is_over,
        "to_play": game.to_play,
        "phase": str(game.phase),
        "clock": game.spec.clock[1],
        "round": int(game.states[game.spec.clock[0]][0]),
        "question": face.question(game),
        "may_play": may_play,
        "waits_for_agent": room.waits_for_agent and ply == now,
        "can_think": _can_think(room, game, viewer),
        "moves": face.moves(game) if may_play else [],
        "opening": list(face.opening(next(room.positions()))),
        "log_from": max(0, ply - MOST_ENTRIES),
        "log": [_entry(room, entry, viewer) for entry in room.log[:ply][-MOST_ENTRIES:]],
        "ending": face.ending(game, _own_side(game, held)) if game.is_over else None,
        "scores": game.scores() if game.is_over else None,
        "svg": face.draw(game, viewer, layout, (lambda: room.at(ply - 1)) if ply else None),
    }


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
    if isinstance(room, Replay) or game.is_over:
        return False
    return game.to_play in held and room.seats[str(game.to_play)] == PERSON


def _entry(room: Room, entry: Entry, viewer: str) -> dict[str, Any]:
    """A log entry; what only the deciding side saw is sent only to it."""
    knows = viewer in (ALL, entry.side)
    notes = [*entry.notes, entry.secret] if entry.secret and knows else list(entry.notes)
    return {
        "side": entry.side,
        "round": entry.round,
        "words": entry.words,
        "notes": notes,
        "turn": entry.turn,
        "drawn": [list(card) for card in entry.drawn],
    }


# --- why not --------------------------------------------------------------------------------------


def why_not(room: Room, held: set[str], clicks: tuple[str, ...]) -> str:
    """Why some clicks are not a legal move, in a sentence or two."""
    game = room.game
    if not can_play(room, held):
        return as_sentence(whose_turn(room))
    return room.face.why_not(game, clicks)
