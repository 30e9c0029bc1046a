"""Deal again what a seat cannot know: the rival's hand and face-down cards, and the deck."""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import WORLDS, seed_apart, shuffle
from shaft_bluff.engine import constants as c


@compiled
def determinize(state, rules, viewer, seed, work):
    """Draw one world that fits what `viewer` has seen.

    The unseen cards are laid out by depth before they are shuffled, so that two positions that look equal give the
    same world. Every key and the seed are replaced: the copy reveals no future luck.
    """
    seed_apart(state, WORLDS, seed)
    rival = 1 - viewer
    hidden_card = state.card != c.NONE and _digger(state) == rival
    in_hand, in_shaft = 0, 0
    for card in range(int(rules.depths)):
        in_hand += int(state.hand[rival, card])
        in_shaft += int(state.buried[rival, card])
        state.hand[rival, card], state.buried[rival, card] = 0, 0
    count = _gather(state, rules, viewer, hidden_card, work)
    shuffle(state, c.DECK_STREAM, work.pool, 0, count, work)
    place = 0
    for _ in range(in_hand):
        state.hand[rival, work.pool[place]] += 1
        place += 1
    for _ in range(in_shaft):
        state.buried[rival, work.pool[place]] += 1
        place += 1
    if hidden_card:
        state.card = work.pool[place]
        place += 1
    for k in range(int(state.drawn), int(state.deck_size)):
        state.deck[k] = work.pool[place]
        place += 1
    for k in range(int(state.drawn)):  # drawn cards lie elsewhere; their old order says whose they were
        state.deck[k] = 0


@compiled
def _digger(state):
    return 1 - int(state.to_play) if state.phase == c.ANSWER else int(state.to_play)


@compiled
def _gather(state, rules, viewer, hidden_card, work):
    """The cards that a viewer cannot place into `work.pool`, by depth; returns their number."""
    count = 0
    for card in range(int(rules.depths)):
        left = int(rules.copies) - int(state.hand[viewer, card]) - int(state.buried[viewer, card])
        left -= int(state.shown[card])
        if state.card == card and not hidden_card:
            left -= 1
        for _ in range(left):
            work.pool[count] = card
            count += 1
    return count
