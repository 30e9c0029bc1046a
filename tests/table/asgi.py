"""Asks the table's app for what no client would send."""

from __future__ import annotations

from typing import Any


async def asked(
    app: Any, method: str, path: str, query: bytes, headers: list[tuple[bytes, bytes]], body: bytes
) -> tuple[int, bytes]:
    """Status and body of the answer."""
    given = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Any] = []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode("utf-8", "replace"),
        "root_path": "",
        "query_string": query,
        "headers": headers,
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 1),
    }

    async def receive() -> Any:
        return given.pop() if given else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    parts = [message.get("body", b"") for message in sent if message["type"] == "http.response.body"]
    return sent[0]["status"], b"".join(parts)
