"""Numbers that the rules share. A card is named by its depth less one."""

from __future__ import annotations

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
