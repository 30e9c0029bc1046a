"""Pieces of SVG text: shapes with a class, text, groups.

Every shape takes its colours from a class of the theme. All text is escaped here, and only here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from html import escape as _escape_markup

# Characters that XML 1.0 does not allow, even escaped.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(text: str) -> str:
    """Text escaped for use between tags and in quoted attributes."""
    if text.isalnum() and text.isascii():
        return text
    return _escape_markup(_NOT_XML.sub("\ufffd", text))


def rect(x: float, y: float, width: float, height: float, style: str, radius: float = 0) -> str:
    """A rectangle, with rounded corners if `radius` is given."""
    corner = f' rx="{radius:g}"' if radius else ""
    return f'<rect class="{style}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{corner}/>'


def panel(x: float, y: float, width: float, height: float) -> str:
    """A background for other things; its edge stays within the box."""
    return rect(x + 0.5, y + 0.5, width - 1, height - 1, "panel", 10)


def circle(x: float, y: float, radius: float, style: str) -> str:
    """A circle by its centre."""
    return f'<circle class="{style}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'


def path(d: str, style: str, x: float = 0, y: float = 0) -> str:
    """A path, moved by x and y."""
    move = f' transform="translate({x:g} {y:g})"' if x or y else ""
    return f'<path class="{style}" d="{d}"{move}/>'


def text(x: float, y: float, content: str, style: str) -> str:
    """A line of text; x is its left, middle or right depending on the class, y its baseline."""
    return f'<text class="{style}" x="{x:g}" y="{y:g}">{escape(content)}</text>'


def group(content: str, x: float = 0, y: float = 0) -> str:
    """Shapes moved together."""
    move = f' transform="translate({x:g} {y:g})"' if x or y else ""
    return f"<g{move}>{content}</g>"


def target(name: str, rule: str, label: str, content: str, x: float = 0, y: float = 0) -> str:
    """Something to click, tap or ask about.

    Args:
        name: its name in a page, such as "route:france:3".
        rule: key of the rule that explains it.
        label: a description in words, for screen readers.
    """
    move = f' transform="translate({x:g} {y:g})"' if x or y else ""
    return (
        f'<g class="target" data-target="{escape(name)}" data-rule="{escape(rule)}" '
        f'aria-label="{escape(label)}"{move}>{content}</g>'
    )


# --- text widths, so that text can be cut or wrapped to fit before anything is drawn --------------
# Advance widths of DejaVu Sans, in units of 1/2048 em, read from the font that the pictures use.


UNITS_PER_EM = 2048
FIRST_CHARACTER = 32
OTHER_WIDTH = 1500  # a character outside ASCII
ELLIPSIS = "…"

# fmt: off
_REGULAR = (
    651, 821, 942, 1716, 1303, 1946, 1597, 563, 799, 799, 1024, 1716, 651, 739, 651, 690, 1303, 1303,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690, 690, 1716, 1716, 1716, 1087, 2048, 1401, 1405,
    1430, 1577, 1294, 1178, 1587, 1540, 604, 604, 1343, 1141, 1767, 1532, 1612, 1235, 1612, 1423, 1300,
    1251, 1499, 1401, 2025, 1403, 1251, 1403, 799, 690, 799, 1716, 1024, 1024, 1255, 1300, 1126, 1300,
    1260, 721, 1300, 1298, 569, 569, 1186, 569, 1995, 1298, 1253, 1300, 1300, 842, 1067, 803, 1298, 1212,
    1675, 1212, 1212, 1075, 1303, 690, 1303, 1716,
)
_BOLD = (
    713, 934, 1067, 1716, 1425, 2052, 1786, 627, 936, 936, 1071, 1716, 778, 850, 778, 748, 1425, 1425,
    1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 819, 819, 1716, 1716, 1716, 1188, 2048, 1585, 1561,
    1503, 1700, 1399, 1399, 1681, 1714, 762, 762, 1587, 1305, 2038, 1714, 1741, 1501, 1741, 1577, 1475,
    1397, 1663, 1585, 2259, 1579, 1483, 1485, 936, 748, 936, 1716, 1024, 1024, 1382, 1466, 1214, 1466,
    1389, 891, 1466, 1458, 702, 702, 1362, 702, 2134, 1458, 1407, 1466, 1466, 1010, 1219, 979, 1458, 1335,
    1892, 1321, 1335, 1192, 1458, 748, 1458, 1716,
)
# fmt: on


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """Width of a line of text, in the units of `size`."""
    widths = _BOLD if bold else _REGULAR
    total = 0
    for character in text:
        at = ord(character) - FIRST_CHARACTER
        total += widths[at] if 0 <= at < len(widths) else OTHER_WIDTH
    return total * size / UNITS_PER_EM


@lru_cache(maxsize=4096)
def fit(text: str, width: float, size: float, bold: bool = False) -> str:
    """`text`, cut with an ellipsis if it is wider than `width`."""
    if text_width(text, size, bold) <= width:
        return text
    kept = text
    while kept and text_width(kept + ELLIPSIS, size, bold) > width:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS


@lru_cache(maxsize=4096)
def wrap(text: str, width: float, size: float, lines: int, bold: bool = False) -> tuple[str, ...]:
    """`text` wrapped between words into at most `lines` lines; the last one is cut if needed."""
    found: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and len(found) < lines - 1 and text_width(longer, size, bold) > width:
            found.append(line)
            line = word
        else:
            line = longer
    found.append(line)
    return tuple(fit(each, width, size, bold) for each in found)


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


def check_picture(theme: str, width: int | None) -> None:
    """Reject what cannot be drawn.

    Raises:
        ValueError: an unknown theme, or a width below 1.
    """
    if theme not in THEMES:
        raise ValueError(f"theme {theme!r}: allowed: {', '.join(THEMES)}")
    if width is not None and width < 1:
        raise ValueError(f"width {width}: a picture must be at least one pixel wide")


def inline_picture(name: str, label: str, box: tuple[float, float, float, float], shapes: str) -> str:
    """Shapes as SVG for the inside of a page that holds the sheet; it needs no namespace there.

    Args:
        name: the class that the sheet is scoped to.
        label: the picture in words, for screen readers.
        box: left, top, width and height of what is shown.
    """
    view = " ".join(f"{number:g}" for number in box)
    return f'<svg class="{name}" viewBox="{view}" font-family=\'{FONT}\' role="img" aria-label="{escape(label)}">{shapes}</svg>'


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
