"""What a power has written: its orders as arrows, tunnels to be built, units to come and to go."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing.svg import path
from channel_tunnel_env.games.eurotunnel.actions import all_actions
from channel_tunnel_env.games.eurotunnel.board.geometry import load_geometry
from channel_tunnel_env.games.eurotunnel.board.orders import draw_orders
from channel_tunnel_env.games.eurotunnel.board.picture import EMPTY
from channel_tunnel_env.games.eurotunnel.board.pieces import draw_tunnel, draw_unit
from channel_tunnel_env.games.eurotunnel.board.view import MapView, Order, Tunnel, Unit
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.explain import asked_unit
from channel_tunnel_env.games.eurotunnel.provinces import load_board

Answers = Sequence[tuple[Game, int]]
"""The game at each question of a phase, and the answer."""
_AS = {c.RETREAT: c.MOVE, c.RETREAT_TUNNEL: c.TUNNEL}  # drawn like another order


def draw_written(view: MapView, answers: Answers, left_out: Collection[int] = ()) -> str:
    """Answers on the map.

    Args:
        left_out: numbers of answers that are not drawn; what helps them is drawn as helping them.
    """
    orders: dict[int, Order] = {}
    shapes = ""
    for number, (game, action) in enumerate(answers):
        if not _is_on_the_map(action) and asked_unit(game.states[0]):
            orders[number] = _order(game, action)
        elif number not in left_out:
            shapes += _draw(game, action)
    if not orders:
        return shapes
    drawn = {order for number, order in orders.items() if number not in left_out}
    return draw_orders(replace(view, orders=tuple(orders.values())), drawn) + shapes


def _is_on_the_map(action: int) -> bool:
    """Whether an answer is drawn as something that comes or goes, and not as an order."""
    kinds = (c.BUILD_ARMY, c.BUILD_FLEET, c.REMOVE, c.DISBAND, c.DIG)
    return all_actions()[action].kind in kinds


def _draw(game: Game, number: int) -> str:
    action = all_actions()[number]
    if action.kind in (c.BUILD_ARMY, c.BUILD_FLEET):
        return _raised(game.mover, action.kind == c.BUILD_FLEET, action.dst)
    if action.kind in (c.REMOVE, c.DISBAND):
        place = action.dst if action.kind == c.REMOVE else int(game.state.cursor)
        return path(EMPTY, "empty", *load_geometry().units[load_board().locations[place]])
    if action.kind == c.DIG:
        ends = (load_board().provinces[int(game.state.cursor)], load_board().locations[action.dst])
        return draw_tunnel(Tunnel(game.mover, ends, False))
    return ""


def _raised(power: int, is_fleet: bool, location: int) -> str:
    place = load_board().locations[location]
    return f'<g class="raised">{draw_unit(Unit(power, is_fleet, place), load_geometry().units[place])}</g>'


def _order(game: Game, number: int) -> Order:
    names, action = load_board().locations, all_actions()[number]
    letter, place = asked_unit(game.states[0]).split()
    return Order(
        Unit(game.mover, letter == c.UNIT_LETTERS[c.FLEET], place),
        _AS.get(action.kind, action.kind),
        names[action.src] if action.src >= 0 else "",
        names[action.dst] if action.dst >= 0 else "",
        False,
        False,
    )
