"""Colours of the map, light and dark.

The powers' colours follow Okabe and Ito's palette for colour-blind readers; units also carry their power's
letter, and armies and fleets differ in shape.
"""

from __future__ import annotations

from functools import cache

from channel_tunnel_env.drawing import svg
from channel_tunnel_env.drawing.svg import colours_in, text_styles
from channel_tunnel_env.games.eurotunnel.provinces import load_board

SCOPE = "et"

# name -> (light, dark)
_PALETTE = {
    "page": ("#f3efe6", "#14181e"),
    "panel": ("#fffdf8", "#1f252e"),
    "edge": ("#cdc5b4", "#3d4756"),
    "ink": ("#1e232c", "#eef1f5"),
    "soft": ("#565d69", "#aab4c2"),
    "last": ("#7b2fbf", "#c79bff"),
    "sea": ("#e2edf1", "#111f2a"),
    "tide": ("#b3cdd9", "#2a4658"),
    "depth": ("#38637a", "#8fb7cc"),  # names of seas
    "land": ("#f4ecd8", "#3a3931"),
    "border": ("#8c7d62", "#14181e"),
    "waste": ("#d9cfb9", "#26262a"),
    "case": ("#1e232c", "#0b0e12"),  # round lines, so that every colour shows on every ground
    "bore": ("#1d1b19", "#050607"),
    "alarm": ("#b3261e", "#ff8a80"),
}
# power -> (light, dark): colour of its units and lines, letter on it. Their order is the board's.
_POWERS = {
    "AUSTRIA": (("#d55e00", "#ffffff"), ("#e06a10", "#1a0c00")),
    "ENGLAND": (("#0b62a4", "#ffffff"), ("#2f7fc4", "#ffffff")),
    "FRANCE": (("#56b4e9", "#06222f"), ("#6cc0ee", "#06222f")),
    "GERMANY": (("#3b3e45", "#ffffff"), ("#b9bfc9", "#14181e")),
    "ITALY": (("#009e73", "#ffffff"), ("#1fae86", "#04211a")),
    "RUSSIA": (("#cc79a7", "#2b0a1c"), ("#d78bb5", "#2b0a1c")),
    "TURKEY": (("#f0e442", "#2e2700"), ("#f0e442", "#2e2700")),
}
assert tuple(_POWERS) == load_board().powers
_TINT = (0.5, 0.4)  # of a power's colour in its provinces

