"""What stands on a tile for the eye: houses and towers in cities, trees, bushes, furrows and grass in fields.

Places are tried in an order that depends only on the tile type, so that all tiles of a type look the
same. Nothing stands on a road or a wall, or where a follower does. Everything is seen from above and
looks well however the tile is turned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import atan2, cos, dist, pi, sin
from zlib import crc32

from channel_tunnel_env.drawing.svg import path
from channel_tunnel_env.games.carcassonne.board import geometry
from channel_tunnel_env.games.carcassonne.board.geometry import SIZE, Point
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.pieces import Segment, TileType

_TRIED = 260  # places, evenly spread
_STEPS = (0.7548776662, 0.5698402910)  # that spread points evenly over a square (Roberts' R2 sequence)
_EDGE = 1.5  # kept free along the edges of a tile
_BESIDE_ROAD, _BESIDE_WALL = 8.0, 3.5  # from their middle
_FOLLOWER, _KNIGHT = 13.0, 9.0  # kept free around the place of one, and of one between houses
_CLOISTER = 31.0  # kept free around its middle
_TOWERS = (0.25, 0.75)  # shares of a wall at which they stand
# In the order in which they look for a place: class, radius, how many at most.
_IN_FIELDS = (("furrow", 13.0, 1), ("tree", 6.0, 3), ("bush", 3.4, 3), ("blade", 2.6, 9))
_IN_CITIES = ((8.5, 3), (6.2, 7), (4.6, 5))  # radius of a house, how many at most

_Free = Callable[[Point, float], bool]


def draw_fields(kind: TileType) -> str:
    """What grows in the fields of a tile."""
    grown = growing(kind)
    return "".join(
        path("".join(draw(x, y, radius) for x, y in grown[name]), style)
        for name, radius, _ in _IN_FIELDS
        if grown[name]
        for style, draw in _GROWING[name]
    )


def growing(kind: TileType) -> dict[str, list[Point]]:
    """Where something grows in the fields of a tile that is not turned."""
    free, taken = _field(kind), list[tuple[Point, float]]()
    return {name: _scatter(kind, radius, most, free, taken) for name, radius, most in _IN_FIELDS}


def draw_city(kind: TileType, city: Segment) -> str:
    """The houses of a city, with the sunny and the shady half of their roofs, and the towers of its walls."""
    houses = [(place, radius, _tilt(city, place)) for place, radius in built(kind, city)]
    shapes = ""
    if houses:
        shapes += path("".join(_roof(*house, 1.0) for house in houses), "roof")
        shapes += path("".join(_roof(*house, 0.0) for house in houses), "shade")
    towers = [wall[round(share * (len(wall) - 1))] for wall in geometry.city_walls(city.sides) for share in _TOWERS]
    return shapes + (path("".join(_disc(x, y, 3.6) for x, y in towers), "tower") if towers else "")


def built(kind: TileType, city: Segment) -> list[tuple[Point, float]]:
    """Where houses stand in a city of a tile that is not turned, and the radius of each."""
    free, taken = _streets(kind, city), list[tuple[Point, float]]()
    for radius, most in _IN_CITIES:
        _scatter(kind, radius, most, free, taken)
    return taken


# --- where there is room --------------------------------------------------------------------------


def _scatter(kind: TileType, radius: float, most: int, free: _Free, taken: list[tuple[Point, float]]) -> list[Point]:
    """Take places that are free and apart, at most `most`."""
    found: list[Point] = []
    for place in _places(kind):
        if len(found) == most:
            break
        if free(place, radius) and all(dist(place, p) > radius + r for p, r in taken):
            found.append(place)
            taken.append((place, radius))
    return found


def _places(kind: TileType) -> Iterator[Point]:
    """Points over the whole tile, evenly spread; another beginning for each type."""
    begin = crc32(kind.name.encode()) % 997
    for n in range(begin, begin + _TRIED):
        x, y = (SIZE * (step * n % 1) for step in _STEPS)
        yield round(x, 1), round(y, 1)


def _field(kind: TileType) -> _Free:
    """Whether a place lies in the fields of a tile, with room around."""
    cities = [s for s in kind.segments if s.kind == c.CITY]
    outlines = [geometry.city_polygon(city.sides) for city in cities]
    lines = [
        (point, _BESIDE_ROAD) for s in kind.segments if s.kind == c.ROAD for point in geometry.road_points(kind, s)
    ]
    lines += [(geometry.mouth(s), 16.0) for s in kind.segments if s.opening >= 0]
    lines += [(point, _BESIDE_WALL) for city in cities for wall in geometry.city_walls(city.sides) for point in wall]
    lines += [
        (geometry.standing_place(kind, s), _CLOISTER if s.kind == c.CLOISTER else _FOLLOWER) for s in kind.segments
    ]
    return _room(lines, lambda place: not any(geometry.contains(outline, place) for outline in outlines))


def _streets(kind: TileType, city: Segment) -> _Free:
    """Whether a place lies in a city, with room around."""
    outline = geometry.city_polygon(city.sides)
    kept = [(p, _BESIDE_WALL) for wall in geometry.city_walls(city.sides) for p in wall]
    kept += [(geometry.standing_place(kind, city), _KNIGHT)]
    if city.shields:
        kept.append((geometry.shield_place(city.sides), 11.0))
    return _room(kept, lambda place: geometry.contains(outline, place))


def _room(kept: list[tuple[Point, float]], lies_there: Callable[[Point], bool]) -> _Free:
    """Whether a place lies where it should, on the tile and off what is kept free, with room around."""

    def free(place: Point, radius: float) -> bool:
        return (
            all(radius + _EDGE <= part <= SIZE - radius - _EDGE for part in place)
            and all(dist(place, point) > radius + room for point, room in kept)
            and lies_there(place)
        )

    return free


# --- what it looks like ---------------------------------------------------------------------------


def _disc(x: float, y: float, radius: float) -> str:
    return f"M{x - radius:.3g} {y:.3g}a{radius:g} {radius:g} 0 1 1 0 .01z"


def _light(x: float, y: float, radius: float) -> str:
    """The side of a tree that the sun shines on."""
    return _disc(x - radius * 0.28, y - radius * 0.28, round(radius * 0.55, 1))


def _blade(x: float, y: float, radius: float) -> str:
    return f"M{x - 2:.3g} {y - 2:.3g}l1.6 3.4 1.4-4.4M{x + 1.2:.3g} {y + 1.4:.3g}l1.6-3"


def _acre(x: float, y: float, radius: float) -> str:
    return f"M{x - 12:.3g} {y - 5:.3g}q3-5 9-4.6l10 .6q5 1 4.4 6l-1 8q-.6 4.6-5 4.6h-13q-5-.6-5-5z"


def _rows(x: float, y: float, radius: float) -> str:
    return "".join(f"M{x - 9:.3g} {y + dy:.3g}q8-2 17 .6" for dy in (-5, -1.4, 2.2, 5.8))


_GROWING: dict[str, tuple[tuple[str, Callable[[float, float, float], str]], ...]] = {
    "furrow": (("acre", _acre), ("furrow", _rows)),
    "tree": (("tree", _disc), ("leaf", _light)),
    "bush": (("tree", _disc),),
    "blade": (("blade", _blade),),
}
"""By what looks for a place: the classes it is drawn with, one over the other, and how."""


def _tilt(city: Segment, place: Point) -> float:
    """The direction of a house's ridge: around the middle of the city."""
    x, y = geometry.in_city(city.sides)
    return atan2(place[1] - y, place[0] - x) + pi / 2


def _roof(place: Point, radius: float, tilt: float, sunny: float) -> str:
    """A roof from above; with `sunny` 0 the half beyond its ridge."""
    long, wide = radius * 0.86, radius * 0.6
    along, across = (cos(tilt), sin(tilt)), (-sin(tilt), cos(tilt))
    corners = ((-long, -wide * sunny), (long, -wide * sunny), (long, wide), (-long, wide))
    points = [(place[0] + a * along[0] + b * across[0], place[1] + a * along[1] + b * across[1]) for a, b in corners]
    steps = [(to[0] - at[0], to[1] - at[1]) for at, to in pairwise(points)]
    numbers = [f"M{_short(points[0])}l{_short(steps[0])}", *map(_short, steps[1:])]
    return " ".join(numbers).replace(" -", "-") + "z"


def _short(point: Point) -> str:
    """Two numbers to a tenth, in as few letters as an SVG path takes."""
    texts = (f"{round(part, 1):g}" for part in point)
    return " ".join(text.replace("0.", ".") if text.lstrip("-").startswith("0.") else text for text in texts)
