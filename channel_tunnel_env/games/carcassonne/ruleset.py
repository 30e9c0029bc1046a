"""The rules of Carcassonne as data: switches, figures and tiles, with what must hold among them (rules 11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, Field

from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.pieces import SIDE_LETTERS, Segment, TileType
from channel_tunnel_env.outside.documents import StrictModel

Points = Annotated[int, Field(ge=0, le=100)]
Sides = Annotated[str, Field(pattern=r"^N?E?S?W?$", min_length=1)]
Halves = Annotated[str, Field(pattern=r"^0?1?2?3?4?5?6?7?$", min_length=1)]


class PointsData(StrictModel):
    """What features are worth: complete, and `_open` when they are incomplete at the end."""

    road: Points
    road_open: Points
    city: Points
    city_open: Points
    shield: Points
    shield_open: Points
    cloister: Points
    cloister_open: Points
    farm: Points
    farm_first: Points


def _sides(sides: str) -> tuple[int, ...]:
    return tuple(SIDE_LETTERS.index(letter) for letter in sides)


class CityData(StrictModel):
    """A city by the sides it touches."""

    sides: Sides
    shields: Annotated[int, Field(ge=0, le=8)] = 0


class RoadData(StrictModel):
    """A road by the sides it touches; with an opening it runs into a tunnel."""

    sides: Sides
    opening: Annotated[int, Field(ge=0, lt=c.NUM_OPENINGS)] | None = None


Piece = TypeVar("Piece", CityData, RoadData)


def _by_side(pieces: list[Piece]) -> list[Piece]:
    return sorted(pieces, key=lambda piece: _sides(piece.sides))


class TileData(StrictModel):
    """One type of tile, not turned; each kind of piece by its lowest side or half edge, however it is written."""

    count: Annotated[int, Field(ge=0, le=c.MAX_TILES)]
    expansion: Literal["tunnel"] | None = None
    cities: Annotated[list[CityData], AfterValidator(_by_side)] = Field(default=[])
    roads: Annotated[list[RoadData], AfterValidator(_by_side)] = Field(default=[])
    cloister: bool = False
    fields: Annotated[list[Halves], AfterValidator(sorted)] = Field(default=[])

    def tile_type(self, name: str) -> TileType:
        """The type with its segments in their order."""
        cities = [Segment(c.CITY, _sides(city.sides), shields=city.shields) for city in self.cities]
        roads = [
            Segment(c.ROAD, _sides(road.sides), opening=c.NONE if road.opening is None else road.opening)
            for road in self.roads
        ]
        cloister = [Segment(c.CLOISTER)] if self.cloister else []
        fields = [Segment(c.FIELD, halves=tuple(map(int, halves))) for halves in self.fields]
        return TileType(name, self.count, (*cities, *roads, *cloister, *fields))


def _in_order(tiles: dict[str, TileData]) -> dict[str, TileData]:
    """Types are numbered by name, those of the base game first: a file's keys have no order."""
    return dict(sorted(tiles.items(), key=lambda tile: (tile[1].expansion or "", tile[0])))


class RulesetData(StrictModel):
    """Every switch and figure; keys and values are those of the YAML file."""

    game: Literal["carcassonne"] = "carcassonne"
    name: str
    title: str
    players: Annotated[int, Field(ge=c.MIN_SEATS, le=c.MAX_SEATS)]
    tunnel: bool
    farm_scoring: Literal["third", "second", "first", "none"]
    small_city: Literal[2, 4]
    token_sets_two: Annotated[int, Field(ge=1, le=3)]
    token_sets_three: Annotated[int, Field(ge=1, le=2)]
    token_window: Literal["after_meeple", "before_meeple"]
    tunnel_variant: Literal["none", "follower", "steal", "paired", "no_block"]
    robber_baron: bool
    table: Annotated[int, Field(ge=3, le=c.MAX_TABLE)]
    auto_forced: bool
    followers: Annotated[int, Field(ge=1, le=20)]
    points: PointsData
    start_tile: str
    tiles: Annotated[dict[str, TileData], AfterValidator(_in_order)]

    @property
    def token_sets(self) -> int:
        """Sets of each player (C05)."""
        if not self.tunnel:
            return 0
        return {2: self.token_sets_two, 3: self.token_sets_three}.get(self.players, 1)

    @property
    def token_colours(self) -> int:
        """Token colours in play: all of them where the stock is common (C06, C07, C71)."""
        if self.tunnel and self.tunnel_variant == "paired":
            return c.NUM_TOKEN_COLOURS
        return self.token_sets * self.players

    def tile_types(self) -> list[TileType]:
        """The types in play, in the order of their numbers."""
        return [tile.tile_type(name) for name, tile in self.tiles.items() if self.tunnel or tile.expansion != "tunnel"]


def tile_problems(data: RulesetData) -> Iterator[tuple[str, object, str]]:
    """Errors among the tiles: (dotted key, value, what must hold)."""
    types = data.tile_types()
    if len(types) > c.MAX_TYPES:
        yield "tiles", len(types), f"at most {c.MAX_TYPES} types"
    total = sum(kind.count for kind in types)
    if not 1 <= total <= c.MAX_TILES:
        yield "tiles", total, f"1 to {c.MAX_TILES} tiles in all"
    segments = sum(kind.count * len(kind.segments) for kind in types)
    if segments > c.MAX_SEGMENTS:
        yield "tiles", segments, f"at most {c.MAX_SEGMENTS} segments in all"
    if not any(kind.name == data.start_tile and kind.count for kind in types):
        yield "start_tile", data.start_tile, "a type of which there is a tile"
    openings: list[int] = []
    for kind in types:
        yield from _geometry_problems(kind)
        own = [segment.opening for segment in kind.segments if segment.opening >= 0]
        if own and kind.count != 1:
            yield (
                f"tiles.{kind.name}.count",
                kind.count,
                "1 for a tile with an opening; `tunnel: false` plays without them",
            )
        openings += own
    if sorted(openings) != list(range(len(openings))):
        yield "tiles", sorted(openings), "openings: each number from 0 up once"


def _geometry_problems(kind: TileType) -> Iterator[tuple[str, object, str]]:
    """Each side belongs to one city or road or else to fields; each half edge of no city to one field."""
    where = f"tiles.{kind.name}"
    if len(kind.segments) > c.TILE_SEGMENTS:
        yield where, len(kind.segments), f"at most {c.TILE_SEGMENTS} segments"
    sides = [side for segment in kind.segments for side in segment.sides]
    for side in range(c.NUM_SIDES):
        if sides.count(side) > 1:
            yield where, SIDE_LETTERS[side], "a side belongs to at most one city or road"
    halves = [half for segment in kind.segments for half in segment.halves]
    wanted = [0 if kind.edges[half // 2] == c.CITY_EDGE else 1 for half in range(c.NUM_HALVES)]
    in_city = [half for half in set(halves) if not wanted[half]]
    if in_city:
        yield f"{where}.fields", in_city, "a half edge of a city belongs to no field"
    wrong = [half for half in range(c.NUM_HALVES) if wanted[half] and halves.count(half) != 1]
    for count in sorted({halves.count(half) for half in wrong}):
        alike = [half for half in wrong if halves.count(half) == count]
        rule = f"a half edge beside no city belongs to one field, here to {count}"
        yield f"{where}.fields", alike, rule
    for segment in kind.segments:
        if segment.opening >= 0 and len(segment.sides) != 1:
            yield where, len(segment.sides), "one side for a road with an opening"
