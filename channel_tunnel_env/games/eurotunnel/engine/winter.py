"""Winter: units raised and removed, and removals without orders (rules 8.2, 8.4)."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.legality import is_free_home
from channel_tunnel_env.games.eurotunnel.engine.movement import put_unit, take_off


@compiled
def count_units(state, power):
    """Units of a power on the board."""
    count = 0
    for place in range(c.NUM_PROVINCES):
        count += state.unit_power[place] == power
    return count


@compiled
def count_centres(state, power):
    """Centres that a power owns."""
    count = 0
    for place in range(c.NUM_PROVINCES):
        count += state.owner[place] == power
    return count


@compiled
def set_quotas(state, rules):
    """What each power has to raise or remove; returns whether anybody has."""
    due = False
    for power in range(c.NUM_POWERS):
        state.quota[power] = quota_of(state, rules, power)
        due |= state.quota[power] != 0
    return due


@compiled
def quota_of(state, rules, power):
    """Units that a power has to raise, or below 0 to remove, before it has written anything (rules 8.2)."""
    quota = count_centres(state, power) - count_units(state, power)
    if quota <= 0:
        return quota
    if int(rules.absent) >> power & 1 == 1:  # it builds nothing (8.4); what it has to remove is returned above
        return 0
    homes = 0
    for i in range(c.NUM_HOMES):
        # Each unit needs an own home centre that is still owned and empty (8.2).
        homes += is_free_home(state, rules, power, int(rules.home_province[i]))
    return min(quota, homes)


@compiled
def adjust_units(state, rules, work):
    """Make the builds and removals written; missing removals follow the rule of civil disorder (D19)."""
    for power in range(c.NUM_POWERS):
        while state.quota[power] < 0:
            # Any id of a removal does: below, its kind decides, and the province is where it is written.
            state.written[_farthest(state, rules, power)] = c.FIRST_REMOVE
            state.quota[power] += 1
        state.quota[power] = 0  # builds that nobody wrote are waived (D19)
    for place in range(c.NUM_PROVINCES):
        action = int(state.written[place])
        if action < 0:
            continue
        kind = int(rules.action_kind[action])
        if kind == c.REMOVE:
            take_off(state, place)
        else:
            unit = c.ARMY if kind == c.BUILD_ARMY else c.FLEET
            location = int(rules.action_dst[action])
            put_unit(state, rules, int(rules.home[place]), unit, location)
    state.written[:] = c.NONE


@compiled
def _farthest(state, rules, power):
    """The unit that a power in civil disorder loses next: far ones, fleets, names that stand first."""
    best, most = c.NONE, c.NONE
    for place in range(c.NUM_PROVINCES):
        if state.unit_power[place] == power and state.written[place] < 0:
            distance = _distance(state, rules, power, place)
            fleet = state.unit_type[place] == c.FLEET
            # One number for three criteria: distance, then fleets before armies, then the full name (8.4).
            rank = (2 * distance + fleet) * c.NUM_PROVINCES - int(rules.name_rank[place])
            if best < 0 or rank > most:  # an army at home may rank below 0, so `most` cannot tell the first
                best, most = place, rank
    return best


@compiled
def _distance(state, rules, power, place):
    """Steps of a unit to the nearest home centre; under `datc` to the nearest centre owned, over any border."""
    kind, location = int(state.unit_type[place]), int(state.unit_location[place])
    later = rules.rulebook == c.BOOK_DATC
    nearest = c.FAR  # stays so if no centre counts, or none can be reached
    for centre in range(c.NUM_PROVINCES):
        counts = state.owner[centre] == power if later else rules.home[centre] == power
        if counts:
            if later or kind == c.ARMY:
                # An army steps over any border, land or sea (8.4).
                steps = int(rules.walk[place, centre])
            else:
                steps = int(rules.sail[location, centre])
            nearest = min(nearest, steps)
    return nearest
