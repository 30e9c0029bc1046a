"""`python -m channel_tunnel_env` and the `channel-tunnel` script: see `cli`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from channel_tunnel_env import cli
from channel_tunnel_env.entry import run_command


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; see `cli.main`."""
    return run_command(lambda: cli.main(argv))


if __name__ == "__main__":
    sys.exit(main())
