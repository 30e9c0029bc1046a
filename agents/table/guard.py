"""Who may speak to the server: our own host names and origin, bodies of bounded size, JSON only."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agents.table.requests import MAX_BODY

HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
        b"img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
]
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Guard:
    """The outermost layer.

    Args:
        hosts: values of the Host header that are ours, lower case, with the port if there is one.
        any_address: an IP address as a host is ours too; for servers that listen on every address.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str], any_address: bool = False) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.any_address = any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is not None:
            await _refuse(send, *refused)
            return
        body = await _read(receive)
        if body is None:
            await _refuse(send, 413, f"the request has more than {MAX_BODY:,} bytes")
            return
        await self.app(scope, _once(body, receive), _with_headers(send))

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "").lower()
        if not self._is_ours(host):
            return 421, "this server does not go by that name; open the address that it printed"
        origin = headers.get(b"origin")
        if origin is not None and origin.lower() != f"http://{host}":
            return 403, "a page of another origin may not use this server"
        if headers.get(b"content-length", "0").isdecimal() and (
            int(headers.get(b"content-length", "0")[:12]) > MAX_BODY
        ):
            return 413, f"the request has more than {MAX_BODY:,} bytes"
        if scope["method"] == "POST" and not headers.get(b"content-type", "").startswith(
            "application/json"
        ):
            return 415, "a request is JSON: content-type application/json"
        return None

    def _is_ours(self, host: str) -> bool:
        if host in self.hosts:
            return True
        return self.any_address and _is_address(host)


def host_names(host: str, port: int) -> list[str]:
    """What browsers may call a server that listens on a host."""
    names = {*LOOPBACK, f"[{host}]" if ":" in host else host.lower()}
    return [f"{name}:{port}" for name in names] + (list(names) if port == 80 else [])


def _is_address(host: str) -> bool:
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


async def _read(receive: Receive) -> bytes | None:
    """The whole body; None if it is too large."""
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            break
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MAX_BODY:
            return None
        more = message.get("more_body", False)
    return b"".join(parts)


def _once(body: bytes, receive: Receive) -> Receive:
    """Gives the body that was read, then what comes from the connection."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _with_headers(send: Send) -> Send:
    async def send_more(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *HEADERS]
        await send(message)

    return send_more


async def _refuse(send: Send, status: int, sentence: str) -> None:
    body = json.dumps({"error": sentence}).encode()
    headers = [(b"content-type", b"application/json"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
