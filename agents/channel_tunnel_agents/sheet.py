"""A table of figures, written once and shown twice: on the terminal and in Markdown."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from channel_tunnel_agents.statistics import Estimate, percent_words

SHORT = 14  # characters a column heading may have above narrower figures


@dataclass(frozen=True)
class Sheet:
    """Cells as text; a line break in a cell is kept on the terminal and becomes a space in
    Markdown."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int = 1
    """How many of the first columns hold names: left-aligned, folded if the terminal is narrow."""

    def to_rich(self) -> Group:
        """For the terminal."""
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), pad_edge=False, highlight=False)
        for i, column in enumerate(self.columns):
            if i < self.names:
                table.add_column(column, overflow="fold")
            else:
                table.add_column(self._folded(i), justify="right", no_wrap=True)
        for row in self.rows:
            table.add_row(*(Text(cell) for cell in row))
        return Group("", Text(self.title, style="bold"), "", table)

    def _folded(self, i: int) -> Text:
        """The heading of a column of figures, folded to the width of the figures or of a short heading."""
        width = max([SHORT, *(len(line) for row in self.rows for line in row[i].split("\n"))])
        head = self.columns[i]
        return Text("\n".join(head[j : j + width] for j in range(0, len(head), width)))

    def to_markdown(self) -> str:
        """A heading and a table."""
        lines = [
            f"## {self.title}",
            "",
            _line(self.columns),
            "|" + "---|" * self.names + "---:|" * (len(self.columns) - self.names),
            *(_line(row) for row in self.rows),
        ]
        return "\n".join(lines)


def _line(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("\n", " ").replace("|", "\\|") for cell in cells) + " |"


def rate_cell(rate: Estimate) -> str:
    """A share in per cent, its 95 % interval below."""
    return percent_words(rate, "\n")


def estimate_cell(found: Estimate, unit: str, signed: bool = False) -> str:
    """A value above its interval.

    Args:
        unit: the measure's: a "share" is shown in per cent, any other as it is.
        signed: whether it is a change: with its sign, and that of a share in percentage points.
    """
    if math.isnan(found.value):
        return "none"
    scale, digits, end = (100, 1, " pp" if signed else " %") if unit == "share" else (1, 2, "")
    style = f"{'+' if signed else ''}.{digits}f"
    value, low, high = (f"{scale * x:{style}}" for x in (found.value, found.low, found.high))
    return f"{value}{end}\n[{low}, {high}]"
