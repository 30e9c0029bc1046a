"""What every command does to its output: it survives a terminal of few characters and is not steered by text."""

from __future__ import annotations

import io
import sys


def tolerate_few_characters() -> None:
    """Let output show `?` for what the terminal's encoding lacks, such as the frames of `--help` in ASCII."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
