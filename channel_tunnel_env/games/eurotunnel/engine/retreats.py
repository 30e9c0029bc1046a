"""Retreats: all at once, without help (rules 6)."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.movement import disband, put_unit
from channel_tunnel_env.games.eurotunnel.engine.tunnels import choose_tunnel, open_tunnel


@compiled
def is_retreat_due(state):
    """Whether a dislodged unit waits for its order."""
    due = 0
    for place in range(c.NUM_PROVINCES):
        due += state.lost_power[place] >= 0
    return due > 0


@compiled
def retreat_units(state, rules, work):
    """Make the retreats written; those that meet, and those without an order, are disbanded."""
    # A retreat through a tunnel opens it even if the unit is then lost (6.4).
    _open_tunnels(state, rules, work)
    # Retreats are simultaneous: all are counted before the first is made (6.3).
    work.arrivals[:] = 0
    for place in range(c.NUM_PROVINCES):
        location = _refuge(state, rules, place)
        if location >= 0:
            work.arrivals[int(rules.province_of[location])] += 1
    for place in range(c.NUM_PROVINCES):
        location = _refuge(state, rules, place)
        # Two that meet in a province are both disbanded, regardless of the coast (6.3).
        if location >= 0 and work.arrivals[int(rules.province_of[location])] == 1:
            put_unit(state, rules, int(state.lost_power[place]), int(state.lost_type[place]), location)
    # Units that reached a refuge are on the board by now: this ends their record, and disbands the others.
    for place in range(c.NUM_PROVINCES):
        disband(state, place)
    state.written[:] = c.NONE


@compiled
def _refuge(state, rules, place):
    """The location that a dislodged unit retreats to, or NONE."""
    action = int(state.written[place])  # of the unit that left; its attacker, now there, is not asked
    if state.lost_power[place] < 0 or action < 0 or action == c.ID_DISBAND:
        return c.NONE
    return int(rules.action_dst[action])


@compiled
def _open_tunnels(state, rules, work):
    """Tunnels through which a retreat is ordered become known, all chosen before one opens (rules 6.4)."""
    work.taken[:] = c.NONE
    for place in range(c.NUM_PROVINCES):
        action = int(state.written[place])
        if action >= 0 and rules.action_kind[action] == c.RETREAT_TUNNEL:
            pair = int(rules.pair[place, int(rules.action_dst[action])])
            work.taken[place] = choose_tunnel(state, int(state.lost_power[place]), pair)
    for place in range(c.NUM_PROVINCES):
        if work.taken[place] >= 0:
            open_tunnel(state, int(work.taken[place]), work)
