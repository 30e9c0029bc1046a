"""The table for a page in the browser: the map, to be moved and zoomed, and the powers beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing.svg import escape, path
from channel_tunnel_env.games.eurotunnel.actions import all_actions
from channel_tunnel_env.games.eurotunnel.board.geometry import load_geometry, province
from channel_tunnel_env.games.eurotunnel.board.orders import draw_orders
from channel_tunnel_env.games.eurotunnel.board.picture import EMPTY, draw_map, figures_of
from channel_tunnel_env.games.eurotunnel.board.pieces import draw_unit
from channel_tunnel_env.games.eurotunnel.board.theme import SCOPE, stylesheet
from channel_tunnel_env.games.eurotunnel.board.tunnels import draw_tunnel
from channel_tunnel_env.games.eurotunnel.board.view import (
    MapView,
    Order,
    Tunnel,
    Unit,
    read_view,
)
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.explain import asked_unit
from channel_tunnel_env.games.eurotunnel.provinces import load_board

LAYOUTS = ("table", "phone")
_THEME = "auto"
_LABEL = re.compile(r'data-target="(?P<name>[A-Z]{3})" data-rule="province" aria-label="[^"]*"')
_AS = {c.RETREAT: c.MOVE, c.RETREAT_TUNNEL: c.TUNNEL}  # drawn like another order


def draw_page(
    game: Game, viewer: str | None, layout: str, answers: Sequence[tuple[Game, int]] = ()
) -> str:
    """The position as HTML: the map, on which every province is a target, and the powers.

    Args:
        viewer: a seat, PUBLIC, or None for everything.
        layout: "table", or "phone" for a narrow page.
        answers: what the viewer has written in the running phase: the game at each question, and the answer.
    """
    view = read_view(game, viewer)
    width, height = load_geometry().size
    powers = "".join(_power(view, number) for number in range(len(view.powers)))
    return (
        f'<div class="eurotunnel {SCOPE}-{_THEME} {layout}"><style>{stylesheet(_THEME)}</style>'
        f'<div class="view"><svg class="map" viewBox="0 0 {width:g} {height:g}" role="group" '
        f'aria-label="Map">{_with_units(view, draw_map(view, _draft(view, answers)))}</svg></div>'
        f'<div class="powers">{powers}</div></div>'
    )


def _with_units(view: MapView, shapes: str) -> str:
    """The map with the unit that stands in a province added to its words."""
    units = {province(unit.place): unit for unit in view.units}

    def add(found: re.Match[str]) -> str:
        unit = units.get(found["name"])
        if unit is None:
            return found[0]
        power = view.powers[unit.power].name.capitalize()
        return f'{found[0][:-1]}, {"fleet" if unit.is_fleet else "army"} of {power}"'

    return _LABEL.sub(add, shapes)


def _power(view: MapView, number: int) -> str:
    """A power's name, units and centres."""
    power = view.powers[number]
    mine = " mine" if power.name == view.viewer else ""
    out = "" if power.is_alive else " out"
    unit = f'<svg viewBox="-14 -14 28 28">{draw_unit(Unit(number, False, ""), (0, 0))}</svg>'
    return (
        f'<div class="power{mine}{out}">{unit}<h3>{escape(power.name.capitalize())}</h3>'
        f"<b>{power.centres}</b><p>{figures_of(power)}</p></div>"
    )


# --- what is written -------------------------------------------------------------------------------


def _draft(view: MapView, answers: Sequence[tuple[Game, int]]) -> str:
    """What a power has written: its orders as arrows, tunnels to be built, units to come and to go."""
    orders, shapes = [], ""
    for game, number in answers:
        action = all_actions()[number]
        if action.kind in (c.BUILD_ARMY, c.BUILD_FLEET):
            shapes += _raised(game.mover, action.kind == c.BUILD_FLEET, action.dst)
        elif action.kind in (c.REMOVE, c.DISBAND):
            place = action.dst if action.kind == c.REMOVE else int(game.state.cursor)
            shapes += path(EMPTY, "empty", *load_geometry().units[load_board().locations[place]])
        elif action.kind == c.DIG:
            ends = (
                load_board().provinces[int(game.state.cursor)],
                load_board().locations[action.dst],
            )
            shapes += draw_tunnel(Tunnel(game.mover, ends, False))
        elif asked_unit(game.states[0]):
            orders.append(_order(game, number))
    drawn = draw_orders(replace(view, orders=tuple(orders))) if orders else ""
    return f'<g class="draft">{drawn}{shapes}</g>' if drawn or shapes else ""


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
