"""What a power has written: its orders as arrows, tunnels to be built, units to come and to go."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing import svg
from channel_tunnel_env.drawing.svg import escape, path
from channel_tunnel_env.games.eurotunnel.actions import all_actions
from channel_tunnel_env.games.eurotunnel.board.geometry import load_geometry
from channel_tunnel_env.games.eurotunnel.board.orders import draw_orders
from channel_tunnel_env.games.eurotunnel.board.picture import EMPTY
from channel_tunnel_env.games.eurotunnel.board.pieces import draw_tunnel, draw_unit
from channel_tunnel_env.games.eurotunnel.board.theme import SCOPE, colours_of
from channel_tunnel_env.games.eurotunnel.board.view import MapView, Order, Tunnel, Unit, read_view
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
        place = load_board().locations[action.dst]
        unit = Unit(game.mover, action.kind == c.BUILD_FLEET, place)
        return f'<g class="raised">{draw_unit(unit, load_geometry().units[place])}</g>'
    if action.kind in (c.REMOVE, c.DISBAND):
        gone = action.dst if action.kind == c.REMOVE else int(game.state.cursor)
        return path(EMPTY, "empty", *load_geometry().units[load_board().locations[gone]])
    if action.kind == c.DIG:
        ends = (load_board().provinces[int(game.state.cursor)], load_board().locations[action.dst])
        return draw_tunnel(Tunnel(game.mover, ends, False))
    return ""


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


# --- two sets of answers of a power on one map: those that it gave, and others that may be better -
# The others have a colour that no power has, on light lines, and longer dashes: they differ without colours, too.


_OTHER = {
    ".case": "stroke:{panel};stroke-width:9;stroke-opacity:.95",
    ".thin-case": "stroke:{panel};stroke-width:7;stroke-opacity:.95",
    ".head": "fill:{panel};stroke:{panel};stroke-width:5",
    '[class^="move"]': "stroke:{last};stroke-width:4.4;stroke-dasharray:11 7;stroke-linecap:butt",
    '[class^="tip"]': "fill:{last}",
    '[class^="help"]': "stroke:{last};stroke-width:3.4",
    '[class^="ferry"]': "stroke:{last};stroke-width:3.8",
    '[class^="secret"]': "stroke:{last};stroke-width:3.8",
    '[class^="held"]': "fill:{last};stroke:{panel}",
    '[class^="owner-t"]': "fill:{panel}",
    ".hold": "stroke:{last};stroke-width:3.4;stroke-dasharray:7 4",
    ".empty": "stroke:{last};stroke-width:4.4",
    ".raised": "opacity:1",
    ".raised rect,.{scope} .other .raised path": "stroke:{last};stroke-width:4.6;stroke-dasharray:7 3",
}
_ARROW, _TIP = "M2 0L30 0", "M34 0L23-5.5V5.5Z"


def draw_compared(given: Answers, other: Answers, names: tuple[str, str]) -> dict[str, str]:
    """What was answered in a phase, and above it what would have been answered otherwise.

    Args:
        given, other: the answers of one power in the same phase; one of them at least.
        names: of both sets, for the key.

    Returns:
        shapes: SVG for the map of the position before the phase, below its units; key: HTML that tells the two sets apart.
    """
    game = (*given, *other)[0][0]
    view = read_view(game, None)
    same = {_named(answer) for answer in given}
    in_both = [number for number, answer in enumerate(other) if _named(answer) in same]
    shapes = (
        f'<style>{_sheet()}</style>{draw_written(view, given)}<g class="other">{draw_written(view, other, in_both)}</g>'
    )
    return {"shapes": f'<g class="compared">{shapes}</g>', "key": _key(game.mover, names)}


def _named(answer: tuple[object, int]) -> tuple[int, int]:
    """An answer and the unit that it is for."""
    game, action = answer
    return int(game.state.cursor), action  # type: ignore[attr-defined]


def _key(power: int, names: tuple[str, str]) -> str:
    arrow = path(_ARROW, "case") + path(_ARROW, f"move{power}")
    arrow += path(_TIP, "head") + path(_TIP, f"tip{power}")
    signs = (arrow, f'<g class="other">{arrow}</g>')
    items = "".join(
        f'<li><svg viewBox="0 -8 38 16" aria-hidden="true">{sign}</svg>{escape(name)}</li>'
        for sign, name in zip(signs, names, strict=True)
    )
    return f'<ul class="key" aria-label="On the map">{items}</ul>'


@cache
def _sheet() -> str:
    return svg.stylesheet(SCOPE, "auto", _styles)


def _styles(theme: str) -> dict[str, str]:
    return {
        f"other {name.format(scope=f'{SCOPE}-auto')}": body.format(**colours_of(theme)) for name, body in _OTHER.items()
    }
