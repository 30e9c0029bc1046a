"""What the seats are called at the table: by the name that a person typed; a counted seat, "Player 0", else by a usual one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env.faces.table import TableFace

NAMES = ("Anna", "Bruno", "Clara", "David", "Emma", "Felix", "Greta", "Hugo", "Ida", "Jonas")
MOST_LETTERS = 20  # of a typed name: what a line of points has room for
DRAWN = "svg"  # the key of a view whose text is markup
_COUNTED = re.compile(r"\bPlayer ([0-9])\b")


def check_name(text: str) -> str:
    """A name as somebody typed it, with single spaces; "" for none.

    Raises:
        TableError: it is longer than MOST_LETTERS, or has characters of markup or none that can be seen.
    """
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
        marked = [escape(name) for name in names]
        return {key: with_names(one, marked if key == DRAWN else names) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [with_names(one, names) for one in value]
    return value


def _name(number: int, names: Sequence[str]) -> str:
    return names[number] if number < len(names) else NAMES[number]


def seat_name(face: TableFace, seat: str) -> str:
    """What a seat is called at a table without typed names."""
    return str(with_names(face.seat_title(seat)))
