"""What may be chosen (rules 4, 6, 7, 8). Decided only here; transitions trust their action."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.passage import could_convoy, could_help_convoy, fleets_at_sea
from channel_tunnel_env.games.eurotunnel.engine.tunnels import could_pass, is_standing, knows_way, may_dig, may_use_way


@compiled
def list_legal(state, rules, work):
    """Write the legal ids, ascending, to `work.legal`; returns how many: 0 when the game is over."""
    if state.phase == c.MOVEMENT:
        if state.asked == c.UNITS:
            return list_orders(state, rules, int(state.cursor), work)
        if state.asked == c.PERMITS:
            return _list_permissions(state, work)
        work.legal[0], work.legal[1] = c.ID_VOTE_NO, c.ID_VOTE_DRAW
        return 2
    if state.phase == c.RETREATS:
        return list_retreats(state, rules, int(state.cursor), work)
    if state.phase == c.ADJUSTMENTS:
        return list_adjustments(state, rules, int(state.to_play), work)
    return 0


# --- orders -------------------------------------------------------------------------------------------


@compiled
def list_orders(state, rules, place, work):
    """The orders that the unit in a province may be given (rules 4.2)."""
    fleets = fleets_at_sea(state, rules)
    # Block by block in the order of the ids, so that the list ascends; to hold is always legal.
    work.legal[0] = c.ID_HOLD
    count = _list_moves(state, rules, place, fleets, work, 1)
    if state.unit_type[place] == c.ARMY:
        if rules.rulebook == c.BOOK_DATC:
            count = _list_convoyed_steps(rules, place, fleets, work, count)
        if rules.tunnels_per_power > 0:
            count = _list_tunnels(state, rules, place, work, count)
            count = _list_digs(state, rules, place, work, count)
    count = _list_supports_to_hold(state, rules, place, work, count)
    count = _list_supports_to_move(state, rules, place, fleets, work, count)
    if rules.sea[place] >= 0:
        count = _list_convoys(state, rules, place, fleets, work, count)
    return count


@compiled
def _list_moves(state, rules, place, fleets, work, count):
    """Ordinary moves, and an army's moves by convoy."""
    kind, location = int(state.unit_type[place]), int(state.unit_location[place])
    # Marked first: goals by convoy may lie between the neighbours, and ids ascend.
    work.marked[:] = 0
    for i in range(int(rules.steps[kind, location])):
        work.marked[int(rules.step[kind, location, i])] = 1
    if kind == c.ARMY and int(rules.sea_borders[place]) & fleets != 0:
        for coast in range(c.NUM_COASTS):
            goal = int(rules.coast_province[coast])
            if could_convoy(rules, place, goal, fleets):  # no route leads back to its own coast
                work.marked[goal] = 1
    return _list_marked(work, c.FIRST_MOVE, count)


@compiled
def _list_marked(work, first, count):
    """The ids of a block of locations that are marked."""
    for location in range(c.NUM_LOCATIONS):
        if work.marked[location]:
            work.legal[count] = first + location
            count += 1
    return count


@compiled
def _list_convoyed_steps(rules, place, fleets, work, count):
    """Moves to a neighbour by convoy on request."""
    for coast in range(c.NUM_COASTS):
        goal = int(rules.coast_province[coast])
        # To any other coast a plain move goes by convoy already (5.2).
        if rules.reaches[c.ARMY, place, goal] and could_convoy(rules, place, goal, fleets):
            work.legal[count] = c.FIRST_VIA + coast
            count += 1
    return count


@compiled
def _list_tunnels(state, rules, place, work, count):
    """Moves through the tunnels that the army's power knows."""
    power = int(state.unit_power[place])
    for i in range(int(rules.exits[place])):
        goal = int(rules.exit[place, i])
        # To know it is enough: its owner may permit it in this very phase, and else the move is void (E39).
        if knows_way(state, power, int(rules.pair[place, goal])):
            work.legal[count] = c.FIRST_TUNNEL + int(rules.land[goal])
            count += 1
    return count


