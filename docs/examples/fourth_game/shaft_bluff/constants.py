"""Numbers and names that the rules share. A card is named by its depth less one; actions are `dig 4`, `announce 5`, `believe`, `check`."""

from __future__ import annotations

from channel_tunnel_env.errors import IllegalActionError

SEATS = 2
SEAT_NAMES = ("north", "south")
MAX_DEPTHS = 6
MAX_COPIES = 6
MAX_CARDS = MAX_DEPTHS * MAX_COPIES
MAX_TURNS = 12
"""Of each player."""

STREAMS = ("deck",)
DECK_STREAM = 0

PHASES = ("dig", "announce", "answer", "over")
DIG, ANNOUNCE, ANSWER, OVER = range(4)
END_CAUSES = ("running", "last_turn")
LAST_TURN = 1
NOBODY, DRAW = -1, 2
NONE = -1

SOURCES = ("believed", "proved", "caught")
BELIEVED, PROVED, CAUGHT = range(3)

FIRST_ANNOUNCE = MAX_DEPTHS
BELIEVE = 2 * MAX_DEPTHS
CHECK = BELIEVE + 1
NUM_ACTIONS = CHECK + 1


# --- names of the actions -------------------------------------------------------------------------


ACTION_NAMES = (
    *(f"dig {depth}" for depth in range(1, MAX_DEPTHS + 1)),
    *(f"announce {depth}" for depth in range(1, MAX_DEPTHS + 1)),
    "believe",
    "check",
)
_IDS = {name: number for number, name in enumerate(ACTION_NAMES)}


def action_id(name: str) -> int:
    """The id of an action's name.

    Raises:
        IllegalActionError: there is no such action.
    """
    if name not in _IDS:
        raise IllegalActionError(f"{name!r}: unknown action")
    return _IDS[name]
