"""Carcassonne's rules bound to the loops of `core.kernels`, and entry points of its own.

The entry points lay out positions, show what a feature is worth and check a game.
"""

from __future__ import annotations

from channel_tunnel_env.core import verbs
from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.kernels import clear_row
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.board import lay_tile
from channel_tunnel_env.games.carcassonne.engine.determinize import determinize
from channel_tunnel_env.games.carcassonne.engine.invariants import RANGES, check_invariants
from channel_tunnel_env.games.carcassonne.engine.legality import list_cells, list_legal
from channel_tunnel_env.games.carcassonne.engine.observation import fill_observation
from channel_tunnel_env.games.carcassonne.engine.scoring import cells_around, find_leaders, shields, survey
from channel_tunnel_env.games.carcassonne.engine.setup import lay_out, set_up
from channel_tunnel_env.games.carcassonne.engine.state import STATE_DTYPE
from channel_tunnel_env.games.carcassonne.engine.transition import apply_action, join_openings


@compiled
def is_asked(state, rules):
    """Decisions with one answer are asked where the ruleset switches `auto_forced` off."""
    return not rules.auto_forced


@compiled
def is_over(state):
    """The last tile has been laid."""
    return state.phase == c.OVER


@compiled
def fill_result(state, rules, rewards, row):
    """If k of n seats share the win, each of them gets (n / k - 1) / (n - 1), every other -1 / (n - 1).

    The sum is zero; between two seats this is 1 and -1, or 0 each. Zeros while the game goes on.
    """
    seats = int(rules.players)
    best, leaders = find_leaders(state, rules)
    for seat in range(seats):
        # Shares add up to the number of seats, so that less 1 each they add up to 0.
        share = seats / leaders if state.score[seat] == best else 0.0
        rewards[row, seat] = (share - 1.0) / (seats - 1.0) if is_over(state) else 0.0


@compiled
def fill_scores(state, rules, seat, out):
    """Points by kind of feature, those of the final scoring included; returns the total."""
    for kind in range(c.NUM_KINDS):
        out[kind] = state.tally_points[seat, kind]
    # Not the sum of the kinds: a position may give a seat points without saying for what.
    return int(state.score[seat])


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
def lay_out_game(states, i, tables, blank, work):
    """Game i before any tile lies: followers, tokens and a deck in no particular order."""
    rules = clear_row(states, i, tables, blank)
    lay_out(states[i], rules, work[0])


@kernel
def lay_in_game(states, i, tables, kind, turned, cell):
    """Lay a tile in game i; returns its number."""
    return lay_tile(states[i], tables[int(states[i].ruleset)], kind, turned, cell)


@kernel
def join_in_game(states, i, a, b):
    """Join two openings of game i, whose tokens lie."""
    join_openings(states[i], a, b)


@kernel
def list_game_cells(states, i, tables, kind, work):
    """The cells where a type could be placed in game i into `work.legal`; returns how many."""
    return list_cells(states[i], tables[int(states[i].ruleset)], kind, c.NUM_CELLS, work[0])


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
    # A cloister has no edges: its `open` stays 0, and what it lacks is counted on the grid.
    if node - int(state.first_node[number]) == rules.cloister_segment[int(state.tile_type[number])]:
        out[2] = c.FILLED_AROUND - cells_around(state, int(state.tile_cell[number]))
    out[3] = shields(state, rules, label)
    for seat in range(c.MAX_SEATS):
        out[4 + seat] = work[0].men[seat]


@kernel
def check_game(states, i, tables, work):
    """The first invariant that game i breaks, as its place in INVARIANTS; 0 for none."""
    # The record may come from a file, and its ruleset is the row of the tables to read.
    if not 0 <= states[i].ruleset < tables.shape[0]:
        return RANGES
    return check_invariants(states[i], tables[int(states[i].ruleset)], work[0])
