"""A tile type as SVG: fields, roads, cities, crossing, cloister and tunnel mouths."""

from __future__ import annotations

from channel_tunnel_env.drawing.svg import circle, path, rect
from channel_tunnel_env.games.carcassonne.board import geometry
from channel_tunnel_env.games.carcassonne.board.geometry import SIZE, Point
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.tiles import Segment, TileType

_SHIELD = "M-8-9H8V0Q8 9 0 12Q-8 9-8 0Z"
_HOUSES = ((-13.0, 8.0), (11.0, 12.0), (13.0, -9.0))  # around a city's middle


def draw_tile(kind: TileType) -> str:
    """A tile that is not turned, 100 units wide."""
    roads = [s for s in kind.segments if s.kind == c.ROAD]
    cities = [s for s in kind.segments if s.kind == c.CITY]
    parts = [rect(0.5, 0.5, SIZE - 1, SIZE - 1, "grass")]
    parts += [
        path(geometry.road_path(kind, road), style) for style in ("kerb", "road") for road in roads
    ]
    parts += [_city(city) for city in cities]
    if geometry.has_crossing(kind):
        parts.append(circle(50, 50, 10, "village"))
    parts += [_cloister() for s in kind.segments if s.kind == c.CLOISTER]
    parts += [_mouth(road) for road in roads if road.opening >= 0]
    return "".join(parts)


def _city(city: Segment) -> str:
    area, walls = geometry.city_outline(city.sides)
    middle = geometry.standing_place(TileType("", 1, (city,)), city)
    shapes = path(area, "city") + (path(walls, "wall") if walls else "")
    if len(city.sides) > 1:
        shapes += "".join(_house((middle[0] + dx, middle[1] + dy)) for dx, dy in _HOUSES)
    if city.shields:
        x, y = _shield_place(city.sides)
        shapes += path(_SHIELD, "shield", x, y) + path("M0-7V10M-6-1H6", "shield-x", x, y)
    return shapes


def _shield_place(sides: tuple[int, ...]) -> Point:
    """In the corner between two sides of the city, or beside one of two opposite ones."""
    corner = next((side for side in sides if (side + 1) % 4 in sides), None)
    if corner is None:
        return geometry.turned((50.0, 16.0), sides[0])
    return geometry.turned((82.0, 18.0), corner)


def _house(at: Point) -> str:
    return path("M-5 4V-2L0-7L5-2V4Z", "roof", *at)


def _cloister() -> str:
    walls = path("M-17 15V-6L0-20L17-6V15Z", "house", 50, 50)
    return (
        walls
        + path("M-20-5L0-22L20-5L16-2L0-15L-16-2Z", "roof", 50, 50)
        + path("M-4 15V4Q0-1 4 4V15Z", "bore", 50, 50)
    )


def _mouth(road: Segment) -> str:
    """An arch at the end of the road, open towards the tile's edge."""
    x, y = geometry.mouth(road)
    turn = (road.sides[0] + 2) % 4 * 90
    arch = "M-13 8V-2A13 13 0 0 1 13-2V8Z"
    hole = "M-8 8V-1A8 8 0 0 1 8-1V8Z"
    return (
        f'<g transform="translate({x:g} {y:g}) rotate({turn})">'
        f"{path(arch, 'stone')}{path(hole, 'bore')}</g>"
    )
