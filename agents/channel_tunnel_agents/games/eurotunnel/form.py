"""What policies of Eurotunnel Diplomacy have in common."""

from __future__ import annotations

from channel_tunnel_agents.players.policy.form import PolicyForm
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.observation import NUMBERS, OBSERVATION_SIZE

FORM = PolicyForm(
    game="eurotunnel",
    sides=("player",),
    side_column=None,
    phases=c.PHASES[: c.OVER],
    phase_column=NUMBERS + 2,  # behind the season
    observation_sizes=(OBSERVATION_SIZE,),
    observation_version=1,
    action_version=1,
    networks=("game",),
    values_of_mover=True,
    usual_plies=4000,
    credit="per_seat",
)
