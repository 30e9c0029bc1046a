"""What an observation of Carcassonne holds: its sections, and each in words, as `engine.observation` fills them.

Seats are numbers in turn order from the viewer on: 0 is the viewer. Rows without a content are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.faces.observation import Section, one_of
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine import observation as o
from channel_tunnel_env.games.carcassonne.engine.observation import SECTIONS, offset
from channel_tunnel_env.games.carcassonne.explain import ACTION_NAMES


def sections(ruleset: Any) -> tuple[Section, ...]:
    """The sections; their sizes depend on the number of seats."""
    players = ruleset.data.players
    return tuple(
        Section(
            part.name,
            offset(part.name, players),
            part.size(players),
            _meaning(part.columns, part.size(players) // len(part.columns)),
        )
        for part in SECTIONS
    )


def _meaning(columns: Sequence[str], rows: int) -> str:
    """The columns, with those that are numbered drawn together: "type 0 ... type 31"."""
    words = []
    for _, group in groupby(columns, lambda column: re.sub(r" \d+$", " ", column)):
        names = list(group)
        words += names if len(names) < 3 else [f"{names[0]} ... {names[-1]}"]
    return f"{rows} rows of: {', '.join(words)}" if rows > 1 else ", ".join(words)


# --- in words -------------------------------------------------------------------------------------


Rows = NDArray[np.float64]
"""The rows of a section, (rows, columns)."""
Reader = Callable[[Rows, Any], Any]
"""Rows and the ruleset's figures -> plain values."""

_MOST_SEATS = float(c.MAX_SEATS)


def decode(observation: NDArray[np.float64], ruleset: Any) -> dict[str, Any]:
    """An observation (D,) section by section."""
    data = ruleset.data
    found = {}
    for section in o.SECTIONS:
        start = o.offset(section.name, data.players)
        values = observation[start : start + section.size(data.players)]
        found[section.name] = READERS[section.name](values.reshape(-1, len(section.columns)), data)
    return found


# --- readers for a run of columns -----------------------------------------------------------------


def _count(value: float, scale: float) -> int:
    return round(float(value) * scale)


def _half(value: float, scale: float) -> float:
    """To the nearest half: a middle may lie between two cells."""
    return round(float(value) * scale * 2) / 2


def _present(rows: Rows) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """The rows with a content, by number; their first column says so."""
    return ((number, row) for number, row in enumerate(rows) if row[0])


def _whose(viewers: float, anothers: float) -> str | None:
    return "viewer" if viewers else "another" if anothers else None


# --- readers by section ---------------------------------------------------------------------------


def _phase(rows: Rows, data: Any) -> dict[str, Any]:
    row = rows[0]
    return {"decision": one_of(c.PHASES[: c.OVER], row[: c.OVER]), "viewer_decides": bool(row[c.OVER])}


def _clock(rows: Rows, data: Any) -> dict[str, int]:
    down, turns = rows[0]
    return {"face_down": _count(down, o.DECK), "own_turns": _count(turns, o.TURNS)}


def _rules(rows: Rows, data: Any) -> dict[str, Any]:
    players, tunnel, *rest = rows[0]
    farms, rest = np.array(rest[:4]), rest[4:]
    small_city, token_first, *rest = rest
    variants, (robber, followers, colours, table) = np.array(rest[:5]), rest[5:]
    return {
        "players": _count(players, _MOST_SEATS),
        "tunnel": bool(tunnel),
        "farm_scoring": one_of(c.FARM_SCORINGS, farms),
        "small_city": 4 if small_city else 2,
        "token_window": c.TOKEN_WINDOWS[int(token_first)],
        "tunnel_variant": one_of(c.VARIANTS, variants),
        "robber_baron": bool(robber),
        "followers": _count(followers, o.MEN),
        "token_colours": _count(colours, _MOST_SEATS),
        "table": _count(table, c.MAX_TABLE),
    }


def _robber(rows: Rows, data: Any) -> dict[str, Any]:
    viewers, anothers, longest = rows[0]
    return {"holder": _whose(viewers, anothers), "longest_road": _count(longest, o.LONGEST)}


def _seats(rows: Rows, data: Any) -> list[dict[str, Any]]:
    return [
        {
            "score": _count(row[0], o.SCORE),
            "score_less_viewers": _count(row[1], o.APART),
            "supply": _count(row[2], o.MEN),
            "tokens": _count(row[3], o.TOKENS),
            "untouched_sets": _count(row[4], o.SETS),
            "half_tunnels": _count(row[5], o.SETS),
            "followers_lying": _count(row[6], o.MEN),
            "to_move": bool(row[7]),
        }
        for row in rows
    ]


