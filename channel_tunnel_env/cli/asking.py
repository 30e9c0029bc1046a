"""What every command asks tyro: to read its words. Its help is plain text, and a wrong word is one line, as any error.

Nothing of a command runs while its words are read, so what is printed meanwhile is tyro's own.
"""

from __future__ import annotations

import io
import os
import re
import shutil
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from inspect import signature
from itertools import groupby
from typing import Any, get_type_hints
from unittest.mock import patch

from channel_tunnel_env.cli.help_text import RULE, plain_help, unboxed
from channel_tunnel_env.errors import ArgumentsError

WIDTH = 100  # most characters of a line
TERMINAL = {"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}  # as tyro is to see it: what it prints is filled again
PLAINER = (
    # (what tyro says, in our words)
    (r"Error parsing (\S+): invalid literal for int\(\) with base 10: (.*)", r"\1 \2: a whole number is expected"),
    (r"Error parsing (\S+): could not convert string to float: (.*)", r"\1 \2: a number is expected"),
    (r"invalid choice '(.*)' for argument '(\S+)'\. Expected one of \((.*)\)\.", r"\2 \1: allowed: \3"),
    (r"Missing value for argument '(\S+)'\..*", r"\1: a value is missing"),
    (r"(?s)Missing from [^:]*:\n([^\n]+).*", r"\1 is missing"),
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
