"""What is counted of self-play games of Eurotunnel Diplomacy."""

from __future__ import annotations

from typing import Any

from channel_tunnel_agents.games.spec import Tallies
from channel_tunnel_env.games.eurotunnel.engine import constants as c


def _count(finals: Any) -> dict[str, float]:
    return {
        "years": (finals["turn"] / c.TURNS_A_YEAR).sum(),
        "tunnels_built": finals["built"].sum(),
        "largest_share": finals["share"].max(axis=1).sum(),
    }


TALLIES = Tallies(_count, always=("years", "largest_share"))
