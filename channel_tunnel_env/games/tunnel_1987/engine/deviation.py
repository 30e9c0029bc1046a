"""Deviation: the shared deck, its reshuffle, and the checks after a Tunnel (rules 4)."""

from __future__ import annotations

from channel_tunnel_env.core.bits import count_bits, lowest_bit
from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.records import tallied
from channel_tunnel_env.core.rng import shuffle
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.rule_figures import NUM_DEVIATION_VALUES


@compiled
def draw_deviation(state, rules, seat, work):
    """Draw one card; beyond the last safe level the seat loses at once.

    A card whose colour is already in the discard causes all cards to be shuffled into a new deck.
    The colourless card does not cause or prevent that.
    """
    drawn = int(state.deviation_drawn)
    card = int(state.deviation_deck[drawn])
    state.deviation_drawn = drawn + 1  # in the discard, also if it loses the game (B02)
    value = int(rules.deviation_value[card])
    state.deviation[seat] += value
    state.tally_draws[seat] = tallied(state.tally_draws[seat], 1)
    state.tally_drift[seat] = tallied(state.tally_drift[seat], value)
    # The last level itself is still safe (A27).
    if state.deviation[seat] > rules.deviation_limit:
        state.phase = c.OVER
        state.end_cause = c.DEVIATION
        state.winner = 1 - seat
        return
    # `drawn` leaves the new card out of the comparison, but it goes into the new deck with the others (A30).
    if repeats_colour(rules, drawn_cards(state, drawn), card):
        reshuffle_deviation(state, rules, work)


@compiled
def drawn_cards(state, drawn):
    """The first `drawn` cards of the deck as a set of bits."""
    cards = 0
    for i in range(drawn):
        cards |= 1 << int(state.deviation_deck[i])
    return cards


@compiled
def repeats_colour(rules, gone, card):
    """Whether the set `gone` holds a card of this card's colour; a colourless card never repeats."""
    return gone & rules.colour_cards[int(rules.deviation_colour[card])] != 0


@compiled
def cards_of_colour(rules, colour):
    """The deviation cards of a colour, or the colourless ones, as a set."""
    if colour < c.COLOURLESS:
        return rules.colour_cards[colour]
    others = rules.deviation_cards
    for k in range(c.COLOURLESS):
        others &= ~rules.colour_cards[k]
    return others


@compiled
def reshuffle_deviation(state, rules, work):
    """Shuffle all cards into a new deck.

    They are put in id order first, so that the k-th shuffle of a seed gives the same deck regardless of what
    was drawn before.
    """
    size = int(rules.num_deviation)
    for i in range(size):
        state.deviation_deck[i] = i
    shuffle(state, c.DEVIATION_STREAM, state.deviation_deck, 0, size, work)
    state.deviation_drawn = 0


@compiled
def draws_for(state, rules, seat, colour):
    """Deviation cards drawn when the seat's TBM leaves a token of this colour behind.

    One, or for water the seat's own number; at the centre none, unless the ruleset checks there too.
    """
    # The game ends at the centre before anybody looks at the deviation (A29).
    if state.tbm[seat] + 1 >= rules.route_length and not rules.final_check:
        return 0
    return int(rules.water_draws[seat]) if colour == c.BLUE else 1


@compiled
def check_deviation(state, rules, seat, draws, work):
    """The check after a Tunnel.

    Cards are drawn one by one, so a loss or a reshuffle takes effect before the next draw (A28).
    """
    # The first of two water cards may end the game, or refill the deck that the second comes from (A28).
    for _ in range(draws):
        draw_deviation(state, rules, seat, work)
        if state.phase == c.OVER:
            return


@compiled
def next_loss(rules, gone, room):
    """Chance that the next card takes a seat more than `room` levels further.

    `gone` is the set of cards in the discard. Every order of the rest is equally likely.
    """
    if room < 0:
        return 1.0
    deck = rules.deviation_cards & ~gone
    lost = deck & rules.heavier_cards[min(room, NUM_DEVIATION_VALUES - 1)]  # the last one is empty: no card costs more
    # 1 for an empty deck, of which no card is lost either.
    return count_bits(lost) / max(count_bits(deck), 1)


@compiled
def loss_chance(rules, gone, room, draws):
    """`next_loss` for `draws` cards, 1 or more."""
    if draws == 1 or room < 0:
        return next_loss(rules, gone, room)
    # Most positions are this safe; the recursion over the deck costs far more.
    if int(rules.heaviest_deviation) * draws <= room:
        return 0.0
    deck = rules.deviation_cards & ~gone
    chance, rest = 0.0, deck
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        then = 0 if repeats_colour(rules, gone, card) else gone | (1 << card)  # a match returns all cards (A30)
        left = room - int(rules.deviation_value[card])
        if draws == 2:
            chance += next_loss(rules, then, left)
        else:
            chance += loss_chance(rules, then, left, draws - 1)
    return chance / max(count_bits(deck), 1)


@compiled
def correct_deviation(state, seat, millions):
    """Lower the deviation by one level per million, not below 0."""
    state.deviation[seat] -= min(int(state.deviation[seat]), millions)
