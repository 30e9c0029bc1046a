"""What the tables hold of games of Carcassonne alone."""

from __future__ import annotations

from typing import Any

from channel_tunnel_agents.matches.columns import Columns, by_seat


def course(states: Any) -> Columns:
    """How the game went: tiles that fitted nowhere, and the tunnels at its end."""
    halves = (states["mouth_colour"] >= 0) & (states["mouth_partner"] < 0)
    return {
        "out_of_game": states["out_of_game"].sum(axis=1),
        "longest_road": states["longest"],
        "half_tunnels": halves.sum(axis=1),
    }


def ends(states: Any, seats: tuple[str, ...]) -> Columns:
    """What each seat did, and has left."""
    return {
        **by_seat("first_tokens", states["tally_first"], seats),
        **by_seat("tunnels", states["tally_second"], seats),
        **by_seat("hand", states["hand"], seats),
    }
