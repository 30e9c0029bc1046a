"""The tunnel: both routes under the sea, from the coasts to the flags in the middle."""

from __future__ import annotations

from dataclasses import replace

from channel_tunnel_env.drawing.svg import group, path, rect, target, text
from channel_tunnel_env.games.tunnel_1987.board.parts import Boxes, Part, Picture
from channel_tunnel_env.games.tunnel_1987.board.pieces import (
    eye,
    flag,
    hidden_stone,
    machine,
    stone,
)
from channel_tunnel_env.games.tunnel_1987.board.values import DrawnRoute, Place
from channel_tunnel_env.games.tunnel_1987.board.words import title

HEIGHT = 148
SEA = 40  # depth of the sea above the chalk
CELL_TOP, CELL_HEIGHT = 52, 54
_LAND_LINE = CELL_TOP - 3  # the tunnel's roof
_COAST, _NARROW_COAST = 66, 54
_CENTRE = 38  # half of the middle, where the flags stand
_MIDDLE = CELL_TOP + CELL_HEIGHT / 2
_NUMBER_LINE = CELL_TOP + CELL_HEIGHT + 18
_LOOKED_LINE = CELL_TOP + CELL_HEIGHT + 33


def put_tunnel(
    picture: Picture, routes: tuple[DrawnRoute, DrawnRoute], x: float, y: float, width: float
) -> None:
    """Both routes in one row, Britain's from the left; one part each."""
    half = width / 2
    cell = (half - _COAST - _CENTRE) // len(routes[0].places)
    ground = group(_ground(width) + path(f"M{half:g} {SEA}V{HEIGHT}", "rail"), x, y)
    for i, route in enumerate(routes):
        _put_half(picture, route, Part(x + i * half, y, half, HEIGHT, "", ground), cell)


def put_half_tunnel(picture: Picture, route: DrawnRoute, x: float, y: float, width: float) -> None:
    """One route in its own row, for a narrow page."""
    cell = (width - _NARROW_COAST - _CENTRE) // len(route.places)
    ground = group(_ground(width), x, y)
    _put_half(picture, route, Part(x, y, width, HEIGHT, "", ground), cell)


def _put_half(picture: Picture, route: DrawnRoute, part: Part, cell: float) -> None:
    """A coast, the spaces of its route, the flag at the end; each space is a separate piece."""
    width, british = part.width, route.side == "britain"
    coast = width - _CENTRE - cell * len(route.places)
    start, end = (0, width - _CENTRE) if british else (width - coast, 0)
    land = _coast(route, start, coast)
    goal = flag(width - 34 if british else 4, _MIDDLE - 10, route.side)
    contents, boxes = [land, goal], Boxes()
    pieces = [
        part.cut(0, 0, width, _LAND_LINE, land),
        part.cut(start, _LAND_LINE, coast, HEIGHT - _LAND_LINE, land),
        part.cut(end, _LAND_LINE, _CENTRE, HEIGHT - _LAND_LINE, goal),
    ]
    for index, place in enumerate(route.places):
        column = index if british else len(route.places) - 1 - index
        x = (coast if british else _CENTRE) + column * cell
        name = f"route:{route.side}:{index}"
        boxes[name] = (x + 1, CELL_TOP, cell - 2, CELL_HEIGHT)
        label = f"{title(route.side)}, space {index}: {_in_words(place)}"
        content = target(name, name, label, _cell(route, index, cell), x, 0)
        contents.append(content)
        pieces.append(part.cut(x, _LAND_LINE, cell, HEIGHT - _LAND_LINE, content))
    picture.put(replace(part, content="".join(contents), pieces=tuple(pieces)), boxes)


def _ground(width: float) -> str:
    """Sea over chalk."""
    waves = "".join(f"M{x} 22q9-8 18 0t18 0" for x in range(110, int(width) - 130, 76))
    return (
        rect(0, 0, width, HEIGHT, "chalk", 10)
        + path(f"M10 0H{width - 10:g}a10 10 0 0 1 10 10V{SEA}H0V10a10 10 0 0 1 10-10Z", "sea")
        + path(waves, "wave")
        + rect(0, _LAND_LINE, width, CELL_HEIGHT + 6, "bore")
    )


def _coast(route: DrawnRoute, x: float, width: float) -> str:
    """The land that a route starts from, with the machine until it has bored a token."""
    british = route.side == "britain"
    edge = x + width if british else x
    out = 26 if british else -26  # the beach reaches into the sea
    land = (
        f"M{x if british else x + width:g} 8H{edge:g}L{edge + out:g} {SEA}V{_LAND_LINE}"
        f"H{x if british else x + width:g}Z"
    )
    name = text(x + width / 2, 29, title(route.side), "b-m")
    start = machine(x + width / 2, _MIDDLE, route.side) if route.tbm == 0 else ""
    rails = path(f"M{x:g} {_MIDDLE + 19:g}h{width:g}", "rail")
    return path(land, "coast") + name + rails + start


def _cell(route: DrawnRoute, index: int, width: float) -> str:
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
    """The sides that looked at a face-down token: an eye and their letters, below the space."""
    if not place.looked:
        return []
    letters = "".join(side[0].upper() for side in place.looked)
    left = middle - 4.5 * len(letters)
    return [eye(left, _LOOKED_LINE - 4), text(left + 11, _LOOKED_LINE, letters, "b")]


def _in_words(place: Place) -> str:
    if place.bored:
        return "bored"
    symbol = " with the agenda symbol" if place.symbol else ""
    looked = "".join(f", {title(side)} has looked" for side in place.looked)
    if place.face_up:
        return f"{place.colour} rubble{symbol}"
    known = f" ({place.colour}{symbol})" if place.colour else ""
    return f"face down{known}{looked}"
