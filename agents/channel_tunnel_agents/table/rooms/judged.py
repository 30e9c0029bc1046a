"""Which decisions of a room are judged: for a side's chance over the game, and for a review of a seat's moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.minds.analysis import chance_of
from channel_tunnel_agents.table.minds.reviewed import REVIEWED, ReviewedGame, Stretch
from channel_tunnel_agents.table.rooms.room import Room
from channel_tunnel_env.core.game import Game

MOST_POINTS = 400  # of a curve


def sides_seen(room: Room, viewer: str) -> tuple[str, ...]:
    """The sides whose knowledge a viewer may use."""
    seats = room.game.seats
    return seats if room.shows_all else tuple(side for side in seats if side == viewer)


@dataclass(frozen=True)
class JudgedDecisions:
    """The decisions of a curve: ply and side of each, and what its side sees (n, D), masks (n, A)."""

    plies: list[int]
    sides: list[str]
    observations: NDArray[np.float32]
    masks: NDArray[np.bool_]


def curve_decisions(room: Room, viewer: str, ply: int) -> JudgedDecisions | None:
    """The decisions up to `ply` that the viewer may analyse; in a long game an evenly spread
    sample."""
    sides = sides_seen(room, viewer)
    seats = [(n, entry.side) for n, entry in enumerate(room.log[: ply + 1]) if entry.side in sides]
    if ply >= len(room.log) and room.game.to_play in sides:
        seats.append((len(room.log), str(room.game.to_play)))
    if not seats:
        return None
    step = -(-len(seats) // MOST_POINTS)
    wanted = dict(seats[::step])
    seen, masks = [], []
    for number, game in enumerate(room.positions()):
        if number in wanted:
            seen.append(game.observation())
            masks.append(game.action_mask)
    return JudgedDecisions(list(wanted), list(wanted.values()), np.stack(seen), np.stack(masks))


def chance_curve(room: Room, ply: int, judged: JudgedDecisions, values: list[float]) -> list[list[Any]]:
    """The first seat's chance at the decisions of a curve: [ply, chance, side]; a finished game adds its result."""
    points: list[list[Any]] = [
        [n, chance_of(value), side] for n, side, value in zip(judged.plies, judged.sides, values, strict=True)
    ]
    game = room.game
    if game.is_over and ply >= len(game.actions):
        first, second = game.seats
        points.append([ply, {first: 1.0, second: 0.0}.get(str(game.winner), 0.5), "result"])
    return points


_OVER = object()


class _Part(NamedTuple):
    """Decisions with one name: the number of those before it, its name, and the game there."""

    ply: int
    name: object
    start: Game


def check_reviewed(room: Room) -> ReviewedGame:
    """How the moves of a room's game are judged."""
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
