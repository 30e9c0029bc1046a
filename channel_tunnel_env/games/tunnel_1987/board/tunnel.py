"""The tunnel: both routes under the sea, from the coasts to the flags in the middle."""

from __future__ import annotations

from dataclasses import dataclass, replace

from channel_tunnel_env.drawing.svg import group, path, rect, target, text
from channel_tunnel_env.games.tunnel_1987.board.parts import Boxes, Part, Picture
from channel_tunnel_env.games.tunnel_1987.board.pieces import eye, flag, hidden_stone, machine, stone
from channel_tunnel_env.games.tunnel_1987.board.values import DrawnRoute, Place
from channel_tunnel_env.games.tunnel_1987.words import title


@dataclass(frozen=True, slots=True)
class Gauge:
    """Heights of a tunnel.

    Attributes:
        height: of the whole row.
        sea: depth of the sea above the chalk.
        top, cell: upper edge and height of the spaces.
        name, number: baselines of the coast's name and of the spaces' numbers.
        looked: baseline of the looks at a space; where it is that of the numbers, they stand
            beside the number, without the eye.
    """

    height: float
    sea: float
    top: float
    cell: float
    name: float
    number: float
    looked: float

    @property
    def roof(self) -> float:
        """The y of the tunnel's roof, above its spaces."""
        return self.top - 3

    @property
    def middle(self) -> float:
        """The y of the middle of the spaces."""
        return self.top + self.cell / 2


TALL = Gauge(height=148, sea=40, top=52, cell=54, name=29, number=124, looked=139)
LOW = Gauge(height=60, sea=6, top=8, cell=36, name=56, number=56, looked=56)
HEIGHT = TALL.height
_COAST, _NARROW_COAST = 66, 54
_CENTRE = 38  # half of the middle, where the flags stand
_ROUND = 10  # radius of the picture's corners


def put_tunnel(picture: Picture, routes: tuple[DrawnRoute, DrawnRoute], x: float, y: float, width: float) -> None:
    """Both routes in one row, Britain's from the left; one part each."""
    half = width / 2
    cell = (half - _COAST - _CENTRE) // len(routes[0].places)
    rail = path(f"M{half:g} {TALL.sea:g}V{TALL.height:g}", "rail")
    ground = group(_ground(width, TALL) + rail, x, y)
    for i, route in enumerate(routes):
        _put_half(picture, route, Part(x + i * half, y, half, HEIGHT, "", ground), cell, TALL)


def put_half_tunnel(picture: Picture, route: DrawnRoute, x: float, y: float, width: float, gauge: Gauge = TALL) -> None:
    """One route in its own row."""
    cell = (width - _NARROW_COAST - _CENTRE) // len(route.places)
    ground = group(_ground(width, gauge), x, y)
    _put_half(picture, route, Part(x, y, width, gauge.height, "", ground), cell, gauge)


def _put_half(picture: Picture, route: DrawnRoute, part: Part, cell: float, gauge: Gauge) -> None:
    """A coast, the spaces of its route, the flag at the end; each space is a separate piece."""
    width, british = part.width, route.side == "britain"
    coast = width - _CENTRE - cell * len(route.places)
    start, end = (0, width - _CENTRE) if british else (width - coast, 0)
    land = _coast(route, start, coast, gauge)
    goal = flag(width - 34 if british else 4, gauge.middle - 10, route.side)
    contents, boxes = [land, goal], Boxes()
    pieces = [
        part.cut(0, 0, width, gauge.roof, land),
        part.cut(start, gauge.roof, coast, gauge.height - gauge.roof, land),
        part.cut(end, gauge.roof, _CENTRE, gauge.height - gauge.roof, goal),
    ]
    for index, place in enumerate(route.places):
        column = index if british else len(route.places) - 1 - index
        x = (coast if british else _CENTRE) + column * cell
        name = f"route:{route.side}:{index}"
        boxes[name] = (x + 1, gauge.top, cell - 2, gauge.cell)
        label = f"{title(route.side)}, space {index}: {_in_words(place)}"
        content = target(name, name, label, _cell(route, index, cell, gauge), x, 0)
        contents.append(content)
        pieces.append(part.cut(x, gauge.roof, cell, gauge.height - gauge.roof, content))
    picture.put(replace(part, content="".join(contents), pieces=tuple(pieces)), boxes)


def _ground(width: float, gauge: Gauge) -> str:
    """Sea over chalk."""
    deep = gauge.sea > _ROUND
    waves = "".join(f"M{x} 22q9-8 18 0t18 0" for x in range(110, int(width) - 130, 76)) * deep
    corner = min(_ROUND, gauge.sea)
    edge = f"a{corner:g} {corner:g} 0 0 1 {corner:g}"
    sea = f"M{corner:g} 0H{width - corner:g}{edge} {corner:g}V{gauge.sea:g}H0V{corner:g}{edge}-{corner:g}Z"
    return (
        rect(0, 0, width, gauge.height, "chalk", _ROUND)
        + path(sea, "sea")
        + path(waves, "wave") * deep
        + rect(0, gauge.roof, width, gauge.cell + 6, "bore")
    )


def _coast(route: DrawnRoute, x: float, width: float, gauge: Gauge) -> str:
    """The land that a route starts from, with the machine until it has bored a token."""
    british = route.side == "britain"
    edge = x + width if british else x
    out = 26 if british else -26  # the beach reaches into the sea
    land = (
        f"M{x if british else x + width:g} 8H{edge:g}L{edge + out:g} {gauge.sea:g}V{gauge.roof:g}"
        f"H{x if british else x + width:g}Z"
    )
    name = text(x + width / 2, gauge.name, title(route.side), "b-m")
    start = machine(x + width / 2, gauge.middle, route.side) if route.tbm == 0 else ""
    rails = path(f"M{x:g} {gauge.middle + 19:g}h{width:g}", "rail")
    return path(land, "coast") + name + rails + start


def _cell(route: DrawnRoute, index: int, width: float, gauge: Gauge) -> str:
    place, middle = route.places[index], width / 2
    parts = [rect(1, gauge.top, width - 2, gauge.cell, "bore" if place.bored else "slot", 5)]
    if place.bored:
        parts.append(path(f"M0 {gauge.middle + 19:g}h{width:g}", "rail"))
        if index == route.tbm - 1:
            parts.append(machine(middle, gauge.middle, route.side))
    elif place.face_up and place.colour:
        parts.append(stone(middle, gauge.middle, place.colour, place.symbol))
    else:
        parts.append(hidden_stone(middle, gauge.middle, place.colour, place.symbol))
    letters = "".join(side[0].upper() for side in place.looked)
    beside = 5.5 * len(letters) if gauge.looked == gauge.number else 0
    parts.append(text(middle - beside, gauge.number, str(index), "s-m"))
    if beside:
        parts.append(text(middle - beside + 7, gauge.looked, letters, "b"))
    elif letters:
        parts += _looks(letters, middle, gauge)
    return "".join(parts)


def _looks(letters: str, middle: float, gauge: Gauge) -> list[str]:
    """The sides that looked at a face-down token: an eye and their letters, below the space."""
    left = middle - 4.5 * len(letters)
    return [eye(left, gauge.looked - 4), text(left + 11, gauge.looked, letters, "b")]


def _in_words(place: Place) -> str:
    if place.bored:
        return "bored"
    symbol = " with the agenda symbol" if place.symbol else ""
    looked = "".join(f", {title(side)} has looked" for side in place.looked)
    if place.face_up:
        return f"{place.colour} rubble{symbol}"
    known = f" ({place.colour}{symbol})" if place.colour else ""
    return f"face down{known}{looked}"
