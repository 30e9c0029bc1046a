"""The game in the terminal, as `channel_tunnel_env.faces.terminal` asks for it."""

from __future__ import annotations

from typing import Any

from channel_tunnel_env.faces.terminal import Choice, Steps
from shaft_bluff import constants as c
from shaft_bluff.constants import ACTION_NAMES
from shaft_bluff.render import to_text

BEGINS_WITH_LEGEND = False
LEGEND = "? a card that you do not know; shaft: the cards that were believed"
_ASKED = {"dig": "Which card do you dig in?", "announce": "Which depth do you announce?"}


def seat_title(seat: str) -> str:
    """A seat as a person calls it."""
    return seat.capitalize()


def board(game: Any, viewer: str, legend: bool) -> str:
    """The position as a seat knows it, and the question."""
    lines = [to_text(game, game.seat_index(viewer))]
    return "\n".join([*lines, *[LEGEND] * legend, *[question(game, viewer)] * (not game.is_over)])


def question(game: Any, viewer: str) -> str:
    """What is asked."""
    if str(game.phase) == "answer":
        return f"The rival says {int(game.state.said) + 1}. Do you believe it?"
    return _ASKED.get(str(game.phase), "")


def needs_board(game: Any, shown: Any | None) -> bool:
    """Everywhere but between digging and announcing."""
    return str(game.phase) != "announce"


def choices(game: Any) -> list[Choice]:
    """The legal actions."""
    return [Choice(action, ACTION_NAMES[action]) for action in game.legal_ids()]


def meant(game: Any, line: str) -> str:
    """The action that a line names."""
    return line if line in ACTION_NAMES else ""


def tell(steps: Steps, after: Any, viewer: str, persons: frozenset[str]) -> str | None:
    """Announcements and answers; never which card was dug in."""
    lines = []
    for before, action in steps:
        if action >= c.FIRST_ANNOUNCE and before.to_play not in persons:
            lines.append(f"{seat_title(str(before.to_play))}: {ACTION_NAMES[action]}.")
        if action == c.CHECK:
            card, said = int(before.state.card), int(before.state.said)
            lines.append(f"The card is a {card + 1}: {'true' if card >= said else 'a bluff'}.")
    return " ".join(lines)


def ending(game: Any, viewer: str) -> str:
    """The position at the end, with every card, and the winner."""
    winner = f"{seat_title(game.winner)} wins." if game.winner else "A draw."
    return f"{to_text(game)}\n{winner}"
