"""What the designer's page needs to know of a game beyond its rules; a game that says nothing has the usual."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from channel_tunnel_agents.games import Parts
from channel_tunnel_env import Ruleset
from channel_tunnel_env.outside.sentences import capital

BEST = "best"
"""Stands for the best player that fits a draft."""
SCRIPTED = "scripted"
"""Stands for the yardsticks of the game: players by rules of thumb that play any rules, a thousand games in seconds."""


class ReportPlayers(NamedTuple):
    """Who may play the games of a report.

    Attributes:
        key: what the page sends.
        agents: their names. BEST and SCRIPTED stand for others.
        cost: processor time of a report on 50 deals, as docs/how-to/design-in-the-browser.md; "": not measured.
    """

    key: str
    words: str
    agents: tuple[str, ...]
    cost: str = ""


class DrawnPart(NamedTuple):
    """A card or a tile as the page draws it; `rules` says what the rules say of it, to find those that differ."""

    svg: str
    rules: str


class DrawnWorth(NamedTuple):
    """Where a report of the game says what its drawn parts are worth: a table of its front page, and columns of it.

    Each column of worths has its interval beside it, in the columns `: low` and `: high`.

    Attributes:
        table: its key.
        name: the column of the parts' names, as in `DesignedGame.pictures`.
        here: the column of their worth in the report's rules.
        base: that of their worth in the base.
    """

    table: str
    name: str
    here: str
    base: str


REPORT_PLAYERS = (
    ReportPlayers(BEST, "the best player that fits", (SCRIPTED, BEST)),
    ReportPlayers(SCRIPTED, "the scripted player", (SCRIPTED,)),
)


def plain_words(key: str) -> str:
    """ "heavy_machinery" -> "heavy machinery"."""
    return key.replace("_", " ")


def plain_label(key: str) -> str:
    """The end of a key in words: "road open"."""
    first, *rest = key.split(".")
    label = ", ".join(map(plain_words, rest or [first]))
    return capital(label)


@dataclass(frozen=True)
class DesignedGame:
    """A game on the designer's page.

    Attributes:
        units: pattern of a key -> its unit; the first that fits.
        unsaid: patterns of the keys of figures that have no field.
        label: the key of a figure -> its name.
        sentence: key, value and ruleset -> what a figure means, if the game's rules in words say nothing; "" for
            nothing.
        choices: key of a figure that is a text -> the values allowed.
        values: pattern of a key -> value that may be chosen -> what it is called, if its own word would not be
            understood; the first that fits.
        pictures: a ruleset -> its cards or tiles by name, drawn.
        picture_style: style sheet of these drawings.
        worth: where a report says what these are worth; None: it does not.
        report_players: who may play a report, the usual choice first.
    """

    units: tuple[tuple[str, str], ...] = ()
    unsaid: tuple[str, ...] = ()
    label: Callable[[str], str] = plain_label
    sentence: Callable[[str, Any, Ruleset], str] = lambda key, value, ruleset: ""
    choices: Mapping[str, Callable[[Ruleset], list[str]]] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    pictures: Callable[[Ruleset], Mapping[str, DrawnPart]] = lambda ruleset: {}
    picture_style: str = ""
    worth: DrawnWorth | None = None
    report_players: tuple[ReportPlayers, ...] = REPORT_PLAYERS


DESIGNED: Mapping[str, DesignedGame] = Parts("table", "DESIGNED", DesignedGame)
"""By the game's name."""


def designed(ruleset: Ruleset) -> DesignedGame:
    """What the page knows of a ruleset's game."""
    return DESIGNED.get(ruleset.spec.name) or DesignedGame()
