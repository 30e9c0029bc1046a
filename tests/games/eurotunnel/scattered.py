"""Random boards of Eurotunnel with random orders full of conflict."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.kernels import clear_row
from channel_tunnel_env.core.rng import random_number
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.lively import write_lively
from channel_tunnel_env.games.eurotunnel.engine.movement import put_unit
from channel_tunnel_env.games.eurotunnel.engine.setup import lay_out
from channel_tunnel_env.games.eurotunnel.engine.tunnels import add_tunnel, find_own, has_room

_MOST_UNITS = 34
_FEWEST_UNITS = 8
_TRIES = 12  # at placing a unit or a tunnel


@kernel
def scatter_game(states, i, tables, source, blank, work):
    """Game i with random units, tunnels and orders of a movement phase."""
    rules = clear_row(states, i, tables, blank)
    lay_out(states[i], rules)
    scatter(states[i], rules, source)
    write_lively(states[i], rules, c.NOBODY, source, work[0])


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
