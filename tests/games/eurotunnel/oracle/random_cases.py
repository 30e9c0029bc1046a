"""Random positions with random orders that meet each other: one seed, one case.

Every order is legal. Units stand close together; moves run at each other, at occupied places and round in
circles; supports and convoys mostly fit what is ordered; tunnels are dug, used, permitted and refused; and a part
of the cases begins with the pieces of a convoy paradox.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from . import board
from .knowledge import demolish
from .legality import follow, is_legal
from .orders import Order, write_order
from .position import Position, Rules, Tunnel, Unit, start_centres, to_plain
from .winter import legal_builds, surplus

PARADOX_SEAS = ("ENG", "NTH", "BAL", "ION", "TYS", "AEG", "SKA", "MAO", "ADR", "HEL")


@dataclass
class Case:
    """A position, the orders of all powers, and the permissions changed with them."""

    position: Position
    orders: dict[str, list[str]]
    permissions: list[tuple[str, str, str]] = field(default_factory=list)

    def text(self) -> str:
        """As `adjudicate` reads it, and the changes of permissions."""
        return f"{to_plain(self.position)}\n{self.orders}\n{self.permissions}\n"


def random_case(seed: int | str, rules: Rules) -> Case:
    """The case of a seed; its orders depend on the rule book, its position does not."""
    luck = random.Random(f"case {seed}")
    powers = luck.sample(board.POWERS, luck.choice((2, 2, 3, 3, 3, 4, 4, 5, 7)))
    maker = _Maker(luck, rules, Position(centres=start_centres()), powers)
    maker.place_units()
    if rules.tunnels:
        maker.dig_tunnels()
    maker.give_orders()
    return maker.case()


def random_retreats(position: Position, luck: random.Random) -> dict[str, list[str]]:
    """A random answer for each dislodged unit, rarely to disband."""
    texts: dict[str, list[str]] = {}
    for _, gone in sorted(position.dislodged.items()):
        way = luck.choice(gone.options)
        sign = "R~" if way.startswith("~") else "R"
        text = f"{gone.unit} {sign} {way.lstrip('~')}" if luck.random() < 0.9 else f"{gone.unit} D"
        texts.setdefault(gone.unit.power, []).append(text)
    return texts


def random_adjustments(position: Position, luck: random.Random) -> dict[str, list[str]]:
    """Random builds and removals, some of them waived or left to civil disorder."""
    texts: dict[str, list[str]] = {}
    for power in board.POWERS:
        builds = [f"{unit} B" for unit in legal_builds(position, power)]
        removals = [f"{unit} D" for unit in position.units_of(power)]
        choices = [*builds, "WAIVE"] if surplus(position, power) > 0 else removals
        texts[power] = luck.sample(choices, luck.randint(len(choices) // 2, len(choices)))
    return texts


class _Maker:
    def __init__(self, luck: random.Random, rules: Rules, position: Position, powers: list[str]) -> None:
        self.luck = luck
        self.rules = rules
        self.position = position
        self.powers = powers
        self.wishes: dict[str, Order] = {}
        self.orders: dict[str, Order] = {}

    # Units.

    def place_units(self) -> None:
        """Units on neighbouring provinces, at times first those of one or two convoy paradoxes."""
        count = self.luck.choice((4, 6, 8, 10, 12, 14, 16, 18, 22, 26, 34))
        around = self.luck.choice(board.PROVINCES)
        if self.luck.random() < 0.4:
            around = self.luck.choice(PARADOX_SEAS)
            self._lay_paradox(around)
        free = self._cluster(around, round(count * self.luck.uniform(1.1, 1.9)))
        self.luck.shuffle(free)
        while free and len(self.position.units) < count:
            self._put(free.pop())

    def _cluster(self, start: str, size: int) -> list[str]:
        """Provinces that hang together, the starting one among them."""
        found, edge = [start], set(board.BORDERS[start])
        while edge and len(found) < size:
            place = self.luck.choice(sorted(edge))
            found.append(place)
            edge = (edge | set(board.BORDERS[place])) - set(found)
        return found

    def _put(self, place: str, kind: str = "", power: str = "") -> None:
        """A unit in an empty province, of a kind that can be there."""
        if place in self.position.units:
            return
        likely = {"inland": "A", "sea": "F", "coast": self.luck.choice("AAF")}[board.KIND[place]]
        kind = kind or likely
        location = self.luck.choice(board.COASTS[place] or (place,)) if kind == "F" else place
        unit = Unit(power or self.luck.choice(self.powers), kind, location)
        self.position.units[place] = unit

    def _wish(self, order: Order) -> None:
        if order.place in self.position.units:
            self.wishes.setdefault(order.place, order)

    def _lay_paradox(self, sea: str) -> None:
        """A convoy through a sea, to a fleet that has a say in the fight for this sea; or two, crosswise."""
        next_seas = [other for other in board.SEAS if board.borders(sea, other)]
        other = self.luck.choice([sea, sea, *next_seas])
        self._lay_convoy(sea, other)
        if other != sea:
            self._lay_convoy(other, sea)

    def _lay_convoy(self, sea: str, disputed: str) -> None:
        """A convoy through a sea to a fleet that helps to attack a disputed one, or to hold it."""
        coasts = sorted(c for c in board.BORDERS[sea] if board.KIND[c] == "coast")
        helpers = [c for c in coasts if c not in self.position.units and board.borders(c, disputed)]
        if not helpers or len(coasts) < 2:
            return
        helper = self.luck.choice(helpers)
        start = self.luck.choice([c for c in coasts if c != helper])
        mine, theirs = self.luck.sample(self.powers, 2)
        self._put(sea, "F", mine)
        self._put(start, "A", self.luck.choice((mine, mine, theirs)))
        self._put(helper, "F", self.luck.choice((theirs, theirs, *self.powers)))
        self._wish(Order("move", start, to=helper))
        self._wish(Order("convoy", sea, start, helper))
        attacker = self._lay_attack(disputed, theirs)
        if self.luck.random() < 0.6:
            self._wish(Order("support_move", helper, attacker, disputed))
        else:
            self._wish(Order("support_hold", helper, disputed))
            self._lay_attack(disputed, theirs, attacker)

    def _lay_attack(self, sea: str, power: str, supported: str = "") -> str:
        """A fleet that attacks a sea, or supports the attack of another; its province."""
        near = sorted(board.BORDERS[sea])
        place = self.luck.choice([p for p in near if p not in self.position.units] or near)
        self._put(place, "F", self.luck.choice((power, power, *self.powers)))
        if supported:
            self._wish(Order("support_move", place, supported, sea))
        else:
            self._wish(Order("move", place, to=sea))
        return place

    # Tunnels.

    def dig_tunnels(self) -> None:
        """Up to eight tunnels, mostly with an army on an end, some opened, some permitted, some only told of."""
        position, luck = self.position, self.luck
        armies = {place for place, unit in position.units.items() if unit.type == "A"}
        near = [pair for pair in board.TUNNEL_PAIRS if armies & set(pair)]
        wanted = luck.choice((0, 0, 2, 3, 4, 6, 8, 8))
        while near and wanted:
            wanted -= 1
            pair = luck.choice(near)
            occupants = [position.units[end].power for end in pair if end in position.units]
            owner = luck.choice([*occupants, *occupants, luck.choice(self.powers)])
            self._add_tunnel(owner, pair)
        demolish(position)
        for power in self.powers:
            own = len(position.tunnels_of(power))
            most = self.rules.tunnels_per_power
            position.built[power] = luck.choice((own, own, own, min(most, own + 1), most))

    def _add_tunnel(self, owner: str, pair: tuple[str, str]) -> None:
        own = self.position.tunnels_of(owner)
        limit = self.rules.tunnels_per_province
        crowded = any(sum(end in t.ends for t in own) >= limit for end in pair)
        if len(own) >= self.rules.tunnels_per_power or crowded or any(t.ends == pair for t in own):
            return
        others = [power for power in self.powers if power != owner]
        near = {self.position.units[end].power for end in pair if end in self.position.units}
        permitted = frozenset(p for p in others if self.luck.random() < 0.4)
        told = permitted | frozenset(p for p in others if self.luck.random() < 0.1 + 0.4 * (p in near))
        self.position.tunnels.append(Tunnel(owner, pair, self.luck.random() < 0.5, permitted, told))

    # Orders.

    def give_orders(self) -> None:
        """Orders for all units: first moves, then what fits them."""
        for order in self.wishes.values():
            self._give(order)
        if self.luck.random() < 0.15:
            self._order_circle()
        for place in self._waiting():
            if self.luck.random() < 0.5:
                self._order_through(place)
        share = self.luck.uniform(0.2, 0.55)
        for place in self._waiting():
            if self.luck.random() < share:
                self._order_move(place)
        for place in self._waiting():
            self._order_help(place)
        building = follow(self.position, self.orders, self.rules)
        self.orders = {p: o for p, o in self.orders.items() if o.kind != "build" or p in building}

    def _waiting(self) -> list[str]:
        """The provinces of the units without an order, in random order."""
        waiting = [place for place in sorted(self.position.units) if place not in self.orders]
        self.luck.shuffle(waiting)
        return waiting

    def _give(self, order: Order) -> bool:
        """Give a unit an order if it has none and the order is legal."""
        settled = self._on_coast(order)
        legal = order.place not in self.orders and is_legal(self.position, settled, self.rules)
        if legal:
            self.orders[order.place] = settled
        return legal

    def _on_coast(self, order: Order) -> Order:
        """The order with a coast that its fleet can reach, where it names none."""
        mover = self.position.units.get(order.target or order.place)
        if order.kind not in ("move", "support_move") or mover is None or mover.type == "A":
            return order
        meant = self.orders.get(order.target)
        if meant is not None and meant.to_province == order.to:
            return replace(order, to=meant.to)
        coasts = [coast for coast in board.COASTS.get(order.to, ()) if coast in mover.reach]
        return replace(order, to=self.luck.choice(coasts)) if coasts else order

    def _order_circle(self) -> None:
        """Orders for units that stand in a circle to move round."""
        start = self.luck.choice(sorted(self.position.units))
        chain = [start]
        for _ in range(5):
            onward = sorted(self._ways(chain[-1]) & set(self.position.units) - set(chain))
            if len(chain) > 2 and start in self._ways(chain[-1]):
                break
            if not onward:
                return
            chain.append(self.luck.choice(onward))
        for place, goal in zip(chain, chain[1:] + chain[:1], strict=True):
            self._order_to(place, goal)

    def _ways(self, place: str) -> set[str]:
        """The provinces to which a unit can go by itself: ordinarily, or by a tunnel that it knows."""
        unit = self.position.units[place]
        return set(unit.reach_provinces) | self._tunnel_goals(place)

    def _tunnel_goals(self, place: str) -> set[str]:
        ends = {t.far_end(place) for t in self.position.tunnels if place in t.ends}
        return {end for end in ends if is_legal(self.position, Order("tunnel", place, to=end), self.rules)}

    def _order_to(self, place: str, goal: str) -> None:
        if not self._give(Order("move", place, to=goal)):
            self._give(Order("tunnel", place, to=goal))

    def _order_through(self, place: str) -> bool:
        """A move by a tunnel, if the unit knows one."""
        goals = sorted(self._tunnel_goals(place))
        return bool(goals) and self._give(Order("tunnel", place, to=self.luck.choice(goals)))

    def _order_move(self, place: str) -> None:
        """A move, rather to where others are or go; often by tunnel, by convoy, or no move but a dig."""
        unit, luck = self.position.units[place], self.luck
        if unit.type == "A":
            if luck.random() < 0.4 and self._order_through(place):
                return
            if board.KIND[place] == "coast" and luck.random() < 0.5 and self._order_voyage(place):
                return
            if luck.random() < 0.08:
                self._order_dig(place)
                return
        goals = sorted(unit.reach_provinces)
        self._give(Order("move", place, to=luck.choices(goals, [self._lure(g) for g in goals])[0]))

    def _lure(self, goal: str) -> int:
        """How much a province draws units: an occupied one, one that others go to, an end of a tunnel."""
        aimed_at = any(order.moves and order.to_province == goal for order in self.orders.values())
        occupied = goal in self.position.units
        end = occupied and any(goal in tunnel.ends for tunnel in self.position.tunnels)
        return 1 + 3 * occupied + 3 * aimed_at + 3 * end

    def _order_dig(self, place: str) -> None:
        exits = [t for pair in board.TUNNEL_PAIRS if place in pair for t in pair if t != place]
        power = self.position.units[place].power
        digging = any(o.kind == "build" and self.position.units[p].power == power for p, o in self.orders.items())
        if exits and not digging:
            self._give(Order("build", place, to=self.luck.choice(exits)))

    def _order_voyage(self, place: str) -> bool:
        """A move over sea, with most of the convoy orders that it needs."""
        fleets = self.position.fleets_at_sea()
        open_ = [(end, route) for end in board.COASTAL for route in board.routes(place, end) if route <= fleets]
        if not open_:
            return False
        end, route = self.luck.choice(open_)
        near = board.neighbours(place, end)
        if near and self.rules.is_1971 and end in self.position.units and self.luck.random() < 0.7:
            self._order_to(end, place)
        via = near and not self.rules.is_1971 and self.luck.random() < 0.7
        if not self._give(Order("move", place, to=end, via=via)):
            return False
        helpers = {sea for e, other in open_ if e == end and self.luck.random() < 0.4 for sea in other}
        for sea in sorted(route | helpers):
            if self.luck.random() < 0.93:
                self._give(Order("convoy", sea, place, end))
        return True

    def _order_help(self, place: str) -> None:
        """A support that fits what is ordered, rarely any legal one, a dig, or nothing."""
        luck = self.luck
        if luck.random() < 0.1:
            self._order_dig(place)
        elif luck.random() < 0.08:
            self._give(self._idle_support(place))
        elif luck.random() < 0.95:
            fitting = [o for o in self._fitting_supports(place) if is_legal(self.position, o, self.rules)]
            if fitting:
                self._give(luck.choices(fitting, [self._urgency(o) for o in fitting])[0])

    def _fitting_supports(self, place: str) -> list[Order]:
        near = self.position.units[place].reach_provinces
        found = []
        for other in sorted(self.position.units):
            order = self.orders.get(other)
            if other == place:
                continue
            if order is not None and order.moves:
                if order.to_province in near:
                    found.append(Order("support_move", place, other, order.to))
            elif other in near:
                found.append(Order("support_hold", place, other))
        return found

    def _urgency(self, order: Order) -> int:
        """How much a support is wanted: into a convoy, where others support too, where there is a fight."""
        goal = order.to_province or order.target
        convoying = self.orders.get(goal)
        own = self.position.units[order.place].power == self.position.units[order.target].power
        others = sum((o.target, o.to) == (order.target, order.to) for o in self.orders.values())
        into_convoy = convoying is not None and convoying.kind == "convoy"
        urgency = self._lure(goal) + 4 * into_convoy + 2 * own + 4 * others
        return 3 * urgency if order.kind == "support_move" else urgency

    def _idle_support(self, place: str) -> Order:
        target = self.luck.choice(sorted(self.position.units))
        goals = sorted(self.position.units[target].reach)
        if self.luck.random() < 0.5:
            return Order("support_hold", place, target)
        return Order("support_move", place, target, self.luck.choice(goals))

    # The case.

    def case(self) -> Case:
        """The finished case; orders in order of province, tunnels and permissions as they came."""
        texts: dict[str, list[str]] = {}
        for place, order in sorted(self.orders.items()):
            power = self.position.units[place].power
            texts.setdefault(power, []).append(write_order(self.position, order))
        return Case(self.position, texts, list(self._permission_changes()))

    def _permission_changes(self) -> Iterable[tuple[str, str, str]]:
        for tunnel in self.position.tunnels:
            others = [power for power in self.powers if power != tunnel.owner]
            if others and self.luck.random() < 0.25:
                guest = self.luck.choice(others)
                sign = "-" if guest in tunnel.permitted else "+"
                yield tunnel.owner, f"{sign}{guest[0].lower()}", "-".join(tunnel.ends)
