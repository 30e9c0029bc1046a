"""Orders written out, in the hobby's notation: `A BRE S A LON - PIC`. How they are read: `intent`."""

from __future__ import annotations

from typing import Any

from channel_tunnel_env.games.eurotunnel.actions import ACTION_NAMES, all_actions
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.explain import asked_unit
from channel_tunnel_env.games.eurotunnel.provinces import load_board

_HELP = (c.SUPPORT_HOLD, c.SUPPORT_MOVE, c.CONVOY)


def order_text(action: int, letter: str, location: int, types: Any) -> str:
    """An id with the unit that it is for, as text; actions without a unit by their name.

    Args:
        types: by province the type of the unit that stood there, 0 for none: a helped unit is named with its letter.
    """
    return _with_unit(action, f"{letter} {load_board().locations[location]}", types)


def answer_text(state: Any, action: int) -> str:
    """An answer to the question of a record, as text."""
    return _with_unit(action, asked_unit(state), state["unit_type"])


def _with_unit(action: int, unit: str, types: Any) -> str:
    what = all_actions()[action]
    text = ACTION_NAMES[action]
    if what.kind in _HELP:
        asked, verb, rest = text.split(" ", 2)
        letter = c.UNIT_LETTERS[int(types[what.src])]
        text = " ".join(filter(None, (asked, verb, letter, rest)))
    return text.replace("*", unit, 1) if unit else text
