"""What all powers write for a phase: lists by power, or a text with an order in each line.

FRANCE                     its orders follow
A PAR - BUR
F BRE - MAO, A MAR S A PAR - BUR        several in a line, parted by commas or semicolons
England: F LON - NTH       the power and an order
A MUN H                    a power need not be named: the unit's owner is meant
PERMIT FRANCE LON-PIC      a tunnel's owner lets a power use it; WITHDRAW FRANCE LON-PIC
# a comment
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from channel_tunnel_env.errors import OrderError
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.spelling import find_power, words_of
from channel_tunnel_env.outside.documents import quote
from channel_tunnel_env.outside.hints import did_you_mean

Orders = Mapping[str, Sequence[str] | str] | str
MOST_CHARACTERS = 64_000  # of a text; that of a whole phase has 2,000
_BULLET = re.compile(r"^\s*(?:[-*\u2022]|\d{1,3}[.)])\s+(?=\w)")
_PARTS = re.compile(r"[,;]")
_FIRST = re.compile(r"^\W*\w+(?:['\u2019]s)?[\s:.,\-\u2013\u2014]*")


@dataclass(frozen=True)
class Line:
    """An order as it was handed in.

    Attributes:
        power: who wrote it, or NONE where it is not said.
        text: the order.
        number: of the line of a text, from 1; 0 in lists.
    """

    power: int
    text: str
    number: int = 0


def read_sheet(orders: Orders) -> list[Line]:
    """All orders, in their order.

    Raises:
        OrderError: no orders by power and no text, an unknown power, or too long.
    """
    if isinstance(orders, str):
        return list(_lines(orders, c.NONE))
    if not isinstance(orders, Mapping):
        raise OrderError(f"orders: {quote(orders)}; allowed: lists of orders by power, or a text")
    return [line for power, texts in orders.items() for line in _of_power(power, texts)]


def _of_power(power: Any, texts: Any) -> Iterator[Line]:
    words = words_of(power) if isinstance(power, str) else []
    number = find_power(words, 0) if len(words) == 1 else c.NONE
    if number < 0:
        known = load_board().powers
        hint = did_you_mean(str(power).upper(), known)
        raise OrderError(f"orders: {quote(power)} is no power{hint or '; ' + ', '.join(known)}")
    if isinstance(texts, str):
        yield from _lines(texts, number)
        return
    if not isinstance(texts, Sequence):
        raise OrderError(f"orders.{power}: {quote(texts)}; allowed: a list of orders, or a text")
    for text in texts:
        if not isinstance(text, str):
            raise OrderError(f"orders.{power}: {quote(text)}; an order is a text")
        yield Line(number, text)


def _lines(text: str, power: int) -> Iterator[Line]:
    """The orders of a text; those before the first name of a power are of `power`."""
    if len(text) > MOST_CHARACTERS:
        raise OrderError(f"orders: a text of {len(text):,} characters; at most {MOST_CHARACTERS:,}")
    heading = power
    for number, line in enumerate(text.splitlines(), 1):
        rest = _BULLET.sub("", line.partition("#")[0]).strip()
        named = find_power(words_of(rest), 0)
        if named >= 0:
            power, rest = named, _FIRST.sub("", rest, count=1)
            heading = heading if rest else named
        for part in filter(None, map(str.strip, _PARTS.split(rest))):
            yield Line(power, part, number)
        if rest and not _PARTS.match(rest[-1]):  # else the list goes on in the next line
            power = heading
