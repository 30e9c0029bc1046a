"""The tile table keeps to itself: counts, edges, fields, periods, openings."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.carcassonne.oracle.tiles import KINDS, OPENINGS, Kind, bag, opening_name

kinds = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))


def test_counts() -> None:
    """There are 72 tiles in the base game and 4 in the expansion, less the start tile."""
    assert len(bag(tunnel=True)) == 75
    assert len(bag(tunnel=False)) == 71
    assert sum(len(kind.segments) for kind in KINDS.values() for _ in range(kind.count)) == 266


def test_openings() -> None:
    """There are ten openings, in the order of the rules."""
    names = "TU1.E TU1.W TU2.E TU2.S TU2.W TU3.E TU3.S TU4.E TU4.S TU4.W"
    assert [opening_name(opening) for opening in sorted(OPENINGS)] == names.split()


@kinds
def test_every_edge_shows_what_it_is(kind: Kind) -> None:
    """A city or road side has one segment of its kind, each half of another side one field."""
    letters = {"city": "C", "road": "R"}
    segments = kind.segments.values()
    sides = {side: letters[s.kind] for s in segments for side in s.sides}
    shown = "".join(sides.get(side, "F") for side in range(4))
    assert shown == kind.edges
    assert max(Counter(side for s in segments for side in s.sides).values(), default=1) == 1
    halves = sorted(half for s in segments for half in s.halves)
    assert halves == [half for half in range(8) if kind.edges[half // 2] != "C"]


@kinds
def test_fields_touch_the_cities_at_their_corners(kind: Kind) -> None:
    """A field touches a city exactly if a half edge of it is next to a city side."""
    for segment in kind.segments.values():
        beside = {(half + step) % 8 // 2 for half in segment.halves for step in (-1, 1)}
        cities = {kind.at_side[side] for side in beside if kind.edges[side] == "C"}
        assert cities == set(segment.cities)


@kinds
def test_fields_are_parted_by_roads_only(kind: Kind) -> None:
    """The two halves of a field side are in one field, those of a road side in different ones,

    unless the road ends where the grass goes round it: at a cloister or at a village.
    """
    ends_in_grass = {("A", 2), ("TU4", 0)}
    for side in range(4):
        if kind.edges[side] != "C":
            one_field = kind.at_half[2 * side] == kind.at_half[2 * side + 1]
            grass = kind.edges[side] == "F" or (kind.name, side) in ends_in_grass
            assert one_field == grass


def pictures(kind: Kind) -> set[object]:
    """Describe a tile without the names of its segments."""
    return {
        (s.kind, s.sides, s.halves, s.shields, s.opening, frozenset(places(kind, s.cities)))
        for s in kind.segments.values()
    }


def places(kind: Kind, cities: tuple[str, ...]) -> list[tuple[int, ...]]:
    """Tell the sides of cities."""
    return [kind.segments[name].sides for name in cities]


@kinds
def test_period(kind: Kind) -> None:
    """The period is the first turn after which the tile looks the same."""
    same = [turn for turn in (1, 2, 4) if pictures(kind.turned(turn % 4)) == pictures(kind)]
    assert kind.period == same[0]
