"""The other end of `reports`: a process that makes one balance report, and never outlives its server.

Its standard input is a pipe that the server holds open and writes nothing to. When the pipe closes, because
the server has ended in whatever way, this process and those that it started are killed at once.
"""

from __future__ import annotations

import os
import signal
import sys
import threading


def main() -> None:
    """Run `channel-tunnel report` with the words of the command line."""
    threading.Thread(target=_end_with_server, name="server", daemon=True).start()
    from channel_tunnel_env.__main__ import (
        main as command,
    )  # after the watch has begun: it takes seconds

    sys.exit(command(["report", *sys.argv[1:]]))


def _end_with_server() -> None:
    while os.read(0, 1):
        pass
    os.killpg(os.getpid(), signal.SIGKILL)  # `reports` starts it as the leader of a group
