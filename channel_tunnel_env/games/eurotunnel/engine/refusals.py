"""Why an action is not legal, as a number that `explain` puts into words.

A reason depends on nothing that the power asked cannot know, as legality itself.
"""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.legality import is_open_home, is_refuge
from channel_tunnel_env.games.eurotunnel.engine.passage import could_convoy, could_help_convoy, fleets_at_sea
from channel_tunnel_env.games.eurotunnel.engine.tunnels import (
    ALL_BUILT,
    DUG_THIS_TURN,
    MAY_DIG,
    STANDS_ALREADY,
    could_pass,
    find_dig_obstacle,
    is_standing,
    knows_way,
    may_use_way,
)

(
    LEGAL,
    NOT_NOW,
    SAME_PLACE,
    NOT_NEAR,
    OTHER_COAST,
    NO_COAST_OF_ARMIES,
    NO_ARMY_AT_SEA,
    NO_CONVOY,
    NO_VIA,
    NOT_ARMY,
    VIA_FAR,
    NO_TUNNELS,
    NO_PAIR,
    UNKNOWN_TUNNEL,
    ONE_A_TURN,
    NONE_LEFT,
    OWN_TUNNEL,
    CROWDED,
    ITSELF,
    NO_UNIT,
    OUT_OF_REACH,
    CANNOT_MOVE_SO,
    NOT_AT_SEA,
    NO_ARMY,
    NOT_ON_ROUTE,
    NO_SUCH_TUNNEL,
    OWN_POWER,
    POWER_OUT,
    CHANGED,
    OCCUPIED,
    ATTACKER,
    CONTESTED,
    UNUSABLE_TUNNEL,
    NOT_HOME,
    LOST_HOME,
    ORDERED,
    OUT_OF_ORDER,
    NOT_YOURS,
    TOO_FEW_LEFT,
) = range(39)


@kernel
def find_refusal(states, i, tables, action):
    """Why game i does not allow an action now: one of the numbers above, LEGAL if it does."""
    return reason_against(states[i], tables[int(states[i].ruleset)], action)


@compiled
def reason_against(state, rules, action):
    """`find_refusal` for kernels."""
    kind = int(rules.action_kind[action])
    if state.phase == c.MOVEMENT:
        if state.asked == c.UNITS:
            return _of_order(state, rules, action, kind)
        if state.asked == c.PERMITS:
            return _of_permission(state, rules, action, kind)
        return LEGAL if kind == c.VOTE_NO or kind == c.VOTE_DRAW else NOT_NOW
    if state.phase == c.RETREATS:
        return _of_retreat(state, rules, action, kind)
    if state.phase == c.ADJUSTMENTS:
        return _of_adjustment(state, rules, action, kind)
    return NOT_NOW


# --- orders -------------------------------------------------------------------------------------------


@compiled
def _of_order(state, rules, action, kind):
    place = int(state.cursor)
    src, dst = int(rules.action_src[action]), int(rules.action_dst[action])
    if kind == c.HOLD:
        return LEGAL
    if kind == c.MOVE:
        return _of_move(state, rules, place, dst)
    if kind == c.VIA:
        return _of_convoyed_step(state, rules, place, dst)
    if kind == c.TUNNEL:
        return _of_tunnel(state, rules, place, dst)
    if kind == c.DIG:
        return _of_dig(state, rules, place, dst)
    if kind == c.SUPPORT_HOLD:
        return _of_support(state, rules, place, src, src)
    if kind == c.SUPPORT_MOVE:
        return _of_support_to_move(state, rules, place, src, dst)
    return _of_convoy(state, rules, place, src, dst) if kind == c.CONVOY else NOT_NOW


