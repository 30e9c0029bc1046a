"""The engine without tunnels against the package `diplomacy`, where it is installed; its licence keeps it out of ours.

python -m tests.games.eurotunnel.test_package CASES [SEED]

Cases in which the package is known to leave its own rule book are left out by what they contain, see `quirk`.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import pytest

from channel_tunnel_env.games.eurotunnel.adjudicate import adjudicate
from tests.games.eurotunnel.arena import ruleset_with
from tests.games.eurotunnel.oracle import board
from tests.games.eurotunnel.oracle.orders import Order, read_orders, write_order
from tests.games.eurotunnel.oracle.position import Rules, to_plain
from tests.games.eurotunnel.oracle.random_cases import random_case

diplomacy = pytest.importorskip("diplomacy", reason="the package diplomacy is not installed")

RULES = Rules(rulebook="datc", tunnels=False)
RULESET = ruleset_with(rulebook="datc", tunnels=False)
Found = dict[str, Any]


class Case:
    """The random movement phase of a seed, with the orders that are legal."""

    def __init__(self, seed: int | str) -> None:
        case = random_case(seed, RULES)
        self.text, self.position = case.text(), case.position
        phase = {"phase": "S1902M", "units": to_plain(case.position)["units"]}
        self.ours = adjudicate(phase, case.orders, ruleset=RULESET)
        followed = {unit["loc"][:3] for unit in self.ours["units"] if unit["followed"]}
        orders = read_orders(self.position, case.orders)
        self.orders = {place: order for place, order in orders.items() if place in followed}

    def of_engine(self) -> Found:
        """Units after the phase, and where those may go that have to leave."""
        return {
            "units": sorted(_name(unit) for unit in self.ours["position"]["units"]),
            "retreats": {
                _name(unit): sorted(way.split()[1] for way in unit["retreats"])
                for unit in self.ours["units"]
                if unit["retreats"]
            },
        }

    def of_package(self) -> Found:
        """The same, as the package has it.

        For units that a convoyed army dislodged it also lists provinces that are occupied, or were left empty by a
        stand-off; these are left out.
        """
        game = diplomacy.Game()
        game.clear_units()
        for power in game.powers:
            units = [str(unit) for unit in self.position.units_of(power)]
            game.set_units(power, units, reset=True)
        game.set_current_phase("S1902M")
        for power in game.powers:
            game.set_orders(power, self._texts(power))
        game.process()
        units = [unit for held in game.get_units().values() for unit in held if unit[0] != "*"]
        results = {unit["loc"][:3]: unit["result"] for unit in self.ours["units"]}
        moves = [order for order in self.orders.values() if order.kind == "move"]
        failed = {order.to_province for order in moves if results[order.place] == "failed"}
        closed = {unit[2:5] for unit in units} | failed
        landed = {
            order.to_province for order in moves if results[order.place] == "moved" and self._is_convoyed(order.place)
        }
        ways = [way for power in game.powers.values() for way in power.retreats.items()]
        retreats = {
            unit: sorted(goal for goal in goals if unit[2:5] not in landed or goal[:3] not in closed)
            for unit, goals in ways
        }
        return {"units": sorted(units), "retreats": {unit: goals for unit, goals in retreats.items() if goals}}

    def _texts(self, power: str) -> list[str]:
        return [
            write_order(self.position, order).replace("via convoy", "VIA")
            for place, order in self.orders.items()
            if self.position.units[place].power == power
        ]

    def quirk(self) -> str:
        """Which known departure of the package a case may contain; "" for none."""
        return next(filter(None, map(self._quirk, self.orders.values())), "")

    def _quirk(self, order: Order) -> str:
        if order.kind == "support_move":
            return self._quirk_of_support(order)
        return self._quirk_of_move(order) if order.kind == "move" else ""

    def _quirk_of_support(self, order: Order) -> str:
        goal = order.to_province
        if goal not in self.position.units or self._power(goal) != self._power(order.place):
            return ""
        if self._is_convoyed(order.target):
            return "support of a convoyed attack on an own unit"
        if self._kind(goal) == "convoy":
            return "support of an attack on an own convoying fleet"
        if self._kind(goal) == "move" and self.orders[goal].to_province == order.target:
            return "support of an attack on an own unit that attacks the attacker"
        return ""

    def _quirk_of_move(self, order: Order) -> str:
        fleets = self._fleets(order)
        if self._is_convoyed(order.place) and fleets & self._reached(order.to_province):
            return "a convoy against a unit on which its fleets may depend"
        if not self._is_short(order):
            return ""
        routes = board.routes(order.place, order.to_province)
        if order.via and not any(route <= fleets for route in routes):
            return "via convoy to a neighbour without a way by convoy"
        if not order.via and self._power(order.place) in map(self._power, fleets):
            return "an own fleet convoys to a neighbour, not via convoy"
        return ""

    def _power(self, place: str) -> str:
        return self.position.units[place].power

    def _reached(self, place: str) -> set[str]:
        """Where supports lead that begin with that of the unit at a place."""
        found = set()
        while place not in found and place in self.orders and self._kind(place).startswith("support"):
            found.add(place)
            order = self.orders[place]
            place = order.to_province if order.kind == "support_move" else order.target
        return found | {place}

    def _kind(self, place: str) -> str:
        return self.orders[place].kind if place in self.orders else "hold"

    def _is_short(self, order: Order) -> bool:
        army = self.position.units[order.place].type == "A"
        return army and board.neighbours(order.place, order.to_province)

    def _is_convoyed(self, place: str) -> bool:
        order = self.orders.get(place)
        return (
            order is not None
            and order.kind == "move"
            and self.position.units[place].type == "A"
            and (order.via or not self._is_short(order))
        )

    def _fleets(self, move: Order) -> set[str]:
        """The provinces of the fleets that convoy a move."""
        return {
            place
            for place, order in self.orders.items()
            if order.kind == "convoy" and (order.target, order.to_province) == (move.place, move.to_province)
        }


def _name(unit: dict[str, Any]) -> str:
    return f"{unit['type']} {unit['loc']}"


def compare(seeds: range) -> tuple[list[str], Counter[str]]:
    """What differs, in lines; and how many cases were compared, and left out by which quirk."""
    different, counts = [], Counter[str]()
    for seed in seeds:
        case = Case(seed)
        quirk = case.quirk()
        counts[quirk or "compared"] += 1
        if not quirk and (ours := case.of_engine()) != (theirs := case.of_package()):
            different.append(f"seed {seed}\n{case.text}  engine  {ours}\n  package {theirs}")
    return different, counts


def test_engine_equals_package() -> None:
    different, counts = compare(range(300))
    assert not different, different[0]
    assert counts["compared"] > 200


def main() -> int:
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    different, counts = compare(range(first, first + int(sys.argv[1])))
    print(*different, sep="\n", end="\n" if different else "")
    for name, count in counts.most_common():
        print(f"{count:>7} {name}")
    print(f"{len(different)} different")
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
