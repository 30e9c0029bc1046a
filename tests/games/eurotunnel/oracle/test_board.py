"""What follows from the borders has the numbers of the rules (2 and 7.1)."""

from __future__ import annotations

from collections import Counter

import networkx

from . import board


def test_provinces_centres_and_homes() -> None:
    assert len(board.PROVINCES) == 75
    assert Counter(board.KIND.values()) == {"inland": 14, "coast": 42, "sea": 19}
    assert len(board.CENTRES) == 34
    assert sum(map(len, board.HOMES.values())) == 22
    assert sum(map(len, board.START_UNITS.values())) == 22


def test_edges() -> None:
    assert board.ARMY.number_of_edges() == 111
    assert board.FLEET.number_of_edges() == 141
    assert board.FLEET.number_of_nodes() == 64


def test_every_border_between_land_provinces_is_one_for_armies() -> None:
    for a, b in board.BORDERS.edges:
        if "sea" not in (board.KIND[a], board.KIND[b]):
            assert board.neighbours(a, b)


def test_three_parts_of_the_sea() -> None:
    parts = networkx.connected_components(board.BORDERS.subgraph(board.SEAS))
    assert sorted(map(len, parts)) == [1, 2, 16]


def test_convoy_routes() -> None:
    undirected = {pair: found for pair, found in board.ROUTES.items() if pair[0] < pair[1]}
    assert len(board.ROUTES) == 1194
    assert len(undirected) == 597
    assert sum(map(len, undirected.values())) == 1047
    assert max(map(len, undirected.values())) == 4
    lengths = {len(route) for found in undirected.values() for route in found}
    assert (min(lengths), max(lengths)) == (1, 9)
    for (a, b), found in undirected.items():
        assert len(set(found)) == len(found)
        assert set(found) == set(board.routes(b, a))


def test_pairs_of_a_tunnel() -> None:
    pairs = board.TUNNEL_PAIRS
    assert len(pairs) == 213
    assert sum(map(len, pairs.values())) == 307
    kinds = Counter(
        frozenset("sea" if board.KIND[area] == "sea" else "land" for area in areas) for areas in pairs.values()
    )
    assert kinds[frozenset({"land"})] == 140
    assert kinds[frozenset({"sea"})] == 48
    assert kinds[frozenset({"land", "sea"})] == 25
    ends = Counter(tuple(sorted(board.KIND[end] for end in pair)) for pair in pairs)
    assert ends == {("coast", "coast"): 110, ("coast", "inland"): 73, ("inland", "inland"): 30}
    assert sum(bool(board.routes(*pair)) for pair in pairs) * 2 == 200


def test_ends_of_a_tunnel_by_province() -> None:
    at = Counter(end for pair in board.TUNNEL_PAIRS for end in pair)
    assert [at[p] for p in ("MUN", "TYR", "BEL", "DEN", "BOH", "RUM", "SEV")] == [14, 13, *[12] * 3, 11, 11]
    assert min(at.values()) == at["LVP"] == 1
    assert not any(board.borders(a, b) for a, b in board.TUNNEL_PAIRS)
