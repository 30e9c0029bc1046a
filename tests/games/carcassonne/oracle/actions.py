"""The numbers of the actions (section 9)."""

from __future__ import annotations

from itertools import combinations

from tests.games.carcassonne.oracle.table import Cell
from tests.games.carcassonne.oracle.tiles import OPENINGS

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
