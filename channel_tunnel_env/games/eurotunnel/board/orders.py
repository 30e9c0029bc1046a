"""The orders of the last movement phase as lines: moves, supports, convoys; a frame for units that held."""

from __future__ import annotations

from collections.abc import Collection

from channel_tunnel_env.drawing.svg import circle, path
from channel_tunnel_env.games.eurotunnel.board.geometry import Point, load_geometry, province
from channel_tunnel_env.games.eurotunnel.board.pieces import REACH, Curve, bowed, through, tunnel_curve
from channel_tunnel_env.games.eurotunnel.board.view import MapView, Order
from channel_tunnel_env.games.eurotunnel.engine import constants as c

MOVES = (c.MOVE, c.VIA, c.TUNNEL)
_BOW = 0.06  # of a move, so that two that meet head on lie side by side
_HEAD = "M9 0L-4-6.5V6.5Z"
_BLOCK_FRAME = "M-15-15H15V15H-15Z"
_HULL_FRAME = "M-21-15H21V14H-21Z"


def draw_orders(view: MapView, some: Collection[Order] | None = None) -> str:
    """All orders or some of them: what helps lies below what moves."""
    orders = [order for order in view.orders if some is None or order in some]
    drawn = [(order.kind in MOVES, _draw(view, order)) for order in orders]
    return "".join(shapes for _, shapes in sorted(drawn, key=lambda pair: pair[0]))


def _draw(view: MapView, order: Order) -> str:
    if order.kind in MOVES:
        return _move(view, order)
    if order.kind == c.HOLD:
        return "" if order.dislodged else draw_hold(order.unit.is_fleet, place_of(view, order.unit.place))
    return _help(view, order)


def place_of(view: MapView, name: str) -> Point:
    """Where lines to and from a province begin: at the unit that stands there, or where one would."""
    places = load_geometry().units
    for unit in view.units:
        if province(unit.place) == province(name):
            return places[unit.place]
    return places[name]


def curve_of(view: MapView, order: Order) -> Curve:
    """The way of a move: by sea past its fleets, by tunnel along the tunnel."""
    stays = order.failed and not order.dislodged
    start = place_of(view, order.unit.place) if stays else load_geometry().units[order.unit.place]
    end = load_geometry().units[order.dst]
    if order.kind == c.TUNNEL:
        return _by_tunnel(view, order)
    ferries = [
        load_geometry().units[other.unit.place]
        for other in view.orders
        if other.kind == c.CONVOY and (other.src, province(other.dst)) == (order.unit.place, province(order.dst))
    ]
    if ferries and not order.unit.is_fleet:
        middle = tuple(sum(point[i] for point in ferries) / len(ferries) for i in (0, 1))
        return through(start, (middle[0], middle[1] + REACH), end)
    return bowed(start, end, _BOW)


def _by_tunnel(view: MapView, order: Order) -> Curve:
    """Along the tunnel that stands there, the unit's own first; as if it stood where it was demolished since."""
    ends = {order.unit.place, order.dst}
    owners = [tunnel.owner for tunnel in view.tunnels if set(tunnel.ends) == ends]
    own = order.unit.power
    return tunnel_curve(order.unit.place, order.dst, min(owners, key=own.__ne__, default=own))


def _move(view: MapView, order: Order) -> str:
    """An arrow; a cross where it failed."""
    line = curve_of(view, order).trimmed(REACH if order.failed else 4, REACH + 6)
    power, (x, y) = order.unit.power, line.end
    turn = f"translate({x:.4g} {y:.4g}) rotate({line.heading():.4g})"
    head = path(_HEAD, "head") + path(_HEAD, f"tip{power}")
    shapes = path(line.svg(), "case") + path(line.svg(), f"move{power}")
    shapes += f'<g transform="{turn}">{head}</g>'
    return shapes + (draw_cross(line.at(0.5)) if order.failed else "")


def draw_cross(at: Point) -> str:
    """The mark of an order that failed."""
    x, y = at
    return circle(x, y, 7, "stop") + path("M-3-3L3 3M3-3L-3 3", "cross", x, y)


def draw_hold(is_fleet: bool, at: Point) -> str:
    """The frame of a unit that held."""
    return path(_HULL_FRAME if is_fleet else _BLOCK_FRAME, "hold", *at)


def _help(view: MapView, order: Order) -> str:
    """A support or a convoy: a line to the unit that is helped, or to the middle of its way."""
    start = load_geometry().units[order.unit.place]
    power, goal, short = order.unit.power, *_helped(view, order)
    line = bowed(start, goal, 0).trimmed(REACH, short)
    kind = "ferry" if order.kind == c.CONVOY else "help"
    shapes = path(line.svg(), "thin-case") + path(line.svg(), f"{kind}{power}")
    shapes += circle(*line.end, 3.6, f"held{power}")
    return shapes + (draw_cross(line.at(0.5)) if order.failed else "")


def _helped(view: MapView, order: Order) -> tuple[Point, float]:
    """Where help goes to, and how far before it the line ends."""
    if order.kind == c.SUPPORT_HOLD:
        return load_geometry().units[order.src], REACH
    for other in view.orders:
        same_goal = province(other.dst) == province(order.dst)
        if other.kind in MOVES and same_goal and other.unit.place == order.src:
            return curve_of(view, other).at(0.5), 2.0
    ends = load_geometry().units[order.src], load_geometry().units[order.dst]
    return bowed(*ends, _BOW).at(0.5), 2.0
