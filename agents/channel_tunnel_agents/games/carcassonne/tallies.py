"""What is counted of self-play games of Carcassonne."""

from __future__ import annotations

from typing import Any

from channel_tunnel_agents.games.spec import Tallies


def _count(finals: Any) -> dict[str, float]:
    return {
        "points": finals["score"].sum(),  # of all seats together
        "tunnels": finals["tally_second"].sum(),
    }


TALLIES = Tallies(_count, always=("points",))