def _tile(rows: Rows, data: Any) -> dict[str, Any]:
    types, turned = rows[0, : c.MAX_TYPES], rows[0, c.MAX_TYPES :]
    names = [kind.name for kind in data.tile_types()]
    return {"type": one_of(names, types), "turned": int(turned.argmax()) if turned.any() else None}


def _bag(rows: Rows, data: Any) -> dict[str, int]:
    """Tiles of each type that are still face down."""
    kinds = data.tile_types()
    return {kind.name: _count(share, kind.count) for kind, share in zip(kinds, rows[0, : len(kinds)], strict=True)}


def _laid(rows: Rows, data: Any) -> list[dict[str, Any]]:
    found = []
    for place, row in _present(rows):
        kind = one_of(c.KINDS, row[1:5])
        ends = "complete_cities" if kind == c.KINDS[c.FIELD] else "open_ends"
        found.append(
            {
                "action": ACTION_NAMES[c.FIRST_CLAIM + place],
                "kind": kind,
                "free": bool(row[5]),
                "tiles": _count(row[6], o.TILES),
                ends: _count(row[7], o.OPEN),
            }
        )
    return found


def _openings(rows: Rows, data: Any) -> list[dict[str, Any]]:
    return [
        {
            "opening": number,
            "token": one_of(("none", "viewer", "another", "finished"), row[1:5]),
            "tiles": _count(row[5], o.TILES),
            "open_ends": _count(row[6], o.OPEN),
            "viewers_followers": _count(row[7], o.MEN),
            "most_of_another": _count(row[8], o.MEN),
            "may_start": bool(row[9]),
            "may_join": bool(row[10]),
            "owner_missed_a_chance": bool(row[11]),
        }
        for number, row in _present(rows)
    ]


def _followers(rows: Rows, data: Any) -> list[dict[str, Any]]:
    found = []
    for _, row in _present(rows):
        kind = one_of(c.KINDS, row[3:7])
        ends = "complete_cities" if kind == c.KINDS[c.FIELD] else "open_ends"
        found.append(
            {
                "seat": _count(row[2], _MOST_SEATS),
                "kind": kind,
                "tiles": _count(row[7], o.TILES),
                "shields": _count(row[8], o.SHIELDS),
                ends: _count(row[9], o.OPEN),
                "viewers_followers": _count(row[10], o.MEN),
                "most_of_another": _count(row[11], o.MEN),
                "worth_now": _count(row[12], o.POINTS),
                "worth_if_complete": _count(row[13], o.POINTS),
            }
        )
    return found


def _cells(rows: Rows, data: Any) -> list[dict[str, Any]]:
    return [
        {
            "action": ACTION_NAMES[c.FIRST_CELL + _count(row[1], c.NUM_CELLS)],
            "x": _half(row[2], o.ACROSS),
            "y": _half(row[3], o.ACROSS),
            "fits_turned": [turned for turned in range(c.NUM_SIDES) if row[4 + turned]],
            "tiles_around": _count(row[8], c.FILLED_AROUND),
            "viewers_cloister_around": bool(row[9]),
            "anothers_cloister_around": bool(row[10]),
            "chosen": bool(row[11]),
            "sides": _sides(row[12:]),
        }
        for _, row in _present(rows)
    ]


def _sides(values: NDArray[np.float64]) -> dict[str, dict[str, Any]]:
    """The sides at which a neighbour shows a city or a road."""
    return {
        side: {
            "kind": "city" if part[0] else "road",
            "viewers": bool(part[2]),
            "anothers": bool(part[3]),
            "open_ends": _count(part[4], o.OPEN),
            "tiles": _count(part[5], o.TILES),
        }
        for side, part in zip(c.SIDES, values.reshape(c.NUM_SIDES, -1), strict=True)
        if part[:2].any()
    }


READERS: dict[str, Reader] = {
    "phase": _phase,
    "clock": _clock,
    "rules": _rules,
    "robber": _robber,
    "seats": _seats,
    "tile": _tile,
    "bag": _bag,
    "laid": _laid,
    "openings": _openings,
    "followers": _followers,
    "cells": _cells,
}
