"""Hidden information revealed between two moments of a game: undo cannot make people forget it."""

from __future__ import annotations

import numpy as np

from channel_tunnel_env import Game
from channel_tunnel_env.engine.constants import STREAMS

FIELDS = {
    "peeked": "a token has been looked at",
    "revealed": "a token of a route has been turned up",
    "deck_size": "a card has come from the deck",
    "deviation_drawn": "a deviation card has been drawn",
    "agenda_drawn": "an agenda card has been drawn",
}
"""Record fields that change when something hidden is seen."""
STREAM_WORDS = {"discs": "discs have been drawn from the bag"}
SHUFFLED = "cards have been shuffled"


def came_to_light(before: Game, after: Game) -> str:
    """What has been revealed since an earlier moment, in words; "" if nothing hidden or random
    was."""
    old, new = before.state, after.state
    for name, words in FIELDS.items():
        if not np.array_equal(old[name], new[name]):
            return words
    for stream, was, now in zip(STREAMS, old.rng_counter, new.rng_counter, strict=True):
        if was != now:
            return STREAM_WORDS.get(stream, SHUFFLED)
    return ""
