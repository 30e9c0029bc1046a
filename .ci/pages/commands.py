"""reference/cli.md: the help of every command."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stdout
from unittest.mock import patch

from channel_tunnel_env import cli
from channel_tunnel_env.cli.listing import COMMANDS
from pages.markdown import block, page

WIDTH = 100
# A terminal of its own, so that pages are the same wherever they are written.
TERMINAL = {"COLUMNS": str(WIDTH), "LINES": "50"}


def command_names() -> list[str]:
    """Every command of `channel-tunnel`, in the order of its list."""
    return list(COMMANDS)


def commands_page() -> str:
    """The help of every command."""
    parts = [part for name in command_names() for part in (f"## {name}", block(help_of(name), "text"))]
    return page(
        "Commands",
        "What `channel-tunnel COMMAND --help` says, for every command. In a checkout `python train.py` is "
        "`channel-tunnel train`, and `python evaluate.py COMMAND` the commands that measure.",
        *parts,
    )


def help_of(*command: str) -> str:
    """What a command prints when it is asked for help, at a width of 100 columns."""
    shown = io.StringIO()
    with patch.dict(os.environ, TERMINAL), redirect_stdout(shown):
        try:
            cli.main([*command, "--help"])
        except SystemExit as ended:
            if ended.code:
                raise
    return shown.getvalue().rstrip()
