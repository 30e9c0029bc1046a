"""Carcassonne for agents, tournaments, training and reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from channel_tunnel_agents.games.spec import (
    RANDOM,
    AgentSpec,
    Level,
    LevelName,
    NetworkParts,
    School,
    ScriptedPlayers,
    Tallies,
)

if TYPE_CHECKING:
    from channel_tunnel_agents.balance.measuring.game import MeasuredGame
    from channel_tunnel_agents.balance.measuring.measures import GameMeasures
    from channel_tunnel_agents.balance.report.contents import Contents
    from channel_tunnel_agents.balance.report.game import ReportedGame, ReportedTable
    from channel_tunnel_agents.matches.tables import GameTables
    from channel_tunnel_agents.players.policy.form import PolicyForm
    from channel_tunnel_agents.rulesets.space import RulesetSpace
    from channel_tunnel_agents.table.design.game import DesignedGame
    from channel_tunnel_agents.table.minds.reviewed import ReviewedGame


def _scripted() -> ScriptedPlayers:
    from channel_tunnel_agents.games.carcassonne import players

    return players


def _form() -> PolicyForm:
    from channel_tunnel_agents.games.carcassonne.form import FORM

    return FORM


def _network() -> NetworkParts:
    from channel_tunnel_agents.games.carcassonne.network import PARTS

    return PARTS


def _tables() -> GameTables:
    from channel_tunnel_agents.games.carcassonne.tables import TABLES

    return TABLES


def _tallies() -> Tallies:
    from channel_tunnel_agents.games.carcassonne.tallies import TALLIES

    return TALLIES


def _rulesets() -> RulesetSpace:
    from channel_tunnel_agents.games.carcassonne.rulesets import SPACE

    return SPACE


def _measures() -> GameMeasures:
    from channel_tunnel_agents.games.carcassonne.measures import GAME

    return GAME


def _measured() -> MeasuredGame:
    from channel_tunnel_agents.games.carcassonne.measured import GAME

    return GAME


def _reported() -> ReportedGame:
    from channel_tunnel_agents.games.carcassonne.report import GAME

    return GAME


def _contents() -> Contents:
    from channel_tunnel_agents.games.carcassonne.contents import CONTENTS

    return CONTENTS


def _reported_table() -> ReportedTable:
    from channel_tunnel_agents.games.carcassonne.report.table import TABLE

    return TABLE


def _designed() -> DesignedGame:
    from channel_tunnel_agents.games.carcassonne.designed import GAME

    return GAME


def _reviewed() -> ReviewedGame:
    from channel_tunnel_agents.games.carcassonne.reviewed import GAME

    return GAME


READER = "adept"
LEVELS = (
    Level(LevelName.BEGINNER, RANDOM, "Takes any move that is allowed. For your very first game."),
    Level(
        LevelName.COLLECTOR, "points", "Takes the points it can score at once, and plans nothing."
    ),
    Level(LevelName.BUILDER, "builder", "Looks at the whole table, and loves roads and cities."),
    Level(LevelName.AMATEUR, "greedy", "Weighs every way to end its turn by the score so far."),
    Level(LevelName.CLUB, "club", "Learned by playing against itself. Beats the amateur often."),
    Level(
        LevelName.ADEPT,
        READER,
        "Reads the rules, so it plays house rules of your own as well as the box's.",
    ),
    Level(
        LevelName.EXPERT,
        "expectimax",
        "As the amateur, and it thinks of your best answer. Takes a while.",
    ),
)
"""By the results in docs/carcassonne.md."""

SPEC = AgentSpec(
    title="Carcassonne",
    scripted=_scripted,
    shipped=("club", READER),
    reader=READER,
    trusted=0.65,
    searchers=("ismcts:1000",),
    levels=LEVELS,
    agents_help="club, adept, ismcts:1000, module:attribute",
    form=_form,
    network=_network,
    tables=_tables,
    ladder=(RANDOM, "greedy"),
    tallies=_tallies,
    school=School(
        "carcassonne",
        4_000_000,  # the preset is stopped by the clock
        copies={"learning_rate": 1e-3, "steps": 32, "batch_size": 1024},  # see docs/carcassonne.md
    ),
    rulesets=_rulesets,
    measures=_measures,
    measured=_measured,
    reported=_reported,
    contents=_contents,
    reported_table=_reported_table,
    designed=_designed,
    reviewed=_reviewed,
)
