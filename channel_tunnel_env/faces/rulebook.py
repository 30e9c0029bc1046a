"""A rulebook as a text with places for figures; every game writes its own.

A section of the source starts with "## KEY: Title"; `{name}` is a figure, "[name]" on a line of its own is a list that a
ruleset's data gives. **Bold** and [links](#key) stay in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

HEADING = re.compile(r"^## (\w+): (.+)$", re.MULTILINE)


def read_sections(
    source: Path,
    values: Mapping[str, object],
    lists: Mapping[str, Callable[[], list[str]]],
    left_out: Collection[str] = (),
    mend: Callable[[str], str] = str,
) -> tuple[dict[str, Any], ...]:
    """The sections: key, title and blocks, each {"text": ...} or {"items": [...]}.

    Args:
        values: every figure by its name; a paragraph or an item that becomes empty is left out.
        lists: the items of every list by its name.
        left_out: keys of sections about what is not in play.
        mend: what becomes of a text once its figures are in it.
    """
    sections = []
    _, *parts = HEADING.split(source.read_text(encoding="utf-8"))
    for key, heading, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if key not in left_out:
            blocks = [_block(part, values, lists, mend) for part in body.strip().split("\n\n")]
            sections.append({"key": key, "title": heading, "blocks": [b for b in blocks if b]})
    return tuple(sections)


def _block(
    part: str, values: Mapping[str, object], lists: Mapping[str, Callable[[], list[str]]], mend: Callable[[str], str]
) -> dict[str, Any]:
    """A paragraph or a list; empty if a figure leaves nothing to say."""
    if part.startswith("[") and part.endswith("]"):
        return {"items": [mend(item) for item in lists[part[1:-1]]()]}
    words = mend(part.format(**values)).strip()
    if not words.startswith("- "):
        return {"text": words} if words else {}
    items = [line[2:].strip() for line in words.splitlines() if line[2:].strip()]
    return {"items": items} if items else {}
