"""What policies of Carcassonne have in common, and what is counted of their self-play games."""

from __future__ import annotations

from typing import Any

from channel_tunnel_agents.games.spec import Tallies
from channel_tunnel_agents.players.policy.form import PolicyForm
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.observation import observation_size

FORM = PolicyForm(
    game="carcassonne",
    phases=c.PHASES[: c.OVER],
    phase_column=0,
    observation_sizes=tuple(observation_size(players) for players in range(c.MIN_SEATS, c.MAX_SEATS + 1)),
)


def _count(finals: Any) -> dict[str, float]:
    return {
        "points": finals["score"].sum(),  # of all seats together
        "tunnels": finals["tally_second"].sum(),
    }


TALLIES = Tallies(_count, always=("points",))
