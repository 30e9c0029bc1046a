"""What may be chosen (rules 3, 4, 6, 9). Decided only here; transitions trust their action."""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.core.bits import lowest_bit
from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.board import on_table, rotations_that_fit, spread_out

_ONE = np.uint64(1)
_ROW = np.uint64(c.WIDTH)
# PAIR[a, b] with a < b: place of `tunnel a b` in its block; PAIR_FIRST, PAIR_SECOND the other way.
PAIR = np.zeros((c.NUM_OPENINGS, c.NUM_OPENINGS), np.int64)
PAIR_FIRST = np.zeros(c.NUM_PAIRS, np.int64)
PAIR_SECOND = np.zeros(c.NUM_PAIRS, np.int64)
for _place, (_a, _b) in enumerate((a, b) for a in range(c.NUM_OPENINGS) for b in range(a + 1, c.NUM_OPENINGS)):
    PAIR[_a, _b] = PAIR[_b, _a] = _place
    PAIR_FIRST[_place], PAIR_SECOND[_place] = _a, _b


@compiled
def list_legal(state, rules, work):
    """Write the legal ids, ascending, to `work.legal`; returns how many: 0 when the game is over."""
    if state.phase == c.CELL:
        return list_cells(state, rules, int(state.tile), c.NUM_CELLS, work)
    if state.phase == c.ROTATE:
        return _list_rotations(state, rules, work)
    if state.phase == c.CLAIM:
        return _list_claims(state, rules, work)
    if state.phase == c.TOKEN:
        return _list_tokens(state, rules, work)
    return 0


@compiled
def list_cells(state, rules, kind, most, work):
    """Write at most `most` cells where a type can be placed; returns their number."""
    count = 0
    # Almost always the table is wider than what lies on it, and the bound (C12) need not be asked cell by cell.
    bounded = spread_out(state, rules)
    for row in range(0, c.WIDTH, 2):  # two rows are one word of 64 bits
        bits = np.uint64(state.frontier[row]) | np.uint64(state.frontier[row + 1]) << _ROW
        while bits != 0:
            # Bits count on through both rows as cells do, so the ids come out in ascending order.
            cell = row * c.WIDTH + lowest_bit(np.int64(bits))
            bits &= bits - _ONE
            fits = rotations_that_fit(state, rules, kind, cell) != 0
            if bounded:
                fits &= on_table(state, rules, cell)
            # Whether a tile fits is as good as random: to write and overwrite costs less than a branch.
            work.legal[count] = c.FIRST_CELL + cell
            count += int(fits)
            if count == most:  # to know whether a tile fits at all (C11), one cell is enough
                return count
    return count


@compiled
def _list_rotations(state, rules, work):
    # The set holds only rotations below the period (C13); the bound (C12) was asked when the cell was listed.
    fitting = rotations_that_fit(state, rules, int(state.tile), int(state.cell))
    count = 0
    for turned in range(c.NUM_SIDES):
        if fitting >> turned & 1:
            work.legal[count] = c.FIRST_ROTATE + turned
            count += 1
    return count


@compiled
def claimed_segment(state, rules, place):
    """The segment of the tile just laid that a place stands for, or NONE."""
    number = int(state.tile_count) - 1
    kind, turned = int(state.tile_type[number]), int(state.tile_turned[number])
    return int(rules.place_segment[kind, turned, place])


@compiled
def _list_claims(state, rules, work):
    """Free features of the tile just laid (C17), if a follower is in the supply; or none."""
    count = 0
    if state.hand[int(state.to_play)] > 0:
        first = int(state.first_node[int(state.tile_count) - 1])
        for place in range(c.NUM_PLACES):
            # Free means no follower in the whole feature, one's own included, seen after the tile lies (C17).
            segment = claimed_segment(state, rules, place)
            if segment >= 0 and state.occupants[int(state.label[first + segment])] == 0:
                work.legal[count] = c.FIRST_CLAIM + place
                count += 1
    work.legal[count] = c.CLAIM_NONE  # a follower is optional (C16)
    return count + 1


@compiled
def is_unclaimed(state, opening):
    """Whether an opening is on the table without a token."""
    # Tokens stay for ever (C54), so the mouths of a finished tunnel have a colour as well.
    return state.mouth_node[opening] >= 0 and state.mouth_colour[opening] < 0


@compiled
def owns_colour(rules, seat, colour):
    """Whether a token colour belongs to a seat; all to everybody in the variant of a common stock (C06, C71)."""
    if rules.variant == c.PAIRED_VARIANT:
        return True
    # Set k of seat p has colour p + (k - 1) * players (C06).
    return colour % int(rules.players) == seat


