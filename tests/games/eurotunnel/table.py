"""Positions as the test data write them: units by power, tunnels as one line each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Units = dict[str, list[str]]


def units_of(units: Units) -> list[dict[str, str]]:
    """{ENGLAND: [A LON]} as plain values."""
    return [
        {"power": power, "type": unit.split()[0], "loc": unit.split()[1]}
        for power, texts in units.items()
        for unit in texts
    ]


def by_power(units: list[dict[str, str]]) -> Units:
    """Back again, sorted."""
    found: Units = {}
    for unit in units:
        found.setdefault(unit["power"], []).append(f"{unit['type']} {unit['loc']}")
    return {power: sorted(texts) for power, texts in sorted(found.items())}


def read_tunnel(line: str) -> dict[str, Any]:
    """ENGLAND LON-PIC hidden +FRANCE ?GERMANY: one permitted, one told of it before."""
    owner, ends, state, *guests = line.split()
    return {
        "owner": owner,
        "ends": ends.split("-"),
        "state": state,
        "permits": [power[1:] for power in guests if power[0] == "+"],
        "told": [power[1:] for power in guests if power[0] == "?"],
    }


def with_changes(orders: Mapping[str, Sequence[str]], changes: Iterable[tuple[str, str, str]]) -> dict[str, list[str]]:
    """Orders with changes of permissions among them, such as ENGLAND +FRANCE LON-PIC."""
    found = {power: [*texts] for power, texts in orders.items()}
    for owner, guest, ends in changes:
        verb = "PERMIT" if guest[0] == "+" else "WITHDRAW"
        found.setdefault(owner, []).append(f"{verb} {guest[1:]} {ends}")
    return found


def province(place: str) -> str:
    """The province of a location."""
    return place[:3]


def moves(result: dict[str, Any]) -> set[tuple[str, str]]:
    """(province, location) of all moves made."""
    return {
        (province(unit["loc"]), unit["order"].split(" via ")[0].split()[-1])
        for unit in result["units"]
        if unit["result"] == "moved"
    }
