"""`python -m channel_tunnel_env` and the `channel-tunnel` script: see `cli`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from channel_tunnel_env.cli import load
from channel_tunnel_env.cli import main as run
from channel_tunnel_env.entry import run_command


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; see `cli.main`."""
    load(sys.argv[1:] if argv is None else argv)  # while Ctrl-C still ends it without a word
    return run_command(lambda: run(argv))


if __name__ == "__main__":
    sys.exit(main())
