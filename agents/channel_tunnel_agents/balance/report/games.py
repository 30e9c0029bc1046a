"""The games that are reported on, by name."""

from __future__ import annotations

from collections.abc import Mapping

from channel_tunnel_agents.balance.report.game import ReportedGame
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.games import PerGame, loaded
from channel_tunnel_env import Ruleset

REPORTED: Mapping[str, ReportedGame] = PerGame(lambda spec: loaded(spec.reported))


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
