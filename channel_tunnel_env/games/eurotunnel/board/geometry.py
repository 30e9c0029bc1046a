"""The map's geometry: outlines of the provinces and the places on them, from `geometry.yaml`.

The file says where three areas meet. Two areas that share two such corners share the border between them, so
the outlines fit without gaps, and what borders on what can be compared with the law.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.outside.documents import StrictModel, read_yaml

GEOMETRY_FILE = Path(__file__).parent / "geometry.yaml"
OUT = "OUT"  # beyond the edge of the picture
PASSIVE = ("SWI",)  # areas that no unit enters

Point = tuple[float, float]
Pair = tuple[str, str]


class GeometryData(StrictModel):
    """The file; its comments say what the keys mean."""

    size: tuple[int, int]
    corners: dict[str, Point]
    bends: dict[str, list[Point]]
    idle: list[list[Point]]
    islands: dict[str, list[list[Point]]]
    units: dict[str, Point]
    labels: dict[str, Point]
    names: dict[str, Point]


@dataclass(frozen=True)
class Border:
    """The line between two areas.

    Attributes:
        areas: the two; of a province with two coasts the coast, where the other area is a sea.
        ends: the names of its corners.
        points: from the first end to the second, bends between them.
    """

    areas: Pair
    ends: Pair
    points: tuple[Point, ...]

    def path_from(self, corner: str) -> str:
        """The line as SVG, without its first point, from one of its ends."""
        points = self.points if corner == self.ends[0] else self.points[::-1]
        if OUT in self.areas:
            return "".join(f"L{_pair(point)}" for point in points[1:])
        return smooth(points)


def smooth(points: tuple[Point, ...]) -> str:
    """A line as SVG without its first point, its bends rounded off."""
    *bends, end = points[1:]
    if not bends:
        return f"L{_pair(end)}"
    stops = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairwise(bends)]
    return "".join(f"Q{_pair(bend)} {_pair(stop)}" for bend, stop in zip(bends, [*stops, end], strict=True))


def _pair(point: Point) -> str:
    return f"{point[0]:g} {point[1]:g}"


@dataclass(frozen=True)
class Geometry:
    """The map.

    Attributes:
        size: width and height.
        borders: every one, once.
        outlines: the closed line round each area, as SVG: provinces and PASSIVE.
        idle: land without a province, as SVG.
        units: where a unit stands, by location.
        labels: where its code is written, by location: the middle of the base line.
        names: where its name is written, word by word, by sea: the middle of the first base line.
    """

    size: tuple[int, int]
    borders: tuple[Border, ...]
    outlines: dict[str, str]
    idle: tuple[str, ...]
    units: dict[str, Point]
    labels: dict[str, Point]
    names: dict[str, Point]


def province(area: str) -> str:
    """An area without the name of a coast."""
    return area.partition("/")[0]


def find_borders(data: GeometryData) -> tuple[Border, ...]:
    """The borders that the corners imply.

    Raises:
        ValueError: two areas share one corner or more than two, or bends belong to no border.
    """
    shared: dict[Pair, list[str]] = defaultdict(list)
    for name in data.corners:
        for pair in combinations(name.split("-"), 2):
            shared[_areas(*pair)].append(name)
    wrong = [f"{'-'.join(pair)}: {len(ends)} corners" for pair, ends in shared.items() if len(ends) != 2]
    wrong += [f"bends.{name}: no border" for name in data.bends if tuple(name.split("-")) not in shared]
    if wrong:
        raise ValueError("; ".join(wrong))
    return tuple(_border(pair, (ends[0], ends[1]), data) for pair, ends in sorted(shared.items()))


def _areas(a: str, b: str) -> Pair:
    """Two areas that meet, ascending; a coast counts only towards a sea."""
    first, second = sorted((a if _is_sea(b) else province(a), b if _is_sea(a) else province(b)))
    return first, second


def _is_sea(area: str) -> bool:
    index = load_board().index.get(area, c.NONE)
    return 0 <= index < c.NUM_PROVINCES and load_board().kinds[index] == c.SEA


def _border(areas: Pair, ends: Pair, data: GeometryData) -> Border:
    bends = data.bends.get("-".join(areas), [])
    start, end = (data.corners[name] for name in ends)
    if bends and _apart(bends[0], end) < _apart(bends[0], start):
        bends = bends[::-1]
    return Border(areas, ends, (start, *bends, end))


def _apart(a: Point, b: Point) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _walk(area: str, borders: tuple[Border, ...]) -> Iterator[tuple[str, Border]]:
    """(corner, border that begins there) round an area."""
    left = [border for border in borders if area in map(province, border.areas)]
    corner = left[0].ends[0]
    while left:
        border = next(border for border in left if corner in border.ends)
        left.remove(border)
        yield corner, border
        corner = border.ends[corner == border.ends[0]]


def _outline(area: str, data: GeometryData, borders: tuple[Border, ...]) -> str:
    steps = list(_walk(area, borders))
    line = "".join(border.path_from(corner) for corner, border in steps)
    lines = [f"M{_pair(data.corners[steps[0][0]])}{line}Z"]
    return "".join([*lines, *(closed(island) for island in data.islands.get(area, []))])


def closed(points: list[Point]) -> str:
    """A closed line as SVG, all its points rounded off."""
    middle = (points[0][0] + points[-1][0]) / 2, (points[0][1] + points[-1][1]) / 2
    return f"M{_pair(middle)}{smooth((middle, *points, middle))}Z"


_BELOW = 23.5  # from the middle of a unit to the base line of the code below it


@cache
def load_geometry() -> Geometry:
    """The map of this package."""
    data = GeometryData.model_validate(read_yaml(GEOMETRY_FILE).mapping(), strict=False)
    borders = find_borders(data)
    below = {name: (x, y + _BELOW) for name, (x, y) in data.units.items() if "/" not in name}
    return Geometry(
        size=data.size,
        borders=borders,
        outlines={area: _outline(area, data, borders) for area in (*load_board().provinces, *PASSIVE)},
        idle=tuple(map(closed, data.idle)),
        units=data.units,
        labels=below | data.labels,
        names=data.names,
    )
