"""The numbers of the actions, and their meaning in words (section 9)."""

from __future__ import annotations

from itertools import combinations

from tests.games.carcassonne.oracle.table import Cell
from tests.games.carcassonne.oracle.tiles import OPENINGS, SIDES, opening_name

ROTATE = 1024
CLAIM_SIDE = 1028
CLAIM_CLOISTER = 1032
CLAIM_FIELD = 1033
CLAIM_NONE = 1041
TOKEN = 1042
TUNNEL = 1052
TOKEN_NONE = 1097

PAIRS = list(combinations(sorted(OPENINGS), 2))


def cell_id(cell: Cell) -> int:
    """Number a cell."""
    x, y = cell
    return (y % 32) * 32 + x % 32


def tunnel_id(one: int, other: int) -> int:
    """Number the joining of two openings."""
    return TUNNEL + PAIRS.index((min(one, other), max(one, other)))


def words(action: int) -> str:
    """Say what an action means; a cell is named with x and y from -16 to 15."""
    if action < ROTATE:
        x, y = ((part + 16) % 32 - 16 for part in (action % 32, action // 32))
        return f"cell {x} {y}"
    if action < CLAIM_SIDE:
        return f"rotate {action - ROTATE}"
    if action < CLAIM_CLOISTER:
        return f"claim {SIDES[action - CLAIM_SIDE].lower()}"
    if action < CLAIM_FIELD:
        return "claim cloister"
    if action < CLAIM_NONE:
        return f"claim field {action - CLAIM_FIELD}"
    if action == CLAIM_NONE:
        return "claim none"
    if action < TUNNEL:
        return f"token {opening_name(action - TOKEN)}"
    if action < TOKEN_NONE:
        one, other = PAIRS[action - TUNNEL]
        return f"tunnel {opening_name(one)} {opening_name(other)}"
    return "token none"
