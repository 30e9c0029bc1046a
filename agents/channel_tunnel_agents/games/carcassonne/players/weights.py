"""What a scripted player of Carcassonne wants: one number each, so that a probe changes numbers, not code."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.core.records import new_records


@dataclass(frozen=True)
class Weights:
    """What a position after one's turn is worth, in points.

    The value is the player's total less that of its best rival. A total is the points scored, plus those
    that would be scored if the game ended now, each kind times its weight.
    """

    # Own points that would be scored if the game ended now
    city: float = 1.0
    road: float = 1.0
    cloister: float = 1.0
    field: float = 1.0
    rival: float = 1.0  # the same of rivals, of every kind
    # While the game goes on
    follower: float = -2.0  # an own follower that lies
    stuck: float = -1.0  # an own follower on a road with a half tunnel of a rival
    blocked: float = 0.0  # a tile of a rival's road with an own half tunnel
    finish: float = 0.0  # a tunnel finished in this turn

    def to_record(self) -> NDArray[np.void]:
        """The weights as kernels take them: an array of one record."""
        record = new_records(1, WEIGHTS_DTYPE)
        record[0] = astuple(self)
        return record


WEIGHTS_DTYPE = np.dtype([(entry.name, np.float64) for entry in fields(Weights)], align=True)
_ABOVE_ALL = 1000.0  # more than any turn can gain

GREEDY = Weights()
ARCHETYPES = {
    "points": Weights(city=0, road=0, cloister=0, field=0, rival=0, follower=0, stuck=0),
    "greedy": GREEDY,
    "farmer": replace(GREEDY, field=2.0),
    "builder": replace(GREEDY, city=2.0, road=2.0),
    "monk": replace(GREEDY, cloister=2.0),
    "tunneller": replace(GREEDY, finish=_ABOVE_ALL),
    "blocker": replace(GREEDY, blocked=0.5, finish=-_ABOVE_ALL),
}
"""The scripted players by name.

points counts what is scored in the turn itself, greedy what the position would score; farmer, builder
and monk want more of one kind. tunneller finishes a tunnel whenever it can, the one that gains most first;
blocker lays first tokens on the longest roads of its rivals and never finishes a tunnel.
"""
