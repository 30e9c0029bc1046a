"""The entry points that Python calls.

Order of every step: apply -> resolve what has one answer -> mask. Outputs are buffers of the caller;
`work` is an array of one workspace, `blank` one of one zeroed record.
"""

from __future__ import annotations

from channel_tunnel_env.engine.jit import compiled, kernel
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.legality import (
    list_legal,
    list_orders,
    list_retreats,
)
from channel_tunnel_env.games.eurotunnel.engine.movement import put_unit
from channel_tunnel_env.games.eurotunnel.engine.setup import lay_out, set_up
from channel_tunnel_env.games.eurotunnel.engine.transition import (
    advance,
    apply_action,
    ask_next,
    write_adjustment,
)
from channel_tunnel_env.games.eurotunnel.engine.winter import set_quotas
from channel_tunnel_env.games.eurotunnel.engine.year import end_phase


@compiled
def start_row(states, i, tables, seed, blank, work):
    """Game i anew, of the ruleset it had; returns the number of legal ids."""
    ruleset = int(states[i].ruleset)
    states[i] = blank[0]
    states[i].ruleset = ruleset
    rules = tables[ruleset]
    set_up(states[i], rules, seed, work)
    return advance(states[i], rules, work)


@kernel
def start_game(states, i, tables, seed, blank, work):
    """Game i from a seed, up to its first real decision; returns the number of legal ids."""
    return start_row(states, i, tables, seed, blank, work[0])


@kernel
def lay_out_game(states, i, tables, blank):
    """Game i with an empty board in its first spring."""
    ruleset = int(states[i].ruleset)
    states[i] = blank[0]
    states[i].ruleset = ruleset
    lay_out(states[i], tables[ruleset])


@kernel
def put_in_game(states, i, tables, power, kind, location):
    """Put a unit on the board of game i."""
    put_unit(states[i], tables[int(states[i].ruleset)], power, kind, location)


@kernel
def list_game(states, i, tables, work):
    """The legal ids of game i into `work.legal`, nothing resolved; returns how many."""
    return list_legal(states[i], tables[int(states[i].ruleset)], work[0])


@kernel
def list_unit(states, i, tables, place, work):
    """The ids that the unit in a province of game i may be given now, into `work.legal`; returns how many.

    In retreats it is the unit dislodged from there.
    """
    state = states[i]
    rules = tables[int(state.ruleset)]
    if state.phase == c.RETREATS:
        return list_retreats(state, rules, place, work[0])
    return list_orders(state, rules, place, work[0])


@kernel
def set_quotas_of_game(states, i, tables):
    """What each power of game i has to raise or remove this winter; returns whether anybody has."""
    return set_quotas(states[i], tables[int(states[i].ruleset)])


@kernel
def write_in_game(states, i, tables, action):
    """Note a legal build or removal of the power asked in game i; it may write another behind it."""
    write_adjustment(states[i], tables[int(states[i].ruleset)], action)
    states[i].last_choice = c.NONE


@kernel
def end_phase_of_game(states, i, tables, work):
    """End the phase of game i with what is written, and begin the next; unordered units hold or leave."""
    end_phase(states[i], tables[int(states[i].ruleset)], work[0])


@kernel
def ask_in_game(states, i, tables, work):
    """Go to the first question of game i."""
    ask_next(states[i], tables[int(states[i].ruleset)], work[0])


@kernel
def play_game(states, i, tables, action, work):
    """A legal action in game i, and all that follows by itself; returns the number of legal ids."""
    rules = tables[int(states[i].ruleset)]
    apply_action(states[i], rules, action, work[0])
    return advance(states[i], rules, work[0])
