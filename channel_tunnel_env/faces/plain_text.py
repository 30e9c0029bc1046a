"""How a game ended, in the words of any game."""

from __future__ import annotations

from typing import Any


def result_words(game: Any) -> str:
    """Who won, and the points of every seat."""
    points = ", ".join(f"{seat} {score['total']}" for seat, score in game.scores().items())
    return f"{game.winner or 'nobody alone'} won; {points}"
