"""Curves between two places: the line, where it stops short, its middle and its direction."""

from __future__ import annotations

import math
from dataclasses import dataclass

Point = tuple[float, float]


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
