"""Tunnels: who knows one, which one is taken, how they open and fall (rules 7)."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.eurotunnel.engine import constants as c

MAY_DIG, DUG_THIS_TURN, ALL_BUILT, STANDS_ALREADY, NO_ROOM = range(5)


@compiled
def is_standing(state, owner, slot):
    """Whether a slot holds a tunnel that was built and is not demolished."""
    what = int(state.tunnel_state[owner, slot])
    return what == c.HIDDEN or what == c.OPENED


@compiled
def owns_tunnel(state, power):
    """Whether a power has a standing tunnel."""
    count = 0
    for slot in range(c.MAX_TUNNELS):
        count += is_standing(state, power, slot)
    return count > 0


@compiled
def is_permitted(state, owner, slot, power):
    """Whether a power may use a tunnel: its owner, or with permission."""
    return owner == power or int(state.tunnel_permits[owner, slot]) >> power & 1 == 1


@compiled
def knows(state, viewer, owner, slot):
    """Whether a power knows a standing tunnel (rules 7.4)."""
    return (
        owner == viewer
        or state.tunnel_state[owner, slot] == c.OPENED
        or int(state.tunnel_told[owner, slot]) >> viewer & 1 == 1
    )


@compiled
def find_own(state, power, pair):
    """The slot of a power's standing tunnel on a pair, or NONE."""
    for slot in range(c.MAX_TUNNELS):
        if state.tunnel_pair[power, slot] == pair and is_standing(state, power, slot):  # a fallen one keeps its pair
            return slot
    return c.NONE


@compiled
def knows_way(state, power, pair):
    """Whether a power knows a tunnel on a pair."""
    for owner in range(c.NUM_POWERS):
        slot = find_own(state, owner, pair)
        if slot >= 0 and knows(state, power, owner, slot):
            return True
    return False


@compiled
def may_use_way(state, power, pair):
    """Whether a tunnel on a pair is the power's own or permitted to it."""
    for owner in range(c.NUM_POWERS):
        slot = find_own(state, owner, pair)
        if slot >= 0 and is_permitted(state, owner, slot, power):
            return True
    return False


@compiled
def could_pass(state, power, mover, pair):
    """Whether, as far as a power can know, an army of `mover` could use a tunnel on a pair (rules 7.4)."""
    for owner in range(c.NUM_POWERS):
        slot = find_own(state, owner, pair)
        if slot >= 0 and knows(state, power, owner, slot):
            # Of a hidden tunnel only its owner knows which others were told (7.7).
            told = owner == power and int(state.tunnel_told[owner, slot]) >> mover & 1 == 1
            if mover == owner or mover == power or told:
                return True
            if state.tunnel_state[owner, slot] == c.OPENED:  # anybody may order a move through it
                return True
    return False


@compiled
def choose_tunnel(state, power, pair):
    """The tunnel that a power's army takes, as 4 x owner + slot, or NONE (rules 7.3).

    Its own; else of the foreign ones known first the permitted, then the opened, then the lowest owner.
    """
    slot = find_own(state, power, pair)
    if slot >= 0:
        return power * c.MAX_TUNNELS + slot
    best, taken = c.NONE, c.NONE
    for owner in range(c.NUM_POWERS):
        slot = find_own(state, owner, pair)
        if slot >= 0 and knows(state, power, owner, slot):
            opened = state.tunnel_state[owner, slot] == c.OPENED
            # Strictly greater, so the lowest owner wins a tie (7.3).
            rank = 2 * is_permitted(state, owner, slot, power) + opened
            if rank > best:
                best, taken = rank, owner * c.MAX_TUNNELS + slot
    return taken


@compiled
def has_room(state, rules, power, place, planned):
    """Whether another tunnel of a power may end in a province, where some are planned already (E9)."""
    count = planned
    for slot in range(c.MAX_TUNNELS):
        if is_standing(state, power, slot):
            number = int(state.tunnel_pair[power, slot])
            for end in range(2):
                count += rules.pair_end[number, end] == place
    return count < rules.tunnels_per_province


@compiled
def may_dig(state, rules, place, goal):
    """Whether the army in a province may be ordered to build a tunnel to another (rules 7.2)."""
    return find_dig_obstacle(state, rules, place, goal) == MAY_DIG


