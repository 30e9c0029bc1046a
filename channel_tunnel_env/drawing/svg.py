"""Pieces of SVG text: shapes with a class, text, groups.

Every shape takes its colours from a class of the theme. All text is escaped here, and only here.
"""

from __future__ import annotations

import re
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