@compiled
def _list_digs(state, rules, place, work, count):
    """Tunnels that the army may build."""
    power = int(state.unit_power[place])
    if int(state.built[power]) >= rules.tunnels_per_power:
        return count
    for i in range(int(rules.exits[place])):
        goal = int(rules.exit[place, i])
        if may_dig(state, rules, place, goal):
            work.legal[count] = c.FIRST_DIG + int(rules.land[goal])
            count += 1
    return count


@compiled
def _list_supports_to_hold(state, rules, place, work, count):
    kind, location = int(state.unit_type[place]), int(state.unit_location[place])
    for other in range(c.NUM_PROVINCES):
        # No unit reaches its own province, so none supports itself.
        if rules.reaches[kind, location, other] and state.unit_power[other] >= 0:
            work.legal[count] = c.FIRST_SUPPORT_HOLD + other
            count += 1
    return count


@compiled
def _list_supports_to_move(state, rules, place, fleets, work, count):
    """Supports for every move of another unit into a province that this one could move to."""
    own_sea = int(rules.sea[place])
    # A fleet cannot carry the army and support it at once (4.2).
    others = fleets & ~(1 << own_sea) if own_sea >= 0 else fleets
    for mover in range(c.NUM_PROVINCES):
        if state.unit_power[mover] < 0 or mover == place:
            continue
        work.marked[:] = 0
        if state.unit_type[mover] == c.FLEET:
            found = _mark_fleet_goals(state, rules, place, mover, work)
        else:
            found = _mark_army_goals(state, rules, place, mover, others, work)
        if found:
            for location in range(c.NUM_LOCATIONS):
                if work.marked[location]:
                    work.legal[count] = rules.support_id[mover, location]
                    count += 1
    return count


@compiled
def _mark_fleet_goals(state, rules, place, mover, work):
    """Mark where the fleet in `mover` may go with the support of the unit in `place`."""
    kind, location = int(state.unit_type[place]), int(state.unit_location[place])
    start = int(state.unit_location[mover])
    found = False
    for i in range(int(rules.steps[c.FLEET, start])):
        goal = int(rules.step[c.FLEET, start, i])
        # The supporter has to reach the province; which coast matters only to the move itself (D10).
        if rules.reaches[kind, location, int(rules.province_of[goal])]:
            work.marked[goal] = 1
            found = True
    return found


@compiled
def _mark_army_goals(state, rules, place, mover, fleets, work):
    """Mark where the army in `mover` may go with the support of the unit in `place`."""
    kind, location = int(state.unit_type[place]), int(state.unit_location[place])
    power, whose = int(state.unit_power[place]), int(state.unit_power[mover])
    found = False
    for i in range(int(rules.steps[kind, location])):
        goal = int(rules.province_of[int(rules.step[kind, location, i])])
        if goal == mover or work.marked[goal]:  # a fleet may reach both coasts of a province
            continue
        pair = int(rules.pair[mover, goal])
        if (
            rules.reaches[c.ARMY, mover, goal]
            or (pair >= 0 and could_pass(state, power, whose, pair))
            or could_convoy(rules, mover, goal, fleets)
        ):
            work.marked[goal] = 1
            found = True
    return found


@compiled
def _list_convoys(state, rules, place, fleets, work, count):
    """Convoys that the fleet could take part in."""
    sea = int(rules.sea[place])
    for start in range(c.NUM_PROVINCES):
        # An army beside a sea stands on a coast, as `could_help_convoy` expects.
        if state.unit_type[start] != c.ARMY or int(rules.sea_borders[start]) & fleets == 0:
            continue
        for coast in range(c.NUM_COASTS):
            goal = int(rules.coast_province[coast])
            if could_help_convoy(rules, start, goal, fleets, sea):  # to a neighbour too: an exchange may need it
                work.legal[count] = rules.convoy_id[start, goal]
                count += 1
    return count


