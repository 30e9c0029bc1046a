"""The position as text."""

from __future__ import annotations

from typing import Any

from shaft_bluff.engine import constants as c


def to_text(game: Any, viewer: int | None = None) -> str:
    """The whole position; with a viewer, only what that seat knows."""
    state = game.state
    lines = [f"Turn {int(state.turn)} of {c.SEATS * game.ruleset.data.turns}"]
    for seat, name in enumerate(c.SEAT_NAMES):
        known = viewer in (None, seat)
        points = sum(int(number) for number in state.points[seat])
        hand, shaft = _cards(state.hand[seat], known), _cards(state.buried[seat], known)
        lines.append(f"{name.capitalize():6}{points:4} points   hand {hand}   shaft {shaft}")
    lines.append(f"Turned up: {_cards(state.shown, True)}")
    if state.said != c.NONE:
        lines.append(f"Announced: {int(state.said) + 1}")
    if state.card != c.NONE and viewer in (None, digger(state)):
        lines.append(f"The card dug in: {int(state.card) + 1}")
    return "\n".join(lines)


def result_words(game: Any) -> str:
    """How a game that is over ended, in a line."""
    points = " to ".join(str(points["total"]) for points in game.scores().values())
    return f"{game.winner} wins, {points}" if game.winner else f"a draw, {points}"


def digger(state: Any) -> int:
    """The seat whose turn it is."""
    return (int(state.turn) - 1) % c.SEATS


def _cards(counts: Any, known: bool) -> str:
    cards = [str(card + 1) for card, count in enumerate(counts) for _ in range(int(count))]
    return " ".join(cards if known else "?" * len(cards)) or "-"
