"""The games that are reported on, by name."""

from __future__ import annotations

from channel_tunnel_agents.balance.report import carcassonne, tunnel_1987
from channel_tunnel_agents.balance.report.game import ReportedGame
from channel_tunnel_agents.base import AgentError
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games import DEFAULT_GAME

REPORTED: dict[str, ReportedGame] = {
    DEFAULT_GAME: tunnel_1987.GAME,
    "carcassonne": carcassonne.GAME,
}


def reported_game(ruleset: Ruleset) -> ReportedGame:
    """What the game of a ruleset says of itself.

    Raises:
        AgentError: no report is written on that game.
    """
    game = ruleset.spec.name
    if game not in REPORTED:
        raise AgentError(
            f"ruleset {ruleset.name}: game {game}: games that are reported on: {', '.join(REPORTED)}"
        )
    return REPORTED[game]
