"""Setting up a game (rules 1)."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import shuffle
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.board import lay_tile
from channel_tunnel_env.games.carcassonne.engine.transition import begin_turn


@compiled
def set_up(state, rules, work):
    """Lay out a record that is zeroed except for its keyed stream, and draw the first tile."""
    lay_out(state, rules, work)
    # Before the first turn: it cannot be claimed directly (C21).
    lay_tile(state, rules, int(rules.start_type), 0, 0)
    begin_turn(state, rules, work)


@compiled
def lay_out(state, rules, work):
    """Followers, tokens and the shuffled deck; the start tile is not laid yet."""
    # Zero would be a seat, a type, a cell or an opening.
    state.winner = c.NOBODY
    state.robber = c.NOBODY
    state.tile = c.NONE
    state.cell = c.NONE
    state.mouth = c.NONE
    for seat in range(int(rules.players)):
        state.hand[seat] = rules.followers
    for colour in range(c.NUM_TOKEN_COLOURS):
        # Colours that no seat plays stay in the box (C07).
        state.stock[colour] = c.TOKENS_OF_A_COLOUR if colour < rules.colours else 0
        state.half[colour] = c.NONE
    for opening in range(c.NUM_OPENINGS):
        state.mouth_node[opening] = c.NONE
        state.mouth_colour[opening] = c.NONE
        state.mouth_partner[opening] = c.NONE
    _shuffle_deck(state, rules, work)


@compiled
def _shuffle_deck(state, rules, work):
    """All tiles but the start tile, in random order: the only chance event of the game."""
    count = 0
    for kind in range(int(rules.num_types)):
        # The start tile lies on the table and is never drawn (C02).
        tiles = int(rules.tiles[kind]) - (kind == rules.start_type)
        state.unseen[kind] = tiles
        for _ in range(tiles):
            state.deck[count] = kind
            count += 1
    state.deck_size = count
    # The whole order is settled here, so a seed deals the same deck however the seats play.
    shuffle(state, c.DECK_STREAM, state.deck, 0, count, work)
