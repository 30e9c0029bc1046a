"""Entry points of the engine that only tests call: parts of a turn, and whole random games with every invariant checked."""

from __future__ import annotations

from channel_tunnel_env.core.jit import kernel
from channel_tunnel_env.core.kernels import start_row
from channel_tunnel_env.core.rng import random_number
from channel_tunnel_env.games.carcassonne.engine.invariants import check_invariants
from channel_tunnel_env.games.carcassonne.engine.legality import list_legal
from channel_tunnel_env.games.carcassonne.engine.scoring import score_end
from channel_tunnel_env.games.carcassonne.engine.transition import apply_action, begin_turn


@kernel
def begin_turn_in_game(states, i, tables, work):
    """Draw the next tile of game i that fits."""
    begin_turn(states[i], tables[int(states[i].ruleset)], work[0])


@kernel
def end_scoring(states, i, tables, work):
    """Add the final scoring to the totals of game i as it stands."""
    score_end(states[i], tables[int(states[i].ruleset)], work[0])


@kernel
def check_random_play(states, i, tables, seed, source, blank, work):
    """One whole random game in row i, every invariant checked after every action, forced ones included.

    Returns 0, or the place in INVARIANTS of the one that broke; the record stays as it was then.
    """
    space = work[0]
    state = states[i]
    rules = tables[int(state.ruleset)]
    count = start_row(states, i, tables, seed, blank, space)
    while count > 0:
        broken = check_invariants(state, rules, space)
        if broken != 0:
            return broken
        apply_action(state, rules, int(space.legal[random_number(source, count)]), space)
        count = list_legal(state, rules, space)
    return check_invariants(state, rules, space)
