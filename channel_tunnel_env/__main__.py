"""`python -m channel_tunnel_env` and the `channel-tunnel` script: see `cli`."""

from __future__ import annotations

import sys

from channel_tunnel_env.cli import main

if __name__ == "__main__":
    sys.exit(main())
