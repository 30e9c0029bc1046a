"""Who may send requests to the server: our own host names and origin, bodies of bounded size, JSON only.

On an address that other machines reach, every request also needs the key of the printed address:
the first load returns it as a cookie, which every later request sends.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import re
from collections.abc import Iterable
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from channel_tunnel_agents.table.rooms.requests import MAX_BODY

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", POLICY.encode()),
]
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
BODY_SECONDS = 20.0  # for a request's body
ENTRANCE = "key"  # name of the query parameter in the printed address
COOKIE = "channel-tunnel-table-{port}"  # browsers send a host's cookies to all its ports
HTTP_PORT = "80"  # of a Host header that names none
LENGTH = re.compile(r"[0-9]+")

Headers = dict[bytes, list[str]]
"""By name, in lower case: every value that was sent. A guard that looks at one of two lets the other through."""


class Guard:
    """The outermost ASGI layer.

    Args:
        hosts: values of the Host header that are ours, lower case, with the port if there is one.
        any_address: the address that a connection was made to is also ours; for servers that listen
            on every address.
        key: the key every request must have; None: none is needed.
    """

    body_seconds = BODY_SECONDS

    def __init__(self, app: ASGIApp, hosts: Iterable[str], any_address: bool = False, key: str | None = None) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.any_address = any_address
        self.key = key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no web sockets here
        try:
            await self._answer(scope, receive, send)
        except asyncio.CancelledError:  # the server is stopping and has waited long enough
            return

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = _all_headers(scope)
        refused = self._refusal(scope, headers)
        if refused is not None:
            await _refuse(send, *refused)
            return
        if self.key is not None and not any(map(self._is_key, _cookies(headers, _cookie_name(headers)))):
            await self._let_in(scope, headers, send)
            return
        try:
            async with asyncio.timeout(self.body_seconds):
                body = await _read(receive)
        except TimeoutError:
            await _refuse(send, 408, f"the request did not end within {self.body_seconds:g} s")
            return
        if body is None:
            await _refuse(send, 413, f"the request has more than {MAX_BODY:,} bytes")
            return
        await self.app(scope, _once(body, receive), _with_headers(send))

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        hosts = {host.lower() for host in headers.get(b"host", [""])}
        if not all(self._is_ours(host, scope) for host in hosts):
            return 421, "this server does not go by that name; open the address that it printed"
        if len(hosts) > 1:
            return 400, "the header host comes twice, with two values; one is expected"
        own = f"http://{hosts.pop()}"
        if any(origin.lower() != own for origin in headers.get(b"origin", ())):
            return 403, "a page of another origin may not use this server"
        kinds = headers.get(b"content-type", [""])
        if scope["method"] == "POST" and not all(k.startswith("application/json") for k in kinds):
            return 415, "a request is JSON: content-type application/json"
        return _wrong_length(headers)

    def _is_ours(self, host: str, scope: Scope) -> bool:
        if host in self.hosts:
            return True
        if not self.any_address or scope.get("server") is None:
            return False
        address, port = scope["server"]
        return host in host_names(str(address).removeprefix("::ffff:"), port)

    # --- the key ----------------------------------------------------------------------------------

    def _is_key(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), str(self.key).encode())

    async def _let_in(self, scope: Scope, headers: Headers, send: Send) -> None:
        """Set the cookie for the printed address, and redirect to the page without the key."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        given = query.get(ENTRANCE, [""])[0]
        if scope["method"] != "GET" or scope["path"] != "/" or not self._is_key(given):
            await _refuse(send, 401, "open the whole address that the server printed, with its key")
            return
        cookie = f"{_cookie_name(headers)}={self.key}; Path=/; HttpOnly; SameSite=Lax"
        answered = [(b"location", b"/"), (b"set-cookie", cookie.encode()), *HEADERS]
        await send({"type": "http.response.start", "status": 303, "headers": answered})
        await send({"type": "http.response.body", "body": b""})


def _all_headers(scope: Scope) -> Headers:
    found: Headers = {}
    for name, value in scope["headers"]:
        found.setdefault(name.lower(), []).append(value.decode("latin-1"))
    return found


def _wrong_length(headers: Headers) -> tuple[int, str] | None:
    """What is wrong with the declared length of a body."""
    lengths = headers.get(b"content-length", [])
    if lengths and b"transfer-encoding" in headers:
        return 400, "a body has a content-length or comes in chunks, not both"
    if not all(map(LENGTH.fullmatch, lengths)) or len(set(lengths)) > 1:
        return 400, "content-length: one whole number is expected"
    if any(int(length[:12]) > MAX_BODY for length in lengths):
        return 413, f"the request has more than {MAX_BODY:,} bytes"
    return None


def _cookie_name(headers: Headers) -> str:
    """Our cookie's name at the address that the browser calls us by."""
    port = re.search(r":([0-9]+)$", headers[b"host"][0])
    return COOKIE.format(port=port[1] if port else HTTP_PORT)


def _cookies(headers: Headers, name: str) -> list[str]:
    """The values of all cookies of a name. Other cookies belong to other programs and are not parsed."""
    pairs = (part.partition("=") for cookies in headers.get(b"cookie", ()) for part in re.split("[;,]", cookies))
    return [value.strip(' \t"') for key, _, value in pairs if key.strip(" \t") == name]


def is_loopback(host: str) -> bool:
    """Whether a Host header has a name that works only on the server's own machine."""
    name, bracket, _ = host.lower().rpartition("]")
    return (name + bracket if bracket else host.lower().partition(":")[0]) in LOOPBACK


def host_names(host: str, port: int) -> list[str]:
    """The names that browsers may use for a server that listens on a host."""
    names = {*LOOPBACK, f"[{host}]" if ":" in host else host.lower()}
    return [f"{name}:{port}" for name in names] + (list(names) if port == 80 else [])


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
    """A receive function that gives the body that was read, then what the connection sends."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def policy_header(more: str) -> dict[str, str]:
    """The header of a page that may do more than the others."""
    return {"content-security-policy": f"{POLICY}; {more}"}


def _with_headers(send: Send) -> Send:
    """Our headers on every answer, except those that it sets itself."""

    async def send_more(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [*message.get("headers", [])]
            named = {name for name, _ in own}
            message["headers"] = own + [header for header in HEADERS if header[0] not in named]
        await send(message)

    return send_more


async def _refuse(send: Send, status: int, sentence: str) -> None:
    body = json.dumps({"error": sentence}).encode()
    headers = [(b"content-type", b"application/json"), (b"connection", b"close"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
