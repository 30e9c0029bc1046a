"""A page as one HTML file that needs no network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from channel_tunnel_agents.balance.report.numbers import FEWEST, TOO_FEW, Number
from channel_tunnel_agents.balance.report.page import Page

FOLDER = Path(__file__).parent / "templates"
_INTERVAL = re.compile(r"(\[[^\[\]]*\d[^\[\]]*\])")
DEEPEST = 45  # per cent; with more, the text would be hard to read
SHADE = 1.2  # how fast a cell of the matrix gains colour, from 50 % on


def render(page: Page) -> str:
    """Render the page; names are escaped, charts are inserted verbatim."""
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"markup": Markup, "sort_value": sort_value, "soften": soften, "shade": shade}
    environment.tests["number"] = lambda cell: isinstance(cell, Number)
    environment.tests["figure"] = lambda cell: isinstance(cell, int | float)
    return environment.get_template("report.html").render(
        page=page,
        style=_file("style.css"),
        plain_style=_file("plain.css"),
        script=_file("page.js"),
        plain_script=_file("plain.js"),
        drawings=Markup(page.style),
        fewest=FEWEST,
        too_few=TOO_FEW,
    )


def _file(name: str) -> Markup:
    return Markup((FOLDER / name).read_text(encoding="utf-8"))


def soften(sentence: str) -> Markup:
    """A sentence with its intervals in smaller print."""
    return Markup(_INTERVAL.sub(r'<span class="interval">\1</span>', str(escape(sentence))))


def sort_value(cell: Any) -> str:
    """The sort key of a cell: a number, or lower-case text."""
    if isinstance(cell, Number):
        return repr(cell.value) if cell.shown else ""
    return "" if cell is None else str(cell).lower()


def shade(cell: Any) -> str:
    """The colour of a matrix cell: the further from 50 %, the deeper."""
    if not isinstance(cell, Number) or not cell.shown:
        return ""
    seat = 1 if cell.value > 0.5 else 2
    depth = min(100 * SHADE * abs(cell.value - 0.5), DEEPEST)
    return f"background: color-mix(in srgb, var(--seat-{seat}) {depth:.0f}%, transparent)"
