"""How a game at the table ended: by its rules, or because a seat gave it up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from channel_tunnel_agents.table.rooms.people import PERSON
from channel_tunnel_env.core.game import Game
from channel_tunnel_env.faces.registry import table_of
from channel_tunnel_env.faces.table import TableFace
from channel_tunnel_env.records.writing import Ending

WON, LOST, DRAWN = "won", "lost", "drawn"


@dataclass(frozen=True)
class Outcome:
    """The end of a game.

    Attributes:
        game: after its last decision.
        seats: seat -> "person" or an agent's name.
        ending: how, unless by its rules.
    """

    game: Game
    seats: Mapping[str, str]
    ending: Ending | None

    @property
    def question(self) -> str:
        """The result, in the place of what a game asks."""
        return f"{self.given_up}." if self.ending else self._face.question(self.game)

    @property
    def given_up(self) -> str:
        """Who gave the game up, without a full stop; "" for nobody."""
        if not self.ending:
            return ""
        return f"{self._gone}: {self._winner} wins" if len(self.seats) == 2 else self._gone

    def result_of(self, seat: str) -> str:
        """Whether a seat won, lost or neither."""
        if self.ending:
            return LOST if seat == self.ending.seat else WON if len(self.seats) == 2 else DRAWN
        return DRAWN if self.game.winner is None else WON if self.game.winner == seat else LOST

    def ending_of(self, seat: str | None) -> dict[str, str]:
        """The end for a seat or, with None, a spectator: as `TableFace.ending`."""
        if not self.ending:
            return self._face.ending(self.game, seat)
        of_two = len(self.seats) == 2
        title = f"You won: {self._gone}" if seat and of_two else self._gone
        why = (
            f"{self._winner} wins, whatever the points."
            if of_two
            else "The game ends here: no other person is at the table."
        )
        return {"title": f"You {self.ending.kind}" if seat == self.ending.seat else title, "why": why, "points": ""}

    @property
    def _face(self) -> TableFace:
        return table_of(self.game.spec)

    @property
    def _gone(self) -> str:
        assert self.ending
        return self.ending.in_words(self._face.seat_title)

    @property
    def _winner(self) -> str:
        assert self.ending
        return self._face.seat_title(next(seat for seat in self.seats if seat != self.ending.seat))


def ends_game(seats: Mapping[str, str], seat: str) -> bool:
    """Whether the game ends where a seat resigns: between two, and where no other person plays.

    Args:
        seats: seat -> "person" or an agent's name.
    """
    people = [one for one, holder in seats.items() if holder == PERSON and one != seat]
    return len(seats) == 2 or not people
