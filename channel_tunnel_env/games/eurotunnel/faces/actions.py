"""What the actions of Eurotunnel Diplomacy are, in words."""

from __future__ import annotations

from itertools import groupby

from channel_tunnel_env.faces.actions import ActionRange
from channel_tunnel_env.games.eurotunnel.actions import all_actions
from channel_tunnel_env.games.eurotunnel.engine import constants as c

_UNITS, _RETREATS, _WINTER, _ = c.PHASES
_MEANINGS: dict[int, tuple[str, str]] = {
    c.HOLD: (_UNITS, "the unit holds"),
    c.MOVE: (_UNITS, "it moves; an army to a province that is no neighbour: by convoy"),
    c.VIA: (_UNITS, "an army moves to a neighbour by convoy (rule book `datc` alone)"),
    c.TUNNEL: (_UNITS, "an army moves through a tunnel"),
    c.DIG: (_UNITS, "an army builds a tunnel to there; others read that it held"),
    c.SUPPORT_HOLD: (_UNITS, "it supports the unit there to hold"),
    c.SUPPORT_MOVE: (_UNITS, "it supports a move, whichever way it goes"),
    c.CONVOY: (_UNITS, "a fleet at sea convoys an army"),
    c.RETREAT: (_RETREATS, "a dislodged unit retreats"),
    c.RETREAT_TUNNEL: (_RETREATS, "a dislodged army retreats through a tunnel"),
    c.DISBAND: (_RETREATS, "a dislodged unit is disbanded"),
    c.BUILD_ARMY: (_WINTER, "an army is built"),
    c.BUILD_FLEET: (_WINTER, "a fleet is built"),
    c.WAIVE: (_WINTER, "no more units are built"),
    c.REMOVE: (_WINTER, "the unit there is removed"),
    c.PERMIT: (_UNITS, "a power's permission to use an own tunnel, by its number, is changed"),
    c.PERMIT_DONE: (_UNITS, "no more permissions are changed"),
    c.VOTE_NO: (_UNITS, "a vote to play on"),
    c.VOTE_DRAW: (_UNITS, "a vote for a draw"),
}


def action_ranges() -> tuple[ActionRange, ...]:
    """What the ids are, in order: a range for each kind."""
    ranges, start = [], 0
    for kind, group in groupby(all_actions(), lambda action: action.kind):
        size = len(list(group))
        ranges.append(ActionRange(start, size, *_MEANINGS[kind]))
        start += size
    return tuple(ranges)
