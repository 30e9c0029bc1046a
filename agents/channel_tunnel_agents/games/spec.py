"""What an agent, a tournament, a training run and a report know of one game, in one place.

The module `spec` of a game's folder holds `SPEC`. Its parts are functions that load what they name when it is first
asked for: reading a name loads neither torch nor a report. A part that is None is one that the game does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from numpy.typing import NDArray

from channel_tunnel_agents.base import Agent, SearchAgent
from channel_tunnel_env import Ruleset

if TYPE_CHECKING:
    from channel_tunnel_agents.balance.measuring.game import MeasuredGame
    from channel_tunnel_agents.balance.measuring.measures import GameMeasures
    from channel_tunnel_agents.balance.report.contents import Contents
    from channel_tunnel_agents.balance.report.game import ReportedGame, ReportedTable
    from channel_tunnel_agents.matches.tables import GameTables
    from channel_tunnel_agents.players.families import Family
    from channel_tunnel_agents.players.policy.agent import PolicyAgent
    from channel_tunnel_agents.players.policy.form import PolicyForm
    from channel_tunnel_agents.rulesets.space import RulesetSpace
    from channel_tunnel_agents.table.design.game import DesignedGame
    from channel_tunnel_agents.table.minds.review import MoveGain
    from channel_tunnel_agents.table.minds.reviewed import ReviewedGame

RANDOM = "random"
"""The agent that plays every game."""
MIXED, ONE_AGAINST_THE_REST = "mixed", "one against the rest"
"""Seatings of more than two; see `matches.seatings`."""


class LevelName(StrEnum):
    """What levels are called in every game, the weakest first; a game has those that it has players for."""

    BEGINNER = "Beginner"
    LEARNER = "Learner"
    COLLECTOR = "Collector"
    BUILDER = "Builder"
    AMATEUR = "Amateur"
    STRATEGIST = "Strategist"
    TUNNELLER = "Tunneller"
    CLUB = "Club player"
    ADEPT = "Adept"
    MASTER = "Master"
    EXPERT = "Expert"


class Level(NamedTuple):
    """A rival by strength, for somebody who knows no agent's name; a game of another distribution may use its own."""

    name: str
    agent: str
    words: str


class ScriptedPlayers(Protocol):
    """The module with the scripted players of a game."""

    @property
    def NAMES(self) -> tuple[str, ...]:  # noqa: N802, a constant of the module
        """Their names."""

    def make_scripted(self, name: str, ruleset: Ruleset | None, seed: int) -> Agent | SearchAgent:
        """The player with a name of NAMES, for a ruleset of the game; None: its own."""


class TreePlayers(Protocol):
    """The module with the search that grows a tree with a policy."""

    def make_tree_player(
        self, policy: PolicyAgent, milliseconds: float | None, seed: int, name: str
    ) -> SearchAgent:
        """A policy that looks ahead.

        Args:
            milliseconds: for each decision; None: the usual number of visits.

        Raises:
            ValueError: a budget out of range.
        """


class NetworkParts(NamedTuple):
    """The parts of the network `game`, each a class of torch modules.

    Attributes:
        trunk: made of width and depth; has `features`, the number of its outputs.
        policy: the head made of a width, to logits (n, A).
        value: the head made of a width, to values (n, 1).
        many_rows: made of the three, a module with their weights by the same names, from observations (n, D) to
            logits (n, A) and values (n,), -1 to 1, which judges many rows in less time; None: there is none.
    """

    trunk: Callable[[int, int], Any]
    policy: Callable[[int], Any]
    value: Callable[[int], Any]
    many_rows: Callable[[Any, Any, Any], Any] | None = None


