"""The way to a position, gone again.

A game of this server can be played again from its seed or from the position it began with, and then goes
on with the same luck. A record may hold luck that no seed gives, such as a game typed in from a real
table: its positions can be looked at, but the way to them cannot be gone again.
"""

from __future__ import annotations

from typing import Any

from channel_tunnel_env import Game, IllegalActionError


def begin_again(game: Game) -> Game:
    """The game before its first decision, as its seed or its first position deals it."""
    if game.start is None:
        return Game(game.ruleset, game.seed)
    return Game.from_states(game.start, game.ruleset)


def go_again(game: Game) -> Game | None:
    """The same game by its own luck; None where that leads somewhere else."""
    again = begin_again(game)
    try:
        for action in game.actions:
            again.play(action)
    except IllegalActionError:
        return None
    return again if _on_the_table(again) == _on_the_table(game) else None


def _on_the_table(game: Game) -> dict[str, Any]:
    """Everything but where the random streams stand: a replay takes its luck from the record."""
    position = game.to_position()
    del position["streams"]
    return position
