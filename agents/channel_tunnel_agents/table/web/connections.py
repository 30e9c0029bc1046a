"""Connections limited in number and time: a silent one makes room for a new one."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import resource
import socket
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 200
HEADER_SECONDS = 10.0  # for a request's first line and headers
IDLE_SECONDS = 20  # between two requests


def most_connections() -> int:
    """How many connections the process can hold and still open files."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, soft // 2)


class Connection(H11Protocol):
    """One connection of the table.

    A new connection beyond the limit replaces a silent one: one that never asked anything rather than one that
    did, and of these the one that has been silent for longest; or else one that does not read its answer. If all are
    busy the new one gets 503.
    """

    most = MOST_CONNECTIONS
    header_seconds = HEADER_SECONDS

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Find room, and wait for the first request."""
        super().connection_made(transport)
        self.silent_since = self.loop.time()
        self.has_asked = False
        self.header_timer: asyncio.TimerHandle | None = None
        if len(self.connections) > self.most and not self._make_place():
            self._end(503, "the server has as many connections as it can hold; try again later")
            return
        self._wait_for_header()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; a header must be complete within a time limit."""
        super().data_received(data)
        if not self.is_silent:
            self._stop_waiting()
        elif self.header_timer is None:
            self._wait_for_header()

    def on_response_complete(self) -> None:
        """The connection is silent again."""
        self.silent_since = self.loop.time()
        self.has_asked = True
        super().on_response_complete()

    @property
    def is_silent(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def has_unread(self) -> bool:
        """Whether something has arrived that was not read yet; to close the connection now would reset it."""
        try:
            own = os.dup(self.transport.get_extra_info("socket").fileno())
            with socket.socket(fileno=own) as again:
                return bool(again.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except OSError:  # nothing is there, or the connection is already broken
            return False

    @property
    def is_stuck(self) -> bool:
        """Whether the client does not read its answer."""
        return self.transport.get_write_buffer_size() > 0

    def _make_place(self) -> bool:
        """Close another connection; whether there was one to close."""
        others: list[Any] = [other for other in self.connections if other is not self]
        silent = [other for other in others if other.is_silent]
        silent.sort(key=lambda other: (other.has_asked, other.silent_since))
        stuck = [other for other in others if other.is_stuck]
        stuck.sort(key=lambda other: other.silent_since)
        closable = (other for other in silent if not other.has_unread)
        found = next(itertools.chain(closable, stuck), None)
        if found is None:
            return False
        self.connections.discard(found)
        found.transport.abort()
        return True

    def _wait_for_header(self) -> None:
        self.header_timer = self.loop.call_later(self.header_seconds, self._too_slow)

    def _stop_waiting(self) -> None:
        if self.header_timer is not None:
            self.header_timer.cancel()
            self.header_timer = None

    def _too_slow(self) -> None:
        self.header_timer = None
        if self.is_silent and not self.transport.is_closing():
            self._end(408, f"no whole request came within {self.header_seconds:g} s")

    def _end(self, status: int, sentence: str) -> None:
        """Send an error and close, bypassing the HTTP state, because there may be a partial
        request."""
        body = json.dumps({"error": sentence}).encode()
        head = f"HTTP/1.1 {status} \r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(f"{head}connection: close\r\n\r\n".encode() + body)
        self.transport.close()
