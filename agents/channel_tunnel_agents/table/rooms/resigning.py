"""A game that somebody gives up: it ends there, or the beginner plays the seat on while other people play."""

from __future__ import annotations

from collections.abc import Mapping

from channel_tunnel_agents.table.rooms.offers import PERSON
from channel_tunnel_env.faces.table import TableFace


def ends_game(seats: Mapping[str, str], seat: str) -> bool:
    """Whether the game ends where a seat resigns: between two, and where no other person plays.

    Args:
        seats: seat -> "person" or an agent's name.
    """
    people = [one for one, holder in seats.items() if holder == PERSON and one != seat]
    return len(seats) == 2 or not people


def result_words(face: TableFace, seats: Mapping[str, str], resigned: str) -> str:
    """How a resigned game ended, without a full stop."""
    gone = f"{face.seat_title(resigned)} resigned"
    return f"{gone}: {_winner(face, seats, resigned)} wins" if len(seats) == 2 else gone


def resigned_ending(face: TableFace, seats: Mapping[str, str], resigned: str, seat: str | None) -> dict[str, str]:
    """The end of a resigned game for a seat or, with None, a spectator: as `TableFace.ending`."""
    gone = f"{face.seat_title(resigned)} resigned"
    if seat == resigned:
        title = "You resigned"
    else:
        title = f"You won: {gone}" if seat and len(seats) == 2 else gone
    why = "The game ends here: no other person is at the table."
    if len(seats) == 2:
        why = f"{_winner(face, seats, resigned)} wins, whatever the points."
    return {"title": title, "why": why, "points": ""}


def _winner(face: TableFace, seats: Mapping[str, str], resigned: str) -> str:
    return face.seat_title(next(one for one in seats if one != resigned))
