"""Safe output for all commands: no encoding breaks it, and no text controls the terminal."""

from __future__ import annotations

import io
import re
import sys

UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
    "|\r(?!\n)"  # alone it overwrites a line
)
"""What could control a terminal: control characters except tab and line feed; direction marks."""


def tolerate_few_characters() -> None:
    """Print `?` for characters outside the terminal's encoding, such as `--help`'s frames."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def printable(text: str) -> str:
    """Text that is safe for a terminal: control characters except tab and line feed are escaped."""
    return UNPRINTABLE.sub(lambda found: repr(found[0])[1:-1], text)
