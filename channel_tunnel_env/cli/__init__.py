"""The command line: one module per command, loaded when it is asked for; `listing` names them all.

Exit status: 0 success, 1 a check failed, 2 a wrong argument or file (one line on standard error;
set CHANNEL_TUNNEL_TRACEBACK=1 to see the traceback).
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from types import ModuleType
from typing import Any

from channel_tunnel_env.cli.listing import COMMANDS, command_list, no_such_command
from channel_tunnel_env.entry import STOPPED, TRACEBACK, empty_words, error_line
from channel_tunnel_env.errors import ChannelTunnelError
from channel_tunnel_env.outside.foreign import needing
from channel_tunnel_env.outside.terminal import tolerate_any_terminal
from channel_tunnel_env.versions import __version__

HELP = ("-h", "--help")
VERSION = "--version"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status.

    Args:
        argv: the arguments after the program's name; None: those of the process.
    """
    tolerate_any_terminal()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        if wrong := empty_words(words):
            raise ValueError(wrong)
        if words[:1] in ([word] for word in HELP):
            print(command_list())
            return 0
        if words == [VERSION]:
            print(f"channel-tunnel {__version__}")
            return 0
        if not words or words[0] not in COMMANDS:
            print(command_list(), end="\n\n", file=sys.stderr)
            raise ValueError(no_such_command(words[0]) if words else "a command is needed")
        return _run(*words)
    except (ChannelTunnelError, ValueError, OSError, ImportError) as error:
        if isinstance(error, BrokenPipeError) or os.environ.get(TRACEBACK):
            raise
        print(f"channel-tunnel: {error_line(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return STOPPED


def load(words: Sequence[str]) -> None:
    """Import what the command of some words needs; a library that is missing is reported when it runs."""
    if words and words[0] in COMMANDS:
        with suppress(ImportError):
            _load(words[0])


def _load(name: str) -> ModuleType:
    """The module of a command, with all that `import channel_tunnel_env` brings, such as registered ids."""
    importlib.import_module("channel_tunnel_env.public")
    agents = COMMANDS[name].agents
    home = f"channel_tunnel_agents.commands.{agents}" if agents else f"{__name__}.{_written(name)}"
    return importlib.import_module(home)


def _run(name: str, *words: str) -> int:
    _, agents, extra = COMMANDS[name]
    # some libraries are imported as they are needed
    with needing(name, extra) if extra else nullcontext():
        if agents and (main := getattr(_load(name), "main", None)):
            return int(main([*words] if agents == name else [name, *words]))
        from channel_tunnel_env.cli.asking import run_asked
        from channel_tunnel_env.cli.taking import command_to_run

        status = run_asked(command_to_run(command(name)), f"channel-tunnel {name}", words)
    return int(status or 0)


def command(name: str) -> Callable[..., Any]:
    """The function of a command that has one."""
    found: Callable[..., Any] = getattr(_load(name), _written(name))
    return found


def _written(name: str) -> str:
    """A command's name as that of its module and its function."""
    return name.replace("-", "_")
