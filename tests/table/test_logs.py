"""Nothing that others send steers the terminal or fills it."""

from __future__ import annotations

import logging
import sys

from channel_tunnel_agents.table.errors import MOST_LINE, MOST_LINES, Formatter, one_line


def test_control_characters_are_escaped_and_long_text_is_cut() -> None:
    assert one_line("a\x1b[2J\nb\u202ec") == r"a\x1b[2J\nb\u202ec"
    assert one_line("\u00e9t\u00e9") == "\u00e9t\u00e9"
    long = one_line("x" * 10**7 + "end")
    assert len(long) <= MOST_LINE and " ... " in long
    assert len(one_line("\x00" * 10**6)) <= MOST_LINE


def test_a_traceback_keeps_its_end_in_bounded_lines() -> None:
    def deeper(depth: int) -> None:
        if depth:
            deeper(depth - 1)
        raise ValueError("\x1b[31m" + "y" * 10_000)

    try:
        deeper(100)
    except ValueError:
        told = sys.exc_info()
    entry = logging.LogRecord("uvicorn", logging.ERROR, "", 0, "it\x07 broke", (), told)
    lines = Formatter("%(message)s").format(entry).split("\n")
    assert lines[0] == r"it\x07 broke" and lines[-1].startswith("ValueError: \\x1b[31m")
    assert len(lines) <= MOST_LINES and all(len(line) <= MOST_LINE for line in lines)
