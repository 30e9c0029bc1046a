"""Colours of the table, light and dark. Seats and tokens carry a letter or number beside their colour."""

from __future__ import annotations

from functools import cache

from channel_tunnel_env.drawing import style
from channel_tunnel_env.games.carcassonne.engine import constants as c

SCOPE = "cc"

# name -> (light, dark)
_PALETTE = {
    "page": ("#f3efe6", "#14181e"),
    "panel": ("#fffdf8", "#1f252e"),
    "edge": ("#cdc5b4", "#3d4756"),
    "ink": ("#1e232c", "#eef1f5"),
    "soft": ("#565d69", "#aab4c2"),
    "table": ("#e4dccb", "#1a2028"),
    "last": ("#7b2fbf", "#c79bff"),
    "grass": ("#a9c77d", "#46603a"),
    "seam": ("#86a45c", "#33482b"),
    "city": ("#d9b382", "#8a6a45"),
    "wall": ("#7a5230", "#d8b48a"),
    "roof": ("#b5563c", "#b5694f"),
    "road": ("#fbf6e8", "#cfc8b6"),
    "kerb": ("#7d7361", "#2a2620"),
    "stone": ("#8f8577", "#6f675c"),
    "bore": ("#2b2723", "#0b0c0e"),
    "house": ("#f4ead2", "#c9bda2"),
}
# Okabe and Ito's colours for colour-blind readers: fill, figure on it.
_SEATS = (
    ("#0072b2", "#ffffff"),
    ("#d55e00", "#ffffff"),
    ("#e8e4da", "#1e232c"),
    ("#cc79a7", "#1e232c"),
    ("#f0e442", "#1e232c"),
    ("#26292e", "#ffffff"),
)
_TOKENS = {
    "blue": ("#56b4e9", "#08263b"),
    "yellow": ("#f4dc4a", "#2e2700"),
    "grey": ("#a7abb3", "#1e232c"),
    "green": ("#3aa76d", "#06220f"),
    "red": ("#d9534f", "#2b0200"),
    "black": ("#2c2c2e", "#ffffff"),
}
assert len(_SEATS) == c.MAX_SEATS and tuple(_TOKENS) == c.TOKEN_COLOURS

_SHAPES = {
    "page": "fill:{page}",
    "panel": "fill:{panel};stroke:{edge}",
    "table": "fill:{table};stroke:{edge}",
    "grass": "fill:{grass};stroke:{seam};stroke-width:1",
    "city": "fill:{city}",
    "wall": "fill:none;stroke:{wall};stroke-width:4;stroke-linecap:round",
    "roof": "fill:{roof};stroke:{wall};stroke-width:1",
    "kerb": "fill:none;stroke:{kerb};stroke-width:13",
    "road": "fill:none;stroke:{road};stroke-width:9",
    "village": "fill:{house};stroke:{kerb};stroke-width:2",
    "house": "fill:{house};stroke:{wall};stroke-width:2",
    "stone": "fill:{stone};stroke:{bore};stroke-width:1.5",
    "bore": "fill:{bore}",
    "shield": "fill:#1d3f73;stroke:#ffffff;stroke-width:2",
    "shield-x": "fill:none;stroke:#ffffff;stroke-width:2.5",
    "linked": "fill:none;stroke:{ink};stroke-width:3;stroke-dasharray:3 7;stroke-linecap:round",
    "ghost": "fill:{panel};fill-opacity:.55;stroke:{soft};stroke-width:2;stroke-dasharray:7 5",
    "chosen": "fill:none;stroke:{last};stroke-width:5;stroke-dasharray:9 5",
    "last": "fill:none;stroke:{last};stroke-width:5",
    "lying": "fill:none;stroke:{ink};stroke-width:1.6;stroke-dasharray:3 2",
    "now": "fill:none;stroke:{ink};stroke-width:2.5",
    "hit": "fill:none;pointer-events:all",
}
# Text: class -> (size, weight, colour).
_TEXT: dict[str, tuple[float, str, str]] = {
    "h1": (21, "bold", "ink"),
    "h2": (17, "bold", "ink"),
    "b": (14, "bold", "ink"),
    "n": (14, "normal", "ink"),
    "s": (13, "normal", "soft"),
}


@cache
def stylesheet(theme: str) -> str:
    """The style rules of a theme, scoped to the picture's own class."""
    return style.stylesheet(SCOPE, theme, _styles)


def _styles(theme: str) -> dict[str, str]:
    """Declarations of every class in "light" or "dark"."""
    shade = style.THEMES.index(theme)
    colours = {name: pair[shade] for name, pair in _PALETTE.items()}
    styles = {name: body.format(**colours) for name, body in _SHAPES.items()}
    pieces = {f"seat{seat}": pair for seat, pair in enumerate(_SEATS)}
    for name, (fill, figure) in (pieces | {f"token-{k}": v for k, v in _TOKENS.items()}).items():
        styles[name] = f"fill:{fill};stroke:{figure};stroke-width:1.6"
        styles[f"{name}-t"] = f"font-size:15px;font-weight:bold;text-anchor:middle;fill:{figure}"
    return styles | style.text_styles(_TEXT, colours)


@cache
def solid_colours(theme: str) -> tuple[tuple[int, int, int], ...]:
    """The colours that fill large areas in "light" or "dark", as red, green, blue."""
    shade = style.THEMES.index(theme)
    codes = [pair[shade] for pair in _PALETTE.values()]
    codes += [fill for fill, _ in (*_SEATS, *_TOKENS.values())]
    return style.colours_in(codes)
