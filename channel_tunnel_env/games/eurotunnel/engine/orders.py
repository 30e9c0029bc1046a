"""The orders of a movement phase as the equations need them: which units move where and how, which help which (rules 5.2).

Everything is in the workspace by province of the unit. A unit whose help fits nothing only stands.
"""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.passage import routes_over
from channel_tunnel_env.games.eurotunnel.engine.tunnels import choose_tunnel, is_permitted


@compiled
def read_orders(state, rules, work):
    """Read what was written; unordered units hold."""
    _clear(work)
    for place in range(c.NUM_PROVINCES):
        if state.unit_power[place] >= 0:
            work.unit[int(work.units)] = place
            work.units += 1
            if state.written[place] >= 0:
                _read_move(state, rules, place, work)
    # After all moves are read: help is matched with what the other unit was ordered.
    for i in range(int(work.units)):
        _read_help(state, rules, int(work.unit[i]), work)
    # After all convoys are matched: a route needs a fleet on each of its seas.
    for i in range(int(work.units)):
        _find_routes(state, rules, int(work.unit[i]), work)


@compiled
def _clear(work):
    work.units = 0
    # Goals and the rest of the chains stay as they were: they are read only behind what is cleared here.
    work.way[:] = c.NO_WAY
    work.usable[:] = 0
    work.taken[:] = c.NONE
    work.aims[:] = c.NONE
    work.convoys[:] = 0
    work.fleets[:] = 0
    work.offered[:] = 0
    work.first_mover[:] = c.NONE
    work.first_support[:] = c.NONE
    work.decides[:] = 0
    work.value[:] = c.NO  # stays so without a decision; `solve` sets the others to UNKNOWN
    work.sailing = 0
    work.sunk = 0
    work.forced = 0
    work.cores = 0


@compiled
def _read_move(state, rules, place, work):
    """Way and goal of a mover."""
    action = int(state.written[place])
    kind, location = int(rules.action_kind[action]), int(rules.action_dst[action])
    if kind == c.MOVE:
        reaches = rules.reaches[
            int(state.unit_type[place]), int(state.unit_location[place]), _province(rules, location)
        ]
        # In 1971 a neighbour is reached by land, but for an exchange; `via convoy` is a later order (section 0).
        work.way[place] = c.BY_LAND if reaches else c.BY_CONVOY
    elif kind == c.VIA:
        work.way[place] = c.BY_CONVOY
    elif kind == c.TUNNEL:
        work.way[place] = c.BY_TUNNEL
        _take_tunnel(state, rules, place, location, work)
    else:
        return
    goal = _province(rules, location)
    work.goal[place] = goal
    work.goal_location[place] = location
    # Each new one goes in front; the order in a chain changes nothing (5.1).
    work.next_mover[place] = work.first_mover[goal]
    work.first_mover[goal] = place
    work.decides[place] = 1


@compiled
def _province(rules, location):
    return int(rules.province_of[location])


@compiled
def _take_tunnel(state, rules, place, goal, work):
    power = int(state.unit_power[place])
    # Every unit's tunnel is chosen before any opens, for an open one would be preferred (7.3).
    taken = choose_tunnel(state, power, int(rules.pair[place, goal]))
    work.taken[place] = taken
    owner, slot = taken // c.MAX_TUNNELS, taken % c.MAX_TUNNELS
    work.usable[place] = taken >= 0 and is_permitted(state, owner, slot, power)


@compiled
def _read_help(state, rules, place, work):
    """Match a support or a convoy with what the other unit was ordered (rules 4.3)."""
    action = int(state.written[place])
    if action < 0:
        return
    kind, other = int(rules.action_kind[action]), int(rules.action_src[action])
    if kind == c.SUPPORT_HOLD:
        # A unit that is ordered to move cannot be supported to hold, even if its move fails (4.4).
        if state.unit_power[other] >= 0 and work.way[other] == c.NO_WAY:
            _add_support(work, place, other, other)
    elif kind == c.SUPPORT_MOVE:
        goal = int(rules.action_dst[action])
        # The move exactly as named, its coast included (4.3).
        # By whichever way it goes: a support names no route (E19).
        if work.way[other] != c.NO_WAY and work.goal_location[other] == goal:
            _add_support(work, place, other, _province(rules, goal))
    elif kind == c.CONVOY:
        goal = int(rules.action_dst[action])
        way = work.way[other]
        # A tunnel move is never carried (E24); one by land may be, in an exchange of places (D14).
        plain = way == c.BY_CONVOY or way == c.BY_LAND
        if plain and work.goal_location[other] == goal and state.unit_type[other] == c.ARMY:
            work.convoys[place] = 1
            work.decides[place] = 1
            work.offered[other] |= 1 << int(rules.sea[place])


@compiled
def _add_support(work, place, other, where):
    work.aims[place] = where  # an attack out of there cuts it only by dislodging (5.3)
    work.next_support[place] = work.first_support[other]
    work.first_support[other] = place
    work.decides[place] = 1


@compiled
def _find_routes(state, rules, place, work):
    """The ordered routes of an army, if its way asks for them (rules 5.2)."""
    if work.offered[place] == 0:
        return
    way = work.way[place]
    # An exchange of places may go by any undisrupted convoy, own or foreign: the "kidnapping" of 1971 (section 0).
    exchanged = rules.rulebook == c.BOOK_1971 and opposite(work, place) >= 0
    if way == c.BY_CONVOY or exchanged:
        # A fleet that is on no whole route is left out: its loss does not stop the army (D2).
        work.fleets[place] = routes_over(rules, place, int(work.goal[place]), int(work.offered[place]))


@compiled
def opposite(work, place):
    """The unit at a mover's goal, if it is ordered to move to where the mover stands; else NONE."""
    goal = int(work.goal[place])
    if work.way[goal] != c.NO_WAY and work.goal[goal] == place:
        return goal
    return c.NONE
