"""Deviation: the shared deck, its reshuffle, and the checks after a Tunnel (rules 4)."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import shuffle
from channel_tunnel_env.engine.constants import (
    BLUE,
    COLOURLESS,
    DEVIATION,
    DEVIATION_STREAM,
    OVER,
)


@compiled
def draw_deviation(state, rules, seat, work):
    """Draw one card; beyond the last safe level the seat loses at once.

    A card whose colour is already in the discard causes all cards to be shuffled into a new deck.
    The colourless card neither causes nor prevents that.
    """
    drawn = int(state.deviation_drawn)
    card = int(state.deviation_deck[drawn])
    state.deviation_drawn = drawn + 1
    value = int(rules.deviation_value[card])
    state.deviation[seat] += value
    state.tally_draws[seat] += 1
    state.tally_drift[seat] += value
    if state.deviation[seat] > rules.deviation_limit:
        state.phase = OVER
        state.end_cause = DEVIATION
        state.winner = 1 - seat
        return
    colour = rules.deviation_colour[card]
    if colour == COLOURLESS:
        return
    for i in range(drawn):
        if rules.deviation_colour[int(state.deviation_deck[i])] == colour:
            reshuffle_deviation(state, rules, work)
            return


@compiled
def reshuffle_deviation(state, rules, work):
    """Shuffle all cards into a new deck.

    They are put in id order first, so that the k-th shuffle of a seed gives the same deck whatever
    was drawn before.
    """
    size = int(rules.num_deviation)
    for i in range(size):
        state.deviation_deck[i] = i
    shuffle(state, DEVIATION_STREAM, state.deviation_deck, 0, size, work)
    state.deviation_drawn = 0


@compiled
def check_deviation(state, rules, seat, colour, work):
    """The check after boring through a token: one card, or for water the seat's own number.

    Cards are drawn one by one, so a loss or a reshuffle takes effect before the next draw (A28).
    """
    draws = int(rules.water_draws[seat]) if colour == BLUE else 1
    for _ in range(draws):
        draw_deviation(state, rules, seat, work)
        if state.phase == OVER:
            return


@compiled
def correct_deviation(state, seat, millions):
    """Lower the deviation by one level per million, not below 0."""
    state.deviation[seat] -= min(int(state.deviation[seat]), millions)
