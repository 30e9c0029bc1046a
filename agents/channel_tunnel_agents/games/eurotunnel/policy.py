"""What policies of Eurotunnel Diplomacy have in common, and what is counted of their self-play games."""

from __future__ import annotations

from typing import Any

from channel_tunnel_agents.games.spec import Tallies
from channel_tunnel_agents.players.policy.form import PolicyForm
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.observation import NUMBERS, OBSERVATION_SIZE

FORM = PolicyForm(
    game="eurotunnel",
    phases=c.PHASES[: c.OVER],
    phase_column=NUMBERS + 2,  # behind the season
    observation_sizes=(OBSERVATION_SIZE,),
    usual_plies=4000,
    credit="per_seat",
)


def _count(finals: Any) -> dict[str, float]:
    return {
        "years": (finals["turn"] / c.TURNS_A_YEAR).sum(),
        "tunnels_built": finals["built"].sum(),
        "largest_share": finals["share"].max(axis=1).sum(),
    }


TALLIES = Tallies(_count, always=("years", "largest_share"))