@compiled
def _list_permissions(state, work):
    """Permissions that may still be changed, each once (rules 7.7)."""
    owner = int(state.to_play)
    count = 0
    for slot in range(c.MAX_TUNNELS):
        # Powers whose permission is changed by now; to change one back and forth would never end.
        changed = int(state.tunnel_next[owner, slot]) ^ int(state.tunnel_permits[owner, slot])
        for power in range(c.NUM_POWERS):
            other = power != owner and int(state.alive) >> power & 1 == 1
            if other and is_standing(state, owner, slot) and changed >> power & 1 == 0:
                work.legal[count] = c.FIRST_PERMIT + slot * c.NUM_POWERS + power
                count += 1
    work.legal[count] = c.ID_PERMIT_DONE
    return count + 1


# --- retreats -----------------------------------------------------------------------------------------


@compiled
def is_refuge(state, place, goal):
    """Whether the unit dislodged from a province may go to another, if it can get there (rules 6.1)."""
    # The attacker's origin is barred even to a unit that would go there by another way (D6, E28).
    return state.unit_power[goal] < 0 and state.contested[goal] == 0 and goal != int(state.lost_from[place])


@compiled
def list_retreats(state, rules, place, work):
    """Where the unit dislodged from a province may go; or it disbands."""
    kind, location = int(state.lost_type[place]), int(state.lost_location[place])
    count = 0
    for i in range(int(rules.steps[kind, location])):
        goal = int(rules.step[kind, location, i])
        if is_refuge(state, place, int(rules.province_of[goal])):
            work.legal[count] = c.FIRST_RETREAT + goal
            count += 1
    if kind == c.ARMY:
        for i in range(int(rules.exits[place])):
            goal = int(rules.exit[place, i])
            usable = may_use_way(state, int(state.lost_power[place]), int(rules.pair[place, goal]))
            if usable and is_refuge(state, place, goal):
                work.legal[count] = c.FIRST_RETREAT_TUNNEL + int(rules.land[goal])
                count += 1
    work.legal[count] = c.ID_DISBAND  # if it is the only one, the unit has no place to go
    return count + 1


# --- winter -------------------------------------------------------------------------------------------


@compiled
def is_free_home(state, rules, power, place):
    """Whether a winter begins in which a power may raise a unit in a province (rules 8.2)."""
    return rules.home[place] == power and state.owner[place] == power and state.unit_power[place] < 0


@compiled
def is_open_home(state, rules, power, place):
    """Whether a power may still raise a unit in a province: nothing is written for it yet."""
    return is_free_home(state, rules, power, place) and state.written[place] < 0


@compiled
def list_adjustments(state, rules, power, work):
    """Units to raise or to remove, behind the choice before, so that a set has one spelling."""
    if state.quota[power] > 0:
        return _list_builds(state, rules, power, work)
    return _list_removals(state, power, work)


@compiled
def _list_builds(state, rules, power, work):
    last = int(state.last_choice)
    count = 0
    for i in range(c.NUM_HOMES):
        place = int(rules.home_province[i])
        if c.FIRST_BUILD_ARMY + i > last and is_open_home(state, rules, power, place):
            work.legal[count] = c.FIRST_BUILD_ARMY + i
            count += 1
    for i in range(c.NUM_FLEET_BUILDS):
        place = int(rules.province_of[int(rules.build_location[i])])
        if c.FIRST_BUILD_FLEET + i > last and is_open_home(state, rules, power, place):
            work.legal[count] = c.FIRST_BUILD_FLEET + i
            count += 1
    work.legal[count] = c.ID_WAIVE
    return count + 1


@compiled
def _list_removals(state, power, work):
    """All units behind the last choice but those that would leave too few to choose from."""
    count = 0
    for place in range(c.NUM_PROVINCES):
        if c.FIRST_REMOVE + place > int(state.last_choice) and state.unit_power[place] == power:
            work.legal[count] = c.FIRST_REMOVE + place
            count += 1
    # The quota is below 0: the last `-quota - 1` units are kept for the removals that follow.
    return count + int(state.quota[power]) + 1
