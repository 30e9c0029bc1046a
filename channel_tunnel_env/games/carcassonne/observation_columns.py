"""What each number of an observation of Carcassonne counts, and how far: proved column by column, under a ruleset.

Every column is a count over a scale of `engine.observation`. The largest counts that the rules allow:

- points of a seat: `bounds.points_limit`; two seats differ by no more, so the difference bounds both sides;
- tiles of a feature, face down or laid: those of the ruleset;
- open ends of a road or city: its segments hang together by one joining fewer than there are segments, and a
  joining closes two ends. If segments have e1, e2, ... ends, at most 2 + (e1 - 2) + (e2 - 2) + ... stay open;
- complete cities beside a field: a complete city has at least two segments, since no side faces its own tile;
- what a feature is worth: `bounds.segment_points` summed over all segments of its kind, of a field its cities;
- followers, token colours and shields: those of the ruleset; tiles of the Robber Baron's road: MAX_TILES;
- coordinates from the middle of the table: half of its width and the cell beside it.

All other columns are marks, shares of a count, or places: 0 to 1.
"""

from __future__ import annotations

from channel_tunnel_env.core.encoding import Column, share
from channel_tunnel_env.games.carcassonne.bounds import farm_points, points_limit, segment_points
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine import observation as o
from channel_tunnel_env.games.carcassonne.pieces import Segment
from channel_tunnel_env.games.carcassonne.ruleset import RulesetData


def observation_range(data: RulesetData) -> tuple[float, float]:
    """The lowest and the highest value that an observation can hold."""
    columns = observation_columns(data)
    # `step` is 1 / a whole number, and a count over that is one division, as in the observation.
    most = [column.most / round(1 / column.step) for column in columns]
    return -max(high for high, column in zip(most, columns, strict=True) if column.signed), max(most)


def _segments(data: RulesetData, kind: int) -> list[Segment]:
    """All segments of a kind, each as often as there are tiles with it."""
    return [segment for tile in data.tile_types() for segment in tile.segments * tile.count if segment.kind == kind]


def _open_ends(data: RulesetData) -> int:
    ends = [[s.open_ends for s in _segments(data, kind)] for kind in (c.CITY, c.ROAD)]
    joined = [2 + sum(max(0, n - 2) for n in of_kind) for of_kind in ends]
    return max(*joined, c.FILLED_AROUND)


def _most_fed(data: RulesetData) -> int:
    return len(_segments(data, c.CITY)) // 2


def _worth(data: RulesetData, kind: int) -> int:
    if kind == c.FIELD:
        return _most_fed(data) * farm_points(data)
    return sum(
        tile.count * segment_points(data, tile, number)
        for tile in data.tile_types()
        for number, segment in enumerate(tile.segments)
        if segment.kind == kind
    )


_LENDERS = {
    "score": "untouched sets / 3",
    "score less the viewer's": "half tunnels / 3",
    "worth now": "city",
    "worth if complete": "road",
    "id": "present",
}
_SIGNED = ("score less the viewer's", "x from the middle", "y from the middle")
_HALVES = ("x from the middle", "y from the middle")  # a middle may lie between two cells


def observation_columns(data: RulesetData) -> tuple[Column, ...]:
    """The columns in the order of the sections."""
    most = _most_counts(data)
    found: list[Column] = []
    for section in o.SECTIONS:
        row = [_column(section, place, most) for place in range(len(section.columns))]
        found += row * (section.size(data.players) // len(row))
    return tuple(found)


def _column(section: o.SectionRows, place: int, most: dict[str, int]) -> Column:
    """A column of a section; the words behind its stroke say how many of its counts make 1."""
    word = section.columns[place]
    name, _, unit = word.partition(" / ")
    if name.startswith("unseen of type"):
        return share(f"{section.name}: {word}")
    lender = section.columns.index(_LENDERS[name]) - place if name in _LENDERS else 0
    return Column(
        f"{section.name}: {word}",
        1 / (float(unit or 1) * (2 if name in _HALVES else 1)),
        most[name.removeprefix(name[:2]) if name[:2] in _SIDES else name] if unit else 1,
        name in _SIGNED,
        lender,
    )


_SIDES = tuple(f"{side} " for side in c.SIDES)


def _most_counts(data: RulesetData) -> dict[str, int]:
    """The largest count by what is counted."""
    tiles = sum(kind.count for kind in data.tile_types())
    points, opened = points_limit(data), max(_open_ends(data), _most_fed(data))
    worth, across = max(_worth(data, kind) for kind in range(c.NUM_KINDS)), data.table + 2
    return {
        "tiles face down": tiles,
        "turns of the viewer, this one included": tiles,
        "players": c.MAX_SEATS,
        "followers": data.followers,
        "token colours": c.NUM_TOKEN_COLOURS,
        "table": data.table,
        "tiles of the longest road": c.MAX_TILES,
        "score": points,
        "score less the viewer's": points,
        "supply": data.followers,
        "tokens": c.TOKENS_OF_A_COLOUR * data.token_colours,
        "untouched sets": data.token_colours,
        "half tunnels": data.token_colours,
        "followers lying": data.followers,
        "tiles": tiles,
        "open ends or complete cities": opened,
        "open ends": opened,
        "viewer's followers": data.followers,
        "most of another": data.followers,
        "seat": c.MAX_SEATS,
        "shields": sum(segment.shields for segment in _segments(data, c.CITY)),
        "worth now": worth,
        "worth if complete": worth,
        "id": c.NUM_CELLS - 1,
        "x from the middle": across,
        "y from the middle": across,
        "tiles around": c.FILLED_AROUND + 1,
    }
