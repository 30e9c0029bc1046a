"""What an observation of Eurotunnel Diplomacy holds: its sections, and each in words, as `engine.observation` fills them.

Powers are numbers: 0 is the viewer, 1 to 6 are the others in the order of their index. An observation does not say
which power looks. Places of which nothing is shown are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.faces.observation import Section, one_of
from channel_tunnel_env.games.eurotunnel.board_positions import tunnel_ends
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import observation as o
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.ruleset import FIRST_YEAR

_STARTS = {
    "board": (o.BOARD, f"{c.NUM_PROVINCES} provinces x {o.BOARD_WIDTH}: army, fleet; first, second coast; power 7; owner of the centre 7, nobody; in retreats what is dislodged: army, fleet, its power 7; contested; own home where a unit may be built"),
    "last_phase": (o.LAST, f"{c.NUM_PROVINCES} provinces x {o.LAST_WIDTH}: the order reported 8 (none, hold, move, tunnel, support to hold, support of a move, convoy, void); it succeeded; moves into the province by power 7, / 4; supports 7, / 8; a stand-off"),
    "own_orders": (o.OWN, f"{c.NUM_PROVINCES} provinces x {o.OWN_WIDTH}: what the viewer wrote in the running phase 8 (none, hold, move, tunnel, support to hold, support of a move, convoy, build); its moves into the province; its supports, / 8"),
    "asked": (o.ASKED, f"the viewer's unit that is asked: {c.NUM_PROVINCES} provinces; army, fleet"),
    "tunnels": (o.TUNNELS, f"{c.NUM_PAIRS} pairs of ends x {o.PAIR_WIDTH}: own hidden, own open; open of each other power 6; the viewer was told of one; the viewer permits somebody"),
    "permissions": (o.PERMISSIONS, "the viewer's tunnels x 7 powers: who may use it, as written"),
    "holding": (o.HOLDING, f"{c.NUM_PROVINCES} provinces x 7 powers: phases in which its army was reported holding there, / 40"),
    "numbers": (o.NUMBERS, "season 2; phase 3; what is asked 3; year; by power 7: centres, units, alive, units to build above a half or to remove below; tunnels that the viewer built 4; by power 7: tunnels opened, of these demolished; switches of the ruleset 8; the rest is spare"),
}  # fmt: skip


def sections(ruleset: Any) -> tuple[Section, ...]:
    """The sections; the same under every ruleset."""
    starts = [*(start for start, _ in _STARTS.values()), o.OBSERVATION_SIZE]
    sizes = [after - start for start, after in pairwise(starts)]
    return tuple(
        Section(name, start, size, meaning)
        for (name, (start, meaning)), size in zip(_STARTS.items(), sizes, strict=True)
    )


# --- in words -------------------------------------------------------------------------------------


Values = NDArray[np.float64]

TYPES = c.UNIT_LETTERS[1:]
ORDERS = ("none", "hold", "move", "tunnel", "support hold", "support move", "convoy")
REPORTED, WRITTEN = (*ORDERS, "void"), (*ORDERS, "build")
SEASONS = ("spring", "fall")
ASKED = ("orders", "permissions", "vote")
NUM_SWITCHES = 8
# What counts are divided by (see `engine.observation`).
_MOVES, _HELPERS, _HOLDS, _UNITS = 4, 8, 40, 34


def decode(observation: Values, ruleset: Any) -> dict[str, Any]:
    """An observation (D,) section by section."""
    return {
        "board": dict(_board(_by_place(observation, o.BOARD, o.BOARD_WIDTH))),
        "last_phase": dict(_last_phase(_by_place(observation, o.LAST, o.LAST_WIDTH))),
        "own_orders": dict(_own_orders(_by_place(observation, o.OWN, o.OWN_WIDTH))),
        "asked": _asked(observation[o.ASKED : o.TUNNELS]),
        "tunnels": list(_tunnels(observation[o.TUNNELS : o.PERMISSIONS].reshape(c.NUM_PAIRS, -1))),
        "permissions": [_powers(row) for row in observation[o.PERMISSIONS : o.HOLDING].reshape(-1, c.NUM_POWERS)],
        "holding": {
            place: by_power
            for place, row in _by_place(observation, o.HOLDING, c.NUM_POWERS)
            if (by_power := _counts(row, _HOLDS))
        },
        "numbers": _numbers(observation[o.NUMBERS :].tolist(), ruleset.data),
    }


# --- readers for a run of columns -----------------------------------------------------------------


def _by_place(observation: Values, start: int, width: int) -> Iterator[tuple[str, Values]]:
    """Provinces by name, with their columns."""
    rows = observation[start : start + c.NUM_PROVINCES * width].reshape(-1, width)
    return zip(load_board().provinces, rows, strict=True)


def _powers(values: Values) -> list[int]:
    """The powers that are marked."""
    return np.flatnonzero(values).tolist()


def _counts(values: Values, scale: float) -> dict[int, int]:
    """Power -> a count; those with 0 are left out."""
    return {power: round(value * scale) for power, value in enumerate(values.tolist()) if value}


# --- readers by section ---------------------------------------------------------------------------


def _board(rows: Iterator[tuple[str, Values]]) -> Iterator[tuple[str, dict[str, Any]]]:
    everybody = range(c.NUM_POWERS)
    for place, row in rows:
        found: dict[str, Any] = {}
        if row[:2].any():
            found["unit"] = one_of(TYPES, row[:2])
            found["power"] = one_of(everybody, row[4:11])
            if row[2:4].any():
                found["coast"] = one_of(_coasts(place), row[2:4])
        if row[11:19].any():
            found["owner"] = one_of([*everybody, None], row[11:19])
        if row[19:21].any():
            found["dislodged"] = {"unit": one_of(TYPES, row[19:21]), "power": one_of(everybody, row[21:28])}
        if row[28]:
            found["contested"] = True
        if row[29]:
            found["may_build"] = True
        if found:
            yield place, found


def _coasts(province: str) -> list[str]:
    """The names of a province's two coasts, in the order of the board."""
    return [name for name in load_board().locations if name.startswith(f"{province}/")]


