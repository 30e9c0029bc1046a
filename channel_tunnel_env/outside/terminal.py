"""What every command prints: no encoding breaks it, no text controls the terminal, and shares read alike."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from pathlib import Path

LEAST_COLUMNS, MOST_COLUMNS = 20, 10_000
UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
    "|\r(?!\n)"  # alone it overwrites a line
)
"""What could control a terminal: control characters except tab and line feed; direction marks."""


def tolerate_any_terminal() -> None:
    """Let a command run in any terminal.

    Characters outside the terminal's encoding, such as `--help`'s frames, are printed as `?`. A stream that was
    closed is the null device. A width in which nothing can be read is replaced.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            null = Path(os.devnull).open("w" if number else "r")  # noqa: SIM115  # until the end
            setattr(sys, name, null)
    _bound_width()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _bound_width() -> None:
    """Leave COLUMNS out if it is no width, as shells do, and bound what then holds."""
    given = os.environ.get("COLUMNS", "")
    if not given.isdecimal() or not given.strip("0"):
        os.environ.pop("COLUMNS", None)
    width = shutil.get_terminal_size().columns
    if not LEAST_COLUMNS <= width <= MOST_COLUMNS:
        os.environ["COLUMNS"] = str(min(max(width, LEAST_COLUMNS), MOST_COLUMNS))


def printable(text: str) -> str:
    """Text that is safe for a terminal: control characters except tab and line feed are escaped."""
    return UNPRINTABLE.sub(lambda found: repr(found[0])[1:-1], text)


def percent(share: float, digits: int = 1) -> str:
    """A share of 0 to 1 in words: "71.0 %"."""
    return f"{100 * share:.{digits}f} %"
