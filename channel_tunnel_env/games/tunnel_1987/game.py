"""One game with everything that can be done with it: play, save, record, show."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

import numpy as np

from channel_tunnel_env.errors import RecordError
from channel_tunnel_env.games.tunnel_1987.bare_game import (
    BLANK,
    MAX_SEED,
    BareGame,
    Phase,
    check_seed,
    seat_index,
    tables_of,
)
from channel_tunnel_env.rulesets.ruleset import Ruleset

__all__ = ["BLANK", "MAX_SEED", "Game", "Phase", "check_seed", "seat_index", "tables_of"]


class Game(BareGame):
    """A game of 1987 Channel Tunnel, at the next real decision or over.

    Args:
        ruleset: a name ("standard", "agenda", "tiny"), a path to YAML, an overlay dict or a Ruleset.
        seed: 0 .. 2**63 - 1; the same seed deals the same decks whatever is played. None: random.

    Raises:
        RulesetError: a wrong ruleset.
        ValueError: a wrong seed.
    """

    # What builds on a bare game is imported on first use: most programs only play.
    __slots__ = ()

    def to_position(self, viewer: str | int | None = None) -> dict[str, Any]:
        """The position as plain data (YAML, JSON); with a viewer, only what that seat knows."""
        from channel_tunnel_env.games.tunnel_1987.positions.position import write_position

        return write_position(self, None if viewer is None else seat_index(viewer))

    @classmethod
    def from_position(
        cls, position: dict[str, Any], ruleset: str | Path | Ruleset | None = None
    ) -> Self:
        """A game from a position.

        Args:
            position: as written by `to_position`; missing keys mean "as at the start of a game".
            ruleset: replaces the one that the position names.

        Raises:
            PositionError: unknown keys, values out of range, pieces that do not add up, or a position
                that play cannot reach.
        """
        from channel_tunnel_env.games.tunnel_1987.positions.position import read_states

        return cls.adopt(*read_states(position, ruleset))

    def start_position(self) -> dict[str, Any]:
        """The first record as a position."""
        from channel_tunnel_env.games.tunnel_1987.positions.position import write_state

        start = self.start
        if start is None:
            raise RecordError("the game was dealt from its seed")
        return write_state(start.view(np.recarray)[0], self.ruleset)

    def record(self) -> dict[str, Any]:
        """The game so far as one JSON-ready record: seed, actions, their luck, the result."""
        from channel_tunnel_env.records.writing import write_record

        return write_record(self)

    def render(self, viewer: str | int | None = None) -> str:
        """The board as text; with a viewer, only what that seat knows."""
        from channel_tunnel_env.games.tunnel_1987.render import to_text

        return to_text(self, viewer)

    def to_svg(
        self,
        viewer: str | int | None = None,
        theme: str = "light",
        *,
        layout: str = "wide",
        width: int | None = None,
    ) -> str:
        """The board as a picture in SVG (see `board.picture.to_svg`).

        Args:
            viewer: "britain", "france" or a seat, to draw only what it knows; None draws everything.
            theme: "light", "dark", or "auto", which follows the reader's system.
            layout: "wide", or "narrow" for a phone: the same parts in one column.
            width: in pixels; None leaves the size to the page (the picture is 1200 or 480 units
                wide).

        Raises:
            ValueError: an unknown viewer, theme or layout, or a width below 1.
        """
        from channel_tunnel_env.games.tunnel_1987.board import to_svg

        return to_svg(self, viewer, theme, layout=layout, width=width)

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        return self.to_svg(theme="auto")
