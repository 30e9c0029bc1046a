"""The action ids: what each says, and its name in both directions.

The unit that is asked is the subject of an order; in a name `*` stands for it. Winter's actions name their
own unit. Blocks follow one another in the order of the kinds, and within a block ascend by index: pairs
by source, then by destination.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from channel_tunnel_env.errors import IllegalActionError
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import BoardIndex, load_board
from channel_tunnel_env.outside.hints import did_you_mean


@dataclass(frozen=True)
class Action:
    """One id.

    Attributes:
        kind: HOLD to VOTE_DRAW.
        src: the province of a supported or convoyed unit, or the slot of a tunnel; else NONE.
        dst: the location aimed at, or the power that a permission is for; else NONE.
        name: in the notation of orders.
    """

    kind: int
    src: int
    dst: int
    name: str


def _blocks(board: BoardIndex) -> Iterator[Action]:
    """All actions by id."""
    names, coasts, land = board.locations, board.coasts, board.land
    everywhere, provinces = range(len(names)), range(len(board.provinces))
    none = c.NONE
    yield Action(c.HOLD, none, none, "* H")
    yield from (Action(c.MOVE, none, i, f"* - {names[i]}") for i in everywhere)
    yield from (Action(c.VIA, none, i, f"* - {names[i]} via convoy") for i in coasts)
    yield from (Action(c.TUNNEL, none, i, f"* ~ {names[i]}") for i in land)
    yield from (Action(c.DIG, none, i, f"* BT {names[i]}") for i in land)
    yield from (Action(c.SUPPORT_HOLD, i, none, f"* S {names[i]}") for i in provinces)
    for i, j in board.supported_moves:
        yield Action(c.SUPPORT_MOVE, i, j, f"* S {names[i]} - {names[j]}")
    yield from (Action(c.CONVOY, i, j, f"* C {names[i]} - {names[j]}") for i, j in board.routes)
    yield from (Action(c.RETREAT, none, i, f"* R {names[i]}") for i in everywhere)
    yield from (Action(c.RETREAT_TUNNEL, none, i, f"* R~ {names[i]}") for i in land)
    yield Action(c.DISBAND, none, none, "* D")
    yield from (Action(c.BUILD_ARMY, none, i, f"A {names[i]} B") for i in board.homes)
    yield from (Action(c.BUILD_FLEET, none, i, f"F {names[i]} B") for i in board.fleet_builds)
    yield Action(c.WAIVE, none, none, "WAIVE")
    yield from (Action(c.REMOVE, none, i, f"{names[i]} D") for i in provinces)
    for slot in range(c.MAX_TUNNELS):
        for i, power in enumerate(board.powers):
            yield Action(c.PERMIT, slot, i, f"PERMIT {slot} {power}")
    yield Action(c.PERMIT_DONE, none, none, "PERMIT DONE")
    yield Action(c.VOTE_NO, none, none, "VOTE NO")
    yield Action(c.VOTE_DRAW, none, none, "VOTE DRAW")


@cache
def all_actions() -> tuple[Action, ...]:
    """Every action; its place is its id."""
    return tuple(_blocks(load_board()))


@cache
def _ids() -> dict[str, int]:
    return {action.name: i for i, action in enumerate(all_actions())}


ACTION_NAMES = tuple(action.name for action in all_actions())


def action_id(name: str) -> int:
    """The id of an action's name.

    Raises:
        IllegalActionError: there is no such action.
    """
    if name not in _ids():
        hint = did_you_mean(name, _ids())
        raise IllegalActionError(f"{name!r}: unknown action; one looks like '* - PIC' or '* S LON - PIC'{hint}")
    return _ids()[name]


def find_action(name: str) -> int:
    """The id of a name, or NONE."""
    return _ids().get(name, c.NONE)