@compiled
def find_dig_obstacle(state, rules, place, goal):
    """What keeps the army in a province from building a tunnel to another, MAY_DIG to NO_ROOM.

    Where a ruleset allows several orders to build in a phase, those that are written count as built.
    """
    power = int(state.unit_power[place])
    pair = int(rules.pair[place, goal])
    planned = here = there = 0
    for other in range(c.NUM_PROVINCES):
        written = int(state.written[other])
        # Only own orders and tunnels are looked at: a refusal must not betray those of others (E46).
        own = other != place and state.unit_power[other] == power and written >= 0
        if own and rules.action_kind[written] == c.DIG:
            end = int(rules.action_dst[written])
            if rules.pair[other, end] == pair:
                # An order of the same phase counts as built.
                return STANDS_ALREADY
            planned += 1
            here += end == place
            there += other == goal or end == goal
    if planned >= rules.tunnels_per_turn:
        return DUG_THIS_TURN
    if int(state.built[power]) + planned >= rules.tunnels_per_power:
        return ALL_BUILT
    if find_own(state, power, pair) >= 0:
        return STANDS_ALREADY
    room = has_room(state, rules, power, place, here) and has_room(state, rules, power, goal, there)
    return MAY_DIG if room else NO_ROOM


@compiled
def add_tunnel(state, power, pair):
    """A power's new tunnel: hidden, known only to its owner, without permissions."""
    # Only a tunnel that came into being counts towards those a power may build (7.2).
    slot = int(state.built[power])  # a fallen tunnel keeps its slot, so none is used twice
    state.built[power] += 1
    state.tunnel_pair[power, slot] = pair
    state.tunnel_state[power, slot] = c.HIDDEN
    state.tunnel_permits[power, slot] = 0
    state.tunnel_told[power, slot] = 0
    state.tunnel_next[power, slot] = 0


@compiled
def open_tunnel(state, taken, work):
    """The order that takes a tunnel is read: everybody knows it from now on (rules 7.5)."""
    owner, slot = taken // c.MAX_TUNNELS, taken % c.MAX_TUNNELS
    if state.tunnel_state[owner, slot] == c.HIDDEN:
        state.tunnel_state[owner, slot] = c.OPENED
        work.opened[owner, slot] = 1


@compiled
def change_permissions(state):
    """What was written of permissions holds from now on (rules 7.7)."""
    for owner in range(c.NUM_POWERS):
        for slot in range(c.MAX_TUNNELS):
            state.tunnel_permits[owner, slot] = state.tunnel_next[owner, slot]


@compiled
def tell_guests(state):
    """Powers with a permission at the end of a phase learn of the tunnel (rules 7.7)."""
    for owner in range(c.NUM_POWERS):
        for slot in range(c.MAX_TUNNELS):
            if is_standing(state, owner, slot):
                # Added, not copied: who was told knows the tunnel also when permission is withdrawn (7.7).
                state.tunnel_told[owner, slot] |= state.tunnel_permits[owner, slot]


@compiled
def demolish(state, rules, work):
    """Opened tunnels with a unit on an end that may not use them are gone (rules 7.8)."""
    for owner in range(c.NUM_POWERS):
        for slot in range(c.MAX_TUNNELS):
            # Hidden tunnels are never demolished (7.8).
            if state.tunnel_state[owner, slot] == c.OPENED:
                pair = int(state.tunnel_pair[owner, slot])
                falls = False
                for end in range(2):
                    power = int(state.unit_power[int(rules.pair_end[pair, end])])
                    falls |= power >= 0 and not is_permitted(state, owner, slot, power)
                if falls:
                    work.demolished[owner, slot] = 1
                    _remove(state, owner, slot, c.DEMOLISHED)


@compiled
def permit_guests_seen(state, rules, viewer):
    """Between phases a unit on an end of an opened tunnel is permitted, or the tunnel would be gone: everybody knows.

    It is written down where the owner is another than `viewer`.
    """
    if state.phase != c.MOVEMENT and state.phase != c.ADJUSTMENTS:  # before retreats demolition is still to come
        return
    for owner in range(c.NUM_POWERS):
        for slot in range(c.MAX_TUNNELS):
            if owner != viewer and state.tunnel_state[owner, slot] == c.OPENED:
                for end in range(2):
                    place = int(rules.pair_end[int(state.tunnel_pair[owner, slot]), end])
                    power = int(state.unit_power[place])
                    if power >= 0 and power != owner:
                        state.tunnel_permits[owner, slot] |= 1 << power
                        state.tunnel_told[owner, slot] |= 1 << power  # a guest was told (7.7)


@compiled
def remove_all(state, power, work):
    """The tunnels of a power that is out vanish; only opened ones are reported (E43)."""
    for slot in range(c.MAX_TUNNELS):
        if state.tunnel_state[power, slot] == c.OPENED:
            work.demolished[power, slot] = 1
            _remove(state, power, slot, c.DEMOLISHED)
        elif state.tunnel_state[power, slot] == c.HIDDEN:
            _remove(state, power, slot, c.VANISHED)


@compiled
def _remove(state, owner, slot, what):
    state.tunnel_state[owner, slot] = what
    state.tunnel_permits[owner, slot] = 0
    state.tunnel_next[owner, slot] = 0
    state.tunnel_told[owner, slot] = 0
