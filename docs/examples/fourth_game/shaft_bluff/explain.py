"""Why an action is not legal."""

from __future__ import annotations

from typing import Any

from shaft_bluff.actions import ACTION_NAMES
from shaft_bluff.engine import constants as c

_ASKED = {
    c.DIG: "a card to dig in",
    c.ANNOUNCE: "the depth to announce",
    c.ANSWER: "whether the rival is believed",
    c.OVER: "nothing",
}


def describe_refusal(states: Any, i: int, tables: Any, action: int) -> str:
    """The message of an IllegalActionError, for game i of an array of records."""
    phase, name = int(states["phase"][i]), ACTION_NAMES[action]
    if phase == c.DIG and action < c.FIRST_ANNOUNCE:
        why = "no such card is in the hand"
    elif phase == c.ANNOUNCE and c.FIRST_ANNOUNCE <= action < c.BELIEVE:
        why = "no card is so deep"
    else:
        why = f"now the game asks for {_ASKED[phase]}"
    return f"{name!r} is not legal in phase {c.PHASES[phase]}: {why}"
