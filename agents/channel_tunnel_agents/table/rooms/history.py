"""Replaying a game from its start.

A game of this server can be replayed from its seed or from its first position, and then continues
with the same luck. A record may contain luck that no seed produces, such as a game typed in from a
real table: its positions can be viewed, but the game cannot be replayed from its start.
"""

from __future__ import annotations

from channel_tunnel_env import IllegalActionError
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.core.records import same_records


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
    return again if same_records(again.states, game.states) else None
