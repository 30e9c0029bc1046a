"""The entry points that Python calls.

Order of every step: apply -> resolve what has one answer -> mask. Outputs are buffers of the caller;
`work` is an array of one workspace, `blank` one of one zeroed record.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.engine.jit import compiled, kernel
from channel_tunnel_env.engine.rng import next_seed, random_number
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.board import lay_tile
from channel_tunnel_env.games.carcassonne.engine.determinize import determinize
from channel_tunnel_env.games.carcassonne.engine.invariants import check_invariants
from channel_tunnel_env.games.carcassonne.engine.legality import list_cells, list_legal
from channel_tunnel_env.games.carcassonne.engine.observation import fill_observation
from channel_tunnel_env.games.carcassonne.engine.scoring import (
    cells_around,
    score_end,
    shields,
    survey,
)
from channel_tunnel_env.games.carcassonne.engine.setup import lay_out, set_up
from channel_tunnel_env.games.carcassonne.engine.transition import (
    advance,
    apply_action,
    begin_turn,
    join_openings,
)


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
def lay_out_game(states, i, tables, blank, work):
    """Game i before any tile lies: followers, tokens and a deck in no particular order."""
    ruleset = int(states[i].ruleset)
    states[i] = blank[0]
    states[i].ruleset = ruleset
    lay_out(states[i], tables[ruleset], work[0])


@kernel
def lay_in_game(states, i, tables, kind, turned, cell):
    """Lay a tile in game i; returns its number."""
    return lay_tile(states[i], tables[int(states[i].ruleset)], kind, turned, cell)


@kernel
def join_in_game(states, i, a, b):
    """Join two openings of game i, whose tokens lie."""
    join_openings(states[i], a, b)


@kernel
def begin_turn_in_game(states, i, tables, work):
    """Draw the next tile of game i that fits."""
    begin_turn(states[i], tables[int(states[i].ruleset)], work[0])


@kernel
def list_game(states, i, tables, work):
    """The legal ids of game i into `work.legal`, nothing resolved; returns how many."""
    return list_legal(states[i], tables[int(states[i].ruleset)], work[0])


@kernel
def list_game_cells(states, i, tables, kind, work):
    """The cells where a type could be placed in game i into `work.legal`; returns how many."""
    return list_cells(states[i], tables[int(states[i].ruleset)], kind, work[0])


@kernel
def play_game(states, i, tables, action, work):
    """A legal action in game i, and all that follows by itself; returns the number of legal ids."""
    rules = tables[int(states[i].ruleset)]
    apply_action(states[i], rules, action, work[0])
    return advance(states[i], rules, work[0])


@kernel
def observe_game(states, i, tables, viewer, work, observations):
    """Write what `viewer` sees of game i to row i of `observations`, float32 (B, D)."""
    state = states[i]
    fill_observation(state, tables[int(state.ruleset)], viewer, work[0], observations, i)


@kernel
def determinize_game(states, i, tables, seed, work):
    """Shuffle in game i what no seat can know."""
    state = states[i]
    determinize(state, tables[int(state.ruleset)], seed, work[0])


@kernel
def end_scoring(states, i, tables, work):
    """Add the final scoring to the totals of game i as it stands."""
    score_end(states[i], tables[int(states[i].ruleset)], work[0])


@kernel
def survey_feature(states, i, tables, node, work, out):
    """Facts of a node's feature: out int64[4 + seats] gets tiles, nodes, open ends, shields, followers.

    Open ends of a cloister are the empty cells around it.
    """
    state = states[i]
    rules = tables[int(state.ruleset)]
    label = int(state.label[node])
    out[0] = survey(state, label, work[0])
    out[1] = state.nodes[label]
    out[2] = state.open[label]
    number = int(state.node_tile[node])
    if node - int(state.first_node[number]) == rules.cloister_segment[int(state.tile_type[number])]:
        out[2] = c.FILLED_AROUND - cells_around(state, int(state.tile_cell[number]))
    out[3] = shields(state, rules, label)
    for seat in range(c.MAX_SEATS):
        out[4 + seat] = work[0].men[seat]


@kernel
def check_game(states, i, tables, work):
    """The first invariant that game i breaks, as its place in INVARIANTS; 0 for none."""
    return check_invariants(states[i], tables[int(states[i].ruleset)], work[0])


@kernel
def check_random_play(states, i, tables, seed, source, blank, work):
    """One whole random game in row i, every invariant checked after every action.

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
        count = list_legal(state, rules, space)
        apply_action(state, rules, int(space.legal[random_number(source, count)]), space)
        count = list_legal(state, rules, space)
        if count == 1 and rules.auto_forced:
            broken = check_invariants(state, rules, space)
            if broken != 0:
                return broken
            count = advance(state, rules, space)
    return check_invariants(state, rules, space)


@kernel
def random_play(states, tables, steps, source, blank, work, masks, observations, results):
    """`steps` uniformly random decisions in every game, finished games starting anew.

    Masks int8 (B, A) are written where `masks` has rows, observations float32 (B, D) of the seat to play
    where `observations` has rows. `results` int64[5] gathers games ended, wins
    of seat 0, shared wins, decisions, plies.
    """
    space = work[0]
    actions = np.empty(states.shape[0], np.int64)
    for i in range(states.shape[0]):
        count = list_legal(states[i], tables[int(states[i].ruleset)], space)
        actions[i] = space.legal[random_number(source, count)]
    for _ in range(steps):
        for i in range(states.shape[0]):
            state = states[i]
            rules = tables[int(state.ruleset)]
            apply_action(state, rules, actions[i], space)
            count = advance(state, rules, space)
            if count == 0:
                results[0] += 1
                results[1] += state.winner == 0
                results[2] += state.winner == c.DRAW
                results[4] += state.ply
                count = start_row(states, i, tables, next_seed(int(state.seed)), blank, space)
            actions[i] = space.legal[random_number(source, count)]
            if masks.shape[0] > 0:
                masks[i, :] = 0
                for k in range(count):
                    masks[i, int(space.legal[k])] = 1
            if observations.shape[0] > 0:
                fill_observation(state, rules, int(state.to_play), space, observations, i)
    results[3] += steps * states.shape[0]
