"""The oracle as functions over plain values, for a comparison with another implementation.

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

import random
from collections.abc import Iterable
from typing import Any

from . import board
from .legality import legal_orders as _legal_orders
from .movement import play_movement
from .position import Dislodged, Position, Rules, Tunnel, Unit
from .random_cases import random_adjustments as _random_adjustments
from .random_cases import random_case as _random_case
from .random_cases import random_retreats as _random_retreats
from .retreats import play_retreats
from .winter import legal_builds, play_adjustments, removal_order, surplus

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


def movement(
    plain: Plain, orders: Orders, permissions: Iterable[tuple[str, str, str]] = (), rules: Rules | None = None
) -> Plain:
    """Play a movement phase.

    Gives `results` by province ({"order" as everybody reads it, "outcome" in one word (see `movement.Result`),
    "dislodged", "followed"}), `opened` and `demolished` as lists of [owner, end, end], `disbanded` (units without
    a place to retreat to), and the `position` after the phase.
    """
    phase = play_movement(from_plain(plain), orders, rules or Rules(), permissions)
    return {
        "results": {
            place: {
                "order": result.order,
                "outcome": result.outcome,
                "dislodged": result.dislodged,
                "followed": result.followed,
            }
            for place, result in phase.results.items()
        },
        "opened": _listed(phase.opened),
        "demolished": _listed(phase.demolished),
        "disbanded": [unit._asdict() for unit in sorted(phase.disbanded)],
        "position": to_plain(phase.position),
    }


def retreats(plain: Plain, orders: Orders, rules: Rules | None = None) -> Plain:
    """Play a retreat phase: `went` by province (location, `~LON`, or None for disbanded), and as for a movement."""
    phase = play_retreats(from_plain(plain), orders, rules or Rules())
    return {
        "went": phase.went,
        "opened": _listed(phase.opened),
        "demolished": _listed(phase.demolished),
        "position": to_plain(phase.position),
    }


def adjustments(plain: Plain, orders: Orders, rules: Rules | None = None) -> Plain:
    """Play an adjustment phase: `raised` and `removed` units, `demolished` tunnels, and the `position` after it."""
    phase = play_adjustments(from_plain(plain), orders, rules or Rules())
    return {
        "raised": [unit._asdict() for unit in sorted(phase.raised)],
        "removed": [unit._asdict() for unit in sorted(phase.removed)],
        "demolished": _listed(phase.demolished),
        "position": to_plain(phase.position),
    }


def legal_orders(plain: Plain, rules: Rules | None = None) -> dict[str, list[str]]:
    """Every legal order of each unit in a movement phase, by province."""
    position = from_plain(plain)
    return {place: sorted(_legal_orders(position, place, rules or Rules())) for place in sorted(position.units)}


def winter_choices(plain: Plain, rules: Rules | None = None) -> Plain:
    """For each power: its surplus of centres, the units it may place, and the order of removal in civil disorder."""
    position = from_plain(plain)
    return {
        power: {
            "surplus": surplus(position, power),
            "builds": sorted(str(unit) for unit in legal_builds(position, power)),
            "removal_order": [str(u) for u in removal_order(position, power, rules or Rules())],
        }
        for power in board.POWERS
    }


def random_case(seed: int | str, rules: Rules | None = None) -> Plain:
    """The random case of a seed: its `position`, `orders`, `permissions`, and all of it as one `text`."""
    case = _random_case(seed, rules or Rules())
    return {
        "position": to_plain(case.position),
        "orders": case.orders,
        "permissions": case.permissions,
        "text": case.text(),
    }


def random_retreats(plain: Plain, seed: int | str) -> Orders:
    """Random answers for the dislodged units of a position."""
    return _random_retreats(from_plain(plain), random.Random(f"retreats {seed}"))


def random_adjustments(plain: Plain, seed: int | str) -> Orders:
    """Random builds and removals for a position."""
    return _random_adjustments(from_plain(plain), random.Random(f"adjustments {seed}"))


def _place(tunnel: Tunnel) -> tuple[str, tuple[str, str]]:
    return tunnel.owner, tunnel.ends


def _listed(tunnels: list[Tunnel]) -> list[list[str]]:
    return sorted([tunnel.owner, *tunnel.ends] for tunnel in tunnels)


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
