"""reference/cli.md: the help of every command."""

from __future__ import annotations

import io
import os
import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from itertools import groupby
from typing import Any
from unittest.mock import patch

from channel_tunnel_env import cli
from channel_tunnel_env.cli.listing import COMMANDS
from pages.markdown import block, page

WIDTH = 100
# A terminal of its own: the same width and no colours, wherever the pages are written.
TERMINAL = {"COLUMNS": str(WIDTH), "LINES": "50", "NO_COLOR": "1", "TERM": "dumb", "PYTHONUTF8": "1"}
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


def command_names() -> list[str]:
    """Every command of `channel-tunnel`, in the order of its list."""
    return list(COMMANDS)


def commands_page() -> str:
    """The help of every command."""
    parts = [part for name in command_names() for part in (f"## {name}", block(help_of(name), "text"))]
    return page(
        "Commands",
        "What `channel-tunnel COMMAND --help` says, for every command, without defaults that are empty. In a checkout `python train.py` is "
        "`channel-tunnel train`, and `python evaluate.py COMMAND` the commands that measure.",
        *parts,
    )


def help_of(*command: str) -> str:
    """What a command prints when it is asked for help, at a width of 100 columns."""
    shown = io.StringIO()
    with _terminal(), redirect_stdout(shown):
        try:
            cli.main([*command, "--help"])
        except SystemExit as ended:
            if ended.code:
                raise
    return _plain(shown.getvalue())


@contextmanager
def _terminal() -> Iterator[None]:
    kept = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "CLICOLOR_FORCE")}
    with patch.dict(os.environ, kept | TERMINAL, clear=True):
        yield


def _plain(text: str) -> str:
    """A help without boxes and colours, its paragraphs and descriptions filled to the width again."""
    lines = [BOX.sub("", ANSI.sub("", line)).rstrip() for line in text.splitlines()]
    parts = [
        part
        for is_list, group in groupby(_in_sections(lines), lambda pair: pair[0])
        for part in (_options if is_list else _paragraphs)([line for _, line in group])
    ]
    return "\n".join(line for line, same in groupby(parts) for line in ([line] if not line else same)).strip()


def _in_sections(lines: list[str]) -> Iterator[tuple[bool, str]]:
    """Each line, with whether it is below the title of a list of options."""
    is_list = False
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        is_list = is_list or RULE.fullmatch(below) is not None
        if not RULE.fullmatch(line):
            yield is_list, line


def _paragraphs(lines: list[str]) -> Iterator[str]:
    """Text; lines that begin with a space, such as those of an example, stay as they are."""
    for is_text, group in groupby(lines, lambda line: bool(line) and not line.startswith(" ")):
        if is_text:
            yield from textwrap.wrap(_said(" ".join(group)), WIDTH, **WHOLE_WORDS)
        else:
            yield from (line for line, _ in groupby(group))


def _options(lines: list[str]) -> Iterator[str]:
    """Titles, and below each one entry per option: its name and what it does."""
    for title, entries in _entries(lines):
        width = min(MOST, max((len(name) for name, _ in entries), default=0)) + 2
        yield ""
        yield f"{title}:"
        for name, words in entries:
            filled = textwrap.wrap(_said(words), WIDTH - width - 2, **WHOLE_WORDS) or [""]
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
