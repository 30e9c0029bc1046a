"""What every command asks tyro: to read its words. Its help is plain text, and a wrong word is one line, as any error.

Nothing of a command runs while its words are read, so what is printed meanwhile is tyro's own.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from inspect import signature
from itertools import groupby
from typing import Any, get_type_hints
from unittest.mock import patch

from channel_tunnel_env.errors import ArgumentsError

WIDTH = 100  # most characters of a line
TERMINAL = {"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}  # as tyro is to see it: what it prints is filled again
GONE = {  # options that documents named, and what answers now
    "--adapt": "compare BASE CHANGED --decisions N or report RULES --verdict trains players for changed rules",
    "--frozen": "name the agent frozen:AGENT",
    "--gate": "channel-tunnel gate RULES TARGETS.yaml answers it",
    "--layout": "every picture is wide; --width sets its pixels",
}
PLAINER = (
    # (what tyro says, in our words)
    (r"Error parsing (\S+): invalid literal for int\(\) with base 10: (.*)", r"\1 \2: a whole number is expected"),
    (r"Error parsing (\S+): could not convert string to float: (.*)", r"\1 \2: a number is expected"),
    (r"invalid choice '(.*)' for argument '(\S+)'\. Expected one of \((.*)\)\.", r"\2 \1: allowed: \3"),
    (r"Missing value for argument '(\S+)'\..*", r"\1: a value is missing"),
    (r"(?s)Missing from [^:]*:\n([^\n]+).*", r"\1 is missing"),
    *(
        (rf"Unrecognized options: (?:.*, )?({option})(?:[=,].*)?", rf"\1 is gone: {instead}")
        for option, instead in GONE.items()
    ),
    (r"Unrecognized options: ([^,]*).*", r"\1: there is no such option here"),
    (r"Error parsing (\S+): (.*)", r"\1: \2"),
)
NEAR = re.compile(r"^(?:Perhaps you meant|Arguments similar to).*:\s*(--[\w-]+)")


def run_asked(command: Callable[..., Any], program: str, words: Sequence[str]) -> Any:
    """Run a command with the arguments that its words name; returns what it returns.

    Raises:
        ArgumentsError: a wrong word.
        SystemExit: the help was asked for, and is printed.
    """
    return asked(_later(command), program, words)()


def asked(kind: Callable[..., Any], program: str, words: Sequence[str], description: str | None = None) -> Any:
    """What a function or data class makes of words.

    Args:
        kind: it only keeps what it is given.
        program: the words before those, as the help repeats them.
        words: the arguments.
        description: of the help; None: the docstring.

    Raises:
        ArgumentsError: a wrong word.
        SystemExit: the help was asked for, and is printed.
    """
    import tyro

    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "CLICOLOR_FORCE")}
    shown, complaint = io.StringIO(), io.StringIO()
    width = min(shutil.get_terminal_size().columns, WIDTH)
    try:
        with patch.dict(os.environ, kept | TERMINAL, clear=True), redirect_stdout(shown), redirect_stderr(complaint):
            return tyro.cli(kind, prog=program, args=[*words], description=description)
    except SystemExit as end:
        if end.code:
            raise ArgumentsError(f"{_in_one_line(complaint.getvalue())}; see {program} --help") from None
        print(plain_help(shown.getvalue(), width))
        raise


def _later(command: Callable[..., Any]) -> Callable[..., Callable[[], Any]]:
    """A function with a command's signature that does not run it yet."""

    def later(*given: Any, **named: Any) -> Callable[[], Any]:
        return partial(command, *given, **named)

    later.__signature__ = signature(command)  # type: ignore[attr-defined]
    later.__annotations__ = {**get_type_hints(command, include_extras=True), "return": Any}
    later.__doc__, later.__name__, later.__module__ = command.__doc__, command.__name__, command.__module__
    return later


def _in_one_line(box: str) -> str:
    """What a box of tyro complains of, with the option that is nearest to an unknown one."""
    parts = [
        "\n".join(line.strip() for line in lines)
        for is_rule, lines in groupby(unboxed(box), lambda line: RULE.fullmatch(line) is not None)
        if not is_rule
    ]
    said = parts[min(1, len(parts) - 1)].strip()  # below the title
    for pattern, better in PLAINER:
        if found := re.fullmatch(pattern, said):
            said = found.expand(better)
            break
    near = next(filter(None, map(NEAR.match, parts)), None)
    said = " ".join(said.split())
    return f"{said}; did you mean {near[1]}?" if near else said


# --- help as plain text: no boxes, no types and defaults that say nothing, filled to the width ----


MOST = 30  # characters of a name that has its description beside it
WHOLE_WORDS: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
ANSI = re.compile(r"\x1b\[[0-9;]*m")
BOX = re.compile(r"^[│|] ?|\s*[│|]$")
RULE = re.compile(r"[ ╭╰]*[-─]{20,}[╮╯]?")
PLAINER_HELP = (
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
    for pattern, better in PLAINER_HELP:
        text = pattern.sub(better, text)
    return text
