"""The state: one aligned numpy record per game. Provinces are the main index.

No chance event exists, so play draws from no stream. What a power writes is in `written` until the
last power has answered the phase.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.records import new_records, workspace_dtype
from channel_tunnel_env.games.eurotunnel.engine import constants as c

_EACH = c.NUM_PROVINCES
_TUNNELS = (c.NUM_POWERS, c.MAX_TUNNELS)

STATE_DTYPE = np.dtype(
    [
        # Luck: counter-based streams (see `core.rng`).
        ("rng_key", np.uint64, len(c.STREAMS)),
        ("rng_counter", np.int64, len(c.STREAMS)),
        ("seed", np.int64),  # no rule reads it
        # The game at large.
        ("ply", np.int32),  # decisions answered, forced ones included
        ("ruleset", np.int16),  # row of the tables
        ("turn", np.int16),  # springs and falls, from 1
        ("year", np.int16),
        ("season", np.int8),
        ("phase", np.int8),
        ("to_play", np.int8),  # the power asked; when the game is over, the one asked last
        ("asked", np.int8),  # what it is asked for: UNITS, PERMITS, VOTE
        ("cursor", np.int8),  # the province of the unit asked, or NONE
        ("end_cause", np.int8),
        ("winner", np.int8),  # of a solo; DRAW if there is none, NOBODY while the game goes on
        ("alive", np.uint8),  # powers as bits
        ("votes", np.uint8),  # powers that vote for a draw, as bits
        ("share", np.float64, c.NUM_POWERS),  # of a finished game; they sum to 1
        # The board.
        ("unit_power", np.int8, _EACH),  # NOBODY where no unit is
        ("unit_type", np.int8, _EACH),
        ("unit_location", np.int8, _EACH),  # the province, or a fleet's coast of it
        ("owner", np.int8, _EACH),  # of a centre, or NOBODY
        # Between movement and retreats.
        ("lost_power", np.int8, _EACH),  # dislodged units, by the province they leave
        ("lost_type", np.int8, _EACH),
        ("lost_location", np.int8, _EACH),
        ("lost_from", np.int8, _EACH),  # where the attacker came from, or NONE (rules 5.6)
        ("contested", np.uint8, _EACH),
        # Orders.
        ("written", np.int16, _EACH),  # action id by province, NONE without: hidden until read
        ("quota", np.int8, c.NUM_POWERS),  # units to raise, or below 0 to remove, not yet ordered
        ("last_choice", np.int16),  # winter: the id that the power asked chose before, or NONE
        # The report of the last movement phase; an order to build reads as a hold.
        ("told_order", np.int16, _EACH),
        ("told_power", np.int8, _EACH),
        ("told_type", np.int8, _EACH),
        ("told_result", np.int8, _EACH),
        ("held", np.uint8, (c.NUM_POWERS, _EACH)),  # phases an army was reported holding there
        # Tunnels by owner, in the order of building; powers as bits.
        ("tunnel_pair", np.int16, _TUNNELS),
        ("tunnel_state", np.int8, _TUNNELS),
        ("tunnel_permits", np.uint8, _TUNNELS),
        ("tunnel_told", np.uint8, _TUNNELS),  # powers that were told of it
        ("tunnel_next", np.uint8, _TUNNELS),  # permissions as written in this phase
        ("built", np.int8, c.NUM_POWERS),
    ],
    align=True,
)

WORK_DTYPE = workspace_dtype(
    c.NUM_ACTIONS,
    [
        ("marked", np.uint8, c.NUM_LOCATIONS),  # destinations of one unit
        # The orders of a movement phase as they are read, by province of the unit.
        ("units", np.int64),
        ("unit", np.int8, _EACH),  # provinces with a unit, ascending
        ("way", np.int8, _EACH),  # NO_WAY: stands
        ("goal", np.int8, _EACH),  # province that a mover moves to
        ("goal_location", np.int8, _EACH),
        ("usable", np.uint8, _EACH),  # the tunnel taken may be used
        ("taken", np.int8, _EACH),  # 4 x owner + slot of the tunnel taken, or NONE
        ("aims", np.int8, _EACH),  # province in which a valid support acts, or NONE
        ("convoys", np.uint8, _EACH),  # a fleet that convoys an army
        ("fleets", np.int32, _EACH),  # seas of an army's ordered routes
        ("offered", np.int32, _EACH),  # seas of the fleets ordered to convoy it
        # Chains: first and next, NONE at the end.
        ("first_mover", np.int8, _EACH),  # moves into a province
        ("next_mover", np.int8, _EACH),
        ("first_support", np.int8, _EACH),  # valid supports of a unit's action
        ("next_support", np.int8, _EACH),
        ("mover_power", np.int8, _EACH),  # units as they stood before the moves
        ("mover_type", np.int8, _EACH),
        # The decisions.
        ("value", np.int8, _EACH),  # NO, YES, UNKNOWN of the unit's MOVE, SUPPORT or CONVOY
        ("decides", np.uint8, _EACH),  # the unit has a decision
        ("sailing", np.int64),  # seas whose CONVOY is yes
        ("sunk", np.int64),  # seas whose CONVOY is no
        ("forced", np.int64),  # seas whose convoy the backup rule failed
        ("cores", np.int64),  # times that the backup rule was needed
        ("checks", np.int64),  # whether every solution is checked; kept between phases
        ("broken", np.int64),  # decisions found that break their equation
        ("reach", np.uint8, (_EACH, _EACH)),  # decisions that a decision depends on
        ("stack", np.int16, _EACH),
        ("chosen", np.uint8, _EACH),  # decisions that the backup rule fixes
        ("arrivals", np.int8, _EACH),  # retreats into a province
        ("opened", np.uint8, _TUNNELS),  # opened in this phase
        ("demolished", np.uint8, _TUNNELS),  # demolished in this phase
    ],
)


def new_states(num_games: int) -> np.ndarray:
    """`num_games` zeroed records; `set_up` fills them."""
    return new_records(num_games, STATE_DTYPE)


def new_workspaces(count: int) -> np.ndarray:
    """`count` workspaces."""
    return new_records(count, WORK_DTYPE)
