"""The games that are measured beyond their games tables, by name."""

from __future__ import annotations

from collections.abc import Mapping

from channel_tunnel_agents.balance.measuring.game import MeasuredGame
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.games import Parts
from channel_tunnel_agents.matches.arena import two_seats
from channel_tunnel_env import Ruleset

MEASURED: Mapping[str, MeasuredGame] = Parts("measures", "LEVERS_AND_LUCK", MeasuredGame)


def measured_game(ruleset: Ruleset) -> MeasuredGame:
    """What the game of a ruleset tells of itself.

    Raises:
        AgentError: nothing is measured in that game, or the ruleset is for more than two seats.
    """
    found = turned_game(ruleset)
    two_seats(ruleset)
    return found


def turned_game(ruleset: Ruleset) -> MeasuredGame:
    """The same for what serves any number of seats: its levers and their effects.

    Raises:
        AgentError: nothing is measured in that game.
    """
    game = ruleset.spec.name
    if game not in MEASURED:
        raise AgentError(f"ruleset {ruleset.name}: game {game}: games that are measured: {', '.join(MEASURED)}")
    return MEASURED[game]
