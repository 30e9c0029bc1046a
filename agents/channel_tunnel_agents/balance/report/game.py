"""What a game says of itself on the page: its seats, sections, players and words. What it shows is in `contents`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from channel_tunnel_agents.balance.report.words import capital
from channel_tunnel_env import Ruleset


@dataclass(frozen=True)
class DefaultAgents:
    """The default agents.

    Attributes:
        full, quick: where all shipped policies were trained for the rules.
        untrained: for other rules, with those policies that were trained for them; in a quick report without those
            that look ahead for long.
        policies: the names of the shipped policies.
        preset: the training preset that a designer is pointed to.
        deals: of a pairing, in a full and in a quick report.
        limits: players that look ahead, but not for long -> their deals, full and quick, where no number is asked for;
            other searches take seconds a game and always play few.
    """

    full: tuple[str, ...]
    quick: tuple[str, ...]
    untrained: tuple[str, ...]
    policies: tuple[str, ...]
    preset: str
    deals: tuple[int, int]
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Reported:
    """A game on the page, whatever its seats.

    Attributes:
        place: what a seat is called: "side", "seat".
        sections: key -> title, in the order of the page.
        players: who plays.
        standard: the ruleset that others are compared with if they have no base.
        beside: measures of the strongest agent's games on the first page -> their names there.
        length: columns of a game's length besides the clock and decisions: heading -> columns that are added up.
        in_short: a ruleset -> its rules in a few sentences.
        versions: what besides the package's version the numbers depend on -> its version.
        style: style sheet of the drawings, and of the colours of the seats.
    """

    place: str
    sections: Mapping[str, str]
    players: DefaultAgents
    standard: str
    beside: Mapping[str, str]
    in_short: Callable[[Ruleset], list[str]]
    length: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    style: str = ""


@dataclass(frozen=True, kw_only=True)
class ReportedTable(Reported):
    """A game at a table of more than two seats.

    Attributes:
        called: what a sentence calls a seat of the tables: "Austria", "the third seat".
        figures: sections that show measures of every agent's games: key -> names of the measures.
        seated: the base, a ruleset -> the base for as many seats; None where every table has the same.
    """

    called: Callable[[str], str]
    figures: Mapping[str, tuple[str, ...]]
    seated: Callable[[Ruleset, Ruleset], Ruleset] | None = None


@dataclass(frozen=True, kw_only=True)
class ReportedGame(Reported):
    """A game of two seats.

    Attributes:
        seats: what a sentence calls the first and the second: "Britain", "the first seat".
        labels: the same on an axis, without an article.
        letters: one each, beside its colour.
        streams: sources of luck -> their names.
        records: measurements whose games are drawn and written as records (see `records`).
        points: what its points are called.
        margin_note: a remark on leads at the end.
    """

    seats: tuple[str, str]
    labels: tuple[str, str]
    letters: tuple[str, str]
    streams: Mapping[str, str] = field(default_factory=dict)
    records: tuple[str, ...] = ("tension",)
    points: str = "points"
    margin_note: str = ""

    @property
    def first(self) -> str:
        """The first seat in a sentence."""
        return self.seats[0]

    @property
    def at_first(self) -> str:
        """The first seat as a sentence begins."""
        return capital(self.seats[0])

    @property
    def first_better(self) -> str:
        """The label of an axis on which the first seat's advantage grows to the right."""
        return f"← {self.labels[1]} better | {self.labels[0]} better →"

    @property
    def first_ahead(self) -> str:
        """The label of an axis on which the first seat's lead grows to the right."""
        return f"← {self.labels[1]} ahead | {self.labels[0]} ahead →"

    def better(self, share: float) -> str:
        """The seat that is better off with this share of wins of the first one."""
        return self.seats[0 if share > 0.5 else 1]
