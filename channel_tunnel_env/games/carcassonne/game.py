"""One game of Carcassonne with The Tunnel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from channel_tunnel_env.core import game
from channel_tunnel_env.errors import RecordError
from channel_tunnel_env.games.carcassonne.spec import SPEC
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, load_ruleset


class Game(game.Game):
    """A game at its next real decision, or over.

    Args:
        ruleset: "carcassonne", a path to YAML, an overlay dict or a Ruleset.
        seed: 0 .. 2**63 - 1; the same seed deals the same deck whatever is played. None: random.

    Raises:
        RulesetError: a wrong ruleset.
        ValueError: a wrong seed, or a ruleset of another game.
    """

    __slots__ = ()

    game_name = SPEC.name

    def __init__(self, ruleset: AnyRuleset = "carcassonne", seed: int | None = None) -> None:
        super().__init__(load_ruleset(ruleset), seed)

    def to_position(self, viewer: str | int | None = None) -> dict[str, Any]:
        """The position as plain data (YAML, JSON; see `positions`).

        Args:
            viewer: a seat, to leave out the order of the deck, which no seat knows; None writes everything.

        Raises:
            ValueError: there is no such seat.
        """
        from channel_tunnel_env.games.carcassonne.positions import write_state

        if viewer is not None:
            self.seat_index(viewer)
        return write_state(self._states[0], self.ruleset, hides=viewer is not None)

    @classmethod
    def from_position(cls, position: Mapping[str, Any], ruleset: AnyRuleset | None = None) -> Self:
        """A game from a position.

        Args:
            position: as `to_position` writes it, or a person (see `positions`).
            ruleset: replaces the one that the position names.

        Raises:
            PositionError: a key or value is wrong, or play cannot reach the position.
        """
        from channel_tunnel_env.games.carcassonne.positions import read_states

        return cls.adopt(*read_states(position, ruleset))

    def start_position(self) -> dict[str, Any]:
        """The first record as a position, for `record`.

        Raises:
            RecordError: the game was dealt from its seed.
        """
        from channel_tunnel_env.games.carcassonne.positions import write_state

        if self._start is None:
            raise RecordError("the game was dealt from its seed")
        return write_state(self._start[0], self.ruleset)

    def record(self) -> dict[str, Any]:
        """The game so far as one JSON-ready record: seed, actions, its deck, the result."""
        from channel_tunnel_env.records.writing import write_record

        return write_record(self)

    def render(self, viewer: str | int | None = None) -> str:
        """The table as text (see `render`).

        Args:
            viewer: a seat, for the same call as other games have; all seats see the same.
        """
        from channel_tunnel_env.games.carcassonne.render import to_text

        return to_text(self)

    def to_svg(
        self,
        viewer: str | int | None = None,
        theme: str = "light",
        *,
        layout: str = "wide",
        width: int | None = None,
    ) -> str:
        """The table as a picture in SVG (see `board.picture.to_svg`).

        Raises:
            ValueError: an unknown theme or layout, or a width below 1.
        """
        from channel_tunnel_env.games.carcassonne.board.picture import to_svg

        return to_svg(self, viewer, theme, layout=layout, width=width)

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        return self.to_svg(theme="auto")

    @property
    def turn(self) -> int:
        """The turn, from 1."""
        return int(self._states["turn"][0])

    @property
    def tile(self) -> str | None:
        """The type of the tile drawn; None when the game is over."""
        kind = int(self._states["tile"][0])
        return None if kind < 0 else self.ruleset.data.tile_types()[kind].name
