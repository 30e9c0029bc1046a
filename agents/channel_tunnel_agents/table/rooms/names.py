"""People's names for seats that a game only counts: its "Player 0" is called Anna at the table."""

from __future__ import annotations

import re
from typing import Any

from channel_tunnel_env.faces.table import TableFace

NAMES = ("Anna", "Bruno", "Clara", "David", "Emma", "Felix", "Greta", "Hugo", "Ida", "Jonas")
_COUNTED = re.compile(r"\bPlayer ([0-9])\b")


def with_names(value: Any) -> Any:
    """A value for the page, such as a view, with the names of its seats in every text."""
    if isinstance(value, str):
        return _COUNTED.sub(lambda found: NAMES[int(found[1])], value)
    if isinstance(value, dict):
        return {key: with_names(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [with_names(one) for one in value]
    return value


def seat_name(face: TableFace, seat: str) -> str:
    """What a seat is called at the table."""
    return str(with_names(face.seat_title(seat)))
