"""A good body for every route that writes: a new route has its row here, and the tests of spectators, names and damaged input have it."""

from __future__ import annotations

from typing import Any


def good_bodies(version: Any, action: str, asked: str, side: str, judge: str) -> dict[str, dict[str, Any]]:
    """Route -> a body.

    Args:
        version: of the game.
        action, asked: a move there, and the question that it answers; "" for games without phases.
        side: a seat.
        judge: an agent that judges, and may take the seat.
    """
    change, question = {"version": version}, {"ply": 0, "judge": judge, "viewer": side}
    return {
        "play": change | {"action": action},
        "write": change | {"asked": asked, "action": action, "given": True},
        "orders": change | {"text": "A PAR - BUR, F BRE - MAO"},
        "why": change | {"clicks": ["bag"]},
        "rival": change | {"side": side, "agent": judge},
        "name": {"side": side, "called": "Mary"},
        "fork": {"ply": 0, "luck": "anew"},
        "search": question | {"milliseconds": 1},
        **{route: change for route in ("send", "step", "undo", "restart", "open")},
        **{route: {"side": side} for route in ("link", "resign")},
        **{route: question for route in ("think", "curve", "review", "weigh")},
        **{route: {} for route in ("rematch", "sit", "forget")},
    }
