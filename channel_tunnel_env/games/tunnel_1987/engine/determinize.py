"""Determinization: draw one world consistent with what a seat knows, uniformly (rules 2.7).

What the viewer cannot know is dealt again (face-down tokens it did not peek at, the decks' orders).
Every stream and the seed itself are replaced by values that no game has under any seed. A
search in the copy can therefore not read hidden cards or future luck.
"""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import WORLDS, draw, seed_apart, shuffle
from channel_tunnel_env.games.tunnel_1987.engine import constants as c


@compiled
def determinize(state, rules, viewer, seed, work):
    """Re-deal in place what `viewer` cannot know. `work` must not be playing back recorded luck.

    The hidden piles are sorted first, so that two positions that look equal to the viewer give the
    same world for the same seed.
    """
    seed_apart(state, WORLDS, seed)
    _deal_tokens(state, rules, viewer, work)
    _sort(state.deck, 0, int(state.deck_size))
    shuffle(state, c.CARD_STREAM, state.deck, 0, int(state.deck_size), work)
    # Cards that were drawn lie open, in the discard or with their effect: only the rest is hidden (2.7).
    drawn = int(state.deviation_drawn)
    _sort(state.deviation_deck, drawn, int(rules.num_deviation))
    shuffle(state, c.DEVIATION_STREAM, state.deviation_deck, drawn, int(rules.num_deviation), work)
    if rules.agenda_enabled:
        drawn = int(state.agenda_drawn)
        _sort(state.agenda_deck, drawn, c.NUM_AGENDA)
        shuffle(state, c.AGENDA_STREAM, state.agenda_deck, drawn, c.NUM_AGENDA, work)


@compiled
def _deal_tokens(state, rules, viewer, work):
    """Collect the tokens that the viewer has not seen, shuffle them and put them back."""
    length = int(rules.route_length)
    count = 0
    for side in range(c.NUM_SEATS):
        for index in range(int(state.revealed[side]), length):
            if (int(state.peeked[viewer, side]) >> index) & 1 == 0:
                # Colour and symbol belong together, so they are dealt as one number.
                token = int(state.route_colour[side, index]) * 2 + int(state.route_symbol[side, index])
                work.tokens[count] = token
                count += 1
    # The tokens come in the order in which they truly lie; sorted, nothing of that order reaches the new one.
    _sort(work.tokens, 0, count)
    for i in range(count - 1, 0, -1):
        j = draw(state, c.RUBBLE_STREAM, i + 1, work)
        work.tokens[i], work.tokens[j] = work.tokens[j], work.tokens[i]
    # The walk is that of the first loop, so there are as many places as tokens.
    place = 0
    for side in range(c.NUM_SEATS):
        for index in range(int(state.revealed[side]), length):
            if (int(state.peeked[viewer, side]) >> index) & 1 == 0:
                state.route_colour[side, index] = work.tokens[place] // 2
                state.route_symbol[side, index] = work.tokens[place] % 2
                place += 1


@compiled
def _sort(items, start, stop):
    """Insertion sort of a short run."""
    for i in range(start + 1, stop):
        item = items[i]
        j = i
        while j > start and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item
