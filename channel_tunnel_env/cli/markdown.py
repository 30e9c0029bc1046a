"""Markdown of the generated pages."""

from __future__ import annotations

NOTE = "<!-- Written by `channel-tunnel docs`; change the code it reads, not this page. -->"


def page(title: str, *parts: str) -> str:
    """A whole page: the note, the title and the parts, separated by empty lines."""
    return "\n\n".join([NOTE, f"# {title}", *parts]) + "\n"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table; bars within cells are escaped."""
    lines = [
        head,
        ["---"] * len(head),
        *[[cell.replace("|", "\\|") for cell in row] for row in rows],
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
