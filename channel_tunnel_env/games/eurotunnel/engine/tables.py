"""Board and ruleset -> Tables: figures as one read-only numpy record for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numba
import numpy as np

from channel_tunnel_env.games.eurotunnel.actions import all_actions
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import BoardIndex, load_board
from channel_tunnel_env.games.eurotunnel.ruleset import FIRST_YEAR, RulesetData

TABLES_DTYPE = np.dtype(
    [
        # Switches.
        ("rulebook", np.int64),
        ("tunnels_per_power", np.int64),  # 0 in the base game
        ("tunnels_per_turn", np.int64),
        ("tunnels_per_province", np.int64),
        ("permissions", np.int64),
        ("first_year", np.int64),
        ("max_year", np.int64),
        ("limit_score", np.int64),
        ("draw_vote", np.int64),
        ("absent", np.int64),  # powers as bits
        ("victory_centres", np.int64),
        ("auto_forced", np.int64),
        ("centred", np.int64),
        # The board. Sets of seas are bits by number of the sea.
        ("province_of", np.int8, c.NUM_LOCATIONS),
        ("kind", np.int8, c.NUM_PROVINCES),
        ("sea", np.int8, c.NUM_PROVINCES),  # number of the sea, or NONE
        ("sea_province", np.int8, c.NUM_SEAS),
        ("coast", np.int8, c.NUM_PROVINCES),  # number among the provinces with a coast, or NONE
        ("coast_province", np.int8, c.NUM_COASTS),
        ("land", np.int8, c.NUM_PROVINCES),  # number among the provinces that are no sea, or NONE
        ("sea_borders", np.int32, c.NUM_PROVINCES),  # seas beside a province
        ("steps", np.int8, (3, c.NUM_LOCATIONS)),  # by type: how many ...
        ("step", np.int8, (3, c.NUM_LOCATIONS, c.MAX_NEIGHBOURS)),  # ... and which locations
        ("reaches", np.uint8, (3, c.NUM_LOCATIONS, c.NUM_PROVINCES)),  # by type, any coast
        ("start_power", np.int8, c.NUM_PROVINCES),
        ("start_type", np.int8, c.NUM_PROVINCES),
        ("start_location", np.int8, c.NUM_PROVINCES),
        ("centre", np.uint8, c.NUM_PROVINCES),
        ("home", np.int8, c.NUM_PROVINCES),  # power, or NOBODY
        ("home_province", np.int8, c.NUM_HOMES),
        ("build_location", np.int8, c.NUM_FLEET_BUILDS),
        ("walk", np.int8, (c.NUM_PROVINCES, c.NUM_PROVINCES)),  # steps over any border
        ("sail", np.int8, (c.NUM_LOCATIONS, c.NUM_PROVINCES)),  # steps of a fleet
        ("name_rank", np.int8, c.NUM_PROVINCES),  # by full English name
        ("pair", np.int16, (c.NUM_PROVINCES, c.NUM_PROVINCES)),  # of ends of a tunnel, or NONE
        ("pair_end", np.int8, (c.NUM_PAIRS, 2)),
        ("exits", np.int8, c.NUM_PROVINCES),
        ("exit", np.int8, (c.NUM_PROVINCES, c.MAX_EXITS)),  # ascending
        # Routes of convoys from coast i to coast j: route[route_first[42 i + j]] ..., sets of seas.
        ("route_first", np.int16, c.NUM_COASTS * c.NUM_COASTS + 1),
        ("route", np.int32, c.NUM_ROUTES),
        # Action ids.
        ("action_kind", np.int8, c.NUM_ACTIONS),
        ("action_src", np.int8, c.NUM_ACTIONS),
        ("action_dst", np.int8, c.NUM_ACTIONS),
        ("support_id", np.int16, (c.NUM_PROVINCES, c.NUM_LOCATIONS)),
        ("convoy_id", np.int16, (c.NUM_PROVINCES, c.NUM_PROVINCES)),
    ],
    align=True,
)


def make_tables(rulesets: Sequence[Any]) -> np.recarray:
    """One row per ruleset, read-only."""
    tables = np.repeat(_board_row(), len(rulesets))  # copies, so the cached row stays without switches
    for row, ruleset in zip(tables, rulesets, strict=True):
        _fill_switches(row, ruleset.data, load_board())
    tables.flags.writeable = False
    # Interpreted rules read fields as attributes, which plain records lack.
    return tables.view(np.recarray) if numba.config.DISABLE_JIT else tables  # type: ignore[return-value]


@cache
def _board_row() -> np.ndarray:
    """A row, as an array of one, without switches."""
    tables, board = np.zeros(1, TABLES_DTYPE), load_board()
    row = tables[0]
    _fill_places(row, board)
    _fill_steps(row, board)
    _fill_tunnels(row, board)
    _fill_routes(row, board)
    _fill_actions(row)
    return tables


def _fill_switches(row: Any, data: RulesetData, board: BoardIndex) -> None:
    same = ("tunnels_per_turn", "tunnels_per_province", "max_year", "victory_centres")
    for name in (*same, "permissions", "draw_vote", "auto_forced", "centred"):
        row[name] = getattr(data, name)
    row["tunnels_per_power"] = data.tunnels_per_power if data.tunnels else 0
    row["first_year"] = FIRST_YEAR
    row["rulebook"] = c.RULEBOOKS.index(data.rulebook)
    row["limit_score"] = c.LIMIT_SCORES.index(data.limit_score)
    row["absent"] = sum(1 << board.powers.index(power) for power in data.absent)


def _fill_places(row: Any, board: BoardIndex) -> None:
    row["province_of"] = board.province_of
    row["kind"] = board.kinds
    for name, places in (("sea", board.seas), ("coast", board.coasts), ("land", board.land)):
        row[name] = c.NONE
        row[name][list(places)] = range(len(places))
    row["sea_province"] = board.seas
    row["coast_province"] = board.coasts
    row["centre"][list(board.centres)] = 1
    row["home"] = board.home
    row["home_province"] = board.homes
    row["build_location"] = board.fleet_builds
    by_name = sorted(range(c.NUM_PROVINCES), key=board.names.__getitem__)
    row["name_rank"][by_name] = range(c.NUM_PROVINCES)
    row["start_power"] = c.NOBODY
    for power, units in board.data.start.items():
        for letter, place in map(str.split, units):
            at = board.province_of[board.index[place]]
            row["start_power"][at] = board.powers.index(power)
            row["start_type"][at] = c.UNIT_LETTERS.index(letter)
            row["start_location"][at] = board.index[place]


def _fill_steps(row: Any, board: BoardIndex) -> None:
    for kind, steps in board.steps.items():
        for place, others in enumerate(steps):
            row["steps"][kind, place] = len(others)
            row["step"][kind, place, : len(others)] = others
            for other in others:
                row["reaches"][kind, place, board.province_of[other]] = 1
    for place, others in enumerate(board.borders):
        row["sea_borders"][place] = sum(1 << i for i, sea in enumerate(board.seas) if sea in others)
    row["walk"] = board.distances(fleet=False)[: c.NUM_PROVINCES]  # over borders all coasts of a province are one
    row["sail"] = board.distances(fleet=True)


def _fill_tunnels(row: Any, board: BoardIndex) -> None:
    row["pair"] = c.NONE
    for number, (a, b) in enumerate(board.pairs):
        row["pair"][a, b] = row["pair"][b, a] = number
        row["pair_end"][number] = a, b
    for place in range(c.NUM_PROVINCES):
        others = np.flatnonzero(row["pair"][place] >= 0)
        row["exits"][place] = len(others)
        row["exit"][place, : len(others)] = others


def _fill_routes(row: Any, board: BoardIndex) -> None:
    count = 0
    for i, a in enumerate(board.coasts):
        for j, b in enumerate(board.coasts):
            row["route_first"][i * c.NUM_COASTS + j] = count
            for route in board.routes.get((a, b), ()):
                row["route"][count] = route
                count += 1
    row["route_first"][c.NUM_COASTS * c.NUM_COASTS] = count  # where the last pair's routes end


def _fill_actions(row: Any) -> None:
    row["support_id"] = c.NONE
    row["convoy_id"] = c.NONE
    for number, action in enumerate(all_actions()):
        row["action_kind"][number] = action.kind
        row["action_src"][number] = action.src
        row["action_dst"][number] = action.dst
        if action.kind == c.SUPPORT_MOVE:
            row["support_id"][action.src, action.dst] = number
        elif action.kind == c.CONVOY:
            row["convoy_id"][action.src, action.dst] = number
