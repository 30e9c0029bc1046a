"""The whole picture: a head with the powers above the map, a legend below it."""

from __future__ import annotations

from collections.abc import Iterator

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.drawing.svg import check_picture, circle, group, panel, path, rect, text, whole_picture
from channel_tunnel_env.games.eurotunnel.board.geometry import load_geometry
from channel_tunnel_env.games.eurotunnel.board.land import draw_centre, draw_codes, draw_land
from channel_tunnel_env.games.eurotunnel.board.orders import draw_cross, draw_hold, draw_orders
from channel_tunnel_env.games.eurotunnel.board.pieces import draw_frame_of_lost, draw_lost, draw_tunnel, draw_unit
from channel_tunnel_env.games.eurotunnel.board.theme import SCOPE, stylesheet
from channel_tunnel_env.games.eurotunnel.board.view import MapView, Power, Unit, read_view
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.outside.sentences import capital, counted
from channel_tunnel_env.outside.terminal import percent

WIDE = 1200
_MARGIN, _GAP = 20, 10
_HEAD = 40  # height of the title
_TITLE = 46  # characters
_CARD = 54  # height of a power's card


def to_svg(game: Game, viewer: str | int | None = None, theme: str = "light", *, width: int | None = None) -> str:
    """The map as SVG, with the orders of the last movement phase; all positions have pictures of one size.

    Every province is a group of class "target" with its code in data-target.

    Args:
        game: any game.
        viewer: a seat, to draw only what that power knows; None draws everything.
        theme: "light", "dark", or "auto", which follows the reader's system.
        width: in pixels; None lets the picture fill its container on the page.

    Raises:
        ValueError: an unknown viewer or theme, or a width below 1.
    """
    check_picture(theme, width)
    view = read_view(game, viewer)
    units, shapes = _drawn(view)
    return whole_picture(f"{SCOPE}-{theme}", stylesheet(theme), _summary(view), units, width, shapes)


def _summary(view: MapView) -> str:
    centres = ", ".join(f"{power.name.capitalize()} {power.centres}" for power in view.powers)
    return f"{view.title}, {view.when}; supply centres: {centres}; {view.question}"


def _drawn(view: MapView) -> tuple[tuple[int, int], str]:
    """How large the picture is, and its shapes."""
    across, (_, down) = WIDE - 2 * _MARGIN, load_geometry().size
    shapes = text(_MARGIN, 38, _title(view), "h1") + text(WIDE - _MARGIN, 38, view.when, "h1-e")
    y = _MARGIN + _HEAD - 6
    shapes += group(_cards(view, across), _MARGIN, y)
    y += _CARD + _GAP
    shapes += group(draw_map(view), _MARGIN, y)
    y += down + 24
    shapes += group(_legend(across), _MARGIN, y)
    y += 30
    shapes += text(_MARGIN, y, _note(view), "n")
    return (WIDE, y + 18), shapes


def draw_map(view: MapView, draft: str | None = None) -> str:
    """The map and all on it, from the land to the units.

    Args:
        draft: for a page, which has the last orders in a group of their own: what lies above them, and fades them.
    """
    places, orders = load_geometry().units, draw_orders(view)
    return "".join(
        [
            draw_land(view),
            orders if draft is None else _below(orders, draft),
            *(draw_tunnel(tunnel) for tunnel in view.tunnels),
            draw_codes(view),
            *(draw_unit(unit, places[unit.place]) for unit in view.units),
            *(draw_lost(unit, places[unit.place]) for unit in view.lost),
            *(path(EMPTY, "empty", *places[name]) for name in view.left_empty),
            rect(0, 0, *load_geometry().size, "frame"),
        ]
    )


def _below(orders: str, draft: str) -> str:
    written = f'<g class="draft">{draft}</g>' if draft else ""
    return f'<g class="last-orders{" faded" if draft else ""}">{orders}</g>{written}'


EMPTY = "M-7-7L7 7M7-7L-7 7"


def _title(view: MapView) -> str:
    """The ruleset's title, cut off where it would run out of the picture."""
    return view.title if len(view.title) <= _TITLE else view.title[: _TITLE - 1] + "…"


def _note(view: MapView) -> str:
    """What is asked, and whose eyes these are."""
    eyes = f"As {view.viewer.capitalize()} knows it. " if view.viewer else ""
    return eyes + capital(view.question)


def _cards(view: MapView, across: float) -> str:
    step = (across + _GAP) / len(view.powers)
    return "".join(group(_card(view, number, step - _GAP), number * step) for number in range(len(view.powers)))


def _card(view: MapView, number: int, wide: float) -> str:
    """A power's colour and letter, its centres and units."""
    power = view.powers[number]
    shapes = panel(0, 0, wide, _CARD)
    if number == view.asked:
        shapes += rect(1.5, 1.5, wide - 3, _CARD - 3, "now", 9)
    shapes += draw_unit(Unit(number, False, ""), (22, 27)) + text(40, 24, power.name.capitalize(), "b")
    shapes += text(40, 42, figures_of(power), "s")
    shapes += draw_centre(number, (wide - 43, 27))
    return shapes + text(wide - 12, 34, str(power.centres), "num-e")


def figures_of(power: Power) -> str:
    """A power's units, or its share of a finished game."""
    if power.share is not None:
        return f"{percent(power.share)} share"
    if not power.is_alive:
        return "out"
    return counted(power.units, "unit")


def _legend(across: float) -> str:
    """What the signs mean, in a row."""
    step = across / len(_SIGNS)
    return "".join(group(sign + text(38, 4.5, word, "s"), i * step) for i, (word, sign) in enumerate(_SIGNS))


def _line(*styles: str) -> str:
    return "".join(path("M2 0L30 0", style) for style in styles)


def _signs() -> Iterator[tuple[str, str]]:
    """A word and its drawing; in England's colour if a power's colour matters."""
    blue = 1
    small = 'transform="translate(16 0) scale(.72)"'
    yield "army", f"<g {small}>{draw_unit(Unit(blue, False, ''), (0, 0))}</g>"
    yield "fleet", f"<g {small}>{draw_unit(Unit(blue, True, ''), (0, 0))}</g>"
    yield "centre", draw_centre(c.NOBODY, (16, 0))
    yield "move", _line("case", f"move{blue}") + path("M34 0L23-5.5V5.5Z", f"tip{blue}")
    yield "support", _line("thin-case", f"help{blue}") + circle(30, 0, 3.6, f"held{blue}")
    yield "convoy", _line("thin-case", f"ferry{blue}") + circle(30, 0, 3.6, f"held{blue}")
    yield "hold", f"<g {small}>{draw_hold(False, (0, 0))}</g>"
    yield "failed", draw_cross((16, 0))
    yield "dislodged", f"<g {small}>{draw_frame_of_lost((0, 0))}</g>"
    yield "tunnel", _line("bore", f"dug{blue}")
    yield "hidden", _line("thin-case", f"secret{blue}")


_SIGNS = tuple(_signs())


def sign_words() -> str:
    """What the signs mean, in sentences."""
    return (
        "A block is an army, a hull a fleet; a ring is a supply centre, in its owner's colour. Arrows are the last moves; "
        "a broken line is a support, a dotted one a convoy, a cross in a circle an order that failed. An arc from mouth "
        "to mouth is a tunnel, thin while it is hidden."
    )