@compiled
def untouched_colour(state, rules, seat):
    """The seat's lowest colour with both tokens in stock (C63), or NONE."""
    # Colours that are not in play have no stock (C07).
    for colour in range(c.NUM_TOKEN_COLOURS):
        if state.stock[colour] == c.TOKENS_OF_A_COLOUR and owns_colour(rules, seat, colour):
            return colour
    return c.NONE


@compiled
def road_men(state, opening, seat):
    """Followers of a seat, and of others, on the road of an opening."""
    start = int(state.mouth_node[opening])
    own = others = 0
    node = start
    while True:
        who = int(state.follower[node])
        if who == seat:
            own += 1
        elif who >= 0:
            others += 1
        node = int(state.next[node])
        if node == start:
            return own, others


@compiled
def may_start(state, rules, seat, opening):
    """Whether the variant lets a seat lay a first token on an unclaimed opening (C69, C71, C72)."""
    variant = rules.variant
    # No condition on the road (C57); stealing is about second tokens only (C70).
    if variant == c.NO_VARIANT or variant == c.STEAL_VARIANT:
        return True
    # The follower of this turn counts if it is laid before the token (C69).
    own, others = road_men(state, opening, seat)
    if variant == c.FOLLOWER_VARIANT:
        return own > 0
    if variant == c.PAIRED_VARIANT:
        return own + others == 0  # by anybody, the seat itself included (C71)
    return others == 0  # an own follower beside a rival's does not help (C72)


@compiled
def may_finish(state, rules, seat, colour, opening):
    """Whether a seat may lay the second token of a half tunnel on an unclaimed opening (C69-C71)."""
    if owns_colour(rules, seat, colour):
        if rules.variant == c.FOLLOWER_VARIANT:
            return road_men(state, opening, seat)[0] > 0
        return True  # second tokens are free, in the other variants too (C71, C72)
    # A rival's half tunnel is safe until its owner has let a chance pass, and only those who wait on its road may
    # finish it (C70).
    if rules.variant != c.STEAL_VARIANT or state.missed[colour] == 0:
        return False
    # The road of the claimed opening counts, not that of the opening to be joined.
    return road_men(state, int(state.half[colour]), seat)[0] > 0


@compiled
def tunnel_colour(state, rules, seat, a, b):
    """The colour that joins two openings for a seat (C63), or NONE if it may not join them."""
    if state.mouth_node[a] < 0 or state.mouth_node[b] < 0:
        return c.NONE
    on_a, on_b = int(state.mouth_colour[a]), int(state.mouth_colour[b])
    if on_a < 0 and on_b < 0:
        # Elsewhere a turn has one token (C40), so two unclaimed openings cannot be joined.
        if rules.variant == c.PAIRED_VARIANT:
            return untouched_colour(state, rules, seat)
        return c.NONE
    if on_a >= 0 and on_b >= 0:
        # An opening is claimed once (C55).
        return c.NONE
    colour, free = (on_a, b) if on_a >= 0 else (on_b, a)
    # Without a half tunnel both tokens of the colour lie: the claimed opening is joined already.
    if state.half[colour] < 0 or not may_finish(state, rules, seat, colour, free):
        return c.NONE
    return colour


@compiled
def _list_tokens(state, rules, work):
    """First tokens, joins, or none (rules 6, C40)."""
    seat = int(state.to_play)
    count = unclaimed = 0
    may_lay_first = untouched_colour(state, rules, seat) >= 0
    # Whether the road is empty, one's own or a rival's makes no difference to a token (C57).
    for opening in range(c.NUM_OPENINGS):
        if is_unclaimed(state, opening):
            unclaimed += 1
            if may_lay_first and may_start(state, rules, seat, opening):
                work.legal[count] = c.FIRST_TOKEN + opening
                count += 1
    # Every join lays a token on an unclaimed opening.
    if unclaimed > 0:
        count = _list_joins(state, rules, seat, work, count)
    work.legal[count] = c.TOKEN_NONE  # a token is optional (C40)
    return count + 1


@compiled
def _list_joins(state, rules, seat, work, count):
    """Pairs of openings that the seat may join, after the ids listed; returns how many ids there are."""
    for a in range(c.NUM_OPENINGS):
        if state.mouth_node[a] >= 0:
            for b in range(a + 1, c.NUM_OPENINGS):
                if tunnel_colour(state, rules, seat, a, b) >= 0:
                    work.legal[count] = c.FIRST_TUNNEL + PAIR[a, b]
                    count += 1
    return count
