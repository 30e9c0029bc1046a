"""The command line: one module per command, composed here.

Exit status: 0 success, 1 a check failed, 2 a wrong argument or file (one line on standard error;
set CHANNEL_TUNNEL_TRACEBACK=1 to see the traceback).
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import tyro

from channel_tunnel_env.cli.adjudicate import adjudicate
from channel_tunnel_env.cli.agents_module import needing
from channel_tunnel_env.cli.bench import bench
from channel_tunnel_env.cli.check import check
from channel_tunnel_env.cli.docs import docs
from channel_tunnel_env.cli.draw import draw
from channel_tunnel_env.cli.generate import generate
from channel_tunnel_env.cli.play import play
from channel_tunnel_env.cli.replay import replay
from channel_tunnel_env.cli.rules import rules
from channel_tunnel_env.cli.table import table
from channel_tunnel_env.cli.warm_up import warm_up
from channel_tunnel_env.entry import STOPPED, TRACEBACK, empty_words, error_line
from channel_tunnel_env.errors import ChannelTunnelError
from channel_tunnel_env.outside.terminal import tolerate_few_characters

COMMANDS: dict[str, Callable[..., Any]] = {
    "play": play,
    "replay": replay,
    "generate": generate,
    "draw": draw,
    "adjudicate": adjudicate,
    "table": table,
    "check": check,
    "rules": rules,
    "bench": bench,
    "warm-up": warm_up,
    "docs": docs,
}
DESCRIPTION = (
    "Tunnel board games: play them, look at them, check them, measure them, train for them."
)
# Commands of the agents' package, loaded on demand: command -> module, and its line in the list.
AGENTS_COMMANDS = {
    "train": ("train", "Train a policy for every seat by self-play, for any of the games."),
    "tournament": ("evaluate", "Play agents against each other: win rates, ratings, saved games."),
    "report": ("evaluate", "Write a page that says whether a ruleset is fair, and why."),
    "compare": ("evaluate", "Compare two rulesets, or two agents, deal by deal."),
    "gate": ("evaluate", "Exit with status 1 if a ruleset misses a designer's targets."),
    "sweep": ("evaluate", "Play the same deals on every setting of some numbers of a ruleset."),
    "tune": ("evaluate", "Search for numbers of a ruleset that meet targets."),
    "adapt": ("evaluate", "Train a copy of a player that reads the rules on one ruleset."),
    "benchmark": ("benchmark", "Play an agent on a track, write its score card; check a card."),
    "exploit": ("evaluate", "Measure how much a best response wins against a frozen policy."),
}
LEARNING = ("train", "exploit")  # those of them that need torch


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status.

    Args:
        argv: the arguments after the program's name; None: those of the process.
    """
    tolerate_few_characters()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        if wrong := empty_words(words):
            raise ValueError(wrong)
        if words and words[0] in AGENTS_COMMANDS:
            return _run_agents_command(words)
        status: int | None = tyro.extras.subcommand_cli_from_dict(
            COMMANDS, prog="channel-tunnel", description=_description(), args=words
        )
    except (ChannelTunnelError, ValueError, OSError, ImportError) as error:
        if isinstance(error, BrokenPipeError) or os.environ.get(TRACEBACK):
            raise
        print(f"channel-tunnel: {error_line(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return STOPPED
    return int(status or 0)


def _run_agents_command(words: list[str]) -> int:
    """Run a command of the agents' package with its arguments."""
    command, (module, _) = words[0], AGENTS_COMMANDS[words[0]]
    with needing(command, _extra_of(command)):  # some libraries are imported as they are needed
        loaded = importlib.import_module(f"channel_tunnel_agents.commands.{module}")
        return int(loaded.main(words[1:] if module == command else words))


def _description() -> str:
    """The description, with a paragraph for each command that is loaded on demand."""
    parts = [DESCRIPTION]
    for extra in ("report", "train"):
        parts.append(f"Commands that need the extra {extra}:")
        parts += [
            f"{name}: {sentence}"
            for name, (_, sentence) in AGENTS_COMMANDS.items()
            if _extra_of(name) == extra
        ]
    return "\n\n".join(parts)


def _extra_of(command: str) -> str:
    """The extra that a command of the agents' package needs."""
    return "train" if command in LEARNING else "report"
