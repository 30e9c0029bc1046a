"""What a game tells of itself, and what its page shows: seats, players, words, sections, measurements."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from channel_tunnel_agents.balance.report.page import PageSection, Shown
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.games import Parts
from channel_tunnel_env import Ruleset
from channel_tunnel_env.faces.registry import table_of
from channel_tunnel_env.outside.sentences import capital

Evidence = Any
"""An `evidence.Evidence`, which imports this module."""
Measurement = Any
"""A `measurements.Measurement`: its jobs hold the settings of a report, which import this module."""
FRONT = "levers"
"""The key of the section of the first page that is measured."""


class GameSection(NamedTuple):
    """A section of the evidence: its heading, and what it shows."""

    title: str
    show: Callable[[Evidence], Shown]


@dataclass(frozen=True)
class DefaultAgents:
    """The default agents.

    Attributes:
        full, quick: in a full and in a quick report. By rules for which one of `policies` was not trained, the one that reads the
            rules takes its place.
        policies: those that were trained for certain rules.
        preset: the training preset that a designer is pointed to.
        deals: of a pairing, in a full and in a quick report.
        limits: players that look ahead, but not for long -> their deals, full and quick, where no number is asked for;
            other searches take seconds a game and always play few.
    """

    full: tuple[str, ...]
    quick: tuple[str, ...]
    policies: tuple[str, ...]
    preset: str
    deals: tuple[int, int]
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def rules_of_the_table(ruleset: Ruleset, without: Collection[str] = ()) -> list[str]:
    """The aim, and the rules as the page of the table tells them.

    Args:
        without: names of rules that are left out.
    """
    face = table_of(ruleset.spec)
    rules = [rule for name, rule in face.rule_sentences(ruleset).items() if name not in without]
    return [" ".join(face.goal(ruleset)), *(f"{rule['title']}: {rule['text']}" for rule in rules)]


@dataclass(frozen=True, kw_only=True)
class ReportedGame:
    """A game on the page, at a table of some size.

    Attributes:
        seats: what a sentence calls those that somebody plays: "Britain", "the first seat".
        place: what a seat is called: "side", "seat".
        players: who plays.
        sections: those below by their keys, in the order of the page.
        measurements: in the order of measuring: a designer's first questions come first. See `made`.
        of_base: measurements that are made of the base as well, by the names of the report's own.
        standard: the ruleset that others are compared with if they have no base.
        beside: measures of the strongest agent's games on the first page -> their names there.
        drawn: its pictures on the first page; None: it has none.
        in_short: a ruleset -> its rules in a few sentences.
        letters: of two seats, one each, beside its colour.
        length: columns of a game's length besides the clock and decisions: heading -> columns that are added up.
        versions: what besides the package's version the numbers depend on -> its version.
        style: style sheet of the drawings, and of the colours of the seats.
        streams: sources of luck -> their names.
        records: measurements whose games are drawn and written as records (see `records`).
        points: what its points are called.
        margin_note: a remark on leads at the end.
        seats_note: a ruleset -> what is known of its seats before any game; "" for nothing.
        seated: the base, a ruleset -> the base for as many seats; None where every table has the same.
    """

    seats: tuple[str, ...]
    place: str
    players: DefaultAgents
    sections: Mapping[str, GameSection]
    measurements: tuple[Measurement, ...]
    standard: str
    beside: Mapping[str, str]
    drawn: Callable[[Evidence], PageSection] | None = None
    of_base: tuple[Measurement, ...] = ()
    in_short: Callable[[Ruleset], list[str]] = rules_of_the_table
    letters: tuple[str, ...] = ()
    length: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    style: str = ""
    streams: Mapping[str, str] = field(default_factory=dict)
    records: tuple[str, ...] = ("tension",)
    points: str = "points"
    margin_note: str = ""
    seats_note: Callable[[Ruleset], str] = lambda ruleset: ""
    seated: Callable[[Ruleset, Ruleset], Ruleset] | None = None

    @property
    def made(self) -> tuple[Measurement, ...]:
        """The measurements that the page shows at this table: those of its sections, and that of the first page."""
        return tuple(each for each in self.measurements if each.section in {*self.sections, FRONT})

    @property
    def labels(self) -> tuple[str, ...]:
        """The seats as an axis names them, without an article."""
        return tuple(name.removeprefix("the ") for name in self.seats)

    @property
    def heads(self) -> tuple[str, ...]:
        """The same as a row begins."""
        return tuple(map(capital, self.labels))

    @property
    def all(self) -> str:
        """All seats in a sentence: "both sides", "all seats"."""
        return f"{'both' if len(self.seats) == 2 else 'all'} {self.place}s"

    @property
    def first(self) -> str:
        """The first seat in a sentence."""
        return self.seats[0]

    @property
    def at_first(self) -> str:
        """The first seat as a sentence begins."""
        return capital(self.seats[0])

    def towards_first(self, what: str) -> str:
        """The label of an axis on which the first of two seats gains to the right: is "better" or "ahead"."""
        return f"← {self.labels[1]} {what} | {self.labels[0]} {what} →"


class ReportModule(Protocol):
    """What a game's module `report` holds."""

    def game(self, ruleset: Ruleset) -> ReportedGame:
        """What the game says of itself at the table of a ruleset."""


REPORTED: Mapping[str, ReportModule] = Parts("report", "", ReportModule)
"""The games that are reported on, by name."""


def reported(ruleset: Ruleset) -> ReportedGame:
    """What the game of a ruleset says of itself at a table of its size.

    Raises:
        AgentError: no report is written on that game.
    """
    game = ruleset.spec.name
    if game not in REPORTED:
        raise AgentError(f"ruleset {ruleset.name}: game {game}: games that are reported on: {', '.join(REPORTED)}")
    return REPORTED[game].game(ruleset)
