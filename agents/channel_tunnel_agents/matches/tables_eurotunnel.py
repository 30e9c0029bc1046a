"""What the tables hold of games of Eurotunnel Diplomacy alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.matches.columns import Columns, Measure, by_seat
from channel_tunnel_env.games.eurotunnel.engine import constants as c

MEASURES = (
    Measure("sum of squares", "squares"),
    Measure("survived", "survived"),
    Measure("solo", "solo"),
    Measure("centres", "score", is_share=False),
)
STANDING = (c.HIDDEN, c.OPENED)


def course(states: Any) -> Columns:
    """How the game went: tunnels of all powers."""
    what = states["tunnel_state"]
    return {
        "tunnels_built": states["built"].sum(axis=1),
        "tunnels_standing": np.isin(what, STANDING).sum(axis=(1, 2)),
        "tunnels_demolished": (what == c.DEMOLISHED).sum(axis=(1, 2)),
    }


def ends(states: Any, seats: tuple[str, ...]) -> Columns:
    """What each power has at the end.

    squares: all of a solo, else its centres squared over the sum of squares; survived: it has a unit or a
    centre; solo: it has won alone.
    """
    powers = np.arange(c.NUM_POWERS)
    solo = states["winner"][:, None] == powers
    return {
        **by_seat("squares", _squares(states, solo), seats),
        **by_seat("survived", ((states["alive"][:, None] >> powers) & 1).astype(np.int8), seats),
        **by_seat("solo", solo.astype(np.int8), seats),
        **by_seat("units", _count(states["unit_power"]), seats),
        **by_seat("tunnels", states["built"], seats),
    }


def shares(states: Any) -> NDArray[np.float64]:
    """The share of each power, by the ruleset's own score: (B, powers)."""
    found: NDArray[np.float64] = states["share"].copy()
    return found


def _count(owners: NDArray[np.int8]) -> NDArray[np.int64]:
    """How often each power is named in each row: (B, powers)."""
    found: NDArray[np.int64] = (owners[:, :, None] == np.arange(c.NUM_POWERS)).sum(axis=1)
    return found


def _squares(states: Any, solo: NDArray[np.bool_]) -> NDArray[np.float64]:
    squares = _count(states["owner"]).astype(np.float64) ** 2
    total = squares.sum(axis=1, keepdims=True)
    even = np.full_like(squares, 1 / c.NUM_POWERS)
    found = np.divide(squares, total, out=even, where=total > 0)
    return np.where(solo.any(axis=1, keepdims=True), solo, found)
