"""The notation of orders (rules 1), read for one power and one position.

A text says who is meant by the province: coasts that the board settles are filled in (D9, D10), a coast on an
army's order is ignored, and so is the letter of the unit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from . import board
from .position import Position, Unit

_PLACE = r"([A-Z]{3}(?:/[A-Z]{2})?)"
_UNIT = rf"[AF] {_PLACE}"
_FORMS = {
    "hold": re.compile(rf"{_UNIT} H"),
    "move": re.compile(rf"{_UNIT} - {_PLACE}( via convoy)?"),
    "tunnel": re.compile(rf"{_UNIT} ~ {_PLACE}"),
    "build": re.compile(rf"{_UNIT} BT {_PLACE}"),
    "support_hold": re.compile(rf"{_UNIT} S {_UNIT}"),
    "support_move": re.compile(rf"{_UNIT} S {_UNIT} - {_PLACE}"),
    "convoy": re.compile(rf"{_UNIT} C {_UNIT} - {_PLACE}"),
}

_LOCATIONS = {*board.PROVINCES, *(coast for coasts in board.COASTS.values() for coast in coasts)}


@dataclass(frozen=True)
class Order:
    """An order of a movement phase.

    `place` is the province of the unit, `target` that of the unit it supports or convoys, `to` the location
    where a move, supported move, convoy or tunnel ends.
    """

    kind: str
    place: str
    target: str = ""
    to: str = ""
    via: bool = False

    @property
    def to_province(self) -> str:
        return board.province(self.to)

    @property
    def moves(self) -> bool:
        """Whether the unit is ordered to move, by whatever way."""
        return self.kind in ("move", "tunnel")


def parse(text: str) -> Order | None:
    """The order of a text, coasts as written; None if it has no known form."""
    for kind, form in _FORMS.items():
        match = form.fullmatch(text)
        if match is None:
            continue
        places = [group for group in match.groups() if group and " " not in group]
        if not _LOCATIONS.issuperset(places):
            return None
        place, rest = board.province(places[0]), places[1:]
        if kind in ("support_hold", "support_move", "convoy"):
            return Order(kind, place, board.province(rest[0]), rest[1] if len(rest) > 1 else "")
        return Order(kind, place, to=rest[0] if rest else "", via=text.endswith(" via convoy"))
    return None


def _settle_coast(mover: Unit, order: Order, intended: Order | None) -> Order:
    """The order with the coast of its goal filled in or left out, where the board settles it."""
    if not order.to or order.kind in ("tunnel", "build"):
        return order
    if mover.type == "A":
        return replace(order, to=order.to_province)
    if "/" in order.to or not board.COASTS[order.to]:
        return order
    if order.kind == "support_move":
        follows = intended and intended.moves and intended.to_province == order.to
        return replace(order, to=intended.to) if intended and follows else order
    coasts = [coast for coast in board.COASTS[order.to] if coast in mover.reach]
    return replace(order, to=coasts[0]) if len(coasts) == 1 else order


def read_orders(position: Position, texts: dict[str, list[str]]) -> dict[str, Order]:
    """The orders that were written for units of their own power, by province; others are left out.

    Of two orders for one unit the first counts.
    """
    found: dict[str, Order] = {}
    for power, lines in texts.items():
        for order in filter(None, map(parse, lines)):
            unit = position.units.get(order.place)
            if unit is not None and unit.power == power:
                found.setdefault(order.place, order)
    for kinds in (("move", "tunnel", "build"), ("support_move", "convoy")):
        for place, order in found.items():
            mover = position.units.get(order.target or place)
            if order.kind in kinds and mover is not None:
                found[place] = _settle_coast(mover, order, found.get(order.target))
    return found


def write_order(position: Position, order: Order) -> str:
    """The text of an order, each unit written as it stands."""
    unit = position.units[order.place]
    target = position.units.get(order.target)
    tail = {
        "hold": "H",
        "move": f"- {order.to}" + (" via convoy" if order.via else ""),
        "tunnel": f"~ {order.to}",
        "build": f"BT {order.to}",
        "support_hold": f"S {target}",
        "support_move": f"S {target} - {order.to}",
        "convoy": f"C {target} - {order.to}",
    }[order.kind]
    return f"{unit} {tail}"
