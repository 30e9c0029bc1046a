"""Setting up a game."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import shuffle
from shaft_bluff.engine import constants as c
from shaft_bluff.engine.transition import draw_card


@compiled
def set_up(state, rules, work):
    """Shuffle and deal; the record is zeroed but for its keyed stream and its ruleset."""
    state.winner = c.NOBODY
    state.card, state.said = c.NONE, c.NONE
    state.turn = 1
    count = 0
    for card in range(int(rules.depths)):
        for _ in range(int(rules.copies)):
            state.deck[count] = card
            count += 1
    state.deck_size = count
    shuffle(state, c.DECK_STREAM, state.deck, 0, count, work)
    for seat in range(c.SEATS):
        for _ in range(int(rules.hand)):
            draw_card(state, seat)
