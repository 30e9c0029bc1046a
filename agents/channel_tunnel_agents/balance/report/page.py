"""The parts of a report: sections of tables, charts and sentences, and the data behind each."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, ClassVar, TypeVar

from channel_tunnel_agents.balance.players.training import in_short
from channel_tunnel_agents.balance.report.numbers import Number, known
from channel_tunnel_agents.balance.report.plain.parts import PlainAnswer

Cell = Number | str | int | float | None
Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Data:
    """Columns and rows, as downloaded. A `Number` fills four columns."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def flat(self) -> tuple[list[str], list[list[Any]]]:
        """Columns and rows of plain values; unknown values are None."""
        spread = [any(isinstance(row[i], Number) for row in self.rows) for i in range(len(self.columns))]
        heads = [
            head
            for column, wide in zip(self.columns, spread, strict=True)
            for head in ((column, f"{column}: low", f"{column}: high", f"{column}: n") if wide else (column,))
        ]
        return heads, [list(_flat_row(row, spread)) for row in self.rows]

    def to_dict(self) -> dict[str, Any]:
        """JSON-serialisable."""
        columns, rows = self.flat()
        return {"columns": columns, "rows": rows}

    @property
    def csv_uri(self) -> str:
        """The data as CSV, in a link that needs no network."""
        text = io.StringIO()
        columns, rows = self.flat()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows(map(_safe, row) for row in (columns, *rows))
        return data_uri(text.getvalue(), "text/csv")


def _safe(cell: Any) -> Any:
    """A cell on one line that no spreadsheet takes for a formula: before its words stands an apostrophe."""
    if not isinstance(cell, str):
        return cell
    line = " ".join(cell.splitlines())
    return f"'{line}" if re.match(r"\s*[=+\-@](?!\d+(\.\d+)?$)", line) else line


def _flat_row(row: Sequence[Cell], spread: Sequence[bool]) -> Iterator[Any]:
    for cell, wide in zip(row, spread, strict=True):
        if isinstance(cell, Number):
            yield from (known(cell.value), known(cell.low), known(cell.high), cell.n)
        elif wide:
            yield from (cell, None, None, None)
        else:
            yield known(cell)


def data_uri(text: str, kind: str) -> str:
    """A file inside a link."""
    return f"data:{kind};charset=utf-8;base64,{base64.b64encode(text.encode()).decode()}"


@dataclass(frozen=True)
class Table:
    """A table that is sorted by clicking a column heading.

    Attributes:
        key: unique on the page; also the name of the downloaded file.
        reading: how to read it, a sentence or two.
        names: number of first columns with words, which are left-aligned.
        folded: shown only on demand, for long tables.
        command: goes on with what it shows; "": there is none.
    """

    kind: ClassVar[str] = "table"
    key: str
    title: str
    data: Data
    reading: str = ""
    names: int = 1
    folded: bool = False
    command: str = ""


@dataclass(frozen=True)
class Download:
    """A file inside the page."""

    label: str
    name: str
    content: dict[str, Any]

    @property
    def uri(self) -> str:
        """The file as a link; one line of JSON."""
        return data_uri(json.dumps(self.content) + "\n", "application/json")


@dataclass(frozen=True)
class Chart:
    """A chart with the numbers it was drawn from.

    Attributes:
        svg: markup that is inserted into the page.
        says: what it shows, in words, for screen readers.
        file: something to download besides the data.
        seat: address at which the browser table shows its game (see `records.at_the_table`).
    """

    kind: ClassVar[str] = "chart"
    key: str
    title: str
    svg: str
    data: Data
    reading: str = ""
    says: str = ""
    file: Download | None = None
    seat: str = ""


@dataclass(frozen=True)
class Words:
    """Sentences or a list of names, and the command that they end with, if any."""

    kind: ClassVar[str] = "words"
    lines: tuple[str, ...]
    title: str = ""
    command: str = ""


@dataclass(frozen=True)
class Branch:
    """A node of a tree, shown as nested lists."""

    label: str
    text: str
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True)
class Tree:
    """Nested lists that open and close."""

    kind: ClassVar[str] = "tree"
    key: str
    title: str
    branches: tuple[Branch, ...]
    data: Data
    reading: str = ""


@dataclass(frozen=True)
class Drawing:
    """A picture with a few lines below it.

    Attributes:
        svg: markup that is inserted into the page.
        wide: shown larger than a playing card.
        seat: as of a `Chart`.
    """

    svg: str
    title: str
    lines: tuple[str, ...] = ()
    wide: bool = False
    seat: str = ""


@dataclass(frozen=True)
class Gallery:
    """Drawings side by side."""

    kind: ClassVar[str] = "gallery"
    key: str
    title: str
    drawings: tuple[Drawing, ...]
    data: Data | None = None
    reading: str = ""


Item = Table | Chart | Words | Tree | Gallery
Shown = tuple[Sequence[str], Sequence[Item]] | str
"""What a section shows: its findings in plain sentences, and its parts; or why it shows nothing."""


@dataclass(frozen=True)
class PageSection:
    """A part of the page.

    Attributes:
        lead: its findings, in plain sentences.
        missing: why it is empty; "" if it is not.
    """

    key: str
    title: str
    lead: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    missing: str = ""

    def to_dict(self) -> dict[str, Any]:
        """JSON-serialisable: sentences, and the data of every table and chart by its key."""
        found: dict[str, Any] = {"title": self.title, "lead": list(self.lead)}
        if self.missing:
            found["missing"] = self.missing
        data = {
            item.key: item.data.to_dict()
            for item in self.items
            if not isinstance(item, Words) and item.data is not None
        }
        words = [line for item in self.items if isinstance(item, Words) for line in item.lines]
        return found | {"notes": words, "data": data}


VERBATIM = frozenset({"command", "content", "style", "svg", "small_print"})
"""Fields in which an agent's name stays as a command takes it, or that hold no words."""
P = TypeVar("P")


def with_short_names(part: P) -> P:
    """A part of a page that calls trained policies "Trained policy 1"; `small_print` keeps their names."""
    found: Any = part
    if isinstance(part, str):
        found = in_short(part)
    elif isinstance(part, tuple):
        found = tuple(map(with_short_names, part))
    elif is_dataclass(part) and not isinstance(part, Number):
        own = {each.name: getattr(part, each.name) for each in fields(part) if each.name not in VERBATIM}
        found = replace(part, **{name: with_short_names(value) for name, value in own.items()})  # type: ignore[type-var]
    return found  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Page:
    """The whole report.

    Attributes:
        plain: the answer in words and pictures.
        sections: all evidence, folded away.
        front: the sections of the first page, around and below the answer.
        about: the ruleset and the number of games, below the title.
        seats: letter and name of the seats, in their order.
        style: style sheet of the drawings.
        standing: what is done and what is still open; "" of a complete page.
    """

    title: str
    plain: PlainAnswer
    sections: tuple[PageSection, ...]
    small_print: tuple[str, ...] = ()
    front: tuple[PageSection, ...] = ()
    about: str = ""
    seats: tuple[tuple[str, str], ...] = ()
    style: str = ""
    standing: str = ""
