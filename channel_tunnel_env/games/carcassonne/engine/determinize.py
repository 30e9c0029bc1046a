"""Determinization: draw one world consistent with what the seats know (rules 8: only the deck is hidden).

Every stream and the seed are replaced by values that no game has, so a search in the copy cannot
read the order of the deck or future luck.
"""

from __future__ import annotations

from channel_tunnel_env.core.jit import compiled
from channel_tunnel_env.core.rng import WORLDS, seed_apart, shuffle
from channel_tunnel_env.games.carcassonne.engine import constants as c


@compiled
def determinize(state, rules, viewer, seed, work):
    """Shuffle the face-down tiles in place; the tile in hand stays. The same for every viewer.

    The tiles are sorted first, so that two positions that look equal give the same world for the same
    seed.
    """
    # Before the shuffle: the order must follow from `seed`, not from the game's own stream.
    seed_apart(state, WORLDS, seed)
    # Nothing but the order of the face-down tiles is hidden: what is left of each type is public.
    place = int(state.drawn)
    for kind in range(int(rules.num_types)):
        for _ in range(int(state.unseen[kind])):
            state.deck[place] = kind
            place += 1
    # What was drawn is public, the tile in hand too (C09): it stays where it is.
    shuffle(state, c.DECK_STREAM, state.deck, int(state.drawn), int(state.deck_size), work)
