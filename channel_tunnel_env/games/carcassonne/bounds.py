"""What a ruleset's figures and tiles allow at most: points of a seat, and numbers of an observation.

Each bound follows only from the rules, so it holds in every game, and from every position that is read.

Points. A feature pays a seat once, and at most the sum of what its segments are worth here: its points count
tiles, of which there are no more than segments. So a seat gains in a game at most `most_points`, the sum over
all segments of all tiles. A position may begin with as many points as a whole game brings, which makes
`points_limit`.
"""

from __future__ import annotations

from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.pieces import TileType
from channel_tunnel_env.games.carcassonne.ruleset import RulesetData, tile_problems


def segment_points(data: RulesetData, kind: TileType, number: int) -> int:
    """The most that a segment adds to what its feature pays a seat; the Robber Baron's point aside."""
    points, segment = data.points, kind.segments[number]
    if segment.kind == c.ROAD:
        return max(points.road, points.road_open)
    if segment.kind == c.CLOISTER:
        return max(points.cloister, c.FILLED_AROUND * points.cloister_open)
    if segment.kind == c.FIELD:
        # Each field pays for the cities it touches, or each city for all fields at once.
        touched = len(kind.touched_cities(number))
        return touched * farm_points(data) if data.farm_scoring != "none" else 0
    small = data.small_city == 2  # its city of two tiles pays a point for each tile and shield
    return max(points.city, points.city_open, small) + segment.shields * max(points.shield, points.shield_open, small)


def farm_points(data: RulesetData) -> int:
    """Points of a city for its farmers."""
    return data.points.farm_first if data.farm_scoring == "first" else data.points.farm


def most_points(data: RulesetData) -> int:
    """The most that a seat can gain in a game."""
    total = 0
    for kind in data.tile_types():
        for number, segment in enumerate(kind.segments):
            robber = data.robber_baron and segment.kind == c.ROAD  # 1 for each complete road
            total += kind.count * (segment_points(data, kind, number) + robber)
    return total


def check_consistency(data: RulesetData) -> list[tuple[str, object, str]]:
    """Errors among the tiles, else in the points: (dotted key, value, what must hold)."""
    problems = list(tile_problems(data))
    if not problems and (most := most_points(data)) > c.MOST_POINTS:
        rule = f"points with which a seat gains at most {c.MOST_POINTS:,} in a game"
        problems.append(("points", most, rule))
    return problems


def points_limit(data: RulesetData) -> int:
    """The most points that a seat ever has, those of the position included that its game began from."""
    return min(2 * most_points(data), c.MOST_POINTS)
