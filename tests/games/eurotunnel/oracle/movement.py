"""A movement phase from written orders to the position after it (rules 3, 4 to 5.6, 7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from . import board
from .equations import Equations, Move
from .knowledge import change_permissions, demolish, may_use, open_tunnels, tell
from .legality import add_tunnel, follow
from .orders import Order, read_orders, write_order
from .position import Dislodged, Position, Rules, Tunnel, Unit
from .solution import Solution, solve


@dataclass(frozen=True)
class Result:
    """What became of one unit.

    `order` is what everybody reads: a build order and an order that was not followed are read as a hold.
    `outcome` is one word: holds, moves, fails (a move that was too weak), stranded (no undisrupted convoy), void
    (no permission for the tunnel), supports, cut, unmatched (a support whose unit was ordered otherwise), convoys,
    disrupted, unused (a convoy of an army that was ordered otherwise). `followed` says if the unit's written order was legal, and so whether it counted.
    """

    unit: Unit
    order: str
    outcome: str
    dislodged: bool
    followed: bool


@dataclass
class Movement:
    """What a movement phase brought."""

    results: dict[str, Result]
    position: Position
    equations: Equations
    solution: Solution
    opened: list[Tunnel] = field(default_factory=list)
    demolished: list[Tunnel] = field(default_factory=list)


def play_movement(
    position: Position, texts: dict[str, list[str]], rules: Rules, permissions: Iterable[tuple[str, str, str]] = ()
) -> Movement:
    """Play a movement phase: `texts` are the written orders by power, `permissions` the changes of 7.7.

    The position given stays as it is.
    """
    written = read_orders(position, texts)
    orders = follow(position, written, rules)
    after = position.copy()
    after.dislodged, after.contested = {}, frozenset()
    change_permissions(after, permissions)
    equations = Equations(after, orders, rules)
    solution = solve(equations)
    results = _results(position, written, orders, equations, solution)
    phase = Movement(results, after, equations, solution)
    phase.opened = open_tunnels(after, equations.tunnels.values())
    _make_moves(phase, orders, rules)
    end_of_phase(phase)
    return phase


def end_of_phase(phase: Movement) -> None:
    """Demolition, unless a retreat is outstanding, and the news of permissions."""
    if not phase.position.dislodged:
        phase.demolished = demolish(phase.position)
    tell(phase.position)


def _outcome(order: Order | None, equations: Equations, values: dict[str, bool]) -> str:
    if order is None or order.kind in ("hold", "build"):
        return "holds"
    place = order.place
    if place in equations.moves:
        move = equations.moves[place]
        if not move.usable:
            return "void"
        if not equations.path(move, values):
            return "stranded"
        return "moves" if values[place] else "fails"
    if place in equations.supports:
        if not equations.supports[place].valid:
            return "unmatched"
        return "supports" if values[place] else "cut"
    if place not in equations.convoys:
        return "unused"
    return "convoys" if values[place] else "disrupted"


def _results(
    position: Position, written: dict[str, Order], orders: dict[str, Order], equations: Equations, solution: Solution
) -> dict[str, Result]:
    found = {}
    for place, unit in sorted(position.units.items()):
        order = orders.get(place)
        read = order if order is not None and order.kind != "build" else Order("hold", place)
        found[place] = Result(
            unit,
            write_order(position, read),
            _outcome(order, equations, solution.values),
            _attacker(equations, solution, place) is not None,
            place not in written or place in orders,
        )
    return found


def _attacker(equations: Equations, solution: Solution, place: str) -> Move | None:
    """The move that dislodges the unit in a province."""
    if place in equations.moves and solution.values[place]:
        return None
    entering = [m for m in equations.moves_into(place) if solution.values[m.start]]
    return entering[0] if entering else None


def _contested(equations: Equations, values: dict[str, bool], units: dict[str, Unit]) -> frozenset[str]:
    return frozenset(
        move.goal
        for move in equations.moves.values()
        if move.goal not in units and not values[move.start] and equations.prevent(move, values) > 0
    )


def _make_moves(phase: Movement, orders: dict[str, Order], rules: Rules) -> None:
    equations, values, after = phase.equations, phase.solution.values, phase.position
    before = dict(after.units)
    beaten = {p: m for p in before if (m := _attacker(equations, phase.solution, p)) is not None}
    going = [m for m in equations.moves.values() if values[m.start]]
    after.units = {p: u for p, u in before.items() if p not in beaten}
    for move in going:
        del after.units[move.start]
    for move in going:
        assert move.goal not in after.units, f"two units in {move.goal}"
        after.units[move.goal] = move.unit._replace(loc=move.location)
    for place, order in orders.items():
        if order.kind == "build" and place not in beaten:
            add_tunnel(after, before[place].power, place, order.to)
    after.contested = _contested(equations, values, after.units)
    for place, move in beaten.items():
        nowhere = move.way == "C" and not rules.is_1971
        _dislodge(phase, before[place], None if nowhere else move.start)


def _dislodge(phase: Movement, unit: Unit, origin: str | None) -> None:
    options = retreat_options(phase.position, unit, origin)
    if options:
        phase.position.dislodged[unit.province] = Dislodged(unit, origin, options)


def retreat_options(position: Position, unit: Unit, origin: str | None) -> tuple[str, ...]:
    """Where a dislodged unit may go (6.1): locations, and far ends of tunnels as `~LON`."""

    def free(place: str) -> bool:
        return place not in position.units and place != origin and place not in position.contested

    ways = [place for place in sorted(unit.reach) if free(board.province(place))]
    if unit.type == "A":
        here = unit.province
        usable = [t for t in position.tunnels if here in t.ends and may_use(unit.power, t)]
        ways += sorted({f"~{t.far_end(here)}" for t in usable if free(t.far_end(here))})
    return tuple(ways)
