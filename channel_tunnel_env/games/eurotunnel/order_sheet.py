"""What all powers write for a phase: lists by power, or a text with an order in each line.

FRANCE                     its orders follow; so below `Orders for France (Bob), Spring 1901:` or `# France`
A PAR - BUR
F BRE - MAO, A MAR S A PAR - BUR        several in a line, parted by commas or semicolons
England: F LON - NTH       the power and an order: the heading above ends
A MUN H                    no heading: the unit's owner is meant
PERMIT FRANCE LON-PIC      a tunnel's owner lets a power use it; WITHDRAW FRANCE LON-PIC
# a comment

Nothing is taken for somebody else's: a line that is not an order and not understood as a heading is refused and ends
the heading above, and so does a change in how lines are quoted (`>`). What follows is refused until a power is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from channel_tunnel_env.errors import OrderError
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.intent import names_unit, read_intent
from channel_tunnel_env.games.eurotunnel.permissions import is_change, read_change
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.spelling import DASH, SLASH, find_place, find_power, powers_among, words_of
from channel_tunnel_env.outside.documents import quote
from channel_tunnel_env.outside.hints import did_you_mean

Orders = Mapping[str, Sequence[str] | str] | str
MOST_CHARACTERS = 64_000  # of a text; that of a whole phase has 2,000
MOST_ORDERS = 500  # a phase has about 200, permissions among them
_MARKS = re.compile(r"^[>\s]*(?:(?:[-*\u2022]|\d{1,3}[.)])\s+(?=\w))?")  # of quotes and lists
_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_PARTS = re.compile(r"(?:[^,;()\[\]]|[(\[][^()\[\]]*[)\]]|[()\[\]])+")  # not parted within brackets
_BREAKS = re.compile(r"[\w)\]](?!\w)")
_LONGEST_HEADING = 100  # characters
# Words of headings beside powers; those of phases only where no order follows, which they may be part of.
_TITLES = frozenset(
    words_of(
        "order orders for of from by the my our player power country nation game turn year phase season spring summer"
        " fall autumn winter empire kingdom republic unit units centre centres center centers subject"
    )
)
_PHASES = frozenset(words_of("move moves movement movements retreat retreats adjustments"))
_DATE = re.compile(r"[SFW]?\d{1,4}[MRA]?")  # S1901M


@dataclass(frozen=True)
class Line:
    """An order as it was handed in.

    Attributes:
        power: who wrote it, or NONE where it is not said.
        text: the order.
        number: of the line of a text, from 1; 0 in lists.
        why: it is refused, having no power; else "".
    """

    power: int
    text: str
    number: int = 0
    why: str = ""


def read_sheet(orders: Orders) -> list[Line]:
    """All orders, in their order. An order under another's name in the orders of a power begins with that name.

    Raises:
        OrderError: no orders by power and no text, an unknown power, or too many.
    """
    if not isinstance(orders, str | Mapping):
        raise OrderError(f"orders: {quote(orders)}; allowed: lists of orders by power, or a text")
    if isinstance(orders, str):
        lines = _Sheet(c.NONE).read(enumerate(_lines(orders), 1))
    else:
        lines = chain.from_iterable(_of_power(power, texts) for power, texts in orders.items())
    read = list(islice(lines, MOST_ORDERS + 1))
    if len(read) > MOST_ORDERS:
        raise OrderError(f"orders: more than {MOST_ORDERS:,}")
    return read


def _of_power(power: Any, texts: Any) -> Iterator[Line]:
    words = words_of(power) if isinstance(power, str) else []
    number, count = find_power(words, 0)
    if number < 0 or count < len(words):
        known = load_board().powers
        hint = did_you_mean(str(power).upper(), known)
        raise OrderError(f"orders: {quote(power)} is no power{hint or '; ' + ', '.join(known)}")
    if isinstance(texts, str):
        yield from _Sheet(number).read(enumerate(_lines(texts), 1))
        return
    if not isinstance(texts, Sequence):
        raise OrderError(f"orders.{power}: {quote(texts)}; allowed: a list of orders, or a text")
    for text in texts:
        if not isinstance(text, str):
            raise OrderError(f"orders.{power}: {quote(text)}; an order is a text")
    yield from _Sheet(number).read((0, text) for text in texts)


def _lines(text: str) -> list[str]:
    if len(text) > MOST_CHARACTERS:
        raise OrderError(f"orders: a text of {len(text):,} characters; at most {MOST_CHARACTERS:,}")
    return text.lstrip("\ufeff").splitlines()


# --- headings -------------------------------------------------------------------------------------


def _title(text: str, known: frozenset[str]) -> int | None:
    """The power whose heading a text is, with anything in brackets; NONE for a heading without power (Spring 1901), None for no heading."""
    if len(text) > _LONGEST_HEADING:
        return None
    bare = _BRACKETS.sub(" ", text)
    asides = _BRACKETS.findall(text) if words_of(bare) else []
    words, powers = words_of(bare if asides else text), powers_among(words_of(text))
    at = 0
    while at < len(words):
        is_known = words[at] in known or words[at] in (DASH, SLASH) or _DATE.fullmatch(words[at])
        count = find_power(words, at)[1] or bool(is_known)
        if not count:
            return None
        at += count
    if not any(map(str.isalnum, words)) or len(powers) > 1:
        return None
    judged = (_judge(part) for aside in asides for part in _PARTS.findall(aside))
    holds_orders = any(meant or not fault for fault, meant in judged)
    return None if holds_orders else min(powers, default=c.NONE)


def _headed(text: str) -> tuple[int, str]:
    """The power of the longest heading that a text begins with, or NONE, and what follows it."""
    words, whole = words_of(text), _title(text, _TITLES | _PHASES)
    if whole is not None or not set(words) - {DASH, SLASH}:
        return c.NONE if whole is None else whole, ""
    for match in reversed(list(_BREAKS.finditer(text[:_LONGEST_HEADING]))):
        said, rest = text[: match.end()], text[match.end() :]
        power = _title(said, _TITLES)
        found = {find_power(words, at)[0] for at in range(len(words_of(said)))}
        if power is not None and power in found:  # not England before Channel
            return power, rest.lstrip(" \t*_.:,|/=)]>-\N{EN DASH}\N{EM DASH}")
    return c.NONE, text


@lru_cache(1024)
def _judge(text: str) -> tuple[str, bool]:
    """Why a text is no order, or "", and whether it is meant as one all the same: a mere Clyde or H may be a person."""
    try:
        if is_change(text):
            read_change(text, 0)
            return "", True
        order = read_intent(text)
    except ValueError as error:
        names_tunnel = is_change(text) and sum(map(_is_place, words_of(text))) > 1
        return str(error), names_tunnel or names_unit(text)
    return "", order.verb == "WAIVE" or (order.place >= 0 and bool(order.letter or order.verb))


def _is_place(text: str) -> bool:
    words = words_of(text)
    with suppress(ValueError):
        return find_place(words, 0)[1] == len(words) > 0
    return False


# --- lines ----------------------------------------------------------------------------------------


class _Sheet:
    """Lines being read.

    Args:
        owner: who handed them in, or NONE.
    """

    def __init__(self, owner: int) -> None:
        self.owner = owner
        self.quoted = -1  # how deep the line above is
        self._head(owner)

    def _head(self, power: int) -> None:
        self.power = power  # whose orders follow
        self.lost = ""  # why they have no power
        self.listed = False  # whether only until the end of a line
        self.commented = False  # whether the heading is a comment

    def _lose(self, why: str) -> None:
        """End the heading above; who handed in the lines is certain."""
        if self.owner < 0:
            self._head(c.NONE)
            self.lost = f"it does not say whose order it is: {why}"

    def read(self, lines: Iterable[tuple[int, str]]) -> Iterator[Line]:
        """The orders of numbered lines."""
        for number, line in lines:
            rest = _MARKS.sub("", line)
            if words_of(rest):
                self._quote(line[: len(line) - len(rest)].count(">"), number)
            text, _, comment = (line if _is_place(rest) else rest).partition("#")
            power, order = _headed(text.strip())
            if order:
                yield from self._orders(text.strip(), number)
            elif power >= 0:
                self._head(power)
            else:
                self._comment(comment.strip("# "), number)

    def _quote(self, depth: int, number: int) -> None:
        if self.quoted not in (-1, depth):
            self._lose(f"line {number} is not quoted as those above it are")
        self.quoted = depth

    def _comment(self, text: str, number: int) -> None:
        """A comment may be a heading; one that begins with a power's name, or is among such, ends that above."""
        (power, rest), powers = _headed(text), powers_among(words_of(text))
        if power >= 0 and not rest:
            self._head(power)
            self.commented = True
        elif powers - {self.power} if power >= 0 else self.commented and rest and _judge(rest)[0]:
            self._lose(f"line {number}, {quote(text)}, is not understood")

    def _orders(self, text: str, number: int) -> Iterator[Line]:
        """The orders of a line; a power that it names is meant to its end, or as long as a list goes on."""
        for part in filter(None, map(str.strip, _PARTS.findall(text))):
            power, order = _headed(part)
            if power >= 0:
                self._head(power)
                self.listed = True
            if not order:
                continue
            fault, meant = _judge(order)
            meant &= not (fault and powers_among(words_of(order)) - {self.power})
            if fault and not meant and self.owner < 0:
                yield Line(c.NONE, part, number, _expected(part, fault))
            else:
                yield self._order(order, part if power >= 0 else "", number)
            if not meant:
                self._lose(f"line {number}, {quote(text)}, is not understood")
        if self.listed and text[-1] not in ",;":
            self._head(self.owner)

    def _order(self, text: str, named: str, number: int) -> Line:
        """An order; with the name of its power (`named`: as it was written), if that did not hand it in."""
        power = self.power
        if self.lost and not is_change(text):
            with suppress(ValueError):
                power = read_intent(text).power
        if power != self.owner >= 0:
            power, text = self.owner, named or f"{load_board().powers[power]}: {text}"
        return Line(power, text, number, self.lost if power < 0 else "")


def _expected(text: str, fault: str) -> str:
    """Why a text that is not an order and not a heading is refused."""
    powers = load_board().powers
    hints = (did_you_mean(word, powers) for word in words_of(text))
    hint = next(filter(None, hints), f"; {', '.join(powers)}")
    return f"expected an order ({fault}) or the name of one power{hint}"
