"""What policies of 1987 Channel Tunnel have in common, and what is counted of their self-play games."""

from __future__ import annotations

from typing import Any

from channel_tunnel_agents.games.spec import Tallies
from channel_tunnel_agents.players.policy.form import PolicyForm
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_VERSION
from channel_tunnel_env.games.tunnel_1987.engine.observation import (
    OBSERVATION_SIZE,
    OBSERVATION_VERSION,
    SECTION_BY_NAME,
)

FORM = PolicyForm(
    game="tunnel_1987",
    sides=c.SEATS,
    side_column=SECTION_BY_NAME["side"].start,
    phases=c.PHASES[: SECTION_BY_NAME["phase"].size],
    phase_column=SECTION_BY_NAME["phase"].start,
    observation_sizes=(OBSERVATION_SIZE,),
    observation_version=OBSERVATION_VERSION,
    action_version=ACTION_VERSION,
    networks=("mlp", "game"),
    values_of_mover=False,
)


def _count(finals: Any) -> dict[str, float]:
    return {
        "all_pass": (finals["tally_placed"].sum(axis=(1, 2, 3)) == 0).sum(),
        "rounds": finals["round_no"].sum(),
        "empty_rounds": finals["empty_rounds"].sum(),
    }


TALLIES = Tallies(_count, always=("all_pass", "rounds"))
