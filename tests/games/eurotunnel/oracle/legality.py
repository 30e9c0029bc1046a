"""Which orders of a movement phase are legal (rules 4.2, 7.2)."""

from __future__ import annotations

from collections import Counter

from . import board
from .knowledge import known_on_pair, may_support_tunnel_move
from .orders import Order
from .position import Position, Rules, Tunnel, Unit


def is_legal(position: Position, order: Order, rules: Rules) -> bool:
    """Whether the power of the unit, knowing the board and its tunnels but no orders, could see it succeed.

    Other build orders of the phase are not looked at: see `legal_builds`.
    """
    unit = position.units[order.place]
    if order.kind == "hold":
        return True
    if order.kind == "move":
        return _could_move(position, unit, order.to, order.via and not rules.is_1971)
    if order.kind == "tunnel":
        return unit.type == "A" and bool(known_on_pair(position, unit.power, order.place, order.to))
    if order.kind == "build":
        return _could_build(position, unit, order.to, rules)
    if order.kind == "convoy":
        return _could_convoy(position, unit, order)
    return _could_support(position, unit, order)


def could_be_convoyed(position: Position, a: str, b: str, without: str = "") -> bool:
    """Whether all seas of some route from a to b hold fleets, one sea left out of account."""
    fleets = position.fleets_at_sea() - {without}
    return any(route <= fleets for route in board.routes(a, b))


def _could_move(position: Position, unit: Unit, to: str, via: bool) -> bool:
    if to in unit.reach and not via:
        return True
    return unit.type == "A" and could_be_convoyed(position, unit.province, to)


def _could_convoy(position: Position, fleet: Unit, order: Order) -> bool:
    army = position.units.get(order.target)
    at_sea = position.fleets_at_sea()
    return (
        army is not None
        and army.type == "A"
        and any(fleet.loc in route and route <= at_sea for route in board.routes(order.target, order.to))
    )


def _could_support(position: Position, unit: Unit, order: Order) -> bool:
    target = position.units.get(order.target)
    if target is None or order.target == order.place:
        return False
    if order.kind == "support_hold":
        return order.target in unit.reach_provinces
    if order.to_province == order.place or order.to_province not in unit.reach_provinces:
        return False
    if order.to in target.reach:
        return True
    return target.type == "A" and (
        could_be_convoyed(position, order.target, order.to, without=order.place)
        or may_support_tunnel_move(position, unit.power, target, order.to)
    )


def _could_build(position: Position, unit: Unit, exit_: str, rules: Rules) -> bool:
    pair = board.pair_of(unit.province, exit_)
    own = position.tunnels_of(unit.power)
    ends = Counter(end for tunnel in own for end in tunnel.ends)
    return (
        rules.tunnels
        and unit.type == "A"
        and pair in board.TUNNEL_PAIRS
        and position.built.get(unit.power, 0) < rules.tunnels_per_power
        and all(tunnel.ends != pair for tunnel in own)
        and all(ends[end] < rules.tunnels_per_province for end in pair)
    )


def legal_builds(position: Position, orders: dict[str, Order], rules: Rules) -> set[str]:
    """The provinces of the armies that build: each power's first in the list of provinces (E8).

    With more than one build a turn, each counts as built for those after it.
    """
    imagined = position.copy()
    building: set[str] = set()
    for place in sorted(p for p, order in orders.items() if order.kind == "build"):
        unit, order = position.units[place], orders[place]
        given = sum(position.units[p].power == unit.power for p in building)
        if given < rules.tunnels_per_turn and is_legal(imagined, order, rules):
            building.add(place)
            add_tunnel(imagined, unit.power, place, order.to)
    return building


def add_tunnel(position: Position, power: str, a: str, b: str) -> None:
    """Put a new hidden tunnel on the board, one of the power's four."""
    position.tunnels.append(Tunnel(power, board.pair_of(a, b)))
    position.built[power] = position.built.get(power, 0) + 1


def follow(position: Position, orders: dict[str, Order], rules: Rules) -> dict[str, Order]:
    """The orders that are followed: the legal ones. A unit without one stands (D7)."""
    building = legal_builds(position, orders, rules)
    return {
        place: order
        for place, order in orders.items()
        if (place in building if order.kind == "build" else is_legal(position, order, rules))
    }
