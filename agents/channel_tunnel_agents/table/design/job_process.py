"""The other end of `jobs`: a process that runs one command, and never outlives its server.

Its standard input is a pipe that the server holds open and writes nothing to. When the pipe closes, because
the server has ended in any way, this process and those that it started are killed at once; one that keeps what it
has when it is asked to end gets a moment for that.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time


def main(grace: float = 0.0) -> None:
    """Run `channel-tunnel` with the words of the command line.

    Args:
        grace: seconds to end by itself, after SIGTERM, once the server is gone.
    """
    threading.Thread(target=_end_with_server, args=(grace,), name="server", daemon=True).start()
    from channel_tunnel_env.__main__ import main as command  # after the watch has begun: it takes seconds

    sys.exit(command(sys.argv[1:]))


def _end_with_server(grace: float) -> None:
    while os.read(0, 1):
        pass
    if grace:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(grace)
    os.killpg(os.getpid(), signal.SIGKILL)  # `jobs` starts it as the leader of a group
