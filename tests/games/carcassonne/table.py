"""A table laid out as the scenarios write it: tiles, tokens, turns (rules 10)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.legality import PAIR
from channel_tunnel_env.games.carcassonne.positions import (
    SEATS,
    PlacedPieces,
    cell_at,
    opening_names,
    segment_number,
    set_colour,
)
from tests.games.carcassonne import kernels as own
from tests.games.carcassonne.records import GameRecord


@dataclass(frozen=True)
class Turn:
    """A whole turn: tile, follower, token."""

    seat: int
    kind: str
    x: int
    y: int
    turned: int
    segment: str | None
    openings: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> Turn:
        """From "SEAT TYPE x y rotation [segment] [opening | opening+opening]"."""
        seat, kind, x, y, turned, *rest = text.split()
        segment = next((word for word in rest if re.fullmatch(r"[crf]\d|m", word)), None)
        tokens = next((word for word in rest if "." in word), "")
        return cls(
            SEATS.index(seat), kind, int(x), int(y), int(turned), segment, tuple(tokens.split("+")) if tokens else ()
        )


class Refused(Exception):
    """A part of a turn is not legal: "place", "claim" or "token"."""


class Table(GameRecord):
    """A game as the scenarios write it."""

    def __init__(self, **switches: Any) -> None:
        # Nothing resolves itself, so that every part of a turn is played as it is written.
        super().__init__(**switches, auto_forced=False)
        self.lay_out()

    def copy(self) -> Table:
        """The same table again."""
        other = object.__new__(Table)
        other.__dict__.update(self.__dict__)
        other.states = self.states.copy()
        return other

    def lay(self, text: str) -> None:
        """Lay "TYPE x y rotation [SEAT@segment]"."""
        self.layout.lay(text)

    @property
    def layout(self) -> PlacedPieces:
        """What puts pieces on this table, as a position does."""
        return PlacedPieces(self.ruleset, self.states, self.tables)

    def _segment(self, number: int, name: str) -> int:
        """Flat number of r0, c1, f2 or m of a lying tile."""
        return segment_number(self.types[int(self.state.tile_type[number])], name)

    def node(self, place: str) -> int:
        """The node of "x,y segment"."""
        where, name = place.split()
        x, y = map(int, where.split(","))
        number = int(self.state.grid[cell_at(x, y)]) - 1
        return int(self.state.first_node[number]) + self._segment(number, name)

    def opening(self, name: str) -> int:
        """Number of an opening such as TU3.S."""
        return opening_names(self.types)[name]

    def lay_token(self, opening: str, owner: str) -> None:
        """A token that lies already: owner and set, such as A1; P1 of a common stock."""
        self.layout.lay_token(f"{opening}={owner}")

    def colour(self, owner: str) -> int:
        """Colour of a set: A1 is seat A's first."""
        return set_colour(self.rules, owner)

    def supply(self, owner: str) -> list[int]:
        """Tokens left by set."""
        sets = c.NUM_TOKEN_COLOURS if owner == "P" else self.rules.token_sets
        return [int(self.state.stock[self.colour(f"{owner}{k + 1}")]) for k in range(sets)]

    def draw(self, seat: int, kind: str) -> None:
        """Put a tile into a seat's hand, whatever the deck says."""
        self.state.to_play, self.state.tile = seat, self.names.index(kind)
        self.state.phase, self.state.cell, self.state.mouth = c.CELL, c.NONE, c.NONE

    def act(self, part: str, action: int) -> None:
        """Do an action.

        Raises:
            Refused: it is not legal.
        """
        if action not in self.legal():
            raise Refused(part)
        self.play(action)

    def take(self, turn: Turn) -> list[int]:
        """A whole turn; returns what each seat gained."""
        self.draw(turn.seat, turn.kind)
        before = self.state.score.copy()
        self.act("place", c.FIRST_CELL + cell_at(turn.x, turn.y))
        self.act("place", c.FIRST_ROTATE + turn.turned)
        while self.state.phase in (c.CLAIM, c.TOKEN) and self.state.cell != c.NONE:
            if self.state.phase == c.CLAIM:
                self.act("claim", self._claim(turn))
            else:
                self.act("token", self._token(turn))
        gained = self.state.score - before
        return [int(points) for points in gained[: self.rules.players]]

    def _claim(self, turn: Turn) -> int:
        if turn.segment is None:
            return c.CLAIM_NONE
        number = int(self.state.tile_count) - 1
        kind = self.types[int(self.state.tile_type[number])]
        segment = self._segment(number, turn.segment)
        places = range(c.NUM_PLACES)
        return c.FIRST_CLAIM + next(p for p in places if kind.place_segment(p, turn.turned) == segment)

    def _token(self, turn: Turn) -> int:
        mouths = [self.opening(name) for name in turn.openings]
        if not mouths:
            return c.TOKEN_NONE
        if len(mouths) == 1:
            return c.FIRST_TOKEN + mouths[0]
        return c.FIRST_TUNNEL + int(PAIR[mouths[0], mouths[1]])

    def feature(self, node: int) -> dict[str, Any]:
        """What the engine knows of a node's feature, and whether it is complete."""
        found = self.survey(node)
        return found | {"complete": found["open"] == 0}

    def final(self) -> Table:
        """A copy to which the final scoring was added."""
        other = self.copy()
        own.end_scoring(other.states, 0, other.tables, other.work)
        return other

    def placements(self, kind: str) -> list[list[int]]:
        """[x, y, rotation] of a type."""
        found = []
        other = self.copy()
        other.draw(0, kind)
        for cell in other.legal():
            probe = other.copy()
            probe.act("place", cell)
            x, y = ((v + 16) % 32 - 16 for v in (cell % 32, cell // 32))
            found += [[x, y, action - c.FIRST_ROTATE] for action in probe.legal()]
        return sorted(found)
