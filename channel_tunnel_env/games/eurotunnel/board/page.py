"""The table for a page in the browser: the map, to be moved and zoomed, and the powers beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing.svg import escape
from channel_tunnel_env.games.eurotunnel.board.geometry import load_geometry, province
from channel_tunnel_env.games.eurotunnel.board.picture import draw_map, figures_of
from channel_tunnel_env.games.eurotunnel.board.pieces import draw_unit
from channel_tunnel_env.games.eurotunnel.board.theme import SCOPE, stylesheet
from channel_tunnel_env.games.eurotunnel.board.view import MapView, Unit, read_view
from channel_tunnel_env.games.eurotunnel.board.written import draw_written

LAYOUTS = ("table", "phone")
_THEME = "auto"
_LABEL = re.compile(r'data-target="(?P<name>[A-Z]{3})" data-rule="province" aria-label="[^"]*"')


def draw_page(game: Game, viewer: str | None, layout: str, answers: Sequence[tuple[Game, int]] = ()) -> str:
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
        f'aria-label="Map">{_with_units(view, draw_map(view, draw_written(view, answers)))}</svg></div>'
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
