"""Replaying a game from its start.

A game of this server can be replayed from its seed or from its first position, and then continues
with the same luck. A record may contain luck that no seed produces, such as a game typed in from a
real table: its positions can be viewed, but the game cannot be replayed from its start.
"""

from __future__ import annotations

import numpy as np

from channel_tunnel_env import IllegalActionError
from channel_tunnel_env.core.game import Game

_STREAMS = ("rng_key", "rng_counter")
"""Fields of the random streams: a replay takes its luck from the record."""


def game_at_start(game: Game) -> Game:
    """The game before its first decision, as its seed or its first position deals it."""
    if game.start is None:
        return type(game)(game.ruleset, game.seed)
    return type(game).from_states(game.start, game.ruleset)


def replay_own_luck(game: Game) -> Game | None:
    """The game replayed from its start with its own luck; None if that ends elsewhere."""
    again = game_at_start(game)
    try:
        for action in game.actions:
            again.play(action)
    except IllegalActionError:
        return None
    return again if _same_table(again, game) else None


def _same_table(one: Game, other: Game) -> bool:
    """Whether two games are equal but for the state of their random streams."""
    fields = (name for name in one.states.dtype.names or () if name not in _STREAMS)
    return all(np.array_equal(one.states[name], other.states[name]) for name in fields)
