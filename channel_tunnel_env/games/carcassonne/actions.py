"""Names of the actions (rules 9): `cell -1 2`, `rotate 3`, `claim field 4`, `tunnel 0 5`, ...

Coordinates are relative to the start tile. The table is a torus of 32 x 32 cells, so a name says them
as -16 .. 15; `action_id` also takes the others, such as 20 for -12.
"""

from __future__ import annotations

import re

from channel_tunnel_env.errors import IllegalActionError
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.legality import PAIR_FIRST, PAIR_SECOND
from channel_tunnel_env.outside.hints import did_you_mean

_HALF = c.WIDTH // 2
_CELL = re.compile(r"cell (-?\d{1,3}) (-?\d{1,3})")


def _signed(number: int) -> int:
    return (number + _HALF) % c.WIDTH - _HALF


ACTION_NAMES = (
    *(f"cell {_signed(cell % c.WIDTH)} {_signed(cell // c.WIDTH)}" for cell in range(c.NUM_CELLS)),
    *(f"rotate {turned}" for turned in range(c.NUM_SIDES)),
    *(f"claim {side}" for side in c.SIDES),
    "claim cloister",
    *(f"claim field {half}" for half in range(c.NUM_HALVES)),
    "claim none",
    *(f"token {opening}" for opening in range(c.NUM_OPENINGS)),
    *(f"tunnel {a} {b}" for a, b in zip(PAIR_FIRST, PAIR_SECOND, strict=True)),
    "token none",
)
_IDS = {name: number for number, name in enumerate(ACTION_NAMES)}


def action_id(name: str) -> int:
    """The id of an action's name.

    Raises:
        IllegalActionError: there is no such action.
    """
    cell = _CELL.fullmatch(name)
    if cell:
        x, y = map(int, cell.groups())
        return c.FIRST_CELL + (y % c.WIDTH) * c.WIDTH + x % c.WIDTH
    if name not in _IDS:
        raise IllegalActionError(f"{name!r}: unknown action{did_you_mean(name, _IDS)}")
    return _IDS[name]
