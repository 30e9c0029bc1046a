"""The tunnel: both routes under the sea, from the coasts to the flags in the middle."""

from __future__ import annotations

from channel_tunnel_env.board.pieces import eye, flag, hidden_stone, machine, stone
from channel_tunnel_env.board.svg import path, rect, target, text
from channel_tunnel_env.board.view import Place, Route
from channel_tunnel_env.board.words import title

HEIGHT = 148
SEA = 40  # depth of the sea above the chalk
CELL_TOP, CELL_HEIGHT = 52, 54
_MIDDLE = CELL_TOP + CELL_HEIGHT / 2
_NUMBER_LINE = CELL_TOP + CELL_HEIGHT + 18
_LOOKED_LINE = CELL_TOP + CELL_HEIGHT + 33


def draw_tunnel(routes: tuple[Route, Route], width: float, marked: frozenset[str]) -> str:
    """Both routes in one row, Britain's from the left."""
    coast, centre = 66, 76
    cell = (width - 2 * coast - centre) / (2 * len(routes[0].places))
    middle = width / 2
    return (
        _ground(width)
        + _coast(routes[0], 0, coast, cell)
        + _coast(routes[1], width - coast, coast, cell)
        + _cells(routes[0], coast, cell, marked)
        + _cells(routes[1], middle + centre / 2, cell, marked)
        + flag(middle - 33, _MIDDLE - 10, "britain")
        + flag(middle + 3, _MIDDLE - 10, "france")
        + path(f"M{middle:g} {SEA}V{HEIGHT}", "rail")
    )


def draw_half_tunnel(route: Route, width: float, marked: frozenset[str]) -> str:
    """One route in a row of its own, for a narrow page."""
    coast, centre = 54, 38
    cell = (width - coast - centre) / len(route.places)
    british = route.side == "britain"
    return (
        _ground(width)
        + _coast(route, 0 if british else width - coast, coast, cell)
        + _cells(route, coast if british else centre, cell, marked)
        + flag(width - 34 if british else 4, _MIDDLE - 10, route.side)
    )


def _ground(width: float) -> str:
    """Sea over chalk."""
    waves = "".join(f"M{x} 22q9-8 18 0t18 0" for x in range(110, int(width) - 130, 76))
    return (
        rect(0, 0, width, HEIGHT, "chalk", 10)
        + path(f"M10 0H{width - 10:g}a10 10 0 0 1 10 10V{SEA}H0V10a10 10 0 0 1 10-10Z", "sea")
        + path(waves, "wave")
        + rect(0, CELL_TOP - 3, width, CELL_HEIGHT + 6, "bore")
    )


def _coast(route: Route, x: float, width: float, cell: float) -> str:
    """The land a route starts from, with the machine while it has not yet bored."""
    british = route.side == "britain"
    edge = x + width if british else x
    out = 26 if british else -26  # the beach reaches into the sea
    land = (
        f"M{x if british else x + width:g} 8H{edge:g}L{edge + out:g} {SEA}V{CELL_TOP - 3}"
        f"H{x if british else x + width:g}Z"
    )
    name = text(x + width / 2, 29, title(route.side), "b-m")
    start = machine(x + width / 2, _MIDDLE, route.side) if route.tbm == 0 else ""
    rails = path(f"M{x:g} {_MIDDLE + 19:g}h{width:g}", "rail")
    return path(land, "coast") + name + rails + start


def _cells(route: Route, x: float, cell: float, marked: frozenset[str]) -> str:
    """The spaces of a route; France's run from right to left."""
    length = len(route.places)
    found = []
    for index, place in enumerate(route.places):
        column = index if route.side == "britain" else length - 1 - index
        name = f"route:{route.side}:{index}"
        content = _cell(route, index, cell, name in marked)
        label = f"{title(route.side)}, space {index}: {_in_words(place)}"
        found.append(target(name, name, label, content, x + column * cell, 0))
    return "".join(found)


def _cell(route: Route, index: int, width: float, marked: bool) -> str:
    place, middle = route.places[index], width / 2
    parts = [rect(1, CELL_TOP, width - 2, CELL_HEIGHT, "bore" if place.bored else "slot", 5)]
    if place.bored:
        parts.append(path(f"M0 {_MIDDLE + 19:g}h{width:g}", "rail"))
        if index == route.tbm - 1:
            parts.append(machine(middle, _MIDDLE, route.side))
    elif place.face_up and place.colour:
        parts.append(stone(middle, _MIDDLE, place.colour, place.symbol))
    else:
        parts.append(hidden_stone(middle, _MIDDLE, place.colour, place.symbol))
    if marked:
        parts.append(rect(1, CELL_TOP, width - 2, CELL_HEIGHT, "last", 5))
    parts.append(text(middle, _NUMBER_LINE, str(index), "s-m"))
    parts += _looks(place, middle)
    return "".join(parts)


def _looks(place: Place, middle: float) -> list[str]:
    """Who has looked at a face-down token: an eye and the side's letter, below the space."""
    parts = []
    start = middle - 15 * (len(place.looked) - 1)
    for i, side in enumerate(place.looked):
        x = start + 30 * i
        parts.append(eye(x - 6, _LOOKED_LINE - 4))
        parts.append(text(x + 5, _LOOKED_LINE, side[0].upper(), "b"))
    return parts


def _in_words(place: Place) -> str:
    if place.bored:
        return "bored"
    symbol = " with the agenda symbol" if place.symbol else ""
    looked = "".join(f", {title(side)} has looked" for side in place.looked)
    if place.face_up:
        return f"{place.colour} rubble{symbol}"
    known = f" ({place.colour}{symbol})" if place.colour else ""
    return f"face down{known}{looked}"
