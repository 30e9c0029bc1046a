"""Eurotunnel Diplomacy's rules bound to the loops of `core.kernels`, and entry points of its own.

The entry points lay out positions, adjudicate whole phases and check a game; `work` is an array of one
workspace, `blank` one of one zeroed record.
"""

from __future__ import annotations

from channel_tunnel_env.core import verbs
from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.kernels import clear_row
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine.determinize import determinize
from channel_tunnel_env.games.eurotunnel.engine.invariants import (
    RANGES,
    check_board,
    check_invariants,
    check_orders,
    could_come,
)
from channel_tunnel_env.games.eurotunnel.engine.legality import list_legal, list_orders, list_retreats
from channel_tunnel_env.games.eurotunnel.engine.movement import put_unit
from channel_tunnel_env.games.eurotunnel.engine.observation import fill_observation
from channel_tunnel_env.games.eurotunnel.engine.setup import lay_out, set_up
from channel_tunnel_env.games.eurotunnel.engine.state import STATE_DTYPE
from channel_tunnel_env.games.eurotunnel.engine.transition import apply_action, find_question, write_adjustment
from channel_tunnel_env.games.eurotunnel.engine.tunnels import is_standing, knows, permit_guests_seen
from channel_tunnel_env.games.eurotunnel.engine.winter import count_centres, set_quotas
from channel_tunnel_env.games.eurotunnel.engine.year import end_as, end_phase


@compiled
def is_asked(state, rules):
    """Decisions with one answer are asked where the ruleset switches `auto_forced` off."""
    return not rules.auto_forced


@compiled
def is_over(state):
    """A power has won, a draw was agreed, or the last year has passed."""
    return state.phase == c.OVER


@compiled
def fill_result(state, rules, rewards, row):
    """The shares of a finished game, which sum to 1; less 1/7 each where the ruleset is `centred`."""
    for power in range(c.NUM_POWERS):
        taken = rules.centred / c.NUM_POWERS  # the switch is 0 or 1; what is left then sums to 0
        rewards[row, power] = state.share[power] - taken if is_over(state) else 0.0


@compiled
def fill_scores(state, rules, seat, out):
    """Centres owned, those of one's home and others; returns their number."""
    out[c.HOME] = 0
    for place in range(c.NUM_PROVINCES):
        out[c.HOME] += state.owner[place] == seat and rules.home[place] == seat  # a foreign home counts as captured
    centres = count_centres(state, seat)
    out[c.CAPTURED] = centres - out[c.HOME]
    return centres


verbs.bind(
    STATE_DTYPE,
    set_up=set_up,
    list_legal=list_legal,
    is_asked=is_asked,
    apply_action=apply_action,
    is_over=is_over,
    fill_result=fill_result,
    fill_scores=fill_scores,
    fill_observation=fill_observation,
    determinize=determinize,
)


@kernel
def lay_out_game(states, i, tables, blank):
    """Game i with an empty board in its first spring."""
    rules = clear_row(states, i, tables, blank)
    lay_out(states[i], rules)


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
    # A province may hold the unit dislodged and the one that dislodged it; the phase says which.
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
    states[i].last_choice = c.NONE  # a list from outside may be in any order


@kernel
def ask_in_game(states, i, tables):
    """Go to the next question of the phase of game i; false where all are answered."""
    return find_question(states[i], tables[int(states[i].ruleset)])


@kernel
def answer_in_game(states, i, tables, action, work):
    """A legal action in game i; decisions with one answer that follow are not resolved."""
    apply_action(states[i], tables[int(states[i].ruleset)], action, work[0])


@kernel
def find_known(states, i, viewer, known):
    """Which standing tunnels of game i a power knows, to bool[7, 4] by owner and slot."""
    for owner in range(c.NUM_POWERS):
        for slot in range(c.MAX_TUNNELS):
            standing = is_standing(states[i], owner, slot)  # an empty slot has nothing to know
            known[owner, slot] = standing and knows(states[i], viewer, owner, slot)


@kernel
def permit_guests_seen_in(states, i, tables, viewer):
    """`permit_guests_seen` of game i."""
    permit_guests_seen(states[i], tables[int(states[i].ruleset)], viewer)


@kernel
def adjudicate_rows(states, tables, work):
    """End the phase of every game with what is written, and begin the next, in which no seat is asked yet.

    Units without an order hold, dislodged ones disband, and missing removals follow the rule (D19).
    """
    for i in range(states.shape[0]):
        end_phase(states[i], tables[int(states[i].ruleset)], work[0])


@kernel
def check_game(states, i, tables, as_read, work):
    """The first invariant that game i breaks, as its place in INVARIANTS; 0 for none.

    `as_read`: the state comes from outside, and what is written in it is looked at too.
    """
    if not 0 <= states[i].ruleset < tables.shape[0]:  # before its row is looked up
        return RANGES
    rules = tables[int(states[i].ruleset)]
    broken = check_invariants(states[i], rules, work[0])
    if broken == 0 and as_read:  # listing orders takes a sound board for granted
        broken = check_orders(states[i], rules, work[0])
    return broken


@kernel
def check_board_of_game(states, i, tables):
    """`check_board` of game i: the place in INVARIANTS of the one that is broken, or 0."""
    return check_board(states[i], tables[int(states[i].ruleset)])


@kernel
def could_have_come(states, i, tables, origin, place):
    """`could_come` of game i."""
    return could_come(states[i], tables[int(states[i].ruleset)], origin, place)


@kernel
def end_game_as(states, i, tables, cause):
    """End game i, which is past its last turn, for a cause; false where it cannot have ended so."""
    return end_as(states[i], tables[int(states[i].ruleset)], cause)
