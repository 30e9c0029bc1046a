"""Written orders as words, regardless of their case, dashes and arrows, and names as somebody writes them.

`A Par→Bur`, `army paris to burgundy` and `A PAR - BUR` come to much the same words. What they order is `intent`'s.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import product
from typing import TypeVar

from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.outside.hints import did_you_mean

T = TypeVar("T")
DASH, TUNNEL, SLASH = "-", "~", "/"
# What other maps and books call provinces, beside their names.
_OTHER_NAMES = {
    "BOT": ("GOB", "Bothnia"),
    "EAS": ("East Mediterranean", "Eastern Med", "East Med"),
    "ENG": ("ECH", "Channel"),
    "HEL": ("Heligoland Bight", "Heligoland", "Helgoland"),
    "LVP": ("LPL",),
    "LYO": ("GOL", "Gulf of Lyons", "Gulf of Lion", "Lyon"),
    "MAO": ("MID", "Mid-Atlantic", "Mid Atlantic Ocean", "Mid Atlantic"),
    "MAR": ("Marseille",),
    "NAF": ("N Africa",),
    "NAO": ("NAT", "North Atlantic", "N Atlantic"),
    "NWG": ("NRG",),
    "RUM": ("Romania",),
    "SER": ("Servia",),
    "SKA": ("Skagerrack",),
    "STP": ("Saint Petersburg", "St Pete"),
    "TUN": ("Tunisia",),
    "TYR": ("Tyrol",),
    "TYS": ("TYN",),
    "WES": ("West Mediterranean", "Western Med", "West Med"),
}
# What other maps and books call powers and what is theirs.
_OF_POWERS = {
    "AUSTRIA": ("Austrian", "Austria-Hungary", "Austria Hungary", "Austro-Hungarian"),
    "ENGLAND": ("English", "Great Britain", "Britain", "British", "United Kingdom", "UK"),
    "FRANCE": ("French",),
    "GERMANY": ("German",),
    "ITALY": ("Italian",),
    "RUSSIA": ("Russian",),
    "TURKEY": ("Turkish", "Turk", "Ottoman", "Ottoman Empire"),
}
_SIDES = {"NC": "NORTH", "SC": "SOUTH", "EC": "EAST"}
# Signs by words of their names in Unicode; dashes are a category there.
_LIKE_TUNNELS = {"TILDE", "WAVE", "SWUNG"}
_LIKE_DASHES = {"MINUS", "RIGHTWARDS", "RIGHT-POINTING"}
_SIGNS = {">": DASH, "=": DASH, "(": SLASH, "[": SLASH, "\\": SLASH}
_APOSTROPHES = "'`\u00b4\u2018\u2019\u2032"
_SAYS_NOTHING = {*_APOSTROPHES, *')].,:;!*"_'}
_POSSESSIVE = re.compile(rf"(?<=\w)[{_APOSTROPHES}]s\b", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_]+|[^\s\w]|_")


def words_of(text: str) -> list[str]:
    """The words and signs of a text: upper case without accents, every dash or arrow as `-`, every tilde as `~`, an
    opening bracket as `/`."""
    return list(_words(text))


@lru_cache(1024)
def _words(text: str) -> tuple[str, ...]:
    parted = unicodedata.normalize("NFKD", _POSSESSIVE.sub("", text))
    seen = (sign for sign in parted if unicodedata.category(sign) not in ("Mn", "Cf"))
    words: list[str] = []
    for sign in filter(None, map(_sign, _TOKEN.findall("".join(seen).upper()))):
        if sign == DASH and words[-1:] in ([DASH], [TUNNEL]):
            continue  # `->`, `-->`, `~>`
        if sign == TUNNEL and words[-1:] == [DASH]:
            words.pop()  # `-~`
        words.append(sign)
    return tuple(words)


def _sign(sign: str) -> str:
    """A word as it is, or what a sign stands for; "" for one that says nothing."""
    if sign.isalnum():
        return sign
    if sign in _SAYS_NOTHING:
        return ""
    if sign in _SIGNS:
        return _SIGNS[sign]
    name = set(unicodedata.name(sign, "").split())
    if name & _LIKE_TUNNELS:
        return TUNNEL
    if unicodedata.category(sign) == "Pd":
        return DASH
    return DASH if name & _LIKE_DASHES and "LEFTWARDS" not in name else sign


@cache
def _places() -> dict[tuple[str, ...], int]:
    """The words of every name of a province, and of a coast written as one word -> location.

    A sea is known by its first word too, if no other name begins so: Adriatic, not North, Gulf or English.
    """
    board = load_board()
    found: dict[tuple[str, ...], int] = {}
    for place, (code, name) in enumerate(zip(board.provinces, board.names, strict=True)):
        for spelling in (code, name, *_OTHER_NAMES.get(code, ())):
            found[tuple(words_of(spelling))] = place
    for place in range(c.NUM_PROVINCES, c.NUM_LOCATIONS):
        found[(board.locations[place].replace("/", ""),)] = place
    begins = [tuple(words_of(name)[:1]) for name in board.names]
    for place, first in enumerate(begins):
        if board.kinds[place] == c.SEA and begins.count(first) == 1 and first not in _powers():
            found[first] = place
    return found


@cache
def _powers() -> dict[tuple[str, ...], int]:
    """The words of every name of a power -> power; its first three letters if no province has that code."""
    board = load_board()
    found: dict[tuple[str, ...], int] = {}
    for number, power in enumerate(board.powers):
        short = () if power[:3] in board.provinces else (power[:3],)
        more = _OF_POWERS[power]
        for name in (power, *short, *more, *(f"{name}s" for name in more)):
            found[tuple(words_of(name))] = number
    return found


@cache
def _coasts() -> dict[tuple[str, ...], str]:
    """The words of a coast -> its letters: NC, N.C., (NC), (north), north coast ..."""
    found: dict[tuple[str, ...], str] = {}
    for letters, side in _SIDES.items():
        plain = [(letters,), *product((letters[0], side), ("C", "COAST"))]
        for lead in ((), (SLASH,), (DASH,)):
            for said in plain:
                found[*lead, *said] = letters
        found[SLASH, letters[0]] = found[SLASH, side] = letters
    return found


_MOST_WORDS = 5  # of a name


def find_place(words: list[str], at: int) -> tuple[int, int]:
    """The location named from a word on, and the number of its words; (NONE, 0) for none.

    Raises:
        ValueError: the province has no such coast.
    """
    place, count = _longest(_places(), words, at)
    if place is None:
        return c.NONE, 0
    coast, more = _longest(_coasts(), words, at + count)
    return _with_coast(place, coast), count + more


def _longest(names: Mapping[tuple[str, ...], T], words: list[str], at: int) -> tuple[T | None, int]:
    """What the longest name stands for that begins with a word, and the number of its words."""
    for count in range(min(_MOST_WORDS, len(words) - at), 0, -1):
        said = tuple(words[at : at + count])
        if said in names:
            return names[said], count
    return None, 0


def _with_coast(place: int, coast: str | None) -> int:
    """The location of a coast; a province that is named with a coast of another is no place.

    Raises:
        ValueError: there is no such coast.
    """
    board = load_board()
    if coast is None:
        return place
    province = board.provinces[board.province_of[place]]
    wanted = f"{province}/{coast}"
    if wanted in board.index and place < c.NUM_PROVINCES:
        return board.index[wanted]
    known = [name for name in board.locations if name.startswith(f"{province}/")]
    there = f"there are {' and '.join(known)}" if known else f"{province} has no coasts to name"
    raise ValueError(f"no place {wanted!r}; {there}")


def find_power(words: list[str], at: int) -> tuple[int, int]:
    """The power named from a word on, and the number of its words; (NONE, 0) for none: the English Channel is none."""
    power, count = _longest(_powers(), words, at)
    if power is None or _longest(_places(), words, at)[1] >= count:
        return c.NONE, 0
    return power, count


def powers_among(words: list[str]) -> set[int]:
    """All powers that are named among words."""
    return {find_power(words, at)[0] for at in range(len(words))} - {c.NONE}


@lru_cache(1024)
def like_a_place(word: str) -> str:
    """The end of a message: which place a mistyped word may mean; "" if it is like none."""
    board = load_board()
    turned = [code for code in board.provinces if sorted(code) == sorted(word)]  # BHO
    known = turned or [*board.provinces, *(name.upper() for name in board.names)]
    return did_you_mean(word, known, 2)
