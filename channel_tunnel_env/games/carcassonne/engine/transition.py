"""What an action does, in the order of a turn (rules 2).

    begin_turn: draw -> CELL -> ROTATE -> CLAIM -> TOKEN -> score, next seat -> begin_turn ... -> OVER

CLAIM and TOKEN change places under `token_window: before_meeple`; without tunnels there is no TOKEN.
Handlers leave the record at the next decision, which may have a single answer; `advance` resolves
those. Nothing here checks legality: callers take actions from `list_legal`.
"""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.records import count_ply
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.board import (
    close_two_ends,
    is_frontier,
    join,
    lay_tile,
    on_table,
    rotations_that_fit,
    spread_out,
)
from channel_tunnel_env.games.carcassonne.engine.legality import (
    PAIR_FIRST,
    PAIR_SECOND,
    claimed_segment,
    is_unclaimed,
    list_cells,
    owns_colour,
    tunnel_colour,
    untouched_colour,
)
from channel_tunnel_env.games.carcassonne.engine.scoring import find_leaders, score_end, score_turn


@compiled
def apply_action(state, rules, action, work):
    """Do a legal action."""
    # Each kind of decision has its own range of ids, so the phase need not be asked.
    count_ply(state)
    if action < c.FIRST_ROTATE:
        state.cell = action
        state.phase = c.ROTATE
    elif action < c.FIRST_CLAIM:
        _place(state, rules, action - c.FIRST_ROTATE, work)
    elif action <= c.CLAIM_NONE:
        _claim(state, rules, action - c.FIRST_CLAIM)
        _after_claim(state, rules, work)
    else:
        _lay_token(state, rules, action)
        _after_token(state, rules, work)


@compiled
def _place(state, rules, turned, work):
    """Lay the drawn tile; its segments are claimed or its tunnels named next."""
    lay_tile(state, rules, int(state.tile), turned, int(state.cell))
    # By default the token comes last: a road can be claimed and then joined to an occupied one (C41, C43).
    early_token = rules.tunnel and rules.token_window == c.TOKEN_BEFORE
    state.phase = c.TOKEN if early_token else c.CLAIM


@compiled
def _claim(state, rules, place):
    """Put a follower on a segment of the tile just laid, or none (rules 4)."""
    if place == c.NUM_PLACES:  # `claim none` follows the last place
        return
    seat = int(state.to_play)
    node = int(state.first_node[int(state.tile_count) - 1]) + claimed_segment(state, rules, place)
    # One follower, on this tile only (C16); it cannot be moved later (C22).
    state.follower[node] = seat
    state.occupants[int(state.label[node])] += 1
    state.hand[seat] -= 1


@compiled
def _after_claim(state, rules, work):
    if rules.tunnel and rules.token_window == c.TOKEN_AFTER:
        state.phase = c.TOKEN
    else:
        end_turn(state, rules, work)


@compiled
def _after_token(state, rules, work):
    if rules.token_window == c.TOKEN_BEFORE:
        state.phase = c.CLAIM
    else:
        end_turn(state, rules, work)


@compiled
def _lay_token(state, rules, action):
    """Lay a first token, finish a tunnel, or do nothing (rules 6)."""
    seat = int(state.to_play)
    _note_missed_chances(state, rules, seat)
    if action == c.TOKEN_NONE:
        return
    if action < c.FIRST_TUNNEL:
        opening = action - c.FIRST_TOKEN
        _put_token(state, untouched_colour(state, rules, seat), opening)
        state.tally_first[seat] += 1
        return
    pair = action - c.FIRST_TUNNEL
    a, b = int(PAIR_FIRST[pair]), int(PAIR_SECOND[pair])
    # Before a token lies: the colour follows from which of the two is unclaimed.
    colour = tunnel_colour(state, rules, seat, a, b)
    # One of them, or both under `paired` (C71).
    for opening in (a, b):
        if is_unclaimed(state, opening):
            _put_token(state, colour, opening)
    join_openings(state, a, b)
    state.mouth = a  # for the scoring; a or b, since they are mouths of one road now
    state.tally_second[seat] += 1


@compiled
def _put_token(state, colour, opening):
    """A token of a colour claims an opening; the first of the two makes a half tunnel."""
    state.stock[colour] -= 1
    state.mouth_colour[opening] = colour
    state.half[colour] = opening  # after a second token join_openings takes it back
    state.missed[colour] = 0


@compiled
def join_openings(state, a, b):
    """The second token lies: the roads of two openings of one colour are one (rules 6.4)."""
    colour = int(state.mouth_colour[a])
    state.half[colour] = c.NONE
    state.missed[colour] = 0
    state.mouth_partner[a] = b
    state.mouth_partner[b] = a
    node = int(state.mouth_node[a])
    # From here on the two roads are one: followers add up (C48), the underground has no length (C52). Two ends of
    # one road may meet, too: that closes a ring, complete where no other end is open (C50).
    join(state, node, int(state.mouth_node[b]))
    close_two_ends(state, node)


@compiled
def _note_missed_chances(state, rules, seat):
    """The owner of a half tunnel stands at a later token step and could finish it (C70).

    Noted before the token is laid: laying the second one clears the note.
    """
    free = 0
    for opening in range(c.NUM_OPENINGS):
        free += is_unclaimed(state, opening)
    for colour in range(c.NUM_TOKEN_COLOURS):
        if free > 0 and state.half[colour] >= 0 and owns_colour(rules, seat, colour):
            state.missed[colour] = 1


@compiled
def end_turn(state, rules, work):
    """Score what is complete and pass the turn on (rules 2.5, 2.6)."""
    # Claim and token come before the scoring: a road that a token completes counts in this turn (C42).
    score_turn(state, rules, work)
    seat = int(state.to_play) + 1
    state.to_play = 0 if seat == rules.players else seat
    begin_turn(state, rules, work)


@compiled
def begin_turn(state, rules, work):
    """Draw a tile that fits; those that fit nowhere leave the game (rules 2.1, C11)."""
    # First: a game that ends here has no tile, cell or mouth.
    state.cell = c.NONE
    state.mouth = c.NONE
    state.tile = c.NONE
    while state.drawn < state.deck_size:
        kind = int(state.deck[int(state.drawn)])
        state.drawn += 1
        # Drawn at the start of the own turn, not earlier: no seat sees the next tile while deciding (C09).
        state.unseen[kind] -= 1
        if spread_out(state, rules):  # else the bound forbids no cell
            _count_cuts(state, rules, kind)
        if list_cells(state, rules, kind, 1, work) > 0:
            state.tile = kind
            state.turn += 1
            state.phase = c.CELL
            return
        # The next one is drawn, as often as needed; if the deck runs out the game is over without a turn (C11).
        state.out_of_game[kind] += 1
    end_game(state, rules, work)


@compiled
def _count_cuts(state, rules, kind):
    """Tally the cells where a drawn type would fit but for the bound of the table (C12)."""
    for cell in range(c.NUM_CELLS):
        if is_frontier(state, cell) and rotations_that_fit(state, rules, kind, cell) != 0:
            state.table_cuts += not on_table(state, rules, cell)


@compiled
def end_game(state, rules, work):
    """Final scoring; the highest total wins, equal totals share (C67)."""
    # After the whole turn of the last tile; there is no last round (C66).
    score_end(state, rules, work)
    state.phase = c.OVER
    state.end_cause = c.LAST_TILE
    best, leaders = find_leaders(state, rules)
    state.winner = c.DRAW
    for seat in range(int(rules.players)):
        if leaders == 1 and state.score[seat] == best:
            state.winner = seat
