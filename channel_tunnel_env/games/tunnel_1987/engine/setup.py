"""Setting up a game (rules 1.3)."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import shuffle
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.cards import deal_card, lay_money, refill_slots
from channel_tunnel_env.games.tunnel_1987.engine.deviation import reshuffle_deviation
from channel_tunnel_env.games.tunnel_1987.engine.transition import start_round


@compiled
def set_up(state, rules, work):
    """Lay out a record that is zeroed except for its keyed streams, and start round 1."""
    state.first_player = c.BRITAIN
    state.winner = c.NOBODY
    state.reacher = c.NOBODY
    state.leader = c.DRAW
    for seat in range(c.NUM_SEATS):
        state.agenda_pending[seat] = -1
        # The token in front of a machine lies face up from the start; a face-down one stops Tunnel (A05).
        state.revealed[seat] = 1
    state.agenda_card = -1
    state.new_card = -1
    _lay_rubble(state, rules, work)
    _deal_cards(state, rules, work)
    reshuffle_deviation(state, rules, work)
    if rules.agenda_enabled:
        for i in range(c.NUM_AGENDA):
            state.agenda_deck[i] = i
        shuffle(state, c.AGENDA_STREAM, state.agenda_deck, 0, c.NUM_AGENDA, work)
    for colour in range(c.NUM_COLOURS):
        state.bag[colour] = rules.per_colour
    start_round(state, rules, work)


@compiled
def _lay_rubble(state, rules, work):
    """Shuffle the tokens; lay Britain's route, France's route, then their storages (A03)."""
    for i in range(int(rules.num_tokens)):
        work.tokens[i] = i
    shuffle(state, c.RUBBLE_STREAM, work.tokens, 0, int(rules.num_tokens), work)
    length = int(rules.route_length)
    place = 0
    for seat in range(c.NUM_SEATS):
        for index in range(length):
            # One shuffle serves routes and storages, and one token more each is the share of the two left over (A03).
            token = int(work.tokens[place])
            state.route_colour[seat, index] = rules.token_colour[token]
            state.route_symbol[seat, index] = rules.token_symbol[token]
            place += 1
    for seat in range(c.NUM_SEATS):
        for _ in range(int(rules.stored_at_start)):
            state.storage[seat, int(rules.token_colour[int(work.tokens[place])])] += 1
            place += 1


@compiled
def _deal_cards(state, rules, work):
    """Shuffle the cards, deal a head start of money, then lay one face up on each slot."""
    size = int(rules.num_cards)
    for card in range(size):
        state.deck[card] = card
    state.deck_size = size
    shuffle(state, c.CARD_STREAM, state.deck, 0, size, work)
    for seat in range(c.NUM_SEATS):  # before the slots, Britain's first (1.3)
        for _ in range(int(rules.start_money[seat])):
            lay_money(state, rules, seat, deal_card(state))
    for slot in range(c.NUM_SLOTS):
        state.slots[slot] = -1
    refill_slots(state, rules, work)
