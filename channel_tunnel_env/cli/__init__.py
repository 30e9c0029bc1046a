"""The command line: one module per command, composed here.

Exit status: 0 fine, 1 a check failed, 2 a wrong argument or file (one line on standard error;
set CHANNEL_TUNNEL_TRACEBACK=1 to see where it came from).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import tyro

from channel_tunnel_env.cli.bench import bench
from channel_tunnel_env.cli.check import check
from channel_tunnel_env.cli.docs import docs
from channel_tunnel_env.cli.draw import draw
from channel_tunnel_env.cli.generate import generate
from channel_tunnel_env.cli.play import play
from channel_tunnel_env.cli.replay import replay
from channel_tunnel_env.cli.rules import rules
from channel_tunnel_env.cli.table import table
from channel_tunnel_env.entry import STOPPED, empty_words, error_line
from channel_tunnel_env.errors import ChannelTunnelError
from channel_tunnel_env.terminal import tolerate_few_characters

COMMANDS: dict[str, Callable[..., Any]] = {
    "play": play,
    "replay": replay,
    "generate": generate,
    "draw": draw,
    "table": table,
    "check": check,
    "rules": rules,
    "bench": bench,
    "docs": docs,
}
DESCRIPTION = "1987 Channel Tunnel: play it, look at it, check it, measure it."


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status.

    Args:
        argv: the words after the program's name; None takes the process's own.
    """
    tolerate_few_characters()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        if wrong := empty_words(words):
            raise ValueError(wrong)
        status: int | None = tyro.extras.subcommand_cli_from_dict(
            COMMANDS, prog="channel-tunnel", description=DESCRIPTION, args=words
        )
    except (ChannelTunnelError, ValueError, OSError, ImportError) as error:
        if isinstance(error, BrokenPipeError):
            return _reader_left()
        if os.environ.get("CHANNEL_TUNNEL_TRACEBACK"):
            raise
        print(f"channel-tunnel: {error_line(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return STOPPED
    return int(status or 0)


def _reader_left() -> int:
    """`... | head` closed the pipe: nothing more can be said."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
