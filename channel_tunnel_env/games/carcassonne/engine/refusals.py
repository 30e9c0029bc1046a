"""Why an action is not legal, as a number that `explain` puts into words."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.board import on_table, rotations_that_fit, spread_out
from channel_tunnel_env.games.carcassonne.engine.legality import (
    PAIR_FIRST,
    PAIR_SECOND,
    claimed_segment,
    is_unclaimed,
    may_start,
    owns_colour,
    tunnel_colour,
    untouched_colour,
)

(
    LEGAL,
    NOT_NOW,
    CELL_TAKEN,
    CELL_ALONE,
    CELL_OUTSIDE,
    CELL_EDGES,
    TURN_EDGES,
    TURN_SAME,
    NO_FOLLOWER,
    NO_SEGMENT,
    OCCUPIED,
    NO_OPENING,
    HAS_TOKEN,
    NO_SET,
    START_FORBIDDEN,
    BOTH_HAVE_TOKENS,
    NO_HALF,
    NOT_OWN_HALF,
    FINISH_FORBIDDEN,
) = range(19)


@kernel
def find_refusal(states, i, tables, action):
    """Why game i does not allow an action now: one of the numbers above, LEGAL if it does."""
    state = states[i]
    rules = tables[int(state.ruleset)]
    if action < c.FIRST_ROTATE:
        return _of_cell(state, rules, action) if state.phase == c.CELL else NOT_NOW
    if action < c.FIRST_CLAIM:
        return _of_rotation(state, rules, action) if state.phase == c.ROTATE else NOT_NOW
    if action <= c.CLAIM_NONE:
        return _of_claim(state, rules, action) if state.phase == c.CLAIM else NOT_NOW
    return _of_token(state, rules, action) if state.phase == c.TOKEN else NOT_NOW


@compiled
def _of_cell(state, rules, action):
    cell = action - c.FIRST_CELL
    # Asked first: the cell of the start tile shows no need either.
    if state.grid[cell] != 0:
        return CELL_TAKEN
    # No neighbour shows it an edge, so it would touch no tile.
    if state.need[cell] == 0:
        return CELL_ALONE
    if spread_out(state, rules) and not on_table(state, rules, cell):
        return CELL_OUTSIDE
    return LEGAL if rotations_that_fit(state, rules, int(state.tile), cell) != 0 else CELL_EDGES


@compiled
def _of_rotation(state, rules, action):
    turned = action - c.FIRST_ROTATE
    fitting = rotations_that_fit(state, rules, int(state.tile), int(state.cell))
    if fitting >> turned & 1:
        return LEGAL
    # A picture that looks the same after fewer quarter turns has one id only (C13).
    for fewer in range(turned):
        if fitting >> fewer & 1 and _looks_alike(rules, int(state.tile), turned, fewer):
            return TURN_SAME
    return TURN_EDGES


@compiled
def _looks_alike(rules, kind, one, other):
    for side in range(c.NUM_SIDES):
        if (
            rules.edge[kind, (side - one) & 3] != rules.edge[kind, (side - other) & 3]
        ):  # & 3 stays among the four sides, below 0 too
            return False
    return True


@compiled
def _of_claim(state, rules, action):
    if action == c.CLAIM_NONE:
        return LEGAL
    if state.hand[int(state.to_play)] == 0:
        return NO_FOLLOWER
    segment = claimed_segment(state, rules, action - c.FIRST_CLAIM)
    if segment < 0:
        return NO_SEGMENT
    # Only the tile just laid may be claimed, which is the last one (rules 4).
    node = int(state.first_node[int(state.tile_count) - 1]) + segment
    return LEGAL if state.occupants[int(state.label[node])] == 0 else OCCUPIED


@compiled
def _of_token(state, rules, action):
    if action == c.TOKEN_NONE:
        return LEGAL
    seat = int(state.to_play)
    if action < c.FIRST_TUNNEL:
        return _of_first_token(state, rules, seat, action - c.FIRST_TOKEN)
    pair = action - c.FIRST_TUNNEL
    return _of_join(state, rules, seat, int(PAIR_FIRST[pair]), int(PAIR_SECOND[pair]))


@compiled
def _of_first_token(state, rules, seat, opening):
    if state.mouth_node[opening] < 0:
        return NO_OPENING
    if not is_unclaimed(state, opening):
        return HAS_TOKEN
    if untouched_colour(state, rules, seat) < 0:
        return NO_SET
    return LEGAL if may_start(state, rules, seat, opening) else START_FORBIDDEN


@compiled
def _of_join(state, rules, seat, a, b):
    if state.mouth_node[a] < 0 or state.mouth_node[b] < 0:
        return NO_OPENING
    # What is legal is decided there; the rest only finds the reason.
    if tunnel_colour(state, rules, seat, a, b) >= 0:
        return LEGAL
    on_a, on_b = int(state.mouth_colour[a]), int(state.mouth_colour[b])
    if on_a >= 0 and on_b >= 0:
        return BOTH_HAVE_TOKENS
    if on_a < 0 and on_b < 0:
        # Only `paired` joins two unclaimed openings, and for that it needs both tokens of a colour (C71).
        return NO_SET if rules.variant == c.PAIRED_VARIANT else NO_HALF
    colour = max(on_a, on_b)  # the other is NONE, which is below every colour
    if state.half[colour] < 0:
        return NO_HALF
    return FINISH_FORBIDDEN if owns_colour(rules, seat, colour) else NOT_OWN_HALF
