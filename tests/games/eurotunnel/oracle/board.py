"""The board: borders as in map.yaml, and what follows from them (rules 2 and 7.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx

from tests.written import read_yaml

DATA: dict[str, Any] = read_yaml(Path(__file__).parent / "map.yaml")

POWERS: tuple[str, ...] = tuple(DATA["powers"])
LETTERS = {power[0].lower(): power for power in POWERS}
PROVINCES: tuple[str, ...] = tuple(sorted(DATA["provinces"]))
NAMES = {code: facts["name"] for code, facts in DATA["provinces"].items()}
KIND = {code: facts["kind"] for code, facts in DATA["provinces"].items()}
HOMES: dict[str, tuple[str, ...]] = {
    power: tuple(p for p in PROVINCES if DATA["provinces"][p].get("home") == power) for power in POWERS
}
CENTRES = tuple(p for p in PROVINCES if "home" in DATA["provinces"][p])
COASTS = {p: tuple(f"{p}/{coast}" for coast in DATA["provinces"][p].get("coasts", ())) for p in PROVINCES}
SEAS = tuple(p for p in PROVINCES if KIND[p] == "sea")
LAND = tuple(p for p in PROVINCES if KIND[p] != "sea")
COASTAL = tuple(p for p in PROVINCES if KIND[p] == "coast")


def province(location: str) -> str:
    """The province of a location: BUL of BUL/EC."""
    return location.split("/")[0]


def _graph(lists: dict[str, list[str]]) -> networkx.Graph:
    return networkx.Graph((a, b) for a, others in lists.items() for b in others)


ARMY = _graph(DATA["army"])
FLEET = _graph(DATA["fleet"])
BORDERS = networkx.Graph(list(ARMY.edges) + [(province(a), province(b)) for a, b in FLEET.edges])
_SEA_BORDERS = BORDERS.subgraph(SEAS)
REACH = {"A": {p: frozenset(ARMY[p]) for p in ARMY}, "F": {location: frozenset(FLEET[location]) for location in FLEET}}


def reach(kind: str, location: str) -> frozenset[str]:
    """The locations to which an army (A) or fleet (F) on a location can go in one ordinary move."""
    return REACH[kind][location]


def borders(a: str, b: str) -> bool:
    """Whether any unit can go from one province to the other in one ordinary move (2.3)."""
    return bool(BORDERS.has_edge(a, b))


def neighbours(a: str, b: str) -> bool:
    """Whether an army can go from one province to the other over land."""
    return bool(ARMY.has_edge(a, b))


def _chains(coast: str, chain: list[str]) -> Iterator[list[str]]:
    """All chains that go on from this one: only the first sea borders the coast, and no sea can be left out."""
    yield chain
    for sea in sorted(_SEA_BORDERS[chain[-1]]):
        shortcut = any(borders(sea, earlier) for earlier in chain[:-1])
        if sea not in chain and not shortcut and not borders(sea, coast):
            yield from _chains(coast, [*chain, sea])


def _find_routes() -> dict[tuple[str, str], tuple[frozenset[str], ...]]:
    routes: dict[tuple[str, str], list[frozenset[str]]] = defaultdict(list)
    for start in COASTAL:
        for first in sorted(set(BORDERS[start]) & set(SEAS)):
            for chain in _chains(start, [first]):
                for end in set(BORDERS[chain[-1]]) & set(COASTAL):
                    if end != start and not any(borders(sea, end) for sea in chain[:-1]):
                        routes[start, end].append(frozenset(chain))
    return {pair: tuple(found) for pair, found in routes.items()}


ROUTES = _find_routes()
"""The convoy routes from one coast to another, as sets of seas (2.6)."""


def routes(start: str, end: str) -> tuple[frozenset[str], ...]:
    """The convoy routes from one province to another; none where there is no way by sea."""
    return ROUTES.get((start, end), ())


def pair_of(a: str, b: str) -> tuple[str, str]:
    """A pair of ends in alphabetical order."""
    return (a, b) if a < b else (b, a)


def _find_tunnel_pairs() -> dict[tuple[str, str], frozenset[str]]:
    pairs = {}
    for a, b in combinations(LAND, 2):
        areas = frozenset(set(BORDERS[a]) & set(BORDERS[b]))
        if areas and not neighbours(a, b):
            pairs[a, b] = areas
    return pairs


TUNNEL_PAIRS = _find_tunnel_pairs()
"""Every pair that a tunnel may join, with the areas that it may pass under (7.1)."""
