"""What somebody means by a written order, in any words: `read_intent`.

    A LON H | A LON - PIC | A LON ~ PIC (by tunnel) | A LON BT PIC (build one) | A LON - BEL via convoy
    A WAL S A LON | A BRE S A LON - PIC | F ENG C A LON - BEL
    A PIC R PAR | A PIC R~ LON | A PIC D          retreats; `-` and `~` say the same there
    A PAR B | F STP/SC B | A PAR D | WAIVE        winter

The letter of a unit may be left out, and of the unit asked all of it. Verbs may be written out, in any form, and
`Build`, `Remove`, `Disband`, `Retreat`, `Move` come first. A power may be named before a unit, or in brackets
after its place. Helped units and where they go come in either order: `support move to BUR from PAR`. What became of
an order may follow it: `(*bounce*)`, `(fails)`. Over which seas an army goes is not its to order.
"""

from __future__ import annotations

from collections.abc import Iterable
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

EXAMPLES = "an order looks like 'A LON - PIC', 'F BRE S A LON - PIC', 'A LON ~ PIC' or 'A LON BT PIC'"
MOST_CHARACTERS = 200  # of an order
_LETTERS = {"A": "A", "ARMY": "A", "F": "F", "FLEET": "F", "UNIT": ""}
_TO = (DASH, "TO", "INTO")
_TOWARDS = (*_TO, "ON", "ONTO")  # behind a verb


def _forms(*verbs: str) -> tuple[str, ...]:
    """Verbs as somebody writes them: MOVE, MOVES, MOVED, MOVING."""
    forms = []
    for verb in verbs:
        root = verb.removesuffix("E")
        forms += [verb, f"{verb}S", f"{verb}ES", f"{root}ED", f"{root}ING"]
    return tuple(forms)


_HOLD = ("H", "HELD", "STOOD", *_forms("HOLD", "STAND", "STAY", "REMAIN"))
_LEAD = _forms("MOVE", "SEND")  # may come before the unit that moves
_GO = ("M", "WENT", *_LEAD, *_forms("GO", "ATTACK", "ADVANCE", "MARCH", "SAIL"))
_MOVE = (*_GO, *_TO)
_SUPPORT, _CONVOY = ("S", "SUP", *_forms("SUPPORT")), ("C", *_forms("CONVOY"))
_RETREAT = ("R", *_forms("RETREAT"))
_DISBAND = ("D", "OTB", *_forms("DISBAND", "REMOVE", "DESTROY"))
_BUILD, _DIG = ("B", "BUILT", *_forms("BUILD")), ("BT", "DUG", "DIGGING", *_forms("DIG"))
_WAIVE = _forms("WAIVE", "WAIT", "PASS")
_BY, _CARRIED = ("VIA", "BY", "THROUGH", "USING"), ("CONVOY", "CONVOYED", "CONVOYS")
_BEFORE_PLACES, _ARTICLES = ("THE", "IN", "AT"), ("A", "AN", "THE")  # say nothing there
_UNITS, _FROM = ("ARMY", "FLEET", "UNIT"), ("OF", "FROM", "FOR")  # before a unit or its place
# What became of an order, and what that was due to.
_ENDS = ("CUT", "VOID", "OK", "INVALID", "ILLEGAL", "SUCCESS", "SUCCESSFUL", "FAILURE")
_RESULTS = (*_ENDS, *_forms("BOUNCE", "FAIL", "DISLODGE", "SUCCEED", "DISRUPT"))
_DUE_TO = ("WITH", "BY", "AGAINST", "AND")


