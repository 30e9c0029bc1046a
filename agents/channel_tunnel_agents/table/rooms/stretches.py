"""What a review of a seat's moves judges in a room."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.minds.reviewed import REVIEWED, ReviewedGame, Stretch
from channel_tunnel_agents.table.rooms.room import Room
from channel_tunnel_env.core.game import Game

_OVER = object()


class _Part(NamedTuple):
    """Decisions with one name: the number of those before it, its name, and the game there."""

    ply: int
    name: object
    start: Game


def check_reviewed(room: Room) -> ReviewedGame:
    """How the moves of a room's game are judged.

    Raises:
        TableError: they are not, or not yet.
    """
    reviewed = REVIEWED.get(room.game.spec.name)
    if reviewed is None:
        raise TableError(404, f"{room.game.ruleset.data.title} has no review at this table")
    if reviewed.needs_all and not room.shows_all:
        raise TableError(403, "the review reads what is hidden: it waits for the end of the game")
    return reviewed


def stretches(room: Room, reviewed: ReviewedGame, seat: str) -> dict[int, Stretch]:
    """What is judged of a seat's moves, by the stop (`Room.stops`) at which it begins.

    The last part is left out: of a turn that is half played, or a phase that others still answer, nothing can be said.
    """
    stops = {ply: stop for stop, ply in enumerate(room.stops())}
    actions, found = room.game.action_ids, {}
    for part, after in pairwise(_parts(room, reviewed)):
        sides = {entry.side for entry in room.log[part.ply : after.ply]}
        if part.name is not None and seat in sides and part.ply in stops:
            found[stops[part.ply]] = Stretch(part.start, tuple(actions[part.ply : after.ply]), seat)
    return found


def _parts(room: Room, reviewed: ReviewedGame) -> Iterator[_Part]:
    """The parts of the game; the last is the one that has not ended, or the end of the game."""
    last: object = object()
    for ply, game in enumerate(room.positions()):
        name = _name(reviewed, game, ply)
        if name != last:
            yield _Part(ply, name, game.clone([]))
        last = name


def _name(reviewed: ReviewedGame, game: Game, ply: int) -> object:
    """What is the same in all positions of a part, and in no other."""
    if game.is_over:
        return _OVER
    return ply if reviewed.stretch is None else reviewed.stretch(game)
