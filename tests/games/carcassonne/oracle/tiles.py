"""The 28 kinds of tile, and where their pieces lie when a tile is turned.

Sides are numbered clockwise from the north: 0 N, 1 E, 2 S, 3 W.  Half edges are numbered
clockwise from the north-west corner, two a side, so that half edge h lies on side h // 2.
A rotation r turns a tile r quarter turns clockwise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

SIDES = "NESW"
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # x grows east, y grows south
MEETS = (5, 4, 7, 6, 1, 0, 3, 2)  # half edge h of a tile lies against MEETS[h] of its neighbour
START = "D"

# Kind, count, edges N E S W, period, then the segments:
#   c0:NW*      a city on two sides, a star for each shield
#   r0:E@5      a road from the east side into opening 5
#   m           a cloister
#   f0:27/c0    a field on half edges 2 and 7, which touches city c0
TABLE = """
A   2 FFRF 4  r0:S m f0:01234567
B   4 FFFF 1  m f0:01234567
C   1 CCCC 1  c0:NESW*
D   4 CRFR 4  c0:N r0:EW f0:27/c0 f1:3456
E   5 CFFF 4  c0:N f0:234567/c0
F   2 FCFC 2  c0:EW* f0:01/c0 f1:45/c0
G   1 FCFC 2  c0:EW f0:01/c0 f1:45/c0
H   3 CFCF 2  c0:N c1:S f0:2367/c0,c1
I   2 CFFC 4  c0:N c1:W f0:2345/c0,c1
J   3 CRRF 4  c0:N r0:ES f0:2567/c0 f1:34
K   3 CFRR 4  c0:N r0:SW f0:2347/c0 f1:56
L   3 CRRR 4  c0:N r0:E r1:S r2:W f0:27/c0 f1:34 f2:56
M   2 CFFC 4  c0:NW* f0:2345/c0
N   3 CFFC 4  c0:NW f0:2345/c0
O   2 CRRC 4  c0:NW* r0:ES f0:25/c0 f1:34
P   3 CRRC 4  c0:NW r0:ES f0:25/c0 f1:34
Q   1 CCFC 4  c0:NEW* f0:45/c0
R   3 CCFC 4  c0:NEW f0:45/c0
S   2 CCRC 4  c0:NEW* r0:S f0:4/c0 f1:5/c0
T   1 CCRC 4  c0:NEW r0:S f0:4/c0 f1:5/c0
U   8 RFRF 2  r0:NS f0:0567 f1:1234
V   9 FFRR 4  r0:SW f0:012347 f1:56
W   4 FRRR 4  r0:E r1:S r2:W f0:0127 f1:34 f2:56
X   1 RRRR 1  r0:N r1:E r2:S r3:W f0:07 f1:12 f2:34 f3:56
TU1 1 CRFR 4  c0:N r0:E@0 r1:W@1 f0:27/c0 f1:3456
TU2 1 CRRR 4  c0:N r0:E@2 r1:S@3 r2:W@4 f0:27/c0 f1:34 f2:56
TU3 1 FRRF 4  r0:E@5 r1:S@6 f0:012567 f1:34
TU4 1 RRRR 4  r0:N r1:E@7 r2:S@8 r3:W@9 f0:0127 f1:34 f2:56
"""


@dataclass(frozen=True)
class Segment:
    """One piece of city, road, cloister or field of a tile."""

    name: str
    kind: str
    sides: tuple[int, ...] = ()
    halves: tuple[int, ...] = ()
    shields: int = 0
    opening: int | None = None
    cities: tuple[str, ...] = ()

    def turned(self, rotation: int) -> Segment:
        """Tell where the segment shows when the tile is turned."""
        sides = sorted((side + rotation) % 4 for side in self.sides)
        halves = sorted((half + 2 * rotation) % 8 for half in self.halves)
        return replace(self, sides=tuple(sides), halves=tuple(halves))


@dataclass(frozen=True)
class Kind:
    """One kind of tile, unturned or as it lies."""

    name: str
    count: int
    edges: str
    period: int
    segments: dict[str, Segment]

    def turned(self, rotation: int) -> Kind:
        """Tell what the tile looks like when it is turned."""
        edges = "".join(self.edges[(side - rotation) % 4] for side in range(4))
        segments = {name: segment.turned(rotation) for name, segment in self.segments.items()}
        return replace(self, edges=edges, segments=segments)

    @cached_property
    def at_side(self) -> dict[int, str]:
        """Name the city or road on each side that shows one."""
        return {side: one.name for one in self.segments.values() for side in one.sides}

    @cached_property
    def at_half(self) -> dict[int, str]:
        """Name the field on each half edge that shows one."""
        return {half: one.name for one in self.segments.values() for half in one.halves}


def read_segment(text: str) -> Segment:
    """Read one segment as the table writes it."""
    name, _, place = text.partition(":")
    if name == "m":
        return Segment(name, "cloister")
    if name.startswith("f"):
        halves, _, cities = place.partition("/")
        touched = tuple(cities.split(",")) if cities else ()
        return Segment(name, "field", halves=tuple(int(h) for h in halves), cities=touched)
    place, _, opening = place.partition("@")
    return Segment(
        name,
        "city" if name.startswith("c") else "road",
        sides=tuple(SIDES.index(letter) for letter in place.rstrip("*")),
        shields=place.count("*"),
        opening=int(opening) if opening else None,
    )


def read_kind(line: str) -> Kind:
    """Read one line of the table."""
    name, count, edges, period, *pieces = line.split()
    segments = [read_segment(piece) for piece in pieces]
    return Kind(name, int(count), edges, int(period), {s.name: s for s in segments})


KINDS = {kind.name: kind for kind in map(read_kind, TABLE.strip().splitlines())}
TURNED = {(name, turn): kind.turned(turn) for name, kind in KINDS.items() for turn in range(4)}
TUNNEL_KINDS = tuple(name for name in KINDS if name.startswith("TU"))

# Every tunnel tile is single, so an opening has a name: opening 0 is TU1.E, the segment r0 of TU1.
OPENINGS = {
    segment.opening: (kind.name, segment.name)
    for kind in KINDS.values()
    for segment in kind.segments.values()
    if segment.opening is not None
}


def bag(tunnel: bool) -> list[str]:
    """List the tiles to be drawn: all but the start tile, with or without the four of the tunnel."""
    tiles = [kind.name for kind in KINDS.values() if tunnel or kind.name not in TUNNEL_KINDS for _ in range(kind.count)]
    tiles.remove(START)
    return tiles
