"""The map below the pieces: seas, land in its owners' colours, codes, names, supply centres."""

from __future__ import annotations

from functools import cache

from channel_tunnel_env.drawing.svg import circle, path, target, text
from channel_tunnel_env.games.eurotunnel.board.geometry import PASSIVE, Point, load_geometry
from channel_tunnel_env.games.eurotunnel.board.view import MapView
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board

_CENTRE = (-23.0, -4.5)  # of a supply centre from the middle of the province's code
_LINE = 12.0  # between lines of a name


def draw_land(view: MapView) -> str:
    """Everything below the lines."""
    geometry, board = load_geometry(), load_board()
    owned = [_province(board.provinces[i], view) for i in board.land]
    return _sea() + "".join([*owned, *(path(geometry.outlines[name], "waste") for name in PASSIVE)])


@cache
def _sea() -> str:
    geometry, board = load_geometry(), load_board()
    seas = [_target(board.provinces[i], "sea", "") for i in board.of_kind(c.SEA)]
    return "".join([*seas, *(path(line, "waste") for line in geometry.idle)])


def _province(name: str, view: MapView) -> str:
    owner = view.owners.get(name, c.NOBODY)
    if owner < 0:
        return _target(name, "land", "")
    return _target(name, f"own{owner}", f", owned by {load_board().powers[owner].capitalize()}")


def _target(name: str, style: str, more: str) -> str:
    """A province as something to click or ask about."""
    board = load_board()
    number = board.index[name]
    kind = ", supply centre" if number in board.centres else ""
    shape = path(load_geometry().outlines[name], style)
    return target(name, "province", f"{board.names[number]}{kind}{more}", shape)


def draw_codes(view: MapView) -> str:
    """Codes of provinces and coasts, names of seas, supply centres."""
    return _codes() + "".join(_centre(load_board().provinces[i], view) for i in load_board().centres)


def _centre(name: str, view: MapView) -> str:
    x, y = load_geometry().labels[name]
    return draw_centre(view.owners.get(name, c.NOBODY), (x + _CENTRE[0], y + _CENTRE[1]))


def draw_centre(owner: int, at: Point) -> str:
    """A supply centre, in its owner's colour."""
    style = "centre" if owner < 0 else f"held{owner}"
    return circle(*at, 5.2, style) + circle(*at, 1.8, "dot")


@cache
def _codes() -> str:
    geometry, board = load_geometry(), load_board()
    found = []
    for name, (x, y) in geometry.labels.items():
        is_sea = name in board.provinces and board.kinds[board.index[name]] == c.SEA
        style = "coast" if "/" in name else "sea-code" if is_sea else "code"
        found.append(text(x, y, name.partition("/")[2] or name, style))
    for name, (x, y) in geometry.names.items():
        words = board.names[board.index[name]].split()
        found += [text(x, y + _LINE * i, word, "sea-name") for i, word in enumerate(words)]
    return "".join(found)
