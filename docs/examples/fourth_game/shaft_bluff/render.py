"""In words: the position as text, and why an action is not legal."""

from __future__ import annotations

from typing import Any

from shaft_bluff import constants as c
from shaft_bluff.constants import ACTION_NAMES


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


_ASKED = {
    c.DIG: "a card to dig in",
    c.ANNOUNCE: "the depth to announce",
    c.ANSWER: "whether the rival is believed",
    c.OVER: "nothing",
}


def describe_refusal(states: Any, i: int, tables: Any, action: int) -> str:
    """The message of an IllegalActionError, for game i of an array of records."""
    phase, name = int(states["phase"][i]), ACTION_NAMES[action]
    if phase == c.DIG and action < c.FIRST_ANNOUNCE:
        why = "no such card is in the hand"
    elif phase == c.ANNOUNCE and c.FIRST_ANNOUNCE <= action < c.BELIEVE:
        why = "no card is so deep"
    else:
        why = f"now the game asks for {_ASKED[phase]}"
    return f"{name!r} is not legal in phase {c.PHASES[phase]}: {why}"
