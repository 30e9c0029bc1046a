"""From the command line to a running server."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from pathlib import Path

import uvicorn

from agents.table.guard import host_names
from agents.table.offers import Offers
from agents.table.rooms import Rooms
from agents.table.server import make_app

GOOD_BYE_SECONDS = 2


def serve(
    host: str,
    port: int,
    folder: Path,
    rulesets: Sequence[str] = (),
    agents: Sequence[str] = (),
    records: Sequence[Path] = (),
) -> int:
    """Listen until stopped; prints the address once it can be opened.

    Raises:
        RulesetError: a wrong ruleset file.
        OSError: the address is taken, or a file is not there.
    """
    rooms = Rooms(Offers.of(rulesets, agents, records), folder)
    listener = _listen(host, port)
    port = listener.getsockname()[1]
    everywhere = host in ("0.0.0.0", "::", "")
    app = make_app(rooms, host_names(host, port), everywhere)
    shown = "127.0.0.1" if everywhere else f"[{host}]" if ":" in host else host
    kept = len(rooms.storage.keys())
    print(f"The table is set: http://{shown}:{port}/  (Ctrl-C to leave)", flush=True)
    print(f"Games are kept in {folder}" + (f"; {kept} are there already." if kept else "."))
    if not _is_loopback(host):
        print(
            f"Warning: {host} can be reached from other machines, without a password and unencrypted. "
            "Anybody who reaches it may start games here.",
            flush=True,
        )
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, timeout_graceful_shutdown=GOOD_BYE_SECONDS
    )
    uvicorn.Server(config).run(sockets=[listener])
    return 0


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise OSError(
            f"port {port} of {host} cannot be used: {error}; another one: --port 0"
        ) from None
    return listener


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
