"""What somebody means by a written order, in whatever words: `read_intent`.

    A LON H | A LON - PIC | A LON ~ PIC (by tunnel) | A LON BT PIC (build one) | A LON - BEL via convoy
    A WAL S A LON | A BRE S A LON - PIC | F ENG C A LON - BEL
    A PIC R PAR | A PIC R~ LON | A PIC D          retreats; `-` and `~` say the same there
    A PAR B | F STP/SC B | A PAR D | WAIVE        winter

The letter of a unit may be left out, and of the unit asked all of it. Verbs may be written out and `Build`, `Remove`,
`Disband`, `Retreat` stand in front. A power may be named before a unit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.spelling import (
    DASH,
    SLASH,
    TUNNEL,
    find_place,
    find_power,
    like_a_place,
    words_of,
)
from channel_tunnel_env.outside.documents import quote

EXAMPLES = (
    "an order looks like 'A LON - PIC', 'F BRE S A LON - PIC', 'A LON ~ PIC' or 'A LON BT PIC'"
)
MOST_CHARACTERS = 200  # of an order
_LETTERS = {"A": "A", "ARMY": "A", "F": "F", "FLEET": "F"}
_TO = (DASH, "TO", "INTO")
_HOLD = ("H", "HOLD", "HOLDS", "STAND", "STANDS")
_MOVE = ("M", "MOVE", "MOVES", "GO", "GOES", "ATTACK", "ATTACKS", *_TO)
_SUPPORT, _CONVOY = ("S", "SUPPORT", "SUPPORTS"), ("C", "CONVOY", "CONVOYS")
_RETREAT = ("R", "RETREAT", "RETREATS")
_DISBAND = ("D", "DISBAND", "DISBANDS", "REMOVE", "REMOVES", "DESTROY")
_BUILD, _DIG = ("B", "BUILD", "BUILDS"), ("BT", "DIG", "DIGS")
_WAIVE = ("WAIVE", "WAIVES")
_BY = ("VIA", "BY", "THROUGH")
_BEFORE_PLACES, _ARTICLES = ("THE", "IN", "AT"), ("A", "AN", "THE")  # say nothing there


@dataclass(frozen=True)
class Intent:
    """An order as it is meant; places are locations.

    Attributes:
        text: the order as it was written.
        power: of the unit, where it is named; else NONE.
        letter: A or F of the unit that is ordered, or "".
        place: where it stands; NONE where the order says only what to do.
        verb: H, D, B, -, ~, BT, R, R~, S, C; WAIVE; "" for a unit alone.
        whose: the power of the unit helped, where it is named; else NONE.
        other: letter of the unit helped, or "".
        src: where that stands, or NONE.
        dst: the place aimed at, or NONE.
        via: whether a convoy is asked for.
    """

    text: str
    power: int = c.NONE
    letter: str = ""
    place: int = c.NONE
    verb: str = ""
    whose: int = c.NONE
    other: str = ""
    src: int = c.NONE
    dst: int = c.NONE
    via: bool = False

    @property
    def unit(self) -> str:
        """The unit as the order names it, such as "A LON" or "LON"; "" for none."""
        return " ".join(filter(None, (self.letter, _name(self.place))))


def read_intent(text: str) -> Intent:
    """What a written order means.

    Raises:
        ValueError: it cannot be read; the message says at which word.
    """
    plain = " ".join(text.split())
    if len(plain) > MOST_CHARACTERS:
        raise ValueError(f"longer than {MOST_CHARACTERS} characters")
    return _Reader(plain).read()


def _name(location: int) -> str:
    return load_board().locations[location] if location >= 0 else ""


class _Reader:
    """The words of an order, read from the front."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = words_of(text)
        self.at = 0

    # --- words ------------------------------------------------------------------------------------

    @property
    def word(self) -> str:
        """The next word; "" behind the last."""
        return self.words[self.at] if self.at < len(self.words) else ""

    def take(self, *words: str) -> bool:
        """Whether one of some words is next, which is read then."""
        while self.word == SLASH and SLASH not in words:  # a bracket around a word
            self.at += 1
        if self.word not in words or not self.word:
            return False
        self.at += 1
        return True

    def letter(self) -> str:
        """The letter of a unit that is next, or ""."""
        self.take()
        self._pass_over(_ARTICLES, ("ARMY", "FLEET"))
        found = _LETTERS.get(self.word, "")
        self.at += bool(found)
        return found

    def _pass_over(self, words: tuple[str, ...], before: tuple[str, ...]) -> None:
        """Read one of some words where another one follows it."""
        if self.word in words and self.words[self.at + 1 : self.at + 2] in ([w] for w in before):
            self.at += 1

    def power(self) -> int:
        """The power that is next, or NONE."""
        self.take()
        found = find_power(self.words, self.at)
        self.at += found >= 0
        return found

    def is_place(self) -> bool:
        """Whether a place is next."""
        self._pass_to_place()
        return find_place(self.words, self.at)[1] > 0

    def _pass_to_place(self) -> None:
        """Read what may stand before a place where one follows: the Ionian Sea, an army in Rome."""
        self.take()
        start = self.at
        while self.take(*_BEFORE_PLACES):
            pass
        if not find_place(self.words, self.at)[1]:
            self.at = start

    def place(self, missing: str) -> int:
        """The place that is next; `missing` is said where the order ends."""
        self._pass_to_place()
        place, count = find_place(self.words, self.at)
        if not count:
            if not self.word:
                raise ValueError(f"{missing}; {EXAMPLES}")
            raise ValueError(f"no place {quote(self.word)}{like_a_place(self.word)}")
        self.at += count
        return place

    # --- orders -----------------------------------------------------------------------------------

    def read(self) -> Intent:
        """The whole order."""
        if not self.words:
            raise ValueError(f"nothing is written; {EXAMPLES}")
        power = self.power()
        order = self._led() or self._plain()
        if order.power < 0:
            order = replace(order, power=power)
        if self.word:
            raise ValueError(f"{quote(self.word)} is not understood there; {EXAMPLES}")
        return order

    def _led(self) -> Intent | None:
        """An order with its verb in front of its unit."""
        start = self.at
        if self.take(*_WAIVE):
            self.take(*_BUILD)
            return Intent(self.text, verb="WAIVE")
        for verb, words in (("B", _BUILD), ("D", _DISBAND), ("H", _HOLD)):
            if self.take(*words):
                if verb == "B" and self.word == "TUNNEL":
                    break
                if verb == "B" or self.word:
                    return replace(self._unit(), verb=verb)
        if self.take(*_RETREAT) and self.word not in (TUNNEL, *_TO):
            unit = self._unit()
            if self.word in (TUNNEL, *_TO):
                return self._ordered(unit, "R")
        self.at = start
        return None

    def _plain(self) -> Intent:
        """An order with its unit in front; or without one."""
        self._pass_over(_ARTICLES, ("ARMY", "FLEET"))
        begins = self.word in _LETTERS or self.is_place()
        if not begins and self.word not in _VERBS:
            self.place("it names no unit")  # refused, with the place that may be meant
        return self._ordered(self._unit() if begins else Intent(self.text))

    def _unit(self) -> Intent:
        power, letter = self.power(), self.letter()
        return Intent(self.text, power=power, letter=letter, place=self.place("it names no unit"))

    def _ordered(self, unit: Intent, led: str = "") -> Intent:
        """A unit with what it is to do."""
        if led or self.take(*_RETREAT):
            return self._retreat(unit)
        if self.take(TUNNEL) or self._by("TUNNEL"):
            return replace(unit, verb="~", dst=self._goal())
        for verb, words in (("H", _HOLD), ("D", _DISBAND)):
            if self.take(*words):
                return replace(unit, verb=verb)
        if self.take(*_DIG):
            return self._dig(unit)
        if self.take(*_BUILD):
            self._pass_over(_ARTICLES, ("TUNNEL",))
            return self._dig(unit) if self.take("TUNNEL") else replace(unit, verb="B")
        if self.take(*_MOVE):
            return self._move(unit)
        if self.take(*_SUPPORT):
            return self._help(unit, "S")
        if self.take(*_CONVOY):
            return self._help(unit, "C")
        if self.word:
            raise ValueError(f"{quote(self.word)} is no order to {unit.unit}; {EXAMPLES}")
        return unit

    def _goal(self) -> int:
        self.take(*_TO)
        return self.place("it does not say where to")

    def _retreat(self, unit: Intent) -> Intent:
        tunnel = self.take(TUNNEL)
        dst = self._goal()
        return replace(unit, verb="R~" if tunnel or self._by("TUNNEL") else "R", dst=dst)

    def _dig(self, unit: Intent) -> Intent:
        self._pass_over(_ARTICLES, ("TUNNEL",))
        self.take("TUNNEL")
        return replace(unit, verb="BT", dst=self._goal())

    def _move(self, unit: Intent) -> Intent:
        dst = self._goal()
        if self._by("TUNNEL"):
            return replace(unit, verb="~", dst=dst)
        return replace(unit, verb="-", dst=dst, via=self._by("CONVOY") or self.take("VIA"))

    def _by(self, what: str) -> bool:
        """Whether it is said next by what way a unit goes."""
        start = self.at
        if self.take(*_BY):
            self.take("THE")
            if self.take(what):
                return True
        self.at = start
        return False

    def _help(self, unit: Intent, verb: str) -> Intent:
        whose, letter = self.power(), self.letter()
        src = self.place("it does not say which unit is helped")
        dst = c.NONE
        if self.take(*_MOVE, TUNNEL) and not (verb == "S" and self.take(*_HOLD)):
            dst = self._goal()
            self._by("TUNNEL") or self._by("CONVOY")  # a support names no way (E19)
        elif verb == "S":
            self.take(*_HOLD)
        if verb == "C" and dst < 0:
            raise ValueError("a convoy names a destination")
        return replace(unit, verb=verb, whose=whose, other=letter, src=src, dst=dst)


_VERBS = {
    *(TUNNEL, *_BY, *_HOLD, *_MOVE, *_SUPPORT, *_CONVOY),
    *(*_RETREAT, *_DISBAND, *_BUILD, *_DIG, *_WAIVE),
}
