"""What features are worth, during the game and at its end (sections 5 and 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.games.carcassonne.oracle.table import Feature, Place, Table

Points = Counter[int]  # points by seat


def complete_value(feature: Feature, rules: dict[str, Any]) -> int:
    """Value a complete road, city or cloister."""
    if feature.kind == "road":
        return feature.tiles
    if feature.kind == "cloister":
        return 9
    if feature.tiles == 2 and rules["small_city"] == 2:  # C26
        return feature.tiles + feature.shields
    return 2 * feature.tiles + 2 * feature.shields


def incomplete_value(feature: Feature) -> int:
    """Value a road, city or cloister that is still open at the end."""
    if feature.kind == "cloister":
        return 1 + 8 - feature.open
    return feature.tiles + feature.shields


def value(feature: Feature, rules: dict[str, Any]) -> int:
    """Value a road, city or cloister as it stands."""
    return complete_value(feature, rules) if feature.complete else incomplete_value(feature)


def to_majority(feature: Feature, points: int) -> Points:
    """Give the points to each seat with most followers (C27)."""
    return Counter({seat: points for seat in feature.majority()})


def kind_points(table: Table, kind: str, rules: dict[str, Any]) -> Points:
    """Add up what the roads, the cities or the cloisters with followers are worth as they stand."""
    points: Points = Counter()
    for feature in table.features():
        if feature.kind == kind and feature.occupied:
            points += to_majority(feature, value(feature, rules))
    return points


def farm_points(table: Table, scoring: str) -> Points:
    """Add up what the fields with farmers are worth, by one of the four ways (C34)."""
    if scoring == "none":
        return Counter()
    farms = [(farm, fed_by(table, farm)) for farm in occupied_fields(table)]
    if scoring == "first":
        return first_scoring(farms)
    if scoring == "second":
        return second_scoring(farms)
    return third_scoring(farms)


def occupied_fields(table: Table) -> list[Feature]:
    """List the fields with farmers."""
    return [feature for feature in table.features() if feature.kind == "field" and feature.occupied]


def fed_by(table: Table, farm: Feature) -> set[frozenset[Place]]:
    """Name the complete cities that a field touches, each once, whoever owns them (C33, C37)."""
    complete = {feature.places for feature in table.features() if feature.complete}
    return table.cities_touched(farm) & complete


Farms = Iterable[tuple[Feature, set[frozenset[Place]]]]


def third_scoring(farms: Farms) -> Points:
    """Give 3 for every complete city of a field to its majority, each field for itself."""
    points: Points = Counter()
    for farm, cities in farms:
        points += to_majority(farm, 3 * len(cities))
    return points


def second_scoring(farms: Farms) -> Points:
    """Do the same, but a player gets 3 for a given city at most once."""
    fed = {(seat, city) for farm, cities in farms for seat in farm.majority() for city in cities}
    points: Points = Counter()
    for seat, _ in fed:
        points[seat] += 3
    return points


def first_scoring(farms: Farms) -> Points:
    """Go city by city: the most farmers in all fields that touch it, added, get 4."""
    farmers: dict[frozenset[Place], Counter[int]] = {}
    for farm, cities in farms:
        for city in cities:
            farmers[city] = farmers.get(city, Counter()) + farm.men
    points: Points = Counter()
    for men in farmers.values():
        most = max(men.values())
        points += Counter({seat: 4 for seat, number in men.items() if number == most})
    return points


def marker_points(table: Table, holder: int | None) -> Points:
    """Give the holder of the Robber Baron marker 1 for each complete road on the table (C75)."""
    if holder is None:
        return Counter()
    roads = sum(feature.kind == "road" and feature.complete for feature in table.features())
    return Counter({holder: roads})


def final_parts(table: Table, rules: dict[str, Any], holder: int | None) -> dict[str, list[int]]:
    """Tell, by kind, what each seat gets if the game ends now (section 7).

    After a whole turn no complete feature has followers.  Within a turn one may have, and then
    counts as complete.
    """
    parts = {kind: kind_points(table, kind, rules) for kind in ("road", "city", "cloister")}
    parts["field"] = farm_points(table, rules["farm_scoring"])
    parts["robber"] = marker_points(table, holder)
    return {kind: [points[seat] for seat in range(rules["players"])] for kind, points in parts.items()}
