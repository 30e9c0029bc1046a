"""What `adjudicate` found, in lines for a person who runs a game: everything, for no player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.outside.documents import quote

_PLAIN = ("stood", "moved", "done", "retreated")  # results that go without saying


def outcome_lines(phase: str, result: dict[str, Any]) -> Iterator[str]:
    """The phase by power, what became of tunnels and dislodged units, what was not read, and what is next."""
    yield phase
    yield from _orders(result["units"])
    yield from _dislodged(result["units"])
    for name in ("opened", "demolished"):
        for tunnel in result[name]:
            yield f"{name}: the tunnel {'-'.join(tunnel['ends'])} of {tunnel['owner']}"
    yield from _ruled(result["units"])
    yield from _unread(result["unread"])
    yield _next(result)


def _orders(units: list[dict[str, Any]]) -> Iterator[str]:
    for power in load_board().powers:
        own = [_unit(unit) for unit in units if unit["power"] == power]
        if own:
            yield f"  {power:<8} {', '.join(own)}"


def _unit(unit: dict[str, Any]) -> str:
    if "order" not in unit:  # of a winter
        return f"{unit['type']} {unit['loc']} {unit['result']}"
    notes = [] if unit["result"] in _PLAIN else [unit["result"]]
    notes += ["dislodged"] if unit.get("dislodged") else []
    return f"{unit['order']} ({', '.join(notes)})" if notes else str(unit["order"])


def _dislodged(units: list[dict[str, Any]]) -> Iterator[str]:
    for unit in units:
        if unit.get("dislodged"):
            ways = " or ".join(unit["retreats"])
            what = f"may go {ways}" if ways else "has no place to go: disbanded"
            yield f"dislodged: {unit['power']} {unit['type']} {unit['loc']} {what}"


def _ruled(units: list[dict[str, Any]]) -> Iterator[str]:
    """Orders that are not legal (D7)."""
    for unit in units:
        if unit.get("why"):
            yield f"not followed: {unit['power']} {quote(unit['written'])}: {unit['why']}"


def _unread(unread: list[dict[str, Any]]) -> Iterator[str]:
    for line in unread:
        where = f"line {line['line']}, " if "line" in line else ""
        yield f"refused: {where}{line['power'] or 'nobody'} {quote(line['order'])}: {line['why']}"


def _next(result: dict[str, Any]) -> str:
    if result["shares"] is None:
        return f"next: {result['position']['phase']}"
    if result["winner"]:
        return f"the game is over: {result['winner']} has won"
    shares = ", ".join(f"{power} {share:.3f}" for power, share in result["shares"].items() if share)
    return f"the game is over: {shares}"
