"""The parts of a report: sections of tables, charts and sentences, and the data behind each."""

from __future__ import annotations

import base64
import csv
import io
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from channel_tunnel_agents.balance.report.numbers import Number

Cell = Number | str | int | float | None
Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Data:
    """Columns and rows, as downloaded. A `Number` fills four columns."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def flat(self) -> tuple[list[str], list[list[Any]]]:
        """Columns and rows of plain values; unknown values are None."""
        spread = [
            any(isinstance(row[i], Number) for row in self.rows) for i in range(len(self.columns))
        ]
        heads = [
            head
            for column, wide in zip(self.columns, spread, strict=True)
            for head in (
                (column, f"{column}: low", f"{column}: high", f"{column}: n") if wide else (column,)
            )
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
        writer.writerow(columns)
        writer.writerows(rows)
        return data_uri(text.getvalue(), "text/csv")


def _flat_row(row: Sequence[Cell], spread: Sequence[bool]) -> Iterator[Any]:
    for cell, wide in zip(row, spread, strict=True):
        if isinstance(cell, Number):
            yield from (_known(cell.value), _known(cell.low), _known(cell.high), cell.n)
        elif wide:
            yield from (cell, None, None, None)
        else:
            yield _known(cell)


def _known(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


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
    """

    kind: ClassVar[str] = "table"
    key: str
    title: str
    data: Data
    reading: str = ""
    names: int = 1
    folded: bool = False


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
    """Sentences or a list of names."""

    kind: ClassVar[str] = "words"
    lines: tuple[str, ...]
    title: str = ""


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


Item = Table | Chart | Words | Tree


@dataclass(frozen=True)
class Section:
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
            if isinstance(item, Table | Chart | Tree)
        }
        words = [line for item in self.items if isinstance(item, Words) for line in item.lines]
        return found | {"notes": words, "data": data}


@dataclass(frozen=True)
class Verdict:
    """The answer in five sentences.

    Attributes:
        answer: "yes", "no", "not settled" or "too few games".
        question: what was asked.
        sentences: five.
        figures: every number in the sentences, by name, in the units of the sentences.
    """

    question: str
    answer: str
    sentences: tuple[str, ...]
    figures: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Page:
    """The whole report."""

    title: str
    verdict: Verdict
    sections: tuple[Section, ...]
    small_print: tuple[str, ...] = ()
    warning: str = ""  # shown before the verdict