@compiled
def _of_step(rules, kind, start, location):
    """Why a unit that stands on `start` cannot step to a location."""
    for i in range(int(rules.steps[kind, start])):
        if rules.step[kind, start, i] == location:
            return LEGAL
    goal = int(rules.province_of[location])
    if goal == rules.province_of[start]:
        return SAME_PLACE
    if kind == c.FLEET:
        return OTHER_COAST if rules.reaches[kind, start, goal] else NOT_NEAR  # `reaches` is of any coast
    if location >= c.NUM_PROVINCES:
        return NO_COAST_OF_ARMIES
    return NO_ARMY_AT_SEA if rules.sea[goal] >= 0 else NOT_NEAR


@compiled
def _of_move(state, rules, place, location):
    kind = int(state.unit_type[place])
    why = _of_step(rules, kind, int(state.unit_location[place]), location)
    # An army is NOT_NEAR only to provinces, so the look at the coast of `location` stays in its table.
    carried = kind == c.ARMY and why == NOT_NEAR and rules.coast[place] >= 0
    if not carried or rules.coast[location] < 0:
        return why
    return LEGAL if could_convoy(rules, place, location, fleets_at_sea(state, rules)) else NO_CONVOY


@compiled
def _of_convoyed_step(state, rules, place, goal):
    if rules.rulebook != c.BOOK_DATC:
        return NO_VIA  # an order of later books (section 0)
    if state.unit_type[place] != c.ARMY:
        return NOT_ARMY
    if goal == place:
        return SAME_PLACE
    if not rules.reaches[c.ARMY, place, goal]:
        return VIA_FAR
    return LEGAL if could_convoy(rules, place, goal, fleets_at_sea(state, rules)) else NO_CONVOY


@compiled
def _of_tunnel(state, rules, place, goal):
    why = _of_ends(rules, int(state.unit_type[place]), place, goal)
    if why != LEGAL:
        return why
    power = int(state.unit_power[place])
    # One reason for no tunnel and for a hidden one: another would betray it (E37).
    return LEGAL if knows_way(state, power, int(rules.pair[place, goal])) else UNKNOWN_TUNNEL


@compiled
def _of_ends(rules, kind, place, goal):
    """Why no unit of a kind can go by any tunnel from a province to another."""
    if rules.tunnels_per_power == 0:
        return NO_TUNNELS
    if kind != c.ARMY:
        return NOT_ARMY
    return LEGAL if rules.pair[place, goal] >= 0 else NO_PAIR


@compiled
def _of_dig(state, rules, place, goal):
    why = _of_ends(rules, int(state.unit_type[place]), place, goal)
    if why != LEGAL:
        return why
    obstacle = find_dig_obstacle(state, rules, place, goal)
    if obstacle == MAY_DIG:
        return LEGAL
    if obstacle == DUG_THIS_TURN:
        return ONE_A_TURN
    if obstacle == ALL_BUILT:
        return NONE_LEFT
    return OWN_TUNNEL if obstacle == STANDS_ALREADY else CROWDED


@compiled
def _of_support(state, rules, place, other, goal):
    """Why the unit in `place` cannot help the one in `other` with what it does in `goal`."""
    if other == place:
        return ITSELF
    if state.unit_power[other] < 0:
        return NO_UNIT
    kind, location = int(state.unit_type[place]), int(state.unit_location[place])
    return LEGAL if rules.reaches[kind, location, goal] else OUT_OF_REACH


@compiled
def _of_support_to_move(state, rules, place, mover, location):
    goal = int(rules.province_of[location])
    why = _of_support(state, rules, place, mover, goal)
    if why != LEGAL:
        return why
    if state.unit_type[mover] == c.FLEET:
        step = _of_step(rules, c.FLEET, int(state.unit_location[mover]), location)
        return LEGAL if step == LEGAL else CANNOT_MOVE_SO
    if location >= c.NUM_PROVINCES:
        return CANNOT_MOVE_SO
    fleets = fleets_at_sea(state, rules)
    if rules.sea[place] >= 0:
        fleets &= ~(1 << int(rules.sea[place]))  # it cannot carry the army too (4.2)
    power, whose = int(state.unit_power[place]), int(state.unit_power[mover])
    pair = int(rules.pair[mover, goal])
    goes = rules.reaches[c.ARMY, mover, goal] or could_convoy(rules, mover, goal, fleets)
    goes = goes or (pair >= 0 and could_pass(state, power, whose, pair))
    return LEGAL if goes else CANNOT_MOVE_SO