@dataclass(frozen=True)
class Intent:
    """An order as it is meant; places are locations.

    Attributes:
        text: the order as it was written.
        power: of the unit if it is named; else NONE.
        letter: A or F of the unit that is ordered, or "".
        place: where it stands; NONE if the order says only what to do.
        verb: H, D, B, -, ~, BT, R, R~, S, C; WAIVE; "" for only a unit.
        whose: the power of the unit helped if it is named; else NONE.
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


def names_unit(text: str) -> bool:
    """Whether a text that cannot be read is an order all the same, with a slip: A MAR - XYZ, A BURR - PAR, F SPA/EC H."""
    reader = _Reader(text[:MOST_CHARACTERS])
    letter = reader.letter()
    try:
        if reader.is_place() or not like_a_place(reader.word):
            return bool(letter) and reader.is_place()
    except ValueError:
        return bool(letter)  # a place, though without such a coast
    try:
        rest = _Reader(" ".join(reader.words[reader.at + 1 :])).read()
    except ValueError:
        return False
    return rest.place < 0 and max(rest.src, rest.dst) >= 0


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
        self._pass_over(_ARTICLES, _UNITS)
        found = _LETTERS.get(self.word, "")
        self.at += self.word in _LETTERS
        return found

    def _pass_over(self, words: tuple[str, ...], before: Iterable[str]) -> None:
        """Read one of some words where another one follows it."""
        if self.word in words and self.words[self.at + 1 : self.at + 2] in ([w] for w in before):
            self.at += 1

    def power(self) -> int:
        """The power that is next, or NONE."""
        self.take()
        article = self.word == "THE"
        found, count = find_power(self.words, self.at + article)
        if count:
            self.at += article + count
        return found

    def is_place(self) -> bool:
        """Whether a place is next."""
        self._pass_to_place()
        return find_place(self.words, self.at)[1] > 0

    def _pass_to_place(self) -> None:
        """Read what may come before a place where one follows: the Ionian Sea, an army in Rome."""
        self.take()
        start = self.at
        while self.take(*_BEFORE_PLACES):
            pass
        if not find_place(self.words, self.at)[1]:
            self.at = start

    def place(self, missing: str) -> int:
        """The place that is next; `missing` is the error if the order ends."""
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
        self._pass_over_result()
        if self.word:
            raise ValueError(f"{quote(self.word)} is not understood there; {EXAMPLES}")
        return replace(order, power=_one_power(power, order.power))

    def _pass_over_result(self) -> None:
        """Read what became of an order: (*bounce*), (fails), bounced with BUR (1 against 1)."""
        start = self.at
        self.take(DASH)
        if (self.take("NO") and self.take("CONVOY")) or self.take(*_RESULTS):
            due = (*_RESULTS, *_DUE_TO, *_LETTERS)
            while self.take(*due) or self.word.isdigit() or self.is_place():
                self.at += self.word.isdigit() or find_place(self.words, self.at)[1]
        else:
            self.at = start

    def _led(self) -> Intent | None:
        """An order with its verb in front of its unit."""
        start = self.at
        if self.take(*_WAIVE):
            self._pass_over((*_ARTICLES, "ONE"), _BUILD)
            self.take(*_BUILD)
            return Intent(self.text, verb="WAIVE")
        for verb, words in (("B", _BUILD), ("D", _DISBAND), ("H", _HOLD)):
            if self.take(*words):
                if verb == "B" and self.word == "TUNNEL":
                    break
                if verb == "B" and self.take(*_WAIVE):
                    return Intent(self.text, verb="WAIVE")
                if verb == "B" or self.word:
                    return replace(self._unit(), verb=verb)
        if self.take(*_RETREAT) and self.word not in (TUNNEL, *_TO):
            unit = self._unit()
            if self.word in (TUNNEL, *_TO):
                return self._ordered(unit, "R")
        self.at = start
        lead = self.take(*_LEAD)
        self._pass_over(_ARTICLES, _UNITS)
        if lead and (self.word in _LETTERS or self.is_place()):
            unit = self._unit()
            if self.word in _TO:
                return self._ordered(unit)
        self.at = start
        return None

    def _plain(self) -> Intent:
        """An order with its unit in front; or without one."""
        self._pass_over(_ARTICLES, _UNITS)
        begins = self.word in _LETTERS or self.is_place()
        if not begins and self.word not in _VERBS:
            self.place("it names no unit")  # refused, with the place that may be meant
        return self._ordered(self._unit() if begins else Intent(self.text))

    def _unit(self) -> Intent:
        self.take(*_FROM)
        power, letter = self.power(), self.letter()
        self._pass_over(_GO, ("FROM",))
        self.take(*_FROM)
        place = self.place("it names no unit")
        if self.word == SLASH and find_power(self.words, self.at + 1)[1]:
            power = _one_power(power, self.power())
        return Intent(self.text, power=power, letter=letter, place=place)

    def _ordered(self, unit: Intent, led: str = "") -> Intent:
        """A unit with what it is to do."""
        self._pass_over((DASH,), _VERBS)
        if led or self.take(*_RETREAT):
            return self._retreat(unit)
        if self.take(TUNNEL) or self._by("TUNNEL", before=True):
            return replace(unit, verb="~", dst=self._goal())
        for verb, words in (("H", _HOLD), ("D", _DISBAND)):
            if self.take(*words):
                return replace(unit, verb=verb)
        if self.take(*_DIG):
            return self._dig(unit)
        if self.take(*_BUILD):
            self._pass_over(_ARTICLES, ("TUNNEL",))
            return self._dig(unit) if self.take("TUNNEL") else replace(unit, verb="B")
        via = self._by(*_CARRIED, before=True)
        if self.take(*_MOVE) or via:
            return self._move(unit, via)
        for verb, words in (("S", _SUPPORT), ("C", _CONVOY)):
            if self.take(*words):
                return self._help(unit, verb)
        if self.word:
            raise ValueError(f"{quote(self.word)} is no order to {unit.unit}; {EXAMPLES}")
        return unit

    def _goal(self) -> int:
        while self.take(*_TOWARDS):
            pass
        return self.place("it does not say where to")

    def _retreat(self, unit: Intent) -> Intent:
        if self.take(*_DISBAND):
            return replace(unit, verb="D")
        tunnel = self.take(TUNNEL) or self._by("TUNNEL", before=True)
        dst = self._goal()
        return replace(unit, verb="R~" if tunnel or self._by("TUNNEL") else "R", dst=dst)

    def _dig(self, unit: Intent) -> Intent:
        self._pass_over(_ARTICLES, ("TUNNEL",))
        self.take("TUNNEL")
        return replace(unit, verb="BT", dst=self._goal())

    def _move(self, unit: Intent, via: bool) -> Intent:
        dst = self._goal()
        if unit.place < 0 and self.word == "FROM":
            unit = self._unit()
        if not via and self._by("TUNNEL"):
            return replace(unit, verb="~", dst=dst)
        via = self._by(*_CARRIED) or self.take("VIA") or via
        return replace(unit, verb="-", dst=dst, via=via)

    def _by(self, *ways: str, before: bool = False) -> bool:
        """Whether the next words give a unit's way; before its goal only behind VIA and the like."""
        start = self.at
        said = self.take(*_BY)
        self._pass_over(_ARTICLES, ways)
        if (said or not before) and self.take(*ways):
            return True
        self.at = start
        return False

    def _help(self, unit: Intent, verb: str) -> Intent:
        """A support or a convoy: the unit helped, and where it goes or that it holds, in any order."""
        helped, dst, holds, goes = Intent(self.text), c.NONE, False, False
        while self.take() or self.word not in ("", *_RESULTS):
            self._pass_over((*_ARTICLES, *_TO, "IN"), _HOLD)
            self._pass_over(_ARTICLES, _GO)
            if verb == "S" and self.take(*_HOLD):
                holds = True
            elif not goes and self.take(*_GO):
                goes = True
            elif dst < 0 and (self.word in (*_TO, TUNNEL) or (goes and (helped.place >= 0 or self.word == "ON"))):
                self.take(TUNNEL)
                dst = self._goal()
                self._by("TUNNEL", *_CARRIED)  # a support names no way (E19)
            elif helped.place < 0:
                helped = self._unit()
            else:
                break
        if holds and helped.place < 0:  # webDiplomacy: support hold to KIE
            helped, dst = replace(helped, place=dst), c.NONE
        if helped.place < 0 <= dst and verb == "C" and unit.letter == "A":
            return replace(unit, verb="-", dst=dst, via=True)  # it asks for one: convoys to BEL
        if helped.place < 0:
            raise ValueError(f"it does not say which unit is helped; {EXAMPLES}")
        if verb == "C" and dst < 0:
            raise ValueError("a convoy names a destination")
        if goes and dst < 0:
            raise ValueError(f"it does not say where to; {EXAMPLES}")
        if holds and dst >= 0:
            raise ValueError("it says to hold and to move")
        whose, other, src = helped.power, helped.letter, helped.place
        return replace(unit, verb=verb, whose=whose, other=other, src=src, dst=dst)


def _one_power(power: int, other: int) -> int:
    """The power that is named in two places, or in one of them, or NONE."""
    if c.NONE not in (power, other) and power != other:
        powers = load_board().powers
        raise ValueError(f"it names two powers: {powers[power]} and {powers[other]}")
    return max(power, other)


_VERBS = {*(TUNNEL, *_BY, *_HOLD, *_MOVE, *_SUPPORT, *_CONVOY), *(*_RETREAT, *_DISBAND, *_BUILD, *_DIG, *_WAIVE)}
