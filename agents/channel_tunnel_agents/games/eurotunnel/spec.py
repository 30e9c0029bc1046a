"""Eurotunnel Diplomacy for agents, tournaments, training and reports."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from channel_tunnel_agents.games.spec import (
    ONE_AGAINST_THE_REST,
    RANDOM,
    AgentSpec,
    Level,
    LevelName,
    NetworkParts,
    ScriptedPlayers,
    Tallies,
)

if TYPE_CHECKING:
    from channel_tunnel_agents.balance.measuring.game import MeasuredGame
    from channel_tunnel_agents.balance.measuring.measures import GameMeasures
    from channel_tunnel_agents.balance.report.game import ReportedTable
    from channel_tunnel_agents.matches.tables import GameTables
    from channel_tunnel_agents.players.policy.form import PolicyForm
    from channel_tunnel_agents.table.design.game import DesignedGame
    from channel_tunnel_agents.table.minds.reviewed import ReviewedGame


def _scripted() -> ScriptedPlayers:
    from channel_tunnel_agents.games.eurotunnel import players

    return players


def _form() -> PolicyForm:
    from channel_tunnel_agents.games.eurotunnel.form import FORM

    return FORM


def _network() -> NetworkParts:
    from channel_tunnel_agents.games.eurotunnel.network import PARTS

    return PARTS


def _tables() -> GameTables:
    from channel_tunnel_agents.games.eurotunnel.tables import TABLES

    return TABLES


def _tallies() -> Tallies:
    from channel_tunnel_agents.games.eurotunnel.tallies import TALLIES

    return TALLIES


def _measures() -> GameMeasures:
    from channel_tunnel_agents.games.eurotunnel.measures import GAME

    return GAME


def _shares() -> Callable[[Any], NDArray[Any]]:
    from channel_tunnel_agents.games.eurotunnel.tables import shares

    return shares


def _measured() -> MeasuredGame:
    from channel_tunnel_agents.games.eurotunnel.measured import GAME

    return GAME


def _reported_table() -> ReportedTable:
    from channel_tunnel_agents.games.eurotunnel.report.table import TABLE

    return TABLE


def _designed() -> DesignedGame:
    from channel_tunnel_agents.games.eurotunnel.designed import GAME

    return GAME


def _reviewed() -> ReviewedGame:
    from channel_tunnel_agents.games.eurotunnel.reviewed import GAME

    return GAME


LEVELS = (
    Level(LevelName.BEGINNER, "hold", "Stays where it is. For your very first orders."),
    Level(LevelName.LEARNER, "lively", "Moves about at random, and helps its own moves."),
    Level(LevelName.AMATEUR, "greedy", "Every unit walks to the nearest centre; nobody helps."),
    Level(LevelName.STRATEGIST, "dumb", "Weighs every province, and its orders help each other."),
    Level(LevelName.TUNNELLER, "dumb_tunnel", "As the strategist, and it digs tunnels in secret."),
    Level(LevelName.CLUB, "club", "Learned by playing against itself. Digs few tunnels."),
)
"""By the results in docs/eurotunnel.md."""

SPEC = AgentSpec(
    title="Eurotunnel",
    scripted=_scripted,
    shipped=("club",),
    levels=LEVELS,
    agents_help="club, module:attribute",
    form=_form,
    network=_network,
    seating=ONE_AGAINST_THE_REST,
    shares=_shares,
    tables=_tables,
    ladder=(RANDOM, "dumb"),
    tallies=_tallies,
    measures=_measures,
    measured=_measured,
    reported_table=_reported_table,
    designed=_designed,
    reviewed=_reviewed,
)
