"""The tunnel: both routes under the sea, from the coasts to the flags in the middle."""

from __future__ import annotations

from channel_tunnel_env.board.parts import Boxes, Part, Picture
from channel_tunnel_env.board.pieces import eye, flag, hidden_stone, machine, stone
from channel_tunnel_env.board.svg import group, path, rect, target, text
from channel_tunnel_env.board.view import Place, Route
from channel_tunnel_env.board.words import title

HEIGHT = 148
SEA = 40  # depth of the sea above the chalk
CELL_TOP, CELL_HEIGHT = 52, 54
_COAST, _NARROW_COAST = 66, 54
_CENTRE = 38  # half of the middle, where the flags stand
_MIDDLE = CELL_TOP + CELL_HEIGHT / 2
_NUMBER_LINE = CELL_TOP + CELL_HEIGHT + 18
_LOOKED_LINE = CELL_TOP + CELL_HEIGHT + 33


def put_tunnel(
    picture: Picture, routes: tuple[Route, Route], x: float, y: float, width: float
) -> None:
    """Both routes in one row, Britain's from the left; a part each."""
    half = width / 2
    cell = (half - _COAST - _CENTRE) / len(routes[0].places)
    ground = group(_ground(width) + path(f"M{half:g} {SEA}V{HEIGHT}", "rail"), x, y)
    for i, route in enumerate(routes):
        content, boxes = _half(route, half, cell)
        picture.put(Part(x + i * half, y, half, HEIGHT, content, ground), boxes)


def put_half_tunnel(picture: Picture, route: Route, x: float, y: float, width: float) -> None:
    """One route in a row of its own, for a narrow page."""
    cell = (width - _NARROW_COAST - _CENTRE) / len(route.places)
    content, boxes = _half(route, width, cell)
    picture.put(Part(x, y, width, HEIGHT, content, group(_ground(width), x, y)), boxes)


def _half(route: Route, width: float, cell: float) -> tuple[str, Boxes]:
    """A coast, the spaces of its route, the flag at the end; and where the spaces are."""
    coast = width - _CENTRE - cell * len(route.places)
    british = route.side == "britain"
    ends = _coast(route, 0 if british else width - coast, coast)
    ends += flag(width - 34 if british else 4, _MIDDLE - 10, route.side)
    parts, boxes = [ends], Boxes()
    for index, place in enumerate(route.places):
        column = index if british else len(route.places) - 1 - index
        x = (coast if british else _CENTRE) + column * cell
        name = f"route:{route.side}:{index}"
        boxes[name] = (x + 1, CELL_TOP, cell - 2, CELL_HEIGHT)
        label = f"{title(route.side)}, space {index}: {_in_words(place)}"
        parts.append(target(name, name, label, _cell(route, index, cell), x, 0))
    return "".join(parts), boxes


def _ground(width: float) -> str:
    """Sea over chalk."""
    waves = "".join(f"M{x} 22q9-8 18 0t18 0" for x in range(110, int(width) - 130, 76))
    return (
        rect(0, 0, width, HEIGHT, "chalk", 10)
        + path(f"M10 0H{width - 10:g}a10 10 0 0 1 10 10V{SEA}H0V10a10 10 0 0 1 10-10Z", "sea")
        + path(waves, "wave")
        + rect(0, CELL_TOP - 3, width, CELL_HEIGHT + 6, "bore")
    )


def _coast(route: Route, x: float, width: float) -> str:
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


def _cell(route: Route, index: int, width: float) -> str:
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
