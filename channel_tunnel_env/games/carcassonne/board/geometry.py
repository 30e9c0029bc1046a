"""Where the pieces of a tile lie, on a square of 100 units that is not turned; y points down."""

from __future__ import annotations

from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.pieces import Segment, TileType

SIZE = 100.0
_MIDDLE = (50.0, 50.0)
# Clockwise: corner k is where side k begins.
_CORNERS = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
_EDGES = ((50.0, 0.0), (100.0, 50.0), (50.0, 100.0), (0.0, 50.0))
_HALVES = ((25, 13), (75, 13), (87, 25), (87, 75), (75, 87), (25, 87), (13, 75), (13, 25))
# How far to its right a wall bends that runs over 1, 2 or 3 sides without a city: into the tile.
_BEND = {1: 36.0, 2: -12.0, 3: -38.0}
_POINTS = 12  # parts into which a line is divided where its points are asked for
_MOUTH = 0.62  # share of the way from the edge to the middle at which a tunnel begins

Point = tuple[float, float]


def between(a: Point, b: Point, share: float) -> Point:
    """The point at a share of the way from one to the other."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _pair(point: Point) -> str:
    return f"{point[0]:.4g} {point[1]:.4g}"


def city_outline(sides: tuple[int, ...]) -> tuple[str, str]:
    """A city as a closed path, and its walls, the part of the outline within the tile, as another."""
    if len(sides) == c.NUM_SIDES:
        return "M0 0H100V100H0Z", ""
    rim = _rim(sides)
    area, walls = f"M{_pair(rim[0][0])}", ""
    for start, control, end in rim:
        if control is None:
            area += f"L{_pair(end)}"
        else:
            curve = f"Q{_pair(control)} {_pair(end)}"
            area += curve
            walls += f"M{_pair(start)}{curve}"
    return area + "Z", walls


def _rim(sides: tuple[int, ...]) -> list[tuple[Point, Point | None, Point]]:
    """The outline of a city clockwise: start, what the wall bends towards (None: an edge of the tile), end."""
    first = next((side for side in sides if (side - 1) % 4 not in sides), sides[0])
    rim: list[tuple[Point, Point | None, Point]] = []
    side = first
    while True:
        corner = _CORNERS[(side + 1) % 4]
        rim.append((_CORNERS[side], None, corner))
        gap = next(k for k in range(1, 5) if (side + k) % 4 in sides)
        if gap > 1:
            end = _CORNERS[(side + gap) % 4]
            rim.append((corner, _bent(corner, end, _BEND[gap - 1]), end))
        side = (side + gap) % 4
        if side == first:
            return rim


def city_walls(sides: tuple[int, ...]) -> list[list[Point]]:
    """Points along each wall of a city, from its start to its end."""
    return [_along(*piece) for piece in _rim(sides) if piece[1] is not None]


def city_polygon(sides: tuple[int, ...]) -> list[Point]:
    """The outline of a city as the corners of a polygon."""
    return [point for piece in _rim(sides) for point in _along(*piece)[:-1]]


def _along(start: Point, control: Point | None, end: Point) -> list[Point]:
    """Points on a line, or on a curve that bends towards a point, both ends included."""
    if control is None:
        control = between(start, end, 0.5)
    shares = [k / _POINTS for k in range(_POINTS + 1)]
    return [between(between(start, control, t), between(control, end, t), t) for t in shares]


def contains(polygon: list[Point], point: Point) -> bool:
    """Whether a point lies in a polygon."""
    x, y = point
    inside = False
    for (x0, y0), (x1, y1) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
            inside = not inside
    return inside


def _bent(start: Point, end: Point, depth: float) -> Point:
    """A point beside the middle of a line, `depth` units to its right."""
    (x, y), (dx, dy) = between(start, end, 0.5), (end[0] - start[0], end[1] - start[1])
    length = (dx * dx + dy * dy) ** 0.5
    return x - dy / length * depth, y + dx / length * depth


def road_points(kind: TileType, segment: Segment) -> list[Point]:
    """Points along a road, both ends included."""
    start = _EDGES[segment.sides[0]]
    if len(segment.sides) == 2:
        return _along(start, _MIDDLE, _EDGES[segment.sides[1]])
    return _along(start, None, road_end(kind, segment))


def road_path(kind: TileType, segment: Segment) -> str:
    """A road as a path."""
    start = _EDGES[segment.sides[0]]
    if len(segment.sides) == 2:
        return f"M{_pair(start)}Q{_pair(_MIDDLE)} {_pair(_EDGES[segment.sides[1]])}"
    return f"M{_pair(start)}L{_pair(road_end(kind, segment))}"


def road_end(kind: TileType, segment: Segment) -> Point:
    """Where a road with one side ends: a tunnel's mouth, a city's wall, or the middle."""
    start = _EDGES[segment.sides[0]]
    if segment.opening >= 0:
        return mouth(segment)
    opposite = (segment.sides[0] + 2) % 4
    runs_into = any(s.kind == c.CITY and opposite in s.sides and len(s.sides) == 3 for s in kind.segments)
    return between(start, _MIDDLE, 0.4 if runs_into else 1.0)


def mouth(segment: Segment) -> Point:
    """The mouth of a tunnel road."""
    return between(_EDGES[segment.sides[0]], _MIDDLE, _MOUTH)


def beside_mouth(segment: Segment, apart: float) -> Point:
    """A place beside a tunnel's mouth, half towards the edge: off the road and off the follower's place."""
    (x, y), edge = mouth(segment), _EDGES[segment.sides[0]]
    out = (edge[0] - _MIDDLE[0]) / 50, (edge[1] - _MIDDLE[1]) / 50
    along, across = 0.35 * apart, 0.94 * apart
    return x + along * out[0] - across * out[1], y + along * out[1] + across * out[0]


def has_crossing(kind: TileType) -> bool:
    """Whether roads meet in the middle of the tile."""
    ends = [road_end(kind, s) for s in kind.segments if s.kind == c.ROAD and len(s.sides) == 1]
    return ends.count(_MIDDLE) > 1


def standing_place(kind: TileType, segment: Segment) -> Point:
    """Where a follower stands on a piece of the tile."""
    if segment.kind == c.CLOISTER:
        return _MIDDLE
    if segment.kind == c.CITY:
        return in_city(segment.sides)
    if segment.kind == c.ROAD:
        return _on_road(kind, segment)
    return _in_field(segment.halves)


def in_city(sides: tuple[int, ...]) -> Point:
    """The middle of a city that touches these sides."""
    points = [between(_EDGES[side], _MIDDLE, 0.28) for side in sides]
    return _mean(points)


def shield_place(sides: tuple[int, ...]) -> Point:
    """In the corner between two sides of a city, or beside one of two opposite ones."""
    corner = next((side for side in sides if (side + 1) % 4 in sides), None)
    if corner is None:
        return turned((50.0, 16.0), sides[0])
    return turned((82.0, 18.0), corner)


def _on_road(kind: TileType, segment: Segment) -> Point:
    ends = [_EDGES[side] for side in segment.sides]
    if len(ends) == 1:
        # Before a tunnel, near the edge: a token may lie on the mouth.
        return between(ends[0], road_end(kind, segment), 0.25 if segment.opening >= 0 else 0.5)
    return between(between(ends[0], _MIDDLE, 0.5), between(ends[1], _MIDDLE, 0.5), 0.5)


def _in_field(halves: tuple[int, ...]) -> Point:
    """At the half edge nearest to the middle of them all, which is certainly in the field."""
    points = [(float(x), float(y)) for x, y in (_HALVES[half] for half in halves)]
    middle = _mean(points)
    return min(points, key=lambda p: (p[0] - middle[0]) ** 2 + (p[1] - middle[1]) ** 2)


def _mean(points: list[Point]) -> Point:
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


def turned(point: Point, quarter_turns: int) -> Point:
    """A point of the tile after clockwise quarter turns."""
    x, y = point
    for _ in range(quarter_turns % 4):
        x, y = SIZE - y, x
    return x, y
