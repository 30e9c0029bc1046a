"""What holds in every state that play can reach; the checks of states that come from outside."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from shaft_bluff import constants as c
from shaft_bluff.rules import find_winner, total

INVARIANTS = (
    "",
    "every number lies in its range",
    "there are as many cards of each depth as the ruleset says",
    "each player holds as many cards as the phase asks for",
    "as many cards lie in the shafts and face up as turns have ended",
    "a card is dug in and a depth announced where the phase says so",
    "the end, its cause and the winner agree with the points",
)
NONE, RANGES, CARDS, HANDS, SHAFTS, QUESTION, END = range(7)


@compiled
def check_invariants(state, rules, work):
    """The first invariant that does not hold, as its place in INVARIANTS; 0 for none."""
    if not _in_range(state, rules):
        return RANGES
    if not _all_cards(state, rules, work):
        return CARDS
    digger = (int(state.turn) - 1) % c.SEATS
    digs = state.phase == c.ANNOUNCE or state.phase == c.ANSWER
    in_shafts = 0
    for seat in range(c.SEATS):
        held = 0
        for card in range(c.MAX_DEPTHS):
            held += int(state.hand[seat, card])
            in_shafts += int(state.buried[seat, card])
        if held != int(rules.hand) - (digs and seat == digger):
            return HANDS
    for card in range(c.MAX_DEPTHS):
        in_shafts += int(state.shown[card])
    over = state.phase == c.OVER
    if in_shafts != int(state.turn) - 1 + over:
        return SHAFTS
    answers = state.phase == c.ANSWER
    if (state.card != c.NONE) != digs or (state.said != c.NONE) != answers:
        return QUESTION
    if state.to_play != (1 - digger if answers or over else digger):
        return QUESTION
    if over != (state.end_cause == c.LAST_TURN) or over != (state.winner != c.NOBODY):
        return END
    if over and (state.turn != c.SEATS * rules.turns or state.winner != find_winner(state)):
        return END
    return NONE


@compiled
def _in_range(state, rules):
    depths = int(rules.depths)
    fits = 0 <= state.phase <= c.OVER and 0 <= state.to_play < c.SEATS and state.ply >= 0
    fits &= 1 <= state.turn <= c.SEATS * rules.turns and c.NOBODY <= state.winner <= c.DRAW
    fits &= 0 <= state.end_cause <= c.LAST_TURN and state.seed >= 0
    fits &= c.NONE <= state.card < depths and c.NONE <= state.said < depths
    fits &= state.deck_size == depths * rules.copies and 0 <= state.drawn <= state.deck_size
    fits &= state.rng_counter[c.DECK_STREAM] >= 0
    for card in range(c.MAX_DEPTHS):
        most = int(rules.copies) if card < depths else 0
        fits &= 0 <= state.shown[card] <= most
        for seat in range(c.SEATS):
            fits &= 0 <= state.hand[seat, card] <= most and 0 <= state.buried[seat, card] <= most
    for k in range(c.MAX_CARDS):
        fits &= 0 <= state.deck[k] < depths
    for seat in range(c.SEATS):
        for source in range(len(c.SOURCES)):
            fits &= 0 <= state.points[seat, source] <= rules.points_limit
        fits &= total(state, seat) <= rules.points_limit
    return fits


@compiled
def _all_cards(state, rules, work):
    for card in range(c.MAX_DEPTHS):
        work.left[card] = state.shown[card] + (state.card == card)
        for seat in range(c.SEATS):
            work.left[card] += state.hand[seat, card] + state.buried[seat, card]
    for k in range(int(state.drawn), int(state.deck_size)):
        work.left[state.deck[k]] += 1
    for card in range(c.MAX_DEPTHS):
        if work.left[card] != (int(rules.copies) if card < rules.depths else 0):
            return False
    return True
