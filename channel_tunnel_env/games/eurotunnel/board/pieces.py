"""Units and tunnels: armies are blocks, fleets are hulls, with their power's letter; a tunnel is an arc with a mouth at each end."""

from __future__ import annotations

from channel_tunnel_env.drawing.svg import circle, path, rect, text
from channel_tunnel_env.games.eurotunnel.board.geometry import load_geometry
from channel_tunnel_env.games.eurotunnel.board.lines import Curve, Point, bowed
from channel_tunnel_env.games.eurotunnel.board.view import Tunnel, Unit
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


# --- tunnels --------------------------------------------------------------------------------------


_BOW = 0.16  # of an arc, part of its length
_STEP = 0.035  # more for each further owner, so that tunnels between the same ends lie apart


def tunnel_curve(start: str, end: str, owner: int = 0) -> Curve:
    """The arc between two provinces, bent to the north, or to the west where it runs north."""
    places = load_geometry().units
    a, b = places[start], places[end]
    bow = _BOW + _STEP * owner
    return bowed(a, b, bow if (b[0], b[1]) > (a[0], a[1]) else -bow)


def draw_tunnel(tunnel: Tunnel) -> str:
    """The arc in its owner's colour, with the owner's letter."""
    line = tunnel_curve(*tunnel.ends, tunnel.owner).trimmed(REACH, REACH)
    mouth = "mouth" if tunnel.is_open else "hidden-mouth"
    kind, below = ("dug", "bore") if tunnel.is_open else ("secret", "thin-case")
    x, y = line.at(0.5)
    letter = load_board().powers[tunnel.owner][0]
    return (
        path(line.svg(), below)
        + path(line.svg(), f"{kind}{tunnel.owner}")
        + circle(*line.start, 4.5, mouth)
        + circle(*line.end, 4.5, mouth)
        + circle(x, y, 7.5, f"held{tunnel.owner}")
        + text(x, y + 3.6, letter, f"owner-t{tunnel.owner}")
    )