_SHAPES = {
    "page": "fill:{page}",
    "panel": "fill:{panel};stroke:{edge}",
    "now": "fill:none;stroke:{ink};stroke-width:2.5",
    "sea": "fill:{sea};stroke:{tide};stroke-width:1.2",
    "land": "fill:{land};stroke:{border};stroke-width:1.4;stroke-linejoin:round",
    "waste": "fill:{waste};stroke:{border};stroke-width:1.1;stroke-linejoin:round",
    "frame": "fill:none;stroke:{border};stroke-width:1.5",
    "centre": "fill:{panel};stroke:{ink};stroke-width:1.5",
    "dot": "fill:{panel};stroke:{ink}",
    "case": "fill:none;stroke:{case};stroke-width:5.6;stroke-linecap:round;stroke-opacity:.85",
    "thin-case": "fill:none;stroke:{case};stroke-width:3.6;stroke-linecap:round;stroke-opacity:.55",
    "head": "fill:{case};stroke:{case};stroke-width:2.4;stroke-linejoin:round",
    "stop": "fill:{panel};stroke:{alarm};stroke-width:1.6",
    "cross": "fill:none;stroke:{alarm};stroke-width:2.6;stroke-linecap:round",
    "hold": "fill:none;stroke:{ink};stroke-width:1.6;stroke-dasharray:3 2.4",
    "lost": "fill:none;stroke:{alarm};stroke-width:2.4;stroke-dasharray:4 2.5",
    "empty": "fill:none;stroke:{alarm};stroke-width:2;stroke-linecap:round",
    "bore": "fill:none;stroke:{bore};stroke-width:6.6;stroke-linecap:round",
    "mouth": "fill:{bore};stroke:{panel};stroke-width:1.3",
    "hidden-mouth": "fill:{panel};stroke:{bore};stroke-width:1.6",
}
# With a power's colour: {fill}, {figure} on it, {tint} of its land. The class ends with the power's number.
_OF_POWER = {
    "unit": "fill:{fill};stroke:{case};stroke-width:1.6;stroke-linejoin:round",
    "own": "fill:{tint};stroke:{border};stroke-width:1.4;stroke-linejoin:round",
    "held": "fill:{fill};stroke:{ink};stroke-width:1.5",
    "move": "fill:none;stroke:{fill};stroke-width:3.2;stroke-linecap:round",
    "tip": "fill:{fill}",
    "help": "fill:none;stroke:{fill};stroke-width:2;stroke-dasharray:5 4;stroke-linecap:round",
    "ferry": "fill:none;stroke:{fill};stroke-width:2.6;stroke-dasharray:.1 5;stroke-linecap:round",
    "dug": "fill:none;stroke:{fill};stroke-width:3;stroke-dasharray:9 5",
    "secret": "fill:none;stroke:{fill};stroke-width:2.6;stroke-dasharray:2 4.5",
    "unit-t": "font-size:14px;font-weight:bold;text-anchor:middle;fill:{figure}",
    "owner-t": "font-size:10px;font-weight:bold;text-anchor:middle;fill:{figure}",
}
_TEXT: dict[str, tuple[float, str, str]] = {
    "h1": (22, "bold", "ink"),
    "h2": (17, "bold", "ink"),
    "b": (13, "bold", "ink"),
    "n": (14, "normal", "ink"),
    "s": (12.5, "normal", "soft"),
    "num": (19, "bold", "ink"),
}
# Names on the map, on a halo so that lines do not run through them.
_NAMES: dict[str, tuple[float, str, str, str]] = {
    "code": (12.5, "bold", "ink", "land"),
    "sea-code": (12.5, "bold", "depth", "sea"),
    "sea-name": (11, "normal", "depth", "sea"),
    "coast": (11, "bold", "soft", "land"),
}


@cache
def stylesheet(theme: str) -> str:
    """The style rules of a theme, scoped to the picture's own class."""
    return svg.stylesheet(SCOPE, theme, styles_by_class)


@cache
def solid_colours(theme: str) -> tuple[tuple[int, int, int], ...]:
    """The colours that fill areas in "light" or "dark", as red, green, blue."""
    shade = svg.THEMES.index(theme)
    fills = [pair[shade] for pair in _PALETTE.values()]
    for pairs in _POWERS.values():
        fills += [*pairs[shade], _tint(pairs[shade][0], shade)]
    return colours_in(fills)


def colours_of(theme: str) -> dict[str, str]:
    """The colours of the map by name in "light" or "dark"."""
    shade = svg.THEMES.index(theme)
    return {name: pair[shade] for name, pair in _PALETTE.items()}


@cache
def styles_by_class(theme: str) -> dict[str, str]:
    """Declarations of every class in "light" or "dark"."""
    shade, colours = svg.THEMES.index(theme), colours_of(theme)
    styles = {name: body.format(**colours) for name, body in _SHAPES.items()}
    for number, pairs in enumerate(_POWERS.values()):
        fill, figure = pairs[shade]
        own = colours | {"fill": fill, "figure": figure, "tint": _tint(fill, shade)}
        styles |= {f"{name}{number}": body.format(**own) for name, body in _OF_POWER.items()}
    for name, (size, weight, colour, halo) in _NAMES.items():
        styles[name] = (
            f"font-size:{size:g}px;font-weight:{weight};text-anchor:middle;fill:{colours[colour]};"
            f"stroke:{colours[halo]};stroke-width:2.6;stroke-opacity:.8;stroke-linejoin:round;paint-order:stroke"
        )
    return styles | text_styles(_TEXT, colours)


def _tint(fill: str, shade: int) -> str:
    """A power's colour mixed with that of the land."""
    part, land = _TINT[shade], _PALETTE["land"][shade]
    mixed = [round(part * int(fill[i : i + 2], 16) + (1 - part) * int(land[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{value:02x}" for value in mixed)
