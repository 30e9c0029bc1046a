"""Who is at a game, and what seats are called there: by the name that a person typed; a counted seat, "Player 0", else by a usual one.

Tabs without a seat that looked at the game lately watch it. A game that somebody gives up
ends there, or the beginner plays the seat on while other people play.
"""

from __future__ import annotations

import hashlib
import re
import time
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env.faces.table import TableFace

PERSON = "person"
NAMES = ("Anna", "Bruno", "Clara", "David", "Emma", "Felix", "Greta", "Hugo", "Ida", "Jonas")
MOST_LETTERS = 20  # of a typed name: what a line of points has room for
DRAWN = "svg"  # the key of a view whose text is markup
_SECRET = re.compile(r"[0-9a-f]{32}")
_COUNTED = re.compile(r"\bPlayer ([0-9])\b")
_NUMBER = re.compile(r'(<text[^>]* data-seat="([0-9])"[^>]*>)[0-9](?=</text>)')  # of a seat, on a piece


def person_of(secret: str) -> str:
    """What a browser's person is called in files, which name who sat at their seats: the secret cannot be found from it."""
    if not _SECRET.fullmatch(secret):
        raise TableError(400, "table-player: 32 hexadecimal digits are expected")
    return hashlib.sha256(secret.encode()).hexdigest()[:16]


def check_name(text: str) -> str:
    """A name as somebody typed it, with single spaces; "" for none."""
    if len(text) > MOST_LETTERS * 10:
        raise TableError(400, f"name: {len(text):,} characters: at most {MOST_LETTERS} are allowed")
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if len(name) > MOST_LETTERS:
        raise TableError(400, f"name: {len(name)} characters: at most {MOST_LETTERS} are allowed")
    strange = next((sign for sign in name if sign in "<>" or not sign.isprintable()), None)
    if strange is not None:
        raise TableError(400, f"name: {strange!r}: letters, digits and plain signs are allowed")
    return name


def names_of(seats: Sequence[str], people: Mapping[str, str]) -> tuple[str, ...]:
    """What each seat is called where the game only counts: its person's name, or a usual one that no other has.

    Args:
        people: seat -> the name that its person typed.
    """
    taken = {name.casefold() for name in people.values()}
    spare = [name for name in NAMES[len(seats) :] if name.casefold() not in taken]
    return tuple(
        people.get(seat) or (usual if usual.casefold() not in taken else spare.pop(0))
        for seat, usual in zip(seats, NAMES, strict=False)
    )


def with_names(value: Any, names: Sequence[str] = NAMES) -> Any:
    """A value for the page, such as a view, with the names of its seats in every text.

    Args:
        names: by the number of the seat. In markup they are escaped.
    """
    if isinstance(value, str):
        return _COUNTED.sub(lambda found: _name(int(found[1]), names), value)
    if isinstance(value, dict):
        return {key: _drawn(one, names) if key == DRAWN else with_names(one, names) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [with_names(one, names) for one in value]
    return value


def _drawn(markup: Any, names: Sequence[str]) -> Any:
    """Markup with the names, and on pieces their first letters unless two begin alike."""
    signs = [escape(name[:1].upper()) for name in names]
    if isinstance(markup, str) and len(set(signs)) == len(signs):
        markup = _NUMBER.sub(lambda found: found[1] + _name(int(found[2]), signs), markup)
    return with_names(markup, [escape(name) for name in names])


def _name(number: int, names: Sequence[str]) -> str:
    return names[number] if number < len(names) else NAMES[number]


def seat_name(face: TableFace, seat: str) -> str:
    """What a seat is called at a table without typed names."""
    return str(with_names(face.seat_title(seat)))


MOST_WATCHERS = 30  # of a game; more may look, and are not listed
AWAY_SECONDS = 7.0  # without a look, which a page takes every second and a half
_TAB = re.compile(r"[0-9a-f]{16}")


class Watchers:
    """Who is at one game.

    Args:
        clock: seconds from any beginning.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._seen: dict[str, tuple[str, float]] = {}  # tab -> its person's name, and when it looked
        self._seats: dict[str, float] = {}  # seat -> when a tab that holds it looked

    def sit(self, held: Iterable[str]) -> None:
        """A tab that holds these seats looks at the game."""
        self._seats |= dict.fromkeys(held, self.clock())

    def seats(self) -> list[str]:
        """The seats whose tabs are there, in order."""
        return sorted(seat for seat, seen in self._seats.items() if seen >= self.clock() - AWAY_SECONDS)

    def see(self, tab: str, text: str) -> None:
        """A tab looks at the game.

        Args:
            tab: what the tab calls itself: 16 hexadecimal digits.
            text: the name of its person; "" for none.
        """
        if not _TAB.fullmatch(tab):
            raise TableError(400, "watcher: 16 hexadecimal digits are expected")
        name = check_name(text)
        self._forget()
        if tab in self._seen or len(self._seen) < MOST_WATCHERS:
            self._seen[tab] = name, self.clock()

    def names(self) -> list[str]:
        """The names of those who watch, "" of somebody without one; in the order of arrival."""
        self._forget()
        return [name for name, _ in self._seen.values()]

    def _forget(self) -> None:
        since = self.clock() - AWAY_SECONDS
        self._seen = {tab: seen for tab, seen in self._seen.items() if seen[1] >= since}
