"""1987 Channel Tunnel for agents, tournaments, training and reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
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
    TreePlayers,
)

if TYPE_CHECKING:
    from channel_tunnel_agents.balance.measuring.game import MeasuredGame
    from channel_tunnel_agents.balance.measuring.measures import GameMeasures
    from channel_tunnel_agents.balance.report.contents import Contents
    from channel_tunnel_agents.balance.report.game import ReportedGame
    from channel_tunnel_agents.matches.tables import GameTables
    from channel_tunnel_agents.players.families import Family
    from channel_tunnel_agents.players.policy.form import PolicyForm
    from channel_tunnel_agents.rulesets.space import RulesetSpace
    from channel_tunnel_agents.table.design.game import DesignedGame
    from channel_tunnel_agents.table.minds.review import MoveGain
    from channel_tunnel_agents.table.minds.reviewed import ReviewedGame

READER = "adept"
SHIPPED = ("rookie", "club", "master", READER)
"""Each trained for the standard ruleset, but for the reader."""
EARLIER = {READER: ("adept-3",)}
STRONGEST = "master-puct@300ms"
# Beside the folders of the other games: paths of shipped policies do not change.
_FOLDER = Path(__file__).parents[2] / "players" / "shipped"


def _scripted() -> ScriptedPlayers:
    from channel_tunnel_agents.games.tunnel_1987 import players

    return players


def _form() -> PolicyForm:
    from channel_tunnel_agents.games.tunnel_1987.form import FORM

    return FORM


def _network() -> NetworkParts:
    from channel_tunnel_agents.games.tunnel_1987.turned_network import PARTS

    return PARTS


def _families() -> Mapping[str, Family]:
    from channel_tunnel_agents.games.tunnel_1987.families import FAMILIES

    return FAMILIES


def _gains() -> Sequence[MoveGain]:
    from channel_tunnel_agents.games.tunnel_1987.gains import GAINS

    return GAINS


def _tree() -> TreePlayers:
    from channel_tunnel_agents.games.tunnel_1987 import tree

    return tree


def _tables() -> GameTables:
    from channel_tunnel_agents.games.tunnel_1987.tables import TABLES

    return TABLES


def _tallies() -> Tallies:
    from channel_tunnel_agents.games.tunnel_1987.tallies import TALLIES

    return TALLIES


def _rulesets() -> RulesetSpace:
    from channel_tunnel_agents.games.tunnel_1987.rulesets import SPACE

    return SPACE


def _measures() -> GameMeasures:
    from channel_tunnel_agents.games.tunnel_1987.measures import GAME

    return GAME


def _measured() -> MeasuredGame:
    from channel_tunnel_agents.games.tunnel_1987.measured import GAME

    return GAME


def _reported() -> ReportedGame:
    from channel_tunnel_agents.games.tunnel_1987.report import GAME

    return GAME


def _contents() -> Contents:
    from channel_tunnel_agents.games.tunnel_1987.contents import CONTENTS

    return CONTENTS


def _designed() -> DesignedGame:
    from channel_tunnel_agents.games.tunnel_1987.designed import GAME

    return GAME


def _reviewed() -> ReviewedGame:
    from channel_tunnel_agents.games.tunnel_1987.reviewed import GAME

    return GAME


LEVELS = (
    Level(LevelName.BEGINNER, RANDOM, "Takes any move that is allowed. For your very first game."),
    Level(
        LevelName.LEARNER,
        "rookie",
        "Has learned a little, and beats the beginner most of the time.",
    ),
    Level(
        LevelName.AMATEUR,
        "heuristic",
        "Follows sound rules of thumb. Digs, keeps its course and takes cards.",
    ),
    Level(LevelName.CLUB, "club", "Learned by playing against itself. Beats the amateur often."),
    Level(
        LevelName.ADEPT,
        READER,
        "Reads the rules, so it plays a ruleset of your own as well as the box's.",
    ),
    Level(
        LevelName.MASTER,
        "master",
        "The adept, after much practice by the box's rules. Hard to beat.",
    ),
    Level(
        LevelName.EXPERT,
        STRONGEST,
        "The master, and it looks ahead before each move. The strongest here.",
    ),
)
"""By the results in docs/results.md."""

SPEC = AgentSpec(
    title="1987 Channel Tunnel",
    scripted=_scripted,
    shipped=SHIPPED,
    earlier=EARLIER,
    reader=READER,
    trusted=0.85,  # see docs/adept.md, and for the next
    strong=0.9,
    second="frozen:master",
    most_apart=0.15,
    shipped_folder=_FOLDER,
    searchers=("ismcts:1000", STRONGEST),
    levels=LEVELS,
    agents_help=(
        "rookie, club, master, adept, master-search@50ms, ismcts:1000, ismcts:50ms, ppo:FOLDER, "
        "module:attribute; heuristic!ban=finance plays without Finance"
    ),
    form=_form,
    network=_network,
    families=_families,
    gains=_gains,
    tree=_tree,
    tables=_tables,
    ladder=(RANDOM, "heuristic"),
    tallies=_tallies,
    school=School("demo", copies={"learning_rate": 1e-3, "epochs": 2}),  # see docs/adept.md
    rulesets=_rulesets,
    measures=_measures,
    measured=_measured,
    reported=_reported,
    contents=_contents,
    designed=_designed,
    reviewed=_reviewed,
)