def _last_phase(rows: Iterator[tuple[str, Values]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for place, row in rows:
        if row.any():
            yield (
                place,
                {
                    "order": one_of(REPORTED, row[:8]),
                    "succeeded": bool(row[8]),
                    "moves_in": _counts(row[9:16], _MOVES),
                    "supports_in": _counts(row[16:23], _HELPERS),
                    "stand_off": bool(row[23]),
                },
            )


def _own_orders(rows: Iterator[tuple[str, Values]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for place, row in rows:
        if row.any():
            yield (
                place,
                {"order": one_of(WRITTEN, row[:8]), "moves_in": bool(row[8]), "supports_in": round(row[9] * _HELPERS)},
            )


def _asked(values: Values) -> dict[str, Any] | None:
    """The viewer's unit that is asked."""
    places, types = values[: c.NUM_PROVINCES], values[c.NUM_PROVINCES :]
    if not places.any():
        return None
    return {"place": one_of(load_board().provinces, places), "unit": one_of(TYPES, types)}


def _tunnels(rows: Values) -> Iterator[dict[str, Any]]:
    for pair, row in enumerate(rows):
        if row.any():
            yield {
                "ends": tunnel_ends(pair),
                "own": [state for state, mark in zip(("hidden", "open"), row[:2], strict=True) if mark],
                "open_of": [1 + other for other in _powers(row[2:8])],
                "told": bool(row[8]),
                "permits": bool(row[9]),
            }


def _numbers(values: list[float], data: Any) -> dict[str, Any]:
    start, powers = np.array(values[:8]), np.array(values[9:37]).reshape(4, c.NUM_POWERS)
    tunnels = np.array(values[41:55]).reshape(2, c.NUM_POWERS) * c.MAX_TUNNELS
    return {
        "season": one_of(SEASONS, start[:2]),
        "phase": one_of(c.PHASES[: c.OVER], start[2:5]),
        "asked": one_of(ASKED, start[5:8]),
        "year": FIRST_YEAR + round(values[8] * (data.max_year - FIRST_YEAR + 1)),
        "powers": [_power(powers[:, power], tunnels[:, power]) for power in range(c.NUM_POWERS)],
        "own_tunnels_built": round(sum(values[37:41])),
        "switches": _switches(values[55 : 55 + NUM_SWITCHES]),
    }


def _power(numbers: Values, tunnels: Values) -> dict[str, Any]:
    centres, units, alive, quota = numbers.tolist()
    opened, demolished = tunnels.tolist()
    return {
        "centres": round(centres * c.NUM_CENTRES),
        "units": round(units * _UNITS),
        "alive": bool(alive),
        "units_to_raise": round((quota - 0.5) * 2 * _UNITS),
        "tunnels_opened": round(opened),
        "tunnels_demolished": round(demolished),
    }


def _switches(values: list[float]) -> dict[str, Any]:
    datc, tunnels, a_turn, a_province, permissions, vote, score, victory = values
    return {
        "rulebook": c.RULEBOOKS[c.BOOK_DATC if datc else c.BOOK_1971],
        "tunnels_per_power": round(tunnels * c.MAX_TUNNELS),
        "tunnels_per_turn": round(a_turn * c.MAX_TUNNELS),
        "tunnels_per_province": round(a_province * c.MAX_TUNNELS),
        "permissions": bool(permissions),
        "draw_vote": bool(vote),
        "limit_score": c.LIMIT_SCORES[round(score * (len(c.LIMIT_SCORES) - 1))],
        "victory_centres": round(victory * c.NUM_CENTRES),
    }
