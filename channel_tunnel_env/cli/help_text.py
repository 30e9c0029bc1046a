"""A command's help as plain text: no boxes, no types and defaults that say nothing, filled to the terminal's width."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from itertools import groupby
from typing import Any

MOST = 30  # characters of a name that has its description beside it
WHOLE_WORDS: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
ANSI = re.compile(r"\x1b\[[0-9;]*m")
BOX = re.compile(r"^[│|] ?|\s*[│|]$")
RULE = re.compile(r"[ ╭╰]*[-─]{20,}[╮╯]?")
PLAINER = (
    (re.compile(r"\s*\(default: (?:''|None)?\)"), ""),
    (re.compile(r"\{None\}\|"), ""),
    (re.compile(r"\bSTR\b"), "TEXT"),
)


def plain_help(text: str, width: int) -> str:
    """What tyro prints as a help, without boxes and colours, its paragraphs and descriptions filled again.

    Args:
        text: the help.
        width: most characters of a line.
    """
    lines = unboxed(text)
    parts = [
        part
        for is_list, group in groupby(_in_sections(lines), lambda pair: pair[0])
        for part in (_options if is_list else _paragraphs)([line for _, line in group], width)
    ]
    return "\n".join(line for line, same in groupby(parts) for line in ([line] if not line else same)).strip()


def unboxed(text: str) -> list[str]:
    """The lines of a box without its frame and colours."""
    return [BOX.sub("", ANSI.sub("", line)).rstrip() for line in text.splitlines()]


def _in_sections(lines: list[str]) -> Iterator[tuple[bool, str]]:
    """Each line, with whether it is below the title of a list of options."""
    is_list = False
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        is_list = is_list or RULE.fullmatch(below) is not None
        if not RULE.fullmatch(line):
            yield is_list, line


def _paragraphs(lines: list[str], width: int) -> Iterator[str]:
    """Text; lines that begin with a space, such as those of an example, stay as they are."""
    for is_text, group in groupby(lines, lambda line: bool(line) and not line.startswith(" ")):
        if is_text:
            yield from textwrap.wrap(_said(" ".join(group)), width, **WHOLE_WORDS)
        else:
            yield from (line for line, _ in groupby(group))


def _options(lines: list[str], most: int) -> Iterator[str]:
    """Titles, and below each one entry per option: its name and what it does."""
    for title, entries in _entries(lines):
        width = min(MOST, max((len(name) for name, _ in entries), default=0)) + 2
        yield ""
        yield f"{title}:"
        for name, words in entries:
            filled = textwrap.wrap(_said(words), most - width - 2, **WHOLE_WORDS) or [""]
            if len(name) > MOST:
                yield f"  {name}"
            else:
                yield f"  {name:<{width}}{filled.pop(0)}".rstrip()
            yield from (f"  {'':<{width}}{line}" for line in filled)


def _entries(lines: list[str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Titles (indented by one), names (by two) and descriptions (by more, or beside the name)."""
    title, entries = "", list[tuple[str, str]]()
    for line in filter(None, lines):
        indent = len(line) - len(line.lstrip())
        if indent < 2:
            if title:
                yield title, entries
            title, entries = line.strip(), []
        elif indent == 2:
            name, _, words = line.strip().partition("  ")
            entries.append((_said(name), words.strip()))
        else:
            name, words = entries.pop()
            entries.append((name, f"{words} {line.strip()}".strip()))
    yield title, entries


def _said(text: str) -> str:
    """Without the types and defaults that say nothing."""
    for pattern, better in PLAINER:
        text = pattern.sub(better, text)
    return text
