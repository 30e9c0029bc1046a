"""Units: armies are blocks, fleets are hulls; both carry their power's letter."""

from __future__ import annotations

from channel_tunnel_env.drawing.svg import path, rect, text
from channel_tunnel_env.games.eurotunnel.board.lines import Point
from channel_tunnel_env.games.eurotunnel.board.view import Unit
from channel_tunnel_env.games.eurotunnel.provinces import load_board

_HULL = "M-18-6H-9V-11H9V-6H18L11 10H-11Z"
_AROUND = "M-22-14H22V14H-22Z"
REACH = 17.0  # from the middle of a unit to where lines towards it end
ASIDE = (15.0, -15.0)  # of a unit that has to leave, beside the one that took its place


def draw_unit(unit: Unit, at: Point) -> str:
    """A unit with its middle at a point."""
    x, y = at
    style, letter = f"unit{unit.power}", load_board().powers[unit.power][0]
    shape = path(_HULL, style, x, y) if unit.is_fleet else rect(x - 11, y - 11, 22, 22, style, 4)
    return shape + text(x, y + (5.5 if unit.is_fleet else 5), letter, f"unit-t{unit.power}")


def draw_lost(unit: Unit, at: Point) -> str:
    """A unit that has to leave: beside its place, in a broken frame."""
    x, y = at[0] + ASIDE[0], at[1] + ASIDE[1]
    return draw_unit(unit, (x, y)) + draw_frame_of_lost((x, y))


def draw_frame_of_lost(at: Point) -> str:
    """The broken frame of a unit that has to leave."""
    return path(_AROUND, "lost", *at)
