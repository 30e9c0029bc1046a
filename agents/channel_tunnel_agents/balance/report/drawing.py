"""matplotlib charts as SVG that takes its colours from the page, light or dark."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter, MaxNLocator
from numpy.typing import ArrayLike

from channel_tunnel_agents.balance.empirical.verdict import FAIR
from channel_tunnel_agents.balance.players.training import in_short
from channel_tunnel_agents.balance.report.numbers import Number

# Placeholders: each is replaced by a variable of the page's style sheet.
_NAMES = ("ink", "muted", "grid", "seat-1", "seat-2", "neutral", "stress", "first", "second", "paper")
_VARIABLES = {f"#0b000{place:x}": name for place, name in enumerate(_NAMES, 1)}
# FIRST and SECOND are not tied to a seat: for parts of a whole.
INK, MUTED, GRID, FIRST_SEAT, SECOND_SEAT, NEUTRAL, STRESS, FIRST, SECOND, PAPER = _VARIABLES
SEAT_COLOURS = (FIRST_SEAT, SECOND_SEAT)
SEAT_MARKERS = ("s", "o")
"""A square and a circle, for readers who cannot distinguish the colours."""
WIDTH = 3.7  # inches: on a phone a point is 1.36 pixels, so that the smallest words have 12
MOST_TICKS = 6
ROW = 0.235  # inches per row with a name
LINE = 0.2  # inches per line of a legend
HALF_A_LINE = 22  # letters beside each other in a legend of two columns

_STYLE: Any = {
    "svg.fonttype": "none",
    "text.parse_math": False,  # so that a dollar sign in a name is literal
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "legend.frameon": False,
    "legend.fontsize": 9,
    "hatch.linewidth": 0.6,
    "hatch.color": GRID,
}


def draw(key: str, paint: Callable[[Axes], object], height: float = 2.6) -> str:
    """A chart as SVG markup.

    Args:
        key: one word, unique on the page.
        paint: draws on the axes.
        height: in inches.
    """
    with mpl.rc_context({**_STYLE, "svg.hashsalt": key}):  # reproducible, with other ids than those of other charts
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        paint(figure.subplots())
        _shorten_names(figure)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return _fit_to_page(text.getvalue(), key)


def _shorten_names(figure: Figure) -> None:
    """A trained policy's whole name would leave no room for the drawing."""
    for axis in figure.axes:
        for ticks in (axis.xaxis, axis.yaxis):
            labels = [label.get_text() for label in ticks.get_ticklabels()]
            if [*map(in_short, labels)] != labels:
                ticks.set_ticklabels([*map(in_short, labels)])
    for text in figure.findobj(Text):
        text.set_text(in_short(text.get_text()))


def _fit_to_page(svg: str, key: str) -> str:
    """Strip prologue, metadata and namespaces; make ids unique on the page and colours
    variables."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\sxmlns(:xlink)?="[^"]*"', "", svg).replace("xlink:href", "href")
    svg = re.sub(r' (width|height)="[\d.]+pt"', "", svg, count=2)
    used = set(re.findall(r"#([\w-]+)\)?", svg))
    svg = re.sub(r' id="([^"]+)"', lambda m: f' id="{key}-{m[1]}"' if m[1] in used else "", svg)
    svg = re.sub(r'(href="|url\()#', rf"\1#{key}-", svg)
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, f"var(--{variable})")
    svg = re.sub(r"-?\d+\.\d{3,}", lambda m: f"{float(m[0]):.2f}", svg)
    return svg.replace("<svg ", '<svg role="img" ', 1)


def per_cent(axis: Axes, x: bool = True) -> None:
    """An axis of shares, 0..1."""
    line = axis.xaxis if x else axis.yaxis
    line.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.4g} %"))
    line.set_major_locator(MaxNLocator(MOST_TICKS))


def seats_axis(axis: Axes, even: float, numbers: list[Number]) -> None:
    """An axis of seats' shares about an even one, with the band of what is fair; as wide as these numbers need."""
    axis.axvspan(even - FAIR, even + FAIR, color=GRID, lw=0)
    axis.axvline(even, color=MUTED, lw=0.8)
    reach = max([0.05, *(abs(end - even) for number in numbers for end in (number.low, number.high))]) * 1.1
    axis.set_xlim(max(0.0, even - reach), min(1.0, even + reach))
    per_cent(axis)


def whole_numbers(axis: Axes) -> None:
    """A horizontal axis of rounds or turns."""
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))


def percentage_points(axis: Axes) -> None:
    """A horizontal axis of changes of a share, with sign."""
    axis.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:+.0f}" if x else "0"))
    axis.set_xlabel("percentage points of the chance to win", loc="right")


def forest(
    axis: Axes,
    names: list[str],
    numbers: list[Number],
    colours: list[str] | None = None,
    markers: list[str] | None = None,
) -> None:
    """One row each: the value as a marker on its interval; the first on top, no marker if too
    few."""
    places = np.arange(len(names))[::-1]
    for i, (place, number) in enumerate(zip(places, numbers, strict=True)):
        if not number.shown:
            axis.text(0.5, place, "too few games", transform=axis.get_yaxis_transform(), va="center")
            continue
        colour = colours[i] if colours else INK
        axis.plot([number.low, number.high], [place, place], color=colour, lw=1.6)
        marker = markers[i] if markers else "o"
        axis.plot([number.value], [place], marker=marker, color=colour, ms=5, ls="none")
    name_rows(axis, places, names)
    axis.set_ylim(-0.6, len(names) - 0.4)


def name_rows(axis: Axes, places: ArrayLike, names: Sequence[str]) -> None:
    """Names before the rows at these places, with lines for the eye."""
    axis.set_yticks(places, names)
    axis.tick_params(axis="y", length=0)
    axis.grid(axis="x")


def stacked(axis: Axes, names: list[str], parts: dict[str, list[float]], looks: Sequence[tuple[str, str]]) -> None:
    """Horizontal bars, one per name, the first on top; parts are stacked, negative ones to the left.

    Args:
        looks: colour and hatch of each part; "" for no hatch.
    """
    places = np.arange(len(names))[::-1]
    right, left = np.zeros(len(names)), np.zeros(len(names))
    for (label, values), (colour, hatch) in zip(parts.items(), looks, strict=True):
        widths = np.asarray(values, np.float64)
        start = np.where(widths >= 0, right, left)
        axis.barh(
            places,
            widths,
            left=start,
            height=0.66,
            color=colour,
            hatch=hatch,
            edgecolor=GRID,
            linewidth=0.6,
            label=label,
        )
        right += np.maximum(widths, 0)
        left += np.minimum(widths, 0)
    name_rows(axis, places, names)


def legend_above(axis: Axes) -> None:
    """A legend above the axes, so that it covers nothing and leaves them their width."""
    handles, labels = axis.get_legend_handles_labels()
    columns = 2 if max(map(len, labels)) <= HALF_A_LINE else 1
    figure = axis.get_figure(root=True)
    assert figure is not None
    figure.set_figheight(figure.get_figheight() + LINE * (-(-len(labels) // columns) - -(-len(labels) // 2)))
    figure.legend(handles, labels, loc="outside upper left", ncols=columns, handlelength=1.4)
