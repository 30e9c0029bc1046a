"""The games that are reported on, by name."""

from __future__ import annotations

from collections.abc import Mapping

from channel_tunnel_agents.balance.report.game import Reported, ReportedGame, ReportedTable
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.games import Parts
from channel_tunnel_env import Ruleset

REPORTED: Mapping[str, ReportedGame] = Parts("report", "GAME", ReportedGame)
TABLES: Mapping[str, ReportedTable] = Parts("report_of_many", "TABLE", ReportedTable)


def reported(ruleset: Ruleset) -> Reported:
    """What the game of a ruleset says of itself at a table of its size.

    Raises:
        AgentError: no report is written on that game at such a table.
    """
    two = ruleset.num_seats == 2
    return reported_game(ruleset) if two else reported_table(ruleset)


def reported_table(ruleset: Ruleset) -> ReportedTable:
    """What the game of a ruleset for more than two seats says of itself.

    Raises:
        AgentError: no report is written on such tables of that game.
    """
    game = ruleset.spec.name
    if game not in TABLES:
        raise AgentError(
            f"ruleset {ruleset.name}: game {game}: games that are reported on for more than two seats: "
            f"{', '.join(TABLES)}"
        )
    return TABLES[game]


def reported_game(ruleset: Ruleset) -> ReportedGame:
    """What the game of a ruleset for two seats says of itself.

    Raises:
        AgentError: no report is written on that game.
    """
    game = ruleset.spec.name
    if game not in REPORTED:
        raise AgentError(f"ruleset {ruleset.name}: game {game}: games that are reported on: {', '.join(REPORTED)}")
    return REPORTED[game]
