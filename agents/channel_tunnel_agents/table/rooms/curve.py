"""Which decisions a viewer may have judged, and a side's chance over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.table.minds.analysis import chance_of
from channel_tunnel_agents.table.rooms.room import Room

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
    points = [[n, chance_of(value), side] for n, side, value in zip(judged.plies, judged.sides, values, strict=True)]
    return [*points, *_outcome(room, ply)]


def _outcome(room: Room, ply: int) -> list[list[Any]]:
    """A finished game's last point is its result."""
    game = room.game
    if not game.is_over or ply < len(game.actions):
        return []
    first, second = game.seats
    return [[ply, {first: 1.0, second: 0.0}.get(str(game.winner), 0.5), "result"]]
