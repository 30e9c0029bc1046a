"""Random orders full of conflict: many moves, and help for them."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import random_number
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.legality import list_orders

_MOVES = 55  # of a hundred units that are ordered to move
_HELPS = 80  # of a hundred others that help a move, where they can


@compiled
def write_lively(state, rules, power, source, work):
    """Random legal orders for all units of a power, or of all (NOBODY): many moves, and help for them."""
    # All moves first: the help below is chosen for moves that are written.
    for place in range(c.NUM_PROVINCES):
        if _is_ordered(state, place, power) and random_number(source, 100) < _MOVES:
            _write_one_of(state, rules, place, True, source, work)
    for place in range(c.NUM_PROVINCES):
        if _is_ordered(state, place, power) and state.written[place] < 0:
            helps = random_number(source, 100) < _HELPS
            if not helps or not _write_one_of(state, rules, place, False, source, work):
                count = list_orders(state, rules, place, work)
                state.written[place] = work.legal[random_number(source, count)]


@compiled
def _is_ordered(state, place, power):
    owner = int(state.unit_power[place])
    return owner >= 0 and (power == c.NOBODY or owner == power)


@compiled
def _write_one_of(state, rules, place, moves, source, work):
    """One of the unit's moves, or of the helps that fit a move written; false if there is none."""
    count = list_orders(state, rules, place, work)
    fitting = 0
    for k in range(count):
        action = int(work.legal[k])
        kind = int(rules.action_kind[action])
        if moves:
            fits = kind == c.MOVE or kind == c.VIA or kind == c.TUNNEL
        else:
            fits = _fits_written(state, rules, action, kind)
        if fits:
            work.legal[fitting] = action  # never beyond k, so no id is lost unread
            fitting += 1
    if fitting > 0:
        state.written[place] = work.legal[random_number(source, fitting)]
    return fitting > 0


@compiled
def _fits_written(state, rules, action, kind):
    """Whether a support or a convoy is for a move that is written."""
    if kind != c.SUPPORT_MOVE and kind != c.CONVOY:
        return False
    other = int(state.written[int(rules.action_src[action])])
    if other < 0 or rules.action_kind[other] == c.DIG:  # a build has a destination too, but is no move
        return False
    return rules.action_dst[other] == rules.action_dst[action]
