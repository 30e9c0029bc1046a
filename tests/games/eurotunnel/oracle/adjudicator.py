"""Positions and random cases of the oracle as plain values, for a comparison with another implementation.

A position is a dictionary, or the short text of `position.py` (`read_position` and `write_position` turn one into
the other):

    units       list of {"power": "ENGLAND", "type": "A", "loc": "LON"}; loc names the coast where there are two
    tunnels     list of {"owner", "ends": ["LON", "PIC"], "state": "hidden" or "open", "permitted": [powers],
                "told": [powers]}
    built       {power: tunnels built in the game}
    centres     {centre: power}
    dislodged   list of {"unit", "origin": province or None, "options": [locations, by tunnel "~LON"]}
    contested   list of provinces

All lists are sorted. Orders are {power: [texts]}, changes of permissions [(owner, "+f" or "-f", "LON-PIC")].
"""

from __future__ import annotations

from typing import Any

from . import board
from .position import Dislodged, Position, Rules, Tunnel, Unit
from .random_cases import random_case as _random_case

Plain = dict[str, Any]
Orders = dict[str, list[str]]


def to_plain(position: Position) -> Plain:
    """A position as plain values."""
    return {
        "units": [u._asdict() for _, u in sorted(position.units.items())],
        "tunnels": [_plain_tunnel(t) for t in sorted(position.tunnels, key=_place)],
        "built": {power: n for power, n in sorted(position.built.items()) if n},
        "centres": dict(sorted(position.centres.items())),
        "dislodged": [
            {"unit": gone.unit._asdict(), "origin": gone.origin, "options": list(gone.options)}
            for _, gone in sorted(position.dislodged.items())
        ],
        "contested": sorted(position.contested),
    }


def from_plain(plain: Plain) -> Position:
    """The position of plain values; what is left out is empty."""
    units = [Unit(**unit) for unit in plain.get("units", ())]
    gone = [
        Dislodged(Unit(**entry["unit"]), entry["origin"], tuple(entry["options"]))
        for entry in plain.get("dislodged", ())
    ]
    return Position(
        units={unit.province: unit for unit in units},
        tunnels=[_tunnel(entry) for entry in plain.get("tunnels", ())],
        built=dict(plain.get("built", {})),
        centres=dict(plain.get("centres", {})),
        dislodged={entry.unit.province: entry for entry in gone},
        contested=frozenset(plain.get("contested", ())),
    )


def random_case(seed: int | str, rules: Rules | None = None) -> Plain:
    """The random case of a seed: its `position`, `orders`, `permissions`, and all of it as one `text`."""
    case = _random_case(seed, rules or Rules())
    return {
        "position": to_plain(case.position),
        "orders": case.orders,
        "permissions": case.permissions,
        "text": case.text(),
    }


def _place(tunnel: Tunnel) -> tuple[str, tuple[str, str]]:
    return tunnel.owner, tunnel.ends


def _plain_tunnel(tunnel: Tunnel) -> Plain:
    return {
        "owner": tunnel.owner,
        "ends": list(tunnel.ends),
        "state": "open" if tunnel.opened else "hidden",
        "permitted": sorted(tunnel.permitted),
        "told": sorted(tunnel.told),
    }


def _tunnel(entry: Plain) -> Tunnel:
    permitted = frozenset(entry.get("permitted", ()))
    a, b = entry["ends"]
    return Tunnel(
        entry["owner"],
        board.pair_of(a, b),
        entry["state"] == "open",
        permitted,
        permitted | frozenset(entry.get("told", ())),
    )
