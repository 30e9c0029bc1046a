"""What every command does to its output: it survives a terminal of few characters and is not steered by text."""

from __future__ import annotations

import io
import re
import sys

UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
    "|\r(?!\n)"  # alone it overwrites a line
)
"""What would steer a terminal: control characters but tab and line feed, and marks that turn the writing around."""


def tolerate_few_characters() -> None:
    """Let output show `?` for what the terminal's encoding lacks, such as the frames of `--help` in ASCII."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def printable(text: str) -> str:
    """A text for a terminal: what would steer it (all control characters but tab and line feed) escaped."""
    return UNPRINTABLE.sub(lambda found: repr(found[0])[1:-1], text)
