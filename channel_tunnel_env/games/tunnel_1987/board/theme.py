"""Colours and text styles of the picture, light and dark.

Disc colours follow Okabe and Ito's palette for colour-blind readers (Color Universal Design, 2008) as
far as the game's five colours allow; each also carries its letter.
"""

from __future__ import annotations

from functools import cache

from channel_tunnel_env.drawing import svg

SCOPE = "ct"

# name -> (light, dark)
_PALETTE = {
    "page": ("#f3efe6", "#14181e"),
    "panel": ("#fffdf8", "#1f252e"),
    "sunk": ("#f1ece0", "#161b22"),  # areas let into a panel
    "edge": ("#cdc5b4", "#3d4756"),
    "ink": ("#1e232c", "#eef1f5"),
    "soft": ("#565d69", "#aab4c2"),
    "last": ("#7b2fbf", "#c79bff"),  # where the last decision was taken
    "britain": ("#1f4f82", "#2f6aa6"),
    "france": ("#8c2f4f", "#a8456a"),
    "on_side": ("#ffffff", "#ffffff"),
    "sea": ("#b9dced", "#1d4459"),
    "wave": ("#8ec3dc", "#2d637f"),
    "chalk": ("#e7dfcc", "#37342c"),
    "coast": ("#9db87f", "#44593a"),
    "bore": ("#6b655c", "#0d0f12"),
    "rail": ("#a39b8d", "#4a4f57"),
    "steel": ("#d5d9de", "#9aa3ae"),
    "stone": ("#b8ad98", "#5b564b"),  # the back of a token
    "stone_edge": ("#7d7361", "#8a8373"),
    "reached": ("#dfe5ee", "#2e3a4b"),
    "barrier": ("#3c424d", "#d7dce4"),
    "on_barrier": ("#ffffff", "#14181e"),
    "alarm": ("#b3261e", "#ff8a80"),
    "note": ("#e3eed9", "#2b3b28"),
    "note_edge": ("#6f8f57", "#86a86c"),
}
# colour -> (fill, letter, edge in light, edge in dark)
_DISCS = {
    "blue": ("#56b4e9", "#08263b", "#2c6f97", "#0b1a26"),
    "black": ("#2c2c2e", "#ffffff", "#8d8d93", "#9aa3b2"),
    "orange": ("#e8793a", "#2b1000", "#9c4412", "#2b1000"),
    "yellow": ("#f4dc4a", "#2e2700", "#9a8412", "#2e2700"),
    "white": ("#ffffff", "#26292e", "#6d7480", "#26292e"),
}
# The deviation deck's own colours.
_DEVIATION = {
    "red": ("#c8372d", "#ffffff"),
    "green": ("#2e7d4f", "#ffffff"),
    "yellow": ("#f4dc4a", "#2e2700"),
    "purple": ("#7a4fa3", "#ffffff"),
    "none": ("#e9e9ea", "#26292e"),
}

SMALL = 13.7
"""Size of the smallest text."""
# class -> declarations; {name} is a colour of the palette.
_SHAPES = {
    "page": "fill:{page}",
    "panel": "fill:{panel};stroke:{edge}",
    "slot": "fill:{sunk};stroke:{edge}",
    "box": "fill:{panel};stroke:{edge}",
    "card": "fill:{panel};stroke:{soft};stroke-width:1.5",
    "now": "fill:none;stroke:{ink};stroke-width:2.5",
    "last": "fill:none;stroke:{last};stroke-width:4",
    "lastfill": "fill:{last}",
    "britain": "fill:{britain}",
    "france": "fill:{france}",
    "sea": "fill:{sea}",
    "wave": "fill:none;stroke:{wave};stroke-width:2",
    "chalk": "fill:{chalk}",
    "coast": "fill:{coast}",
    "bore": "fill:{bore}",
    "rail": "fill:none;stroke:{rail};stroke-width:2",
    "steel": "fill:{steel};stroke:{ink}",
    "back": "fill:{stone};stroke:{stone_edge};stroke-width:1.5;stroke-dasharray:4 2",
    "ghost": "fill:none;stroke:{soft};stroke-dasharray:3 3",
    "line": "fill:none;stroke:{edge}",
    "sign": "fill:none;stroke:{ink};stroke-width:1.6",
    "dot": "fill:{ink}",
    "reached": "fill:{reached};stroke:{edge}",
    "gate": "fill:{barrier}",
    "open": "fill:none;stroke:{edge}",
    "alarm": "fill:none;stroke:{alarm};stroke-width:2",
    "lost": "fill:{alarm}",
    "note": "fill:{note};stroke:{note_edge}",
    "pill": "fill:#ffffff",
    "pill-britain": f"font-size:{SMALL}px;font-weight:bold;fill:#1f4f82",
    "pill-france": f"font-size:{SMALL}px;font-weight:bold;fill:#8c2f4f",
    "sign-p": "fill:none;stroke:#1e232c;stroke-width:1.6",  # a sign on white
    "dot-p": "fill:#1e232c",
    "sides-x": "fill:none;stroke:{panel};stroke-width:2.5",
    "hit": "fill:none;pointer-events:all",
    "spent": "fill:{sunk};stroke:{edge};stroke-dasharray:4 3",
    "star": "fill:#ffffff;stroke:#26292e;stroke-width:1.2",
    "fb": "fill:#1d3f73",
    "fr": "fill:#c8252c",
    "fw": "fill:#ffffff",
    "flag": "fill:none;stroke:{ink};stroke-width:1",
    "fx": "fill:none;stroke:#ffffff;stroke-width:4",
    "fy": "fill:none;stroke:#c8252c;stroke-width:2",
}
# Text: class -> (size, weight, colour).
_TEXT: dict[str, tuple[float, str, str]] = {
    "h1": (20, "bold", "ink"),
    "h2": (16, "bold", "ink"),
    "h3": (14, "bold", "ink"),
    "b": (SMALL, "bold", "ink"),
    "n": (SMALL, "normal", "ink"),
    "s": (SMALL, "normal", "soft"),
    "num": (17, "bold", "ink"),
    "side": (17, "bold", "on_side"),
    "sideh": (14, "bold", "on_side"),
    "sides": (SMALL, "bold", "on_side"),
    "gatet": (SMALL, "bold", "on_barrier"),
}


@cache
def stylesheet(theme: str) -> str:
    """The style rules of a theme, scoped to the picture's own class so that no page is affected."""
    return svg.stylesheet(SCOPE, theme, styles_by_class)


@cache
def solid_colours(theme: str) -> tuple[tuple[int, int, int], ...]:
    """Every colour of "light" or "dark" as red, green, blue."""
    return svg.colours_in(styles_by_class(theme).values())


@cache
def styles_by_class(theme: str) -> dict[str, str]:
    """Declarations of every class in "light" or "dark"."""
    shade = svg.THEMES.index(theme)
    colours = {name: pair[shade] for name, pair in _PALETTE.items()}
    styles = {name: body.format(**colours) for name, body in _SHAPES.items()}
    for name, (fill, letter, *edges) in _DISCS.items():
        styles[name] = f"fill:{fill};stroke:{edges[shade]};stroke-width:1.5"
        styles[f"{name}-t"] = f"font-size:{SMALL}px;font-weight:bold;text-anchor:middle;fill:{letter}"
    for name, (fill, letter) in _DEVIATION.items():
        styles[f"dev-{name}"] = f"fill:{fill};stroke:{colours['ink']}"
        styles[f"dev-{name}-t"] = f"font-size:{SMALL}px;font-weight:bold;text-anchor:middle;fill:{letter}"
    return styles | svg.text_styles(_TEXT, colours)
