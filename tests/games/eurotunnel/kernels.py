"""Entry points of the engine that only tests call: a phase solved but not played, steps, whole random games, reasons."""

from __future__ import annotations

from channel_tunnel_env.core.jit import kernel
from channel_tunnel_env.core.kernels import start_row
from channel_tunnel_env.core.rng import random_number
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.invariants import EQUATIONS, check_invariants, check_step
from channel_tunnel_env.games.eurotunnel.engine.legality import list_legal
from channel_tunnel_env.games.eurotunnel.engine.lively import write_lively
from channel_tunnel_env.games.eurotunnel.engine.orders import read_orders
from channel_tunnel_env.games.eurotunnel.engine.refusals import reason_against
from channel_tunnel_env.games.eurotunnel.engine.resolution import count_broken, solve
from channel_tunnel_env.games.eurotunnel.engine.transition import apply_action, ask_next
from channel_tunnel_env.games.eurotunnel.engine.tunnels import change_permissions
from channel_tunnel_env.games.eurotunnel.engine.year import end_phase


@kernel
def solve_game(states, i, tables, source, work):
    """Solve the movement phase of game i without making a move, units in random order.

    Returns the number of decisions that break their equation: 0.
    """
    space = work[0]
    state = states[i]
    rules = tables[int(state.ruleset)]
    change_permissions(state)
    read_orders(state, rules, space)
    for k in range(int(space.units) - 1, 0, -1):
        other = random_number(source, k + 1)
        place = int(space.unit[k])
        space.unit[k] = space.unit[other]
        space.unit[other] = place
    solve(state, rules, space)
    return count_broken(state, rules, space)


@kernel
def count_broken_in_game(states, i, tables, work):
    """Decisions of the solution in `work` that break their equation; `solve_game` put it there."""
    return count_broken(states[i], tables[int(states[i].ruleset)], work[0])


@kernel
def check_change(before, after, i):
    """The first invariant that the step of game i from `before` to `after` breaks; 0 for none."""
    return check_step(before[i], after[i])


@kernel
def check_random_play(states, i, tables, seed, lively, source, blank, work):
    """One whole random game in row i, every invariant checked after every action.

    `lively` > 0: movement phases are ordered as a whole, with many conflicts. `states` has one row more
    than there are games, for the state before each action. Returns 0, or the place in INVARIANTS of the
    one that broke; the record stays as it was then.
    """
    space = work[0]
    space.checks = 1
    space.broken = 0
    state = states[i]
    before = states.shape[0] - 1
    rules = tables[int(state.ruleset)]
    start_row(states, i, tables, seed, blank, space)
    broken = 0
    while state.phase != c.OVER and broken == 0:
        states[before] = state
        if lively > 0 and state.phase == c.MOVEMENT:
            state.written[:] = c.NONE
            write_lively(state, rules, c.NOBODY, source, space)
            end_phase(state, rules, space)
            ask_next(state, rules, space)
        else:
            count = list_legal(state, rules, space)
            apply_action(state, rules, int(space.legal[random_number(source, count)]), space)
        broken = check_invariants(state, rules, space)
        if broken == 0:
            broken = check_step(states[before], state)
        if broken == 0 and space.broken > 0:
            broken = EQUATIONS
    space.checks = 0
    return broken


@kernel
def find_refusals(states, i, tables, out):
    """`find_refusal` of every action, to int8[A]."""
    for action in range(c.NUM_ACTIONS):
        out[action] = reason_against(states[i], tables[int(states[i].ruleset)], action)
