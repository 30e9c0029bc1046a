"""Names of the actions (rules 9): `cell -1 2`, `rotate 3`, `claim field 4`, `tunnel 0 5`, ...; and why one is not legal.

Coordinates are relative to the start tile. The table is a torus of 32 x 32 cells, so a name says them
as -16 .. 15; `action_id` also takes the others, such as 20 for -12.
"""

from __future__ import annotations

import re
from typing import Any

from numpy.typing import NDArray

from channel_tunnel_env.errors import IllegalActionError
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine import refusals as r
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


_QUESTIONS = {
    c.CELL: "a cell for the tile drawn",
    c.ROTATE: "the rotation of the tile",
    c.CLAIM: "a follower on the tile just laid, or none",
    c.TOKEN: "a tunnel token, or none",
    c.OVER: "nothing: the game is over",
}
_WORDS = {
    r.CELL_TAKEN: "a tile lies there",
    r.CELL_ALONE: "no tile lies beside that cell",
    r.CELL_OUTSIDE: "the tiles may not spread over so many columns or rows",
    r.CELL_EDGES: "in no rotation do the edges match the tiles beside that cell",
    r.TURN_EDGES: "turned like this, the edges do not match the tiles beside that cell",
    r.TURN_SAME: "the tile looks the same after fewer quarter turns; choose those",
    r.NO_FOLLOWER: "no follower is left in the supply",
    r.NO_SEGMENT: "the tile has no such segment there, or it is claimed by a lower side or half edge",
    r.OCCUPIED: "a follower already stands on that feature",
    r.NO_OPENING: "no such tunnel opening is on the table",
    r.HAS_TOKEN: "a token already lies on that opening",
    r.NO_SET: "no untouched set of tokens is left",
    r.BOTH_HAVE_TOKENS: "tokens already lie on both openings",
    r.NO_HALF: "no half tunnel of yours ends at one of them",
    r.NOT_OWN_HALF: "that half tunnel belongs to another player",
}
_START_FORBIDDEN = {
    c.FOLLOWER_VARIANT: "the variant asks for a follower of yours on the road",
    c.PAIRED_VARIANT: "the variant allows a single token only on a road without followers",
    c.NO_BLOCK_VARIANT: "the variant forbids a first token on a road with a rival's follower",
}


def describe_refusal(states: NDArray[Any], i: int, tables: NDArray[Any], action: int) -> str:
    """The message of an IllegalActionError, for game i of an array of records."""
    phase = c.PHASES[int(states["phase"][i])]
    why = find_reason(states, i, tables, action)
    return f"{ACTION_NAMES[action]!r} is not legal in phase {phase}: {why}"


def find_reason(states: NDArray[Any], i: int, tables: NDArray[Any], action: int) -> str:
    """Why an action is not legal in game i of an array of records, as part of a sentence."""
    phase = int(states["phase"][i])
    refusal = r.find_refusal(states, i, tables, action)
    variant = int(tables["variant"][int(states["ruleset"][i])])
    if refusal == r.NOT_NOW:
        return f"now the game asks for {_QUESTIONS[phase]}"
    if refusal == r.START_FORBIDDEN:
        return _START_FORBIDDEN[variant]
    if refusal == r.FINISH_FORBIDDEN:
        return _START_FORBIDDEN[c.FOLLOWER_VARIANT]
    return _WORDS[refusal]
