"""Playing cards: the slots, money below a board, rubble on cards, and using abilities."""

from __future__ import annotations

from channel_tunnel_env.core.bits import lowest_bit
from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.records import tallied
from channel_tunnel_env.core.rng import shuffle
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.legality import ready_cards


@compiled
def refill_slots(state, rules, work):
    """Deal a card to every empty slot, lowest first; rebuild an empty deck from the discard (2.6).

    If deck and discard are both empty, a slot stays empty until a card reaches the discard (A10).
    """
    for slot in range(c.NUM_SLOTS):
        if state.slots[slot] >= 0:
            continue
        # Not before a card is needed: an earlier shuffle would change nothing that anybody sees (A65).
        if state.deck_size == 0:
            _reshuffle_discard(state, rules, work)
            if state.deck_size == 0:
                return
        card = deal_card(state)
        state.slots[slot] = card
        state.card_shown[card] = tallied(state.card_shown[card], 1)


@compiled
def deal_card(state):
    """Take the top card of a deck that has one."""
    state.deck_size -= 1
    card = int(state.deck[int(state.deck_size)])
    state.deck[int(state.deck_size)] = 0  # unused places are zero (invariant 29)
    return card


@compiled
def _reshuffle_discard(state, rules, work):
    size = 0
    # By id, so that the new order depends only on the stream and not on how the cards were discarded.
    for card in range(int(rules.num_cards)):
        if state.discard & (1 << card):
            state.deck[size] = card
            size += 1
    state.discard = 0
    state.deck_size = size
    if size > 0:
        shuffle(state, c.CARD_STREAM, state.deck, 0, size, work)


@compiled
def discard_slot(state, slot):
    """Discard the card of a secondary action (A11)."""
    state.discard |= 1 << int(state.slots[slot])
    state.slots[slot] = -1


@compiled
def take_money(state, rules, seat, slot):
    """Finance: the slot's card becomes a money card (A47)."""
    card = int(state.slots[slot])
    state.slots[slot] = -1
    lay_money(state, rules, seat, card)
    state.tally_income[seat] = tallied(state.tally_income[seat], rules.card_money[card])
    state.card_financed[seat, card] = tallied(state.card_financed[seat, card], 1)


@compiled
def lay_money(state, rules, seat, card):
    """Put a card below the seat's board, as the youngest money card."""
    state.money[seat] |= 1 << card
    state.money_order[seat, int(state.money_count[seat])] = card
    state.money_count[seat] += 1
    state.money_total[seat] += rules.card_money[card]


@compiled
def spend_money(state, rules, seat, value):
    """Discard the oldest money card of a value (A66)."""
    for place in range(int(state.money_count[seat])):
        # One action id serves all cards of a value; which of them goes matters only for a later deck (A66).
        if rules.card_money[int(state.money_order[seat, place])] == value:
            _discard_money(state, rules, seat, place)
            return


@compiled
def spend_all_money(state, rules, seat):
    """Discard every money card and return the millions spent (A14)."""
    total = int(state.money_total[seat])
    while state.money_count[seat] > 0:
        _discard_money(state, rules, seat, 0)
    return total


@compiled
def _discard_money(state, rules, seat, place):
    card = int(state.money_order[seat, place])
    last = int(state.money_count[seat]) - 1
    for i in range(place, last):
        state.money_order[seat, i] = state.money_order[seat, i + 1]
    state.money_order[seat, last] = 0
    state.money_count[seat] = last
    state.money[seat] &= ~(1 << card)
    state.money_total[seat] -= rules.card_money[card]
    state.discard |= 1 << card


@compiled
def use_ability(state, rules, seat, kind):
    """Use the seat's ready card of a kind: the one with most tokens, then the lowest id (9.1).

    The token placed first leaves the game; a card without tokens lies face down.
    """
    cards = ready_cards(state, seat) & rules.kind_cards[kind]
    # With two tokens on it a card works in another round too, so it is never worse to use that one first.
    twice = cards & state.charged_twice
    card = lowest_bit(twice if twice else cards)
    state.out_of_game[int(state.card_rubble[card, 0]) - 1] += 1  # the one placed first (B01)
    state.card_rubble[card, 0] = state.card_rubble[card, 1]
    state.card_rubble[card, 1] = 0
    # Once a round for each card, not for each kind of card (A41).
    state.used |= 1 << card
    if twice:
        state.charged_twice &= ~(1 << card)
    else:
        state.charged &= ~(1 << card)
    state.tally_ability[seat, kind] = tallied(state.tally_ability[seat, kind], 1)


@compiled
def use_extra_finance(state, rules, seat):
    """Use an Extra finance card and return the millions it is worth."""
    use_ability(state, rules, seat, c.EXTRA_FINANCE)
    return int(rules.extra_finance)


@compiled
def enter_area(state, rules, seat, slot):
    """Move the developed card from its slot to the seat's area, with the tokens placed on it."""
    card = int(state.slots[slot])
    kind = int(rules.card_kind[card])
    state.slots[slot] = -1
    state.area[seat] |= 1 << card
    if kind >= c.FIRST_ABILITY:
        state.charged |= 1 << card
        if state.card_rubble[card, 1] > 0:
            state.charged_twice |= 1 << card
    elif kind == c.TOPOGRAPHICAL_ANALYSIS:
        # Its token stays on it (3.2), so the set of colours only grows.
        state.topographical[seat] |= 1 << (int(state.card_rubble[card, 0]) - 1)
    state.kind_count[seat, kind] += 1
    state.printed_points[seat] += rules.card_points[card]
    # It may not serve the action that brought it (A33).
    state.new_card = card
    state.card_developed[card] = state.round_no
