"""What follows from a solved movement phase (rules 5.6, 7.2, 7.5, 7.6)."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.legality import list_retreats
from channel_tunnel_env.games.eurotunnel.engine.orders import read_orders
from channel_tunnel_env.games.eurotunnel.engine.resolution import count_broken, path, prevent, solve
from channel_tunnel_env.games.eurotunnel.engine.tunnels import add_tunnel, change_permissions, open_tunnel, tell_guests

_HELD_MOST = 255  # the most that its uint8 holds


@compiled
def move_units(state, rules, work):
    """Read the orders written, solve them, and make the moves; dislodged units wait for retreats."""
    # Permissions hold from the phase in which they are written, so before any order is read (7.7).
    change_permissions(state)
    read_orders(state, rules, work)
    solve(state, rules, work)
    if work.checks:
        work.broken += count_broken(state, rules, work)
    for i in range(int(work.units)):
        # Every tunnel that an order takes opens, whether the order succeeds, fails or is void (7.5).
        if work.taken[int(work.unit[i])] >= 0:
            open_tunnel(state, int(work.taken[int(work.unit[i])]), work)
    # The report names units by where they stood, so it comes before the moves.
    _report(state, rules, work)
    _find_contested(state, rules, work)
    _lift_dislodged(state, rules, work)
    # Dislodged armies are known by now: what they were building does not come into being (7.2).
    _build_tunnels(state, rules, work)
    _make_moves(state, rules, work)
    # Those with permission at the end of the phase learn of the tunnel (7.7).
    tell_guests(state)
    # A refuge has to be empty after the moves (6.1).
    _disband_lost(state, rules, work)
    state.written[:] = c.NONE


@compiled
def attacker_of(work, place):
    """The unit that moves into a province, or NONE."""
    # At most one move into a province succeeds.
    attacker = int(work.first_mover[place])
    while attacker >= 0 and work.value[attacker] != c.YES:
        attacker = int(work.next_mover[attacker])
    return attacker


@compiled
def is_dislodged(work, place):
    """Whether the unit in a province has to leave it."""
    # A unit that leaves in time is not dislodged by one that enters (5.3).
    leaves = work.way[place] != c.NO_WAY and work.value[place] == c.YES
    return not leaves and attacker_of(work, place) >= 0


@compiled
def _report(state, rules, work):
    """Everybody reads every order and what became of it; to build reads as to hold."""
    state.told_order[:] = c.NONE
    state.told_power[:] = c.NOBODY
    state.told_type[:] = 0
    state.told_result[:] = c.NOTHING
    for i in range(int(work.units)):
        place = int(work.unit[i])
        action = int(state.written[place])
        # Builds are not reported (7.6); the power's own record has them.
        if action < 0 or rules.action_kind[action] == c.DIG:
            action = c.ID_HOLD
        state.told_order[place] = action
        state.told_power[place] = state.unit_power[place]
        state.told_type[place] = state.unit_type[place]
        dislodged = is_dislodged(work, place)
        result = _result(rules, work, place, int(rules.action_kind[action]))
        state.told_result[place] = result + c.DISLODGED * dislodged
        # Where a power may have dug, as others see it: the weights of the tunnels that `determinize` imagines.
        if action == c.ID_HOLD and state.unit_type[place] == c.ARMY and not dislodged:
            power = int(state.unit_power[place])
            state.held[power, place] = min(_HELD_MOST, int(state.held[power, place]) + 1)


@compiled
def _result(rules, work, place, kind):
    """What became of an order, STOOD to DISRUPTED."""
    done = work.value[place] == c.YES
    if kind == c.HOLD:
        return c.STOOD
    if work.way[place] != c.NO_WAY:
        if done:
            return c.MOVED
        if path(rules, work, place) == c.YES:
            return c.FAILED
        # Without a path: a tunnel that it may not use (E39), or no convoy that holds.
        return c.VOID if work.way[place] == c.BY_TUNNEL else c.DISRUPTED
    if not work.decides[place]:  # help that fits no order is void (4.3)
        return c.VOID
    if done:
        return c.DONE
    return c.DISRUPTED if work.convoys[place] else c.CUT


@compiled
def _find_contested(state, rules, work):
    """Provinces left empty by a stand-off (rules 5.6)."""
    state.contested[:] = 0
    for i in range(int(work.units)):
        mover = int(work.unit[i])
        if work.way[mover] == c.NO_WAY or work.value[mover] == c.YES:
            continue
        goal = int(work.goal[mover])
        left = work.way[goal] != c.NO_WAY and work.value[goal] == c.YES
        moves = c.YES if left else c.NO
        empty = (state.unit_power[goal] < 0 or left) and attacker_of(work, goal) < 0
        # A void move, a disrupted convoy and a unit dislodged from there contest nothing (5.6).
        if empty and prevent(state, rules, work, mover, moves, True) > 0:
            state.contested[goal] = 1


@compiled
def _lift_dislodged(state, rules, work):
    """Take dislodged units off the board, with the province that their attacker came from."""
    for i in range(int(work.units)):
        place = int(work.unit[i])
        if is_dislodged(work, place):
            attacker = attacker_of(work, place)
            # Later books let a unit retreat to where a convoyed attacker came from; in 1971 it never may (section 0).
            carried = rules.rulebook == c.BOOK_DATC and work.way[attacker] == c.BY_CONVOY
            state.lost_power[place] = state.unit_power[place]
            state.lost_type[place] = state.unit_type[place]
            state.lost_location[place] = state.unit_location[place]
            state.lost_from[place] = c.NONE if carried else attacker


@compiled
def _build_tunnels(state, rules, work):
    """Tunnels ordered by armies that were not dislodged come into being (E12, E13)."""
    for i in range(int(work.units)):
        place = int(work.unit[i])
        action = int(state.written[place])
        if action >= 0 and rules.action_kind[action] == c.DIG and state.lost_power[place] < 0:
            pair = int(rules.pair[place, int(rules.action_dst[action])])
            add_tunnel(state, int(state.unit_power[place]), pair)


@compiled
def _make_moves(state, rules, work):
    """Units with MOVE change place, all at once."""
    for place in range(c.NUM_PROVINCES):
        # Copied first: units may go round in a circle, so each could overwrite the next.
        work.mover_power[place] = state.unit_power[place]
        work.mover_type[place] = state.unit_type[place]
    for place in range(c.NUM_PROVINCES):
        left = work.way[place] != c.NO_WAY and work.value[place] == c.YES
        if left or state.lost_power[place] >= 0:
            take_off(state, place)  # everybody first, or one that moved in would be taken off
    for i in range(int(work.units)):
        place = int(work.unit[i])
        if work.way[place] != c.NO_WAY and work.value[place] == c.YES:
            put_unit(
                state, rules, int(work.mover_power[place]), int(work.mover_type[place]), int(work.goal_location[place])
            )


@compiled
def take_off(state, place):
    """Empty a province."""
    state.unit_power[place] = c.NOBODY
    state.unit_type[place] = 0
    state.unit_location[place] = 0


@compiled
def disband(state, place):
    """Remove the unit that was dislodged from a province; where its attacker came from is kept.

    Whether it had a place to go may be a secret, so `determinize` has to ask again.
    """
    state.lost_power[place] = c.NOBODY
    state.lost_type[place] = 0
    state.lost_location[place] = 0


@compiled
def put_unit(state, rules, power, kind, location):
    """Put a unit on a location."""
    place = int(rules.province_of[location])
    state.unit_power[place] = power
    state.unit_type[place] = kind
    state.unit_location[place] = location


@compiled
def _disband_lost(state, rules, work):
    """Dislodged units without a place to go are disbanded at once (rules 6.2, 8.4)."""
    for place in range(c.NUM_PROVINCES):
        power = int(state.lost_power[place])
        if power >= 0:
            absent = int(rules.absent) >> power & 1 == 1
            # Without a place to go there is no question to ask (6.2); an absent power is never asked (8.4).
            if absent or list_retreats(state, rules, place, work) == 1:
                disband(state, place)
