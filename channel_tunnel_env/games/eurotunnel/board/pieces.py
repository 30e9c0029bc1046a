"""Units and tunnels: armies are blocks, fleets are hulls, with their power's letter; a tunnel is an arc with a mouth at each end; the curves that orders follow, too."""

from __future__ import annotations

import math
from dataclasses import dataclass

from channel_tunnel_env.drawing.svg import circle, path, rect, text
from channel_tunnel_env.games.eurotunnel.board.geometry import Point, load_geometry
from channel_tunnel_env.games.eurotunnel.board.view import Tunnel, Unit
from channel_tunnel_env.games.eurotunnel.provinces import load_board


@dataclass(frozen=True)
class Curve:
    """A quadratic curve from `start` to `end`, bent towards `bend`."""

    start: Point
    bend: Point
    end: Point

    def at(self, t: float) -> Point:
        """A point of it; 0 is the start, 1 the end."""
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        x, y = (a * self.start[i] + b * self.bend[i] + c * self.end[i] for i in (0, 1))
        return x, y

    def between(self, first: float, last: float) -> Curve:
        """The part between two points."""
        start, end = self.at(first), self.at(last)
        # The tangents of a quadratic curve at two points meet in the bend of the part between them.
        bend = tuple(
            (1 - first) * (1 - last) * self.start[i]
            + (first * (1 - last) + last * (1 - first)) * self.bend[i]
            + first * last * self.end[i]
            for i in (0, 1)
        )
        return Curve(start, (bend[0], bend[1]), end)

    def trimmed(self, at_start: float, at_end: float) -> Curve:
        """The curve shortened at both ends; a very short one keeps a fifth in the middle."""
        length = max(apart(self.start, self.bend) + apart(self.bend, self.end), 1.0)
        return self.between(min(at_start / length, 0.4), max(1 - at_end / length, 0.6))

    def svg(self) -> str:
        """As the d of a path."""
        return f"M{pair(self.start)}Q{pair(self.bend)} {pair(self.end)}"

    def heading(self) -> float:
        """The direction at its end, in degrees clockwise from east."""
        dx, dy = self.end[0] - self.bend[0], self.end[1] - self.bend[1]
        return math.degrees(math.atan2(dy, dx))


def bowed(start: Point, end: Point, bow: float) -> Curve:
    """A curve whose middle lies aside, to the left of its direction, by a part of its length."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    x, y = (start[0] + end[0]) / 2 + 2 * bow * dy, (start[1] + end[1]) / 2 - 2 * bow * dx
    return Curve(start, (x, y), end)


def through(start: Point, middle: Point, end: Point) -> Curve:
    """A curve that passes a point half way."""
    x, y = (2 * middle[i] - (start[i] + end[i]) / 2 for i in (0, 1))
    return Curve(start, (x, y), end)


def apart(a: Point, b: Point) -> float:
    """Distance."""
    return math.hypot(a[0] - b[0], a[1] - b[1])


def pair(point: Point) -> str:
    """A point in the d of a path."""
    return f"{point[0]:.4g} {point[1]:.4g}"


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
