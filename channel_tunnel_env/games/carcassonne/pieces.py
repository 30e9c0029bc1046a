"""What every view of the table says alike: whose tokens are whose, and their letters."""

from __future__ import annotations

from typing import Any

TOKEN_LETTERS = ("b", "y", "g", "n", "r", "k")
"""By colour; green and black share their first letters with others."""


def seat_title(seat: str) -> str:
    """A seat as a person calls it: "Player 0" for player_0."""
    return seat.replace("_", " ").capitalize()


def token_colours(data: Any, seat: int) -> range:
    """The token colours of a seat under a ruleset's figures; those of a common stock are everybody's."""
    if not data.tunnel:
        return range(0)
    if data.tunnel_variant == "paired":
        return range(data.token_colours)
    return range(seat, data.token_colours, data.players)


def token_owner(data: Any, colour: int) -> int | None:
    """The seat whose token colour that is; None where the stock is everybody's."""
    return None if data.tunnel_variant == "paired" else colour % int(data.players)
