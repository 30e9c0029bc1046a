"""`python -m channel_tunnel_env` and the `channel-tunnel` script: see `cli`."""

from __future__ import annotations

import sys

from channel_tunnel_env import cli
from channel_tunnel_env.entry import run_command


def main() -> int:
    """The process's own command line; returns the exit status."""
    return run_command(cli.main)


if __name__ == "__main__":
    sys.exit(main())