@dataclass(frozen=True)
class School:
    """How a game's policies are trained for a changed ruleset.

    Attributes:
        preset: its settings.
        decisions: default budget from nothing, of all seats; None: the preset's.
        copies: settings of copies that are tuned on one ruleset for some minutes, beside those of any gentle start.
    """

    preset: str
    decisions: int | None = None
    copies: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Tallies:
    """What is counted of finished self-play games beyond what every game has.

    Attributes:
        count: last records (n,) -> sums by name.
        always: names that a status has even where no game has ended.
    """

    count: Callable[[Any], dict[str, float]]
    always: tuple[str, ...]


@dataclass(frozen=True)
class AgentSpec:
    """A game, as those know it who play and measure it.

    Attributes:
        title: what a sentence calls the game.
        scripted: its scripted players. Players of several games may share a name.
        shipped: names of the trained agents that come with it, the weakest first, one that reads the rules last.
        earlier: name -> names under which earlier agents that bore it are kept: released tracks name them as opponents.
        reader: that of them that reads the rules and so plays every ruleset.
        trusted: share of its games against the scripted player from which the reader may judge rules; lower where luck is larger.
        strong: share from which a copy of the reader tuned on the very rules is hardly better: measured on many rulesets; None: not
            measured.
        second: the policy whose values are compared with the reader's, on rules that are new to both; None: none.
        most_apart: how far their chances of the first seat may lie apart, 0 to 1, before the reader is doubted.
        shipped_folder: holds a folder for each of them.
        searchers: names of agents that search, on offer at the table; the first stands before the trained ones.
        levels: rivals at the table, the weakest first.
        agents_help: what a command's help says of its agents besides the scripted ones.
        form: files, sizes and views of its policies; None: none can be trained.
        network: the parts of the network `game`.
        families: families of its actions by name, which an agent can be forbidden or made to take (`!ban=FAMILY`).
        gains: what a review of moves at the table says that a move gains, the weightiest first.
        reviewed: how its moves are judged after a game; None: they are not.
        tree: the search that grows a tree with a policy (`-puct`).
        seating: of tables of more than two seats, `MIXED` or `ONE_AGAINST_THE_REST`.
        shares: last records (B,) -> the share of each seat (B, S), where the game keeps shares of its own.
        tables: what is kept of its matches.
        ladder: names of the yardsticks of a training run, the weakest first.
        tallies: what is counted in self-play.
        school: how policies are trained for a changed ruleset.
        rulesets: rulesets drawn around its own.
        measures: what is measured in its games.
        measured: levers, luck and turns, for measurements beyond its tables of games.
        reported: what it says of itself in a report.
        contents: what its report shows.
        reported_table: the same two of a table of more than two seats.
        designed: what the designer's page knows of it beyond its rules.
    """

    title: str
    scripted: Callable[[], ScriptedPlayers] | None = None
    shipped: tuple[str, ...] = ()
    earlier: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    reader: str | None = None
    trusted: float = 0.8
    strong: float | None = None
    second: str | None = None
    most_apart: float = 1.0
    shipped_folder: Path | None = None
    searchers: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ()
    agents_help: str = ""
    form: Callable[[], PolicyForm | None] | None = None
    network: Callable[[], NetworkParts] | None = None
    families: Callable[[], Mapping[str, Family]] | None = None
    gains: Callable[[], Sequence[MoveGain]] | None = None
    reviewed: Callable[[], ReviewedGame] | None = None
    tree: Callable[[], TreePlayers] | None = None
    seating: str = MIXED
    shares: Callable[[], Callable[[Any], NDArray[Any]]] | None = None
    tables: Callable[[], GameTables] | None = None
    ladder: tuple[str, ...] = (RANDOM,)
    tallies: Callable[[], Tallies] | None = None
    school: School | None = None
    rulesets: Callable[[], RulesetSpace] | None = None
    measures: Callable[[], GameMeasures] | None = None
    measured: Callable[[], MeasuredGame] | None = None
    reported: Callable[[], ReportedGame] | None = None
    contents: Callable[[], Contents] | None = None
    reported_table: Callable[[], ReportedTable] | None = None
    designed: Callable[[], DesignedGame] | None = None
