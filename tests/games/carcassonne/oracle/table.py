"""What lies on the table, and the features on it, found anew for every table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import networkx

from tests.games.carcassonne.oracle.tiles import KINDS, MEETS, OPENINGS, STEPS, TURNED, Kind

Cell = tuple[int, int]
Place = tuple[Cell, str]  # a cell and the name of a segment of the tile there


@dataclass(frozen=True)
class Laid:
    """A tile as it lies."""

    kind: str
    rotation: int

    @property
    def facts(self) -> Kind:
        """Tell what the tile is like as it lies."""
        return TURNED[self.kind, self.rotation]


@dataclass(frozen=True)
class Feature:
    """Everything that hangs together: a city, a road, a cloister or a field."""

    kind: str
    places: frozenset[Place]
    tiles: int  # distinct tiles, C24
    shields: int
    open: int  # open ends; of a cloister the free cells around it
    men: Counter[int]  # followers by seat

    @property
    def complete(self) -> bool:
        """Tell whether it has no open end; a field is never complete (section 5)."""
        return self.kind != "field" and self.open == 0

    @property
    def occupied(self) -> bool:
        """Tell whether a follower of anybody stands in it."""
        return bool(self.men)

    def majority(self) -> list[int]:
        """List the seats with most followers in it (C27)."""
        most = max(self.men.values(), default=0)
        return sorted(seat for seat, number in self.men.items() if number == most)


def beside(cell: Cell, side: int) -> Cell:
    """Name the cell across a side."""
    return cell[0] + STEPS[side][0], cell[1] + STEPS[side][1]


def around(cell: Cell) -> list[Cell]:
    """List the eight cells around a cell."""
    x, y = cell
    near = (-1, 0, 1)
    return [(x + dx, y + dy) for dx in near for dy in near if (dx, dy) != (0, 0)]


def once(question: Callable[..., Any]) -> Callable[..., Any]:
    """Answer a question about a table once, for nothing on it changes."""

    @wraps(question)
    def answer(table: Table, *about: Any) -> Any:
        asked = (question.__name__, *about)
        if asked not in table.answers:
            table.answers[asked] = question(table, *about)
        return table.answers[asked]

    return answer


@dataclass(frozen=True)
class Table:
    """Tiles by cell, followers by place, and the finished tunnels as pairs of openings.

    It is the table of one moment: whoever lays anything takes a new one.
    """

    tiles: dict[Cell, Laid] = field(default_factory=dict)
    followers: dict[Place, int] = field(default_factory=dict)
    tunnels: list[tuple[int, int]] = field(default_factory=list)
    answers: dict[tuple[Any, ...], Any] = field(default_factory=dict, compare=False, repr=False)

    # Placing (section 3)

    def free_cells(self) -> list[Cell]:
        """List the empty cells that touch a tile with an edge."""
        near = {beside(cell, side) for cell in self.tiles for side in range(4)}
        return sorted(near - set(self.tiles))

    def edges_match(self, cell: Cell, tile: Laid) -> bool:
        """Tell whether each edge that touches another tile is of the same kind (C10, C14)."""
        for side in range(4):
            neighbour = self.tiles.get(beside(cell, side))
            if neighbour is None:
                continue
            if neighbour.facts.edges[(side + 2) % 4] != tile.facts.edges[side]:
                return False
        return True

    def within(self, cell: Cell, size: int) -> bool:
        """Tell whether the box around all tiles and this cell is small enough (C12)."""
        west, east, north, south = self.box()
        x, y = cell
        return max(east, x) - min(west, x) < size and max(south, y) - min(north, y) < size

    @once
    def box(self) -> tuple[int, int, int, int]:
        """Tell how far the tiles reach to the west, east, north and south."""
        xs, ys = zip(*self.tiles, strict=True)
        return min(xs), max(xs), min(ys), max(ys)

    @once
    def placements(self, kind: str, size: int) -> list[tuple[Cell, int]]:
        """List where a tile may be placed and how; equal rotations are one placement (C13)."""
        return [
            (cell, rotation)
            for cell in self.free_cells()
            if self.within(cell, size)
            for rotation in range(KINDS[kind].period)
            if self.edges_match(cell, Laid(kind, rotation))
        ]

    # Openings (section 6)

    @once
    def openings(self) -> dict[int, Place]:
        """Tell where the openings on the table are."""
        cells = {tile.kind: cell for cell, tile in self.tiles.items()}
        return {opening: (cells[kind], segment) for opening, (kind, segment) in OPENINGS.items() if kind in cells}

    # Features

    @once
    def features(self) -> list[Feature]:
        """Find all features."""
        graph = networkx.Graph()
        graph.add_nodes_from(self.places())
        graph.add_edges_from(self.joints())
        return [self.describe(frozenset(part)) for part in networkx.connected_components(graph)]

    @once
    def feature_by_place(self) -> dict[Place, Feature]:
        """Tell which feature each segment belongs to."""
        return {place: feature for feature in self.features() for place in feature.places}

    def places(self) -> Iterator[Place]:
        """List the segments of all tiles."""
        for cell, tile in self.tiles.items():
            for name in tile.facts.segments:
                yield cell, name

    def joints(self) -> Iterator[tuple[Place, Place]]:
        """List the pairs of segments that hang together directly."""
        for cell, tile in self.tiles.items():
            for side in (1, 2):  # east and south: each edge once
                neighbour = self.tiles.get(beside(cell, side))
                if neighbour is not None:
                    yield from joints_across(side, cell, tile, beside(cell, side), neighbour)
        # 6.4: the two openings of a finished tunnel are joined as if they were neighbours
        openings = self.openings()
        for one, other in self.tunnels:
            yield openings[one], openings[other]

    def describe(self, places: frozenset[Place]) -> Feature:
        """Count what is in a feature."""
        segments = [self.tiles[cell].facts.segments[name] for cell, name in places]
        return Feature(
            kind=segments[0].kind,
            places=places,
            tiles=len({cell for cell, _ in places}),
            shields=sum(segment.shields for segment in segments),
            open=sum(self.open_ends(place) for place in places),
            men=Counter(self.followers[place] for place in places if place in self.followers),
        )

    def open_ends(self, place: Place) -> int:
        """Count the open ends that one segment has."""
        cell, name = place
        segment = self.tiles[cell].facts.segments[name]
        if segment.kind == "cloister":
            return sum(other not in self.tiles for other in around(cell))  # C29
        edges = sum(beside(cell, side) not in self.tiles for side in segment.sides)
        # 6.1: a mouth is an open end until it is joined
        mouth = segment.opening is not None and segment.opening not in self.joined()
        return edges + mouth

    @once
    def joined(self) -> set[int]:
        """List the openings of the finished tunnels."""
        return {opening for tunnel in self.tunnels for opening in tunnel}

    def cities_touched(self, fields: Feature) -> set[frozenset[Place]]:
        """Name the city features that a field touches on any tile (C33), by their segments."""
        touched = {
            (cell, city) for cell, name in fields.places for city in self.tiles[cell].facts.segments[name].cities
        }
        cities = [feature for feature in self.features() if feature.kind == "city"]
        return {city.places for city in cities if city.places & touched}


def joints_across(side: int, cell: Cell, tile: Laid, next_cell: Cell, next_tile: Laid) -> Iterator[tuple[Place, Place]]:
    """List what is joined across one edge: its city or road, and its fields half by half (C32)."""
    here, there = tile.facts, next_tile.facts
    if side in here.at_side:
        yield (cell, here.at_side[side]), (next_cell, there.at_side[(side + 2) % 4])
    for half in (2 * side, 2 * side + 1):
        if half in here.at_half:
            yield (cell, here.at_half[half]), (next_cell, there.at_half[MEETS[half]])