@compiled
def _of_convoy(state, rules, place, start, goal):
    if rules.sea[place] < 0:
        return NOT_AT_SEA
    if state.unit_type[start] != c.ARMY:
        return NO_ARMY
    fleets, sea = fleets_at_sea(state, rules), int(rules.sea[place])
    return LEGAL if could_help_convoy(rules, start, goal, fleets, sea) else NOT_ON_ROUTE


@compiled
def _of_permission(state, rules, action, kind):
    if kind == c.PERMIT_DONE:
        return LEGAL
    if kind != c.PERMIT:
        return NOT_NOW
    owner = int(state.to_play)
    slot, power = int(rules.action_src[action]), int(rules.action_dst[action])
    if not is_standing(state, owner, slot):
        return NO_SUCH_TUNNEL
    if power == owner:
        return OWN_POWER
    if int(state.alive) >> power & 1 == 0:
        return POWER_OUT
    changed = int(state.tunnel_next[owner, slot]) ^ int(state.tunnel_permits[owner, slot])
    return CHANGED if changed >> power & 1 == 1 else LEGAL


# --- retreats -----------------------------------------------------------------------------------------


@compiled
def _of_retreat(state, rules, action, kind):
    place, dst = int(state.cursor), int(rules.action_dst[action])
    if kind == c.DISBAND:
        return LEGAL
    if kind == c.RETREAT:
        start = int(state.lost_location[place])
        why = _of_step(rules, int(state.lost_type[place]), start, dst)
    elif kind == c.RETREAT_TUNNEL:
        why = _of_ends(rules, int(state.lost_type[place]), place, dst)
        power = int(state.lost_power[place])
        if why == LEGAL and not may_use_way(state, power, int(rules.pair[place, dst])):
            why = UNUSABLE_TUNNEL  # also if there is none: a hidden one is not betrayed
    else:
        return NOT_NOW
    goal = int(rules.province_of[dst])
    if why != LEGAL or is_refuge(state, place, goal):
        return why
    if state.unit_power[goal] >= 0:
        return OCCUPIED
    return ATTACKER if goal == state.lost_from[place] else CONTESTED


# --- winter -------------------------------------------------------------------------------------------


@compiled
def _of_adjustment(state, rules, action, kind):
    builds = state.quota[int(state.to_play)] > 0  # a power without a quota is not asked
    if builds and (kind == c.BUILD_ARMY or kind == c.BUILD_FLEET):
        return _of_build(state, rules, action)
    if builds and kind == c.WAIVE:
        return LEGAL
    return _of_removal(state, rules, action) if kind == c.REMOVE and not builds else NOT_NOW


@compiled
def _of_build(state, rules, action):
    power, place = int(state.to_play), int(rules.province_of[int(rules.action_dst[action])])
    if rules.home[place] != power:
        return NOT_HOME
    if state.owner[place] != power:
        return LOST_HOME
    if state.unit_power[place] >= 0:
        return OCCUPIED
    if not is_open_home(state, rules, power, place):
        return ORDERED
    return LEGAL if action > state.last_choice else OUT_OF_ORDER


@compiled
def _of_removal(state, rules, action):
    """Units are removed in ascending order, and enough of them must be left to choose from."""
    power, place = int(state.to_play), int(rules.action_dst[action])
    if state.unit_power[place] != power:
        return NOT_YOURS
    if state.written[place] >= 0:
        return ORDERED
    if action <= state.last_choice:
        return OUT_OF_ORDER
    # Its units behind this one: the removals that follow are chosen from them only.
    behind = 0
    for other in range(place + 1, c.NUM_PROVINCES):
        behind += state.unit_power[other] == power
    return LEGAL if behind >= -int(state.quota[power]) - 1 else TOO_FEW_LEFT
