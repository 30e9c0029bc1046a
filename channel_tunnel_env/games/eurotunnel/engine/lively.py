"""Random boards and random orders full of conflict, for tests, measurements and a random player."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import random_number
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.legality import list_orders
from channel_tunnel_env.games.eurotunnel.engine.movement import put_unit
from channel_tunnel_env.games.eurotunnel.engine.tunnels import add_tunnel, find_own, has_room

_MOVES = 55  # of a hundred units that are ordered to move
_HELPS = 80  # of a hundred others that help a move, where they can
_MOST_UNITS = 34
_FEWEST_UNITS = 8
_TRIES = 12  # at placing a unit or a tunnel


@compiled
def scatter(state, rules, source):
    """Units and tunnels at random on a board that was laid out, close together more often than not."""
    middle = random_number(source, c.NUM_PROVINCES)
    radius = 2 + random_number(source, 4)
    powers = 2 + random_number(source, c.NUM_POWERS - 1)
    for _ in range(_FEWEST_UNITS + random_number(source, _MOST_UNITS - _FEWEST_UNITS + 1)):
        for _ in range(_TRIES):
            place = random_number(source, c.NUM_PROVINCES)
            if state.unit_power[place] < 0 and int(rules.walk[middle, place]) <= radius:
                _put_somebody(state, rules, place, random_number(source, powers), source)
                break
    if rules.tunnels_per_power > 0:
        for _ in range(random_number(source, 9)):
            _add_somewhere(state, rules, random_number(source, powers), source)


@compiled
def _put_somebody(state, rules, place, power, source):
    kind = int(rules.kind[place])
    army = kind == c.INLAND or (kind == c.COAST and random_number(source, 2) == 0)
    if army:
        put_unit(state, rules, power, c.ARMY, place)
        return
    location = place
    while rules.steps[c.FLEET, location] == 0 or rules.province_of[location] != place:
        location = c.NUM_PROVINCES + random_number(source, c.NUM_LOCATIONS - c.NUM_PROVINCES)
    put_unit(state, rules, power, c.FLEET, location)


@compiled
def _add_somewhere(state, rules, owner, source):
    """A tunnel that ends where a unit stands, with permissions of which some are about to change."""
    for _ in range(_TRIES):
        pair = random_number(source, c.NUM_PAIRS)
        a, b = int(rules.pair_end[pair, 0]), int(rules.pair_end[pair, 1])
        occupied = state.unit_power[a] >= 0 or state.unit_power[b] >= 0
        room = has_room(state, rules, owner, a, 0) and has_room(state, rules, owner, b, 0)
        few = int(state.built[owner]) < rules.tunnels_per_power
        if few and occupied and room and find_own(state, owner, pair) < 0:
            slot = int(state.built[owner])
            others = ((1 << c.NUM_POWERS) - 1) & ~(1 << owner)
            add_tunnel(state, owner, pair)
            state.tunnel_state[owner, slot] = c.HIDDEN + random_number(source, 2)
            permits = random_number(source, 1 << c.NUM_POWERS) & others
            state.tunnel_permits[owner, slot] = permits
            state.tunnel_told[owner, slot] = permits
            changed = 1 << random_number(source, c.NUM_POWERS)
            state.tunnel_next[owner, slot] = permits ^ (changed & others)
            return


@compiled
def write_lively(state, rules, power, source, work):
    """Random legal orders for all units of a power, or of all (NOBODY): many moves, and help for them."""
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
            work.legal[fitting] = action
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
    if other < 0 or rules.action_kind[other] == c.DIG:
        return False
    return rules.action_dst[other] == rules.action_dst[action]
