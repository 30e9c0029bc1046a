"""What the pictures of all games have in common: themes, styles by class, the frame of the whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from channel_tunnel_env.drawing.svg import escape, rect

THEMES = ("light", "dark", "auto")
FONT = '"DejaVu Sans", Verdana, sans-serif'
_ANCHORS = {"": "", "-m": ";text-anchor:middle", "-e": ";text-anchor:end"}

Styles = Mapping[str, str]


def stylesheet(scope: str, theme: str, styles: Callable[[str], Styles]) -> str:
    """The style rules of a theme, scoped to the picture's own class so that no page is affected.

    Args:
        scope: of the game, such as "cc"; the picture's class is "cc-light".
        styles: "light" or "dark" -> declarations by class.
    """
    if theme == "auto":
        dark = _sheet(f"{scope}-auto", styles("dark"))
        return f"{_sheet(f'{scope}-auto', styles('light'))}@media (prefers-color-scheme:dark){{{dark}}}"
    return _sheet(f"{scope}-{theme}", styles(theme))


def _sheet(scope: str, styles: Styles) -> str:
    return "".join(f".{scope} .{name}{{{body}}}" for name, body in styles.items())


def text_styles(kinds: Mapping[str, tuple[float, str, str]], colours: Mapping[str, str]) -> dict[str, str]:
    """Declarations of text: class -> (size, weight, colour); "-m" anchors it at the middle, "-e" at the end."""
    return {
        name + anchor: f"font-size:{size:g}px;font-weight:{weight};fill:{colours[colour]}{more}"
        for name, (size, weight, colour) in kinds.items()
        for anchor, more in _ANCHORS.items()
    }


def colours_in(declarations: Iterable[str]) -> tuple[tuple[int, int, int], ...]:
    """Every colour of some declarations, once, as red, green, blue."""
    codes = dict.fromkeys(re.findall("#([0-9a-f]{6})", " ".join(declarations)))
    return tuple((int(code[:2], 16), int(code[2:4], 16), int(code[4:], 16)) for code in codes)


def check_picture(layout: str, layouts: Sequence[str], theme: str, width: int | None) -> None:
    """Reject what cannot be drawn.

    Raises:
        ValueError: an unknown layout or theme, or a width below 1.
    """
    if layout not in layouts:
        raise ValueError(f"layout {layout!r}: allowed: {', '.join(layouts)}")
    if theme not in THEMES:
        raise ValueError(f"theme {theme!r}: allowed: {', '.join(THEMES)}")
    if width is not None and width < 1:
        raise ValueError(f"width {width}: a picture must be at least one pixel wide")


def whole_picture(name: str, sheet: str, label: str, units: tuple[float, float], width: int | None, shapes: str) -> str:
    """Shapes as a whole SVG, on the colour of the page.

    Args:
        name: the class that the sheet is scoped to.
        label: the picture in words, for screen readers.
        units: width and height of the shapes.
        width: in pixels; None lets the picture fill its container on the page.
    """
    across, down = units
    size = "" if width is None else f' width="{width}" height="{round(width * down / across)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}" viewBox="0 0 {across:g} {down:g}"{size} '
        f'font-family=\'{FONT}\' role="group" aria-label="{escape(label)}">'
        f"<style>{sheet}</style>{rect(0, 0, across, down, 'page')}{shapes}</svg>"
    )
