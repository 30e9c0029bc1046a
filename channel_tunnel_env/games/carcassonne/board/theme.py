"""Colours of the table, light and dark. Seats and tokens carry a letter or number beside their colour."""

from __future__ import annotations

from functools import cache

from channel_tunnel_env.drawing import svg
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
    "grass": ("#b2cd88", "#41593a"),
    "seam": ("#94b06b", "#33482b"),
    "blade": ("#93b46a", "#577349"),
    "tree": ("#82a75d", "#33492c"),
    "leaf": ("#98bb72", "#4c6a40"),
    "acre": ("#c3cd92", "#4f5b37"),
    "row": ("#a7b277", "#647045"),
    "city": ("#e2c79f", "#72593a"),
    "wall": ("#7a5a3c", "#c9a67d"),
    "merlon": ("#efe0c2", "#55422b"),
    "roof": ("#c9946f", "#a77c5c"),
    "shade": ("#b27d5b", "#8a5f45"),
    "road": ("#fbf6e8", "#c6bfad"),
    "kerb": ("#8d8069", "#2a2620"),
    "rut": ("#e2d8bf", "#a69e8b"),
    "stone": ("#9a9083", "#8b8376"),
    "mound": ("#7f9a5c", "#2c3f27"),
    "slate": ("#66727f", "#566270"),
    "bore": ("#2b2723", "#0b0c0e"),
    "house": ("#f6eed9", "#c9bda2"),
    "light": ("#ffe45c", "#ffdf4d"),
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
# Whose half tunnel waits: the dashes of its ring, by seat, beside the seat's colour.
_RINGS = ("none", "9 4", "3 3", "14 3 3 3", "5 8", "20 6")
assert len(_SEATS) == len(_RINGS) == c.MAX_SEATS and tuple(_TOKENS) == c.TOKEN_COLOURS

_SHAPES = {
    "page": "fill:{page}",
    "panel": "fill:{panel};stroke:{edge}",
    "table": "fill:{table};stroke:{edge}",
    "grass": "fill:{grass};stroke:{seam};stroke-width:1",
    "blade": "fill:none;stroke:{blade};stroke-width:1.1",
    "tree": "fill:{tree}",
    "leaf": "fill:{leaf}",
    "acre": "fill:{acre}",
    "furrow": "fill:none;stroke:{row};stroke-width:1.5",
    "city": "fill:{city}",
    "wall": "fill:none;stroke:{wall};stroke-width:6",
    "merlon": "fill:none;stroke:{merlon};stroke-width:2.6;stroke-dasharray:3 2.5",
    "tower": "fill:{merlon};stroke:{wall};stroke-width:2",
    "roof": "fill:{roof}",
    "shade": "fill:{shade}",
    "kerb": "fill:none;stroke:{kerb};stroke-width:13;stroke-dasharray:5.2 1.1",
    "road": "fill:none;stroke:{road};stroke-width:9.5",
    "rut": "fill:none;stroke:{rut};stroke-width:1.6;stroke-dasharray:5 3 2 3",
    "village": "fill:{road};stroke:{kerb};stroke-width:2",
    "close": "fill:{leaf};stroke:{kerb};stroke-width:2;stroke-dasharray:4 1.5",
    "house": "fill:{house};stroke:{wall};stroke-width:1.5",
    "slate": "fill:{slate}",
    "cross": "fill:none;stroke:{ink};stroke-width:2.4",
    "mound": "fill:{mound}",
    "stone": "fill:{stone};stroke:{bore};stroke-width:1.5",
    "bore": "fill:{bore}",
    "shield": "fill:#1d3f73;stroke:#ffffff;stroke-width:2",
    "shield-x": "fill:none;stroke:#ffffff;stroke-width:2.5",
    "start": "fill:none;stroke:{ink};stroke-width:3.4",
    "compass": "fill:{ink};stroke:{panel};stroke-width:1",
    "linked-edge": "fill:none;stroke:{page};stroke-width:5;stroke-opacity:.55",
    "linked": "fill:none;stroke:{ink};stroke-width:3;stroke-dasharray:3 7;stroke-linecap:round",
    "waiting": "fill:none;stroke:{panel};stroke-width:8",
    "lit-area": "fill:{light};fill-opacity:.45",
    "lit-wall": "fill:none;stroke:{light};stroke-width:7",
    "lit-close": "fill:{light};fill-opacity:.45;stroke:{light};stroke-width:7",
    "lit-road": "fill:none;stroke:{light};stroke-width:13;stroke-opacity:.75",
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
    "place": (12, "normal", "soft"),
}


@cache
def stylesheet(theme: str, used: frozenset[str] | None = None) -> str:
    """The style rules of a theme, scoped to the picture's own class; of the classes that are used, None: of all."""

    def styles(shade: str) -> dict[str, str]:
        found = _styles(shade)
        return found if used is None else {k: v for k, v in found.items() if k in used}

    return svg.stylesheet(SCOPE, theme, styles)


def _styles(theme: str) -> dict[str, str]:
    """Declarations of every class in "light" or "dark"."""
    shade = svg.THEMES.index(theme)
    colours = {name: pair[shade] for name, pair in _PALETTE.items()}
    styles = {name: body.format(**colours) for name, body in _SHAPES.items()}
    pieces = {f"seat{seat}": pair for seat, pair in enumerate(_SEATS)}
    for name, (fill, figure) in (pieces | {f"token-{k}": v for k, v in _TOKENS.items()}).items():
        styles[name] = f"fill:{fill};stroke:{figure};stroke-width:1.6"
        styles[f"{name}-t"] = f"font-size:15px;font-weight:bold;text-anchor:middle;fill:{figure}"
    for seat, (fill, figure) in enumerate(_SEATS):
        styles[f"waiting{seat}"] = f"fill:none;stroke:{fill};stroke-width:5;stroke-dasharray:{_RINGS[seat]}"
        styles[f"owner{seat}"] = f"fill:{fill};stroke:{figure};stroke-width:1.6"
    return styles | svg.text_styles(_TEXT, colours)


@cache
def solid_colours(theme: str) -> tuple[tuple[int, int, int], ...]:
    """The colours that fill large areas in "light" or "dark", as red, green, blue."""
    shade = svg.THEMES.index(theme)
    codes = [pair[shade] for pair in _PALETTE.values()]
    codes += [fill for fill, _ in (*_SEATS, *_TOKENS.values())]
    return svg.colours_in(codes)
