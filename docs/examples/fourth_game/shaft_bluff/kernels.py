"""The rules bound to the loops of the core, and an entry point of their own."""

from __future__ import annotations

from channel_tunnel_env.core import verbs
from channel_tunnel_env.core.jit import compiled, kernel
from shaft_bluff import constants as c
from shaft_bluff.invariants import RANGES, check_invariants
from shaft_bluff.observation import determinize, fill_observation
from shaft_bluff.rules import apply_action, list_legal, set_up, total
from shaft_bluff.state import STATE_DTYPE


@compiled
def is_asked(state, rules):
    """Always: that a question had one answer only would tell the rival of a hand."""
    return True


@compiled
def is_over(state):
    """The last turn has been answered."""
    return state.phase == c.OVER


@compiled
def fill_result(state, rules, rewards, row):
    """1 and -1, or 0 each; zeros while the game goes on."""
    for seat in range(c.SEATS):
        rewards[row, seat] = 0.0
        if state.phase == c.OVER and state.winner != c.DRAW:
            rewards[row, seat] = 1.0 if state.winner == seat else -1.0


@compiled
def fill_scores(state, rules, seat, out):
    """Points by source; returns the total."""
    for source in range(len(c.SOURCES)):
        out[source] = state.points[seat, source]
    return total(state, seat)


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
def check_game(states, i, tables, work):
    """The first invariant that game i breaks, as its place in INVARIANTS; 0 for none."""
    if not 0 <= states[i].ruleset < tables.shape[0]:
        return RANGES
    return check_invariants(states[i], tables[int(states[i].ruleset)], work[0])
