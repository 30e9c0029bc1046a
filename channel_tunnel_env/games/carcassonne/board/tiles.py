"""A tile type as SVG: fields, roads, cities, crossing and tunnel mouths, which turn with the tile, and what stands upright."""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

from channel_tunnel_env.drawing.svg import circle, escape, path, rect
from channel_tunnel_env.games.carcassonne.board import geometry, scenery
from channel_tunnel_env.games.carcassonne.board.geometry import SIZE
from channel_tunnel_env.games.carcassonne.board.theme import SCOPE
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.pieces import Segment, TileType

_SHIELD = "M-8-9H8V0Q8 9 0 12Q-8 9-8 0Z"
_CROSS = "M0-7V10M-6-1H6"
_MIDDLE = SIZE / 2


def draw_tile(kind: TileType) -> str:
    """What turns with a tile, as it lies when it is not turned, 100 units wide."""
    roads = [s for s in kind.segments if s.kind == c.ROAD]
    parts = [rect(0.5, 0.5, SIZE - 1, SIZE - 1, "grass"), scenery.draw_fields(kind)]
    if roads:
        course = "".join(geometry.road_path(kind, road) for road in roads)
        parts += [path(course, style) for style in ("kerb", "road", "rut")]
    parts += [_city(kind, s) for s in kind.segments if s.kind == c.CITY]
    if geometry.has_crossing(kind):
        parts += [circle(_MIDDLE, _MIDDLE, 10, "village"), path(_WELL, "roof", _MIDDLE, _MIDDLE)]
    parts += [_mouth(road) for road in roads if road.opening >= 0]
    return "".join(parts)


def draw_upright(kind: TileType, quarter_turns: int) -> str:
    """What stands upright on a tile however it is turned: its cloister and its shields."""
    parts = [_cloister() for s in kind.segments if s.kind == c.CLOISTER]
    for city in kind.segments:
        if city.shields:
            x, y = geometry.turned(geometry.shield_place(city.sides), quarter_turns)
            parts.append(path(_SHIELD, "shield", x, y) + path(_CROSS, "shield-x", x, y))
    return "".join(parts)


_WELL = "M-4-4H4V4H-4Z"


def _city(kind: TileType, city: Segment) -> str:
    area, walls = geometry.city_outline(city.sides)
    shapes = path(area, "city")
    if walls:
        shapes += path(walls, "wall") + path(walls, "merlon")
    return shapes + scenery.draw_city(kind, city)


def _cloister() -> str:
    """A church with a tower, within a wall."""
    at = _MIDDLE, _MIDDLE
    return (
        path("M-28-8Q-28-28 0-28T28-8V14Q28 26 0 26T-28 14Z", "close", *at)
        + path("M-22 18V-2H-10V-12H10V-2H22V18Z", "house", *at)
        + path("M-25-1L-19-10H-10V-1ZM25-1L19-10H10V-1ZM-12-11L0-25L12-11Z", "slate", *at)
        + path("M0-33V-23M-4-29.5H4", "cross", *at)
        + path("M-4 18V7Q0 1 4 7V18ZM-18 9V4H-15V9ZM18 9V4H15V9Z", "bore", *at)
    )


def _mouth(road: Segment) -> str:
    """An arch in a mound at the end of the road, open towards the tile's edge."""
    x, y = geometry.mouth(road)
    turn = (road.sides[0] + 2) % 4 * 90
    mound = "M-19 9Q-19-17 0-17T19 9Z"
    arch = "M-13 9V-2A13 13 0 0 1 13-2V9Z"
    hole = "M-8 9V-1A8 8 0 0 1 8-1V9Z"
    return (
        f'<g transform="translate({x:g} {y:g}) rotate({turn})">'
        f"{path(mound, 'mound')}{path(arch, 'stone')}{path(hole, 'bore')}</g>"
    )


# --- each type drawn once -------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _drawn(kind: TileType) -> str:
    return draw_tile(kind)


class TileSheet:
    """The tile types that a picture has shown so far; `defs` belongs into the same document.

    Args:
        theme: of the picture.
        picture: name that tells it from other pictures of the same theme in one document, where ids are unique.
    """

    def __init__(self, theme: str, picture: str = "") -> None:
        self._theme = theme
        self._prefix = "-".join(part for part in (SCOPE, theme, picture) if part)
        self._drawings: dict[str, str] = {}

    def tile(self, kind: TileType, column: float, row: float, quarter_turns: int) -> str:
        """A tile of a type, its corner at a column and row."""
        drawing = _drawn(kind)
        # By what is drawn: a page may hold pictures of several rulesets, and of several themes.
        name = f"{self._prefix}-{crc32(drawing.encode()):x}"
        self._drawings[name] = drawing
        turn = f' transform="rotate({90 * quarter_turns} 50 50)"' if quarter_turns % 4 else ""
        upright = draw_upright(kind, quarter_turns)
        move = f"translate({column * SIZE:g} {row * SIZE:g})" if column or row else ""
        place = f' transform="{move}"' if move else ""
        return f'<g data-tile="{escape(kind.name)}"{place}><use href="#{name}"{turn}/>{upright}</g>'

    def defs(self) -> str:
        """The drawings that the tiles refer to."""
        # What is referred to is styled by itself: the rules of the theme need their scope inside.
        scope = f"{SCOPE}-{self._theme}"
        drawings = (f'<g id="{name}" class="{scope}">{shapes}</g>' for name, shapes in self._drawings.items())
        return f"<defs>{''.join(drawings)}</defs>"
