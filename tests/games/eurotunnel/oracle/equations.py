"""The decisions of a movement phase and the equations between them (rules 5.2 and 5.3).

A decision is named by the province of its unit: MOVE for one that is ordered to move, SUPPORT, CONVOY. An
assignment says yes or no for each decision; an equation gives the value that a decision must have under an
assignment of the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from . import board
from .knowledge import known_on_pair, may_use, taken
from .orders import Order
from .position import Position, Rules, Tunnel, Unit

Assignment = Mapping[str, bool]


@dataclass(frozen=True)
class Move:
    """A unit that is ordered to move: from its province to another, by a way L (ordinary), T or C."""

    unit: Unit
    start: str
    goal: str
    location: str
    way: str
    usable: bool
    routes: tuple[frozenset[str], ...]

    @property
    def convoy_fleets(self) -> frozenset[str]:
        """The fleets on all its ordered routes."""
        return frozenset().union(*self.routes)


@dataclass(frozen=True)
class Support:
    """A unit that is ordered to support an action in the province `into`."""

    unit: Unit
    place: str
    target: str
    into: str
    to_move: bool
    valid: bool


class Equations:
    """The equations of one movement phase.

    `orders` are the legal orders by province, `position` has the permissions after this phase's changes.
    """

    def __init__(self, position: Position, orders: dict[str, Order], rules: Rules) -> None:
        self.units = position.units
        self.orders = orders
        self.is_1971 = rules.is_1971
        self.tunnels: dict[str, Tunnel] = {}
        for place, order in orders.items():
            if order.kind == "tunnel":
                power = position.units[place].power
                known = known_on_pair(position, power, place, order.to)
                self.tunnels[place] = taken(known, power)
        self._void = {
            place for place, tunnel in self.tunnels.items() if not may_use(position.units[place].power, tunnel)
        }
        self.convoys = {place for place, order in orders.items() if self._is_convoy(order)}
        self.moves = {place: self._move(o) for place, o in orders.items() if o.moves}
        self.supports = {place: self._support(o) for place, o in orders.items() if o.kind.startswith("support")}
        self.decisions = frozenset(self.moves) | frozenset(self.supports) | self.convoys

    # What the orders settle by themselves.

    def _is_convoy(self, order: Order) -> bool:
        """Whether an order convoys an army that has the plain order to the same place (4.3)."""
        ordered = self.orders.get(order.target)
        return order.kind == "convoy" and ordered is not None and (ordered.kind, ordered.to) == ("move", order.to)

    def _move(self, order: Order) -> Move:
        unit = self.units[order.place]
        by_sea = order.to not in unit.reach or (order.via and not self.is_1971)
        way = "T" if order.kind == "tunnel" else "C" if by_sea else "L"
        convoying = {
            place
            for place in self.convoys
            if (self.orders[place].target, self.orders[place].to) == (order.place, order.to)
        }
        routes: tuple[frozenset[str], ...] = ()
        if unit.type == "A" and way != "T":
            routes = tuple(r for r in board.routes(order.place, order.to) if r <= convoying)
        return Move(unit, order.place, order.to_province, order.to, way, order.place not in self._void, routes)

    def _support(self, order: Order) -> Support:
        ordered = self.orders.get(order.target)
        to_move = order.kind == "support_move"
        ordered_to = ordered.to if ordered is not None and ordered.moves else ""
        valid = ordered_to == (order.to if to_move else "")
        into = order.to_province if to_move else order.target
        return Support(self.units[order.place], order.place, order.target, into, to_move, valid)

    def supports_of(self, move: Move) -> list[Support]:
        """The valid supports of a move."""
        return [s for s in self.supports.values() if s.to_move and s.valid and s.target == move.start]

    def hold_supports(self, place: str) -> list[Support]:
        """The valid hold supports of the unit in a province."""
        return [s for s in self.supports.values() if not s.to_move and s.valid and s.target == place]

    def moves_into(self, place: str) -> list[Move]:
        return [move for move in self.moves.values() if move.goal == place]

    def opposite(self, move: Move) -> Move | None:
        """The unit at the goal of a move, if it is ordered to where the move starts."""
        other = self.moves.get(move.goal)
        return other if other is not None and other.goal == move.start else None

    # Terms (5.2).

    def convoy_path(self, move: Move, v: Assignment) -> bool:
        if self.is_1971:
            return bool(move.routes) and all(v[fleet] for fleet in move.convoy_fleets)
        return any(all(v[fleet] for fleet in route) for route in move.routes)

    def path(self, move: Move, v: Assignment) -> bool:
        if move.way == "C":
            return self.convoy_path(move, v)
        return move.usable

    def could_be_kidnapped(self, move: Move) -> bool:
        """Whether a move by land may turn into one by sea: by the 1971 book, in an exchange of places."""
        return self.is_1971 and move.way == "L" and move.unit.type == "A" and self.opposite(move) is not None

    def convoyed(self, move: Move, v: Assignment) -> bool:
        by_sea = move.way == "C" or self.could_be_kidnapped(move)
        return by_sea and self.convoy_path(move, v)

    def could_meet(self, move: Move) -> bool:
        """Whether a move and its opposite may meet head to head, unless a convoy carries one of them."""
        other = self.opposite(move)
        return other is not None and all(m.way != "C" and m.usable for m in (move, other))

    def head_to_head(self, move: Move, v: Assignment) -> bool:
        other = self.opposite(move)
        if other is None or not self.could_meet(move):
            return False
        return not self.convoyed(move, v) and not self.convoyed(other, v)

    # Strengths (5.3).

    def _count(self, supports: list[Support], v: Assignment) -> int:
        return sum(v[support.place] for support in supports)

    def hold(self, place: str, v: Assignment) -> int:
        if place not in self.units:
            return 0
        if place in self.moves:
            return 0 if v[place] else 1
        return 1 + self._count(self.hold_supports(place), v)

    def attack(self, move: Move, v: Assignment) -> int:
        if not self.path(move, v):
            return 0
        supports = self.supports_of(move)
        defender = self.units.get(move.goal)
        leaves = move.goal in self.moves and v[move.goal] and not self.head_to_head(move, v)
        if defender is not None and not leaves:
            if defender.power == move.unit.power:
                return 0
            supports = [s for s in supports if s.unit.power != defender.power]
        return 1 + self._count(supports, v)

    def defend(self, move: Move, v: Assignment) -> int:
        return 1 + self._count(self.supports_of(move), v)

    def prevent(self, move: Move, v: Assignment) -> int:
        if not self.path(move, v):
            return 0
        other = self.opposite(move)
        if other is not None and v[other.start]:
            beaten = not v[move.start] if self.is_1971 else self.head_to_head(move, v)
            if beaten:
                return 0
        return self.defend(move, v)

    # Equations (5.3).

    def _move_succeeds(self, move: Move, v: Assignment) -> bool:
        if not self.path(move, v):
            return False
        strength = self.attack(move, v)
        other = self.opposite(move)
        if other is not None and self.head_to_head(move, v):
            against = self.defend(other, v)
        else:
            against = self.hold(move.goal, v)
        rivals = (m for m in self.moves_into(move.goal) if m is not move)
        return strength > against and all(strength > self.prevent(m, v) for m in rivals)

    def _can_count(self, attacker: Move, support: Support) -> bool:
        """Whether an attack can cut a support at all: not by its own power, nor by a convoy of XII.5."""
        if attacker.unit.power == support.unit.power:
            return False
        attacks_own_convoy = (
            attacker.way == "C"
            and support.unit.type == "F"
            and support.to_move
            and board.KIND[support.into] == "sea"
            and support.into in attacker.convoy_fleets
        )
        return not (self.is_1971 and attacks_own_convoy)

    def _support_stands(self, support: Support, v: Assignment) -> bool:
        def cuts(attacker: Move) -> bool:
            if attacker.start == support.into:
                return v[attacker.start]
            return self.path(attacker, v)

        attackers = self.moves_into(support.place)
        return support.valid and not any(self._can_count(a, support) and cuts(a) for a in attackers)

    def value(self, decision: str, v: Assignment) -> bool:
        """The value that the decision's equation takes under an assignment."""
        if decision in self.moves:
            return self._move_succeeds(self.moves[decision], v)
        if decision in self.supports:
            return self._support_stands(self.supports[decision], v)
        return not any(v[move.start] for move in self.moves_into(decision))

    # What an equation mentions (5.5).

    def mentions(self, decision: str) -> frozenset[str]:
        """The decisions that the decision's equation mentions, given what the orders settle."""
        if decision in self.moves:
            return frozenset(self._move_mentions(self.moves[decision]))
        if decision in self.supports:
            return frozenset(self._support_mentions(self.supports[decision]))
        return frozenset(move.start for move in self.moves_into(decision))

    def _path_mentions(self, move: Move) -> set[str]:
        return set(move.convoy_fleets) if move.way == "C" else set()

    def _meeting_mentions(self, move: Move) -> set[str]:
        """The convoys that say whether a move meets its opposite head to head."""
        if not self.could_meet(move):
            return set()
        pair = (m for m in (move, self.opposite(move)) if m is not None)
        return {f for m in pair if self.could_be_kidnapped(m) for f in m.convoy_fleets}

    def _move_mentions(self, move: Move) -> set[str]:
        if not move.usable:
            return set()
        found = self._path_mentions(move) | self._meeting_mentions(move)
        found |= {s.place for s in self.supports_of(move)}
        other = self.opposite(move)
        if other is not None and self.could_meet(move):
            found |= {s.place for s in self.supports_of(other)}
        if move.goal in self.moves:
            found.add(move.goal)
        else:
            found |= {s.place for s in self.hold_supports(move.goal)}
        for rival in self.moves_into(move.goal):
            if rival is not move:
                found |= self._prevent_mentions(rival)
        return found

    def _prevent_mentions(self, rival: Move) -> set[str]:
        if not rival.usable:
            return set()
        found = self._path_mentions(rival) | {s.place for s in self.supports_of(rival)}
        other = self.opposite(rival)
        if other is not None and self.is_1971:
            found |= {other.start, rival.start}
        elif other is not None and self.could_meet(rival):
            found.add(other.start)
        return found

    def _support_mentions(self, support: Support) -> set[str]:
        found: set[str] = set()
        for attacker in self.moves_into(support.place):
            if support.valid and self._can_count(attacker, support):
                own = attacker.start == support.into
                found |= {attacker.start} if own else self._path_mentions(attacker)
        return found
