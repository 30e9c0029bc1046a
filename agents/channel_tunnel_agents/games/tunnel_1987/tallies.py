"""What is counted of self-play games of 1987 Channel Tunnel."""

from __future__ import annotations

from typing import Any

from channel_tunnel_agents.games.spec import Tallies


def _count(finals: Any) -> dict[str, float]:
    return {
        "all_pass": (finals["tally_placed"].sum(axis=(1, 2, 3)) == 0).sum(),
        "rounds": finals["round_no"].sum(),
        "empty_rounds": finals["empty_rounds"].sum(),
    }


TALLIES = Tallies(_count, always=("all_pass", "rounds"))
