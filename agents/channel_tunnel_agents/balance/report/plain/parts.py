"""The parts of the plain answer: shares as coins, intervals as bars, changes to try."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from channel_tunnel_agents.balance.report.numbers import HUNDRED, Number, count

EITHER = "either"
"""The kind of coins that these games cannot give to anybody."""
FIRST, SECOND, ONE = "first", "second", "one"
"""The kinds of coins that belong to the first of two seats, to the second, and to the one seat of a row."""


@dataclass(frozen=True)
class Coins:
    """A share as coins, each a game of a hundred.

    Attributes:
        name: whose they are; "" where they are everybody's.
        runs: kind of coin -> how many, in their order.
        says: the same in words, for screen readers.
    """

    name: str
    runs: tuple[tuple[str, int], ...]
    says: str


@dataclass(frozen=True)
class Bar:
    """An interval as a bar.

    Attributes:
        name: whose it is.
        number: its middle and ends; nothing is drawn of too few games.
        scale: the values at both ends of the track.
        fair: the values between which it is fair; empty where there are none.
        was: where it was before a change; none: no change.
        words: what it shows, in a few words.
        answer: "yes", "no" or another answer of a verdict, for its colour.
        about: who that is, in a sentence.
    """

    name: str
    number: Number
    scale: tuple[float, float]
    words: str
    answer: str
    fair: tuple[float, ...] = ()
    was: float | None = None
    about: str = ""

    def at(self, value: float) -> str:
        """Where a value stands on the track, in per cent of its length."""
        low, high = self.scale
        return f"{HUNDRED * min(1.0, max(0.0, (value - low) / (high - low))):.2f}"

    def wide(self, low: float, high: float) -> str:
        """How long a piece of the track is, in per cent of its length."""
        return f"{float(self.at(high)) - float(self.at(low)):.2f}"


@dataclass(frozen=True)
class ChangeToTry:
    """A number to change.

    Attributes:
        told: the change in words.
        effect: what it did, in words.
        bar: where it led.
        key, value: the setting of the ruleset and its new value.
        line: the same as a line of a ruleset file; "": none is needed any more.
        replaces: the section of the file that the line stands instead of; "": it is a new one; None: what the file has is not known.
    """

    told: str
    effect: str
    bar: Bar
    key: str
    value: int | str | list[int | str]
    line: str
    replaces: str | None = None


@dataclass(frozen=True)
class OnceMore:
    """What would tell.

    Attributes:
        deals: of every pairing.
        decisions: for which policies are trained first; 0: the players stay.
        command: does it.
        takes: about how long; "": as long as these deals took, in proportion.
    """

    deals: int
    decisions: int
    command: str
    takes: str = ""

    @property
    def label(self) -> str:
        """On its button."""
        return "Train players for these rules" if self.decisions else f"Play {count(self.deals)} deals"


@dataclass(frozen=True)
class PlainAnswer:
    """All of it.

    Attributes:
        answer: as that of the verdict.
        headline: fair or not.
        sentences: what was seen, and what to do.
        coins: what each seat wins.
        legend: how to read the coins.
        since: from which player on it is so.
        levels: a bar for every player, the weakest first.
        ends: what the ends of their tracks mean.
        help_title, help_lead: what the changes are good for.
        tries: the changes, the best first.
        careful: why the players may not be believed; empty where they may.
        more: what would tell, if this report cannot.
    """

    answer: str
    headline: str
    sentences: tuple[str, ...]
    coins: tuple[Coins, ...]
    legend: str
    since: str
    levels: tuple[Bar, ...]
    ends: tuple[str, ...]
    help_title: str
    help_lead: str
    tries: tuple[ChangeToTry, ...] = ()
    careful: tuple[str, ...] = ()
    more: OnceMore | None = None


def coins_between(low: float, high: float) -> tuple[int, int]:
    """The ends of a share's interval as coins of a hundred."""
    one, other = (round(HUNDRED * min(1.0, max(0.0, end))) for end in (low, high))
    return one, other


def plain_dict(answer: PlainAnswer) -> dict[str, Any]:
    """The words of it, JSON-serialisable; its figures stand in other parts of the report."""
    return {
        "answer": answer.answer,
        "headline": answer.headline,
        "careful": list(answer.careful),
        "sentences": list(answer.sentences),
        "since": answer.since,
        "levels": {bar.name: bar.words for bar in answer.levels},
        "tries": [
            {"told": each.told, "effect": each.effect, "words": each.bar.words, "key": each.key, "value": each.value}
            for each in answer.tries
        ],
    }
