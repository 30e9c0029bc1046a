"""Ruleset -> Tables: figures and tiles as one read-only numpy record for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numba
import numpy as np

from channel_tunnel_env.games.carcassonne.bounds import farm_points, points_limit, segment_points
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.pieces import TileType
from channel_tunnel_env.games.carcassonne.ruleset import RulesetData

_TYPE_SEGMENTS = (c.MAX_TYPES, c.TILE_SEGMENTS)
TABLES_DTYPE = np.dtype(
    [
        # Switches and figures.
        ("players", np.int64),
        ("colours", np.int64),  # token colours in play
        ("tunnel", np.int64),
        ("farm_scoring", np.int64),
        ("small_city", np.int64),
        ("token_window", np.int64),
        ("variant", np.int64),
        ("robber_baron", np.int64),
        ("table", np.int64),
        ("auto_forced", np.int64),
        ("followers", np.int64),
        ("road_points", np.int64),
        ("road_open", np.int64),
        ("city_points", np.int64),
        ("city_open", np.int64),
        ("shield_points", np.int64),
        ("shield_open", np.int64),
        ("cloister_points", np.int64),
        ("cloister_open", np.int64),  # per tile, the cloister's own included
        ("farm_points", np.int64),
        ("points_limit", np.int64),  # see `bounds`
        # Tile types.
        ("num_types", np.int64),
        ("start_type", np.int64),
        ("tiles", np.int8, c.MAX_TYPES),  # of each type, the start tile included
        ("edge", np.int8, (c.MAX_TYPES, c.NUM_SIDES)),
        ("fit", np.uint8, (c.MAX_TYPES, c.NUM_NEEDS)),  # rotations that fit a need, as bits
        ("segments", np.int8, c.MAX_TYPES),
        ("kind", np.int8, _TYPE_SEGMENTS),
        ("open_ends", np.int8, _TYPE_SEGMENTS),
        ("shields", np.int8, _TYPE_SEGMENTS),
        ("opening", np.int8, _TYPE_SEGMENTS),
        ("touches", np.int16, _TYPE_SEGMENTS),  # cities that a field touches, as bits
        ("most_points", np.int16, _TYPE_SEGMENTS),  # that a segment can bring a seat, see `bounds`
        ("edge_segment", np.int8, (c.MAX_TYPES, c.NUM_SIDES)),
        ("half_segment", np.int8, (c.MAX_TYPES, c.NUM_HALVES)),
        ("cloister_segment", np.int8, c.MAX_TYPES),
        ("place_segment", np.int8, (c.MAX_TYPES, c.NUM_SIDES, c.NUM_PLACES)),
    ],
    align=True,
)


def make_tables(rulesets: Sequence[Any]) -> np.recarray:
    """One row per ruleset, read-only."""
    tables = np.zeros(len(rulesets), TABLES_DTYPE)
    for row, ruleset in zip(tables, rulesets, strict=True):
        _fill_figures(row, ruleset.data)
        _fill_tiles(row, ruleset.data)
    tables.flags.writeable = False
    # Without compilation, fields are readable as attributes only through a recarray.
    return tables.view(np.recarray) if numba.config.DISABLE_JIT else tables  # type: ignore[return-value]


def _fill_figures(row: Any, data: RulesetData) -> None:
    for name in ("players", "tunnel", "small_city", "robber_baron", "table", "auto_forced"):
        row[name] = getattr(data, name)
    row["followers"] = data.followers
    row["colours"] = data.token_colours
    row["farm_scoring"] = c.FARM_SCORINGS.index(data.farm_scoring)
    row["token_window"] = c.TOKEN_WINDOWS.index(data.token_window)
    row["variant"] = c.VARIANTS.index(data.tunnel_variant)
    points = data.points
    for name in ("road", "city", "shield", "cloister"):
        row[f"{name}_points"] = getattr(points, name)
        row[f"{name}_open"] = getattr(points, f"{name}_open")
    row["farm_points"] = farm_points(data)
    row["points_limit"] = points_limit(data)


def _fill_tiles(row: Any, data: RulesetData) -> None:
    types = data.tile_types()
    row["num_types"] = len(types)
    row["start_type"] = [kind.name for kind in types].index(data.start_tile)
    # Zero would be an opening or a segment.
    for table in ("opening", "edge_segment", "half_segment", "cloister_segment", "place_segment"):
        row[table] = c.NONE
    for number, kind in enumerate(types):
        _fill_type(row, number, kind)
        for i in range(len(kind.segments)):
            row["most_points"][number, i] = segment_points(data, kind, i)


def _fill_type(row: Any, number: int, kind: TileType) -> None:
    row["tiles"][number] = kind.count
    row["edge"][number] = kind.edges
    row["fit"][number] = _rotations_by_need(kind)
    row["segments"][number] = len(kind.segments)
    for i, segment in enumerate(kind.segments):
        row["kind"][number, i] = segment.kind
        row["open_ends"][number, i] = segment.open_ends
        row["shields"][number, i] = segment.shields
        row["opening"][number, i] = segment.opening
        if segment.kind == c.FIELD:
            row["touches"][number, i] = sum(1 << city for city in kind.touched_cities(i))
    row["edge_segment"][number] = [kind.segment_at_side(side) for side in range(c.NUM_SIDES)]
    row["half_segment"][number] = [kind.segment_at_half(half) for half in range(c.NUM_HALVES)]
    row["cloister_segment"][number] = kind.cloister()
    row["place_segment"][number] = _segments_by_place(kind)


@lru_cache(maxsize=4 * c.MAX_TYPES)
def _segments_by_place(kind: TileType) -> tuple[tuple[int, ...], ...]:
    """For each rotation the segment that each place stands for."""
    return tuple(
        tuple(kind.place_segment(place, turned) for place in range(c.NUM_PLACES)) for turned in range(c.NUM_SIDES)
    )


@lru_cache(maxsize=4 * c.MAX_TYPES)
def _rotations_by_need(kind: TileType) -> tuple[int, ...]:
    """For each demand of the neighbours the different rotations that show it, as bits."""
    # Below the period no two rotations look alike (C13).
    edges, rotations = kind.edges, range(kind.period)
    return tuple(sum(1 << turned for turned in rotations if _fits(edges, turned, need)) for need in range(c.NUM_NEEDS))


def _fits(edges: tuple[int, ...], turned: int, need: int) -> bool:
    """Whether a tile shows on every side what the neighbours demand there."""
    # 0: no tile lies beyond that side, so anything may show there.
    return all((need >> 2 * side & 3) in (0, edges[(side - turned) % 4]) for side in range(c.NUM_SIDES))
