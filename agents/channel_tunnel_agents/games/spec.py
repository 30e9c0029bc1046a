"""What agents, tournaments, training and reports know of one game as plain facts.

The module `spec` of a game's folder holds them as `SPEC`; see `games.Parts` for everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

RANDOM = "random"
"""The agent that plays every game."""
MIXED, ONE_AGAINST_THE_REST = "mixed", "one against the rest"
"""Seatings of more than two; see `matches.arena`."""


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


class NetworkParts(NamedTuple):
    """The parts of the network `game`, each a class of torch modules.

    Attributes:
        trunk: made of width and depth; has `features`, the number of its outputs, of which the first `width` are those of
            the whole, read by the value head.
        policy: the head made of a width, to logits (n, A).
    """

    trunk: Callable[[int, int], Any]
    policy: Callable[[int], Any]


@dataclass(frozen=True)
class School:
    """How a game's policies are trained for a changed ruleset.

    Attributes:
        preset: its settings.
        for_one_ruleset: settings of a policy that goes on from one that reads the rules, beside those of any gentle start.
    """

    preset: str
    for_one_ruleset: Mapping[str, Any] = field(default_factory=dict)


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
    """A game, as players and measurements know it.

    Attributes:
        title: what a sentence calls the game.
        shipped: names of the trained agents that come with it, the weakest first, one that reads the rules last.
        reader: that of them that reads the rules and so plays every ruleset.
        shipped_folder: holds a folder for each of them.
        searchers: names of agents that search, on offer at the table; the first comes before the trained ones.
        levels: rivals at the table, the weakest first.
        agents_help: what a command's help says of its agents besides the scripted ones.
        seating: of tables of more than two seats, `MIXED` or `ONE_AGAINST_THE_REST`.
        share_field: of its records, where it keeps the share of each seat (S,) itself.
        ladder: names of the yardsticks of a training run, the weakest first.
        school: how policies are trained for a changed ruleset.
    """

    title: str
    shipped: tuple[str, ...] = ()
    reader: str | None = None
    shipped_folder: Path | None = None
    searchers: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ()
    agents_help: str = ""
    seating: str = MIXED
    share_field: str | None = None
    ladder: tuple[str, ...] = (RANDOM,)
    school: School | None = None
