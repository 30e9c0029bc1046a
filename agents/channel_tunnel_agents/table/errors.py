"""What is said of what went wrong: to the user an HTTP status and a sentence; in the log lines of bounded length, without
control characters."""

from __future__ import annotations

import logging


class TableError(Exception):
    """A refused request; the game is unchanged.

    Every part of the table may refuse so, and the sentence says why; docstrings name only what that leaves open.

    Args:
        status: 400 not understood, 401 without the key, 403 not allowed, 404 unknown, 408 too slow, 409 not
            now, 410 broken on disk, 413 too large; 502 an agent failed, 503 not possible now, 504 an agent
            did not answer in time.
        sentence: what was wrong and what was expected.
    """

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


MOST_LINE = 400  # characters
MOST_LINES = 60  # of a traceback


def one_line(text: str, most: int = MOST_LINE) -> str:
    """A text on one line: control characters escaped, the middle of a long text left out."""
    text = text[: 8 * most] if len(text) > 8 * most else text
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    if len(shown) <= most:
        return shown
    half = (most - 5) // 2
    return f"{shown[:half]} ... {shown[-half:]}"


class Formatter(logging.Formatter):
    """A log entry, each of its lines as `one_line` shows it; the last ones of a long traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The lines of an entry."""
        lines = [one_line(line) for line in super().format(record).split("\n")]
        if len(lines) > MOST_LINES:
            lines = [lines[0], "...", *lines[2 - MOST_LINES :]]
        return "\n".join(lines)


def log_config() -> dict[str, object]:
    """The server's logging: warnings and errors, to standard error."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"bounded": {"()": Formatter, "format": "channel-tunnel table: %(message)s"}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "bounded", "stream": "ext://sys.stderr"}
        },
        "loggers": {
            name: {"handlers": ["stderr"], "level": "WARNING", "propagate": False}
            for name in ("uvicorn", "asyncio", "channel_tunnel_agents.table")
        },
    }
