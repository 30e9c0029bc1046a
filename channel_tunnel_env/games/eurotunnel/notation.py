"""Orders as text, in the hobby's notation.

A LON H | A LON - PIC | A LON ~ PIC (by tunnel) | A LON BT PIC (build one) | A LON - BEL via convoy
A WAL S A LON | A BRE S A LON - PIC | F ENG C A LON - BEL
A PIC R PAR | A PIC R~ LON | A PIC D          retreats; D also removes a unit in winter
A PAR B | F STP/SC B | WAIVE                  winter
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from channel_tunnel_env.errors import OrderError
from channel_tunnel_env.games.eurotunnel.actions import ACTION_NAMES
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.outside.hints import did_you_mean

_PLACE = r"([A-Z]{3}(?:/[A-Z]{2})?)"
_FORM = re.compile(
    rf"([AF]) {_PLACE} (?:(H|D|B)|(-|~|BT|R|R~) {_PLACE}( via convoy)?|(S|C) (?:([AF]) )?{_PLACE}(?: - {_PLACE})?)"
)
_EXAMPLES = (
    "an order looks like 'A LON - PIC', 'F BRE S A LON - PIC', 'A LON ~ PIC' or 'A LON BT PIC'"
)


@dataclass(frozen=True)
class Written:
    """An order as it is written; places are locations.

    Attributes:
        text: the order.
        letter: A or F, the unit that is ordered.
        place: where it stands.
        verb: H, D, B, -, ~, BT, R, R~, S, C; WAIVE.
        other: letter of the unit helped, or "".
        src: where that stands, or NONE.
        dst: the place aimed at, or NONE.
        via: whether a convoy is asked for.
    """

    text: str
    letter: str = ""
    place: int = c.NONE
    verb: str = "WAIVE"
    other: str = ""
    src: int = c.NONE
    dst: int = c.NONE
    via: bool = False


def read_order(text: str) -> Written:
    """An order from its text.

    Raises:
        OrderError: not in the form of an order, or a place that is not on the board.
    """
    plain = " ".join(str(text).split())
    if plain == "WAIVE":
        return Written(plain)
    form = _FORM.fullmatch(plain)
    if form is None:
        raise OrderError(f"order {text!r}: {_EXAMPLES}")
    letter, place, alone, verb, goal, via, helps, other, src, dst = form.groups()
    if helps == "C" and dst is None:
        raise OrderError(f"order {text!r}: a convoy names a destination")
    if via is not None and verb != "-":
        raise OrderError(f"order {text!r}: only a move goes via convoy")
    return Written(
        plain,
        letter,
        _place(place, text),
        alone or verb or helps,
        other or "",
        _place(src, text),
        _place(dst or goal, text),
        via is not None,
    )


def _place(name: str | None, text: str) -> int:
    if name is None:
        return c.NONE
    index = load_board().index
    if name not in index:
        raise OrderError(f"order {text!r}: no place {name!r}{did_you_mean(name, index)}")
    return index[name]


def order_text(action: int, letter: str, location: int) -> str:
    """An id with the unit that it is for, as text; actions without a unit by their name alone."""
    return ACTION_NAMES[action].replace("*", f"{letter} {load_board().locations[location]}", 1)
