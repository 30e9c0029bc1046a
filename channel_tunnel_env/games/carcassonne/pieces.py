"""Tile types, as a designer writes them, with the geometry that follows; and whose tokens are whose.

A type names its cities and roads by the sides they touch, and its fields by their half edges. All else is
derived: the edges, which field touches which city (where a city side and a half edge share a corner,
C33), and after how many quarter turns the picture repeats (C13). Segments are numbered cities, roads,
cloister, fields, each kind by its lowest side or half edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from channel_tunnel_env.games.carcassonne.engine import constants as c

SIDE_LETTERS = "NESW"


@dataclass(frozen=True)
class Segment:
    """One piece of city, road, cloister or field of a tile that is not turned.

    Attributes:
        kind: CITY, ROAD, CLOISTER or FIELD.
        sides: of a city or road, 0 north to 3 west.
        halves: of a field, 0 the western half of the north edge, clockwise to 7.
        shields: on a city.
        opening: number of the tunnel mouth that a road runs into, or -1.
    """

    kind: int
    sides: tuple[int, ...] = ()
    halves: tuple[int, ...] = ()
    shields: int = 0
    opening: int = c.NONE

    @property
    def open_ends(self) -> int:
        """Ends that are open while nothing is joined."""
        return len(self.sides) + (self.opening >= 0)


@dataclass(frozen=True)
class TileType:
    """One kind of tile and how many there are."""

    name: str
    count: int
    segments: tuple[Segment, ...]

    @property
    def edges(self) -> tuple[int, ...]:
        """What each side shows: FIELD_EDGE, ROAD_EDGE or CITY_EDGE."""
        shown = [c.FIELD_EDGE] * c.NUM_SIDES
        for segment in self.segments:
            for side in segment.sides:
                shown[side] = c.CITY_EDGE if segment.kind == c.CITY else c.ROAD_EDGE
        return tuple(shown)

    @property
    def period(self) -> int:
        """Quarter turns after which the tile looks the same: 1, 2 or 4."""
        for turned in (1, 2):
            if self._turned(turned) == self._turned(0):
                return turned
        return c.NUM_SIDES

    def _turned(self, quarter_turns: int) -> frozenset[tuple[object, ...]]:
        return frozenset(
            (
                segment.kind,
                frozenset((side + quarter_turns) % 4 for side in segment.sides),
                frozenset((half + 2 * quarter_turns) % 8 for half in segment.halves),
                segment.shields,
                segment.opening,
            )
            for segment in self.segments
        )

    def segment_at_side(self, side: int) -> int:
        """Number of the city or road at a side, or -1."""
        return next((i for i, s in enumerate(self.segments) if side in s.sides), c.NONE)

    def segment_at_half(self, half: int) -> int:
        """Number of the field at a half edge, or -1."""
        return next((i for i, s in enumerate(self.segments) if half in s.halves), c.NONE)

    def cloister(self) -> int:
        """Number of the cloister, or -1."""
        return next((i for i, s in enumerate(self.segments) if s.kind == c.CLOISTER), c.NONE)

    def touched_cities(self, field: int) -> tuple[int, ...]:
        """Numbers of the cities that a field touches on this tile."""
        touched = set()
        for half in self.segments[field].halves:
            # An even half edge ends at the corner with the side before it, an odd one with the side after.
            beside = (half // 2 + (1 if half % 2 else -1)) % c.NUM_SIDES
            touched.add(self.segment_at_side(beside))
        return tuple(sorted(i for i in touched if i >= 0 and self.segments[i].kind == c.CITY))

    def place_segment(self, place: int, turned: int) -> int:
        """The segment that a place of the tile as it lies stands for, or -1.

        A segment that shows at several places stands for its lowest one only (rules 9).
        """
        places = [
            *(self.segment_at_side((side - turned) % 4) for side in range(c.NUM_SIDES)),
            self.cloister(),
            *(self.segment_at_half((half - 2 * turned) % 8) for half in range(c.NUM_HALVES)),
        ]
        found = places[place]
        return found if found not in places[:place] else c.NONE


def place_of(state: Any, cell: int) -> tuple[int, int]:
    """A cell of the torus, on the table or beside it, as coordinates from the start tile."""
    west, north = int(state["west"]) - 1, int(state["north"]) - 1
    return west + (cell % c.WIDTH - west) % c.WIDTH, north + (cell // c.WIDTH - north) % c.WIDTH


TOKEN_LETTERS = ("b", "y", "g", "n", "r", "k")
"""By colour; green and black share their first letters with others."""


def token_colours(data: Any, seat: int) -> range:
    """The token colours of a seat under a ruleset's figures; those of a common stock are everybody's."""
    if not data.tunnel:
        return range(0)
    if data.tunnel_variant == "paired":
        return range(data.token_colours)
    return range(seat, data.token_colours, data.players)


def token_owner(data: Any, colour: int) -> int | None:
    """The seat whose token colour that is; None where the stock is everybody's."""
    return None if data.tunnel_variant == "paired" else colour % int(data.players)
