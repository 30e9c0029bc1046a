"""One game of Carcassonne with The Tunnel."""

from __future__ import annotations

from typing import Any

from channel_tunnel_env.core import game
from channel_tunnel_env.games.carcassonne.spec import SPEC
from channel_tunnel_env.ruleset import AnyRuleset, load_ruleset


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

    def record(self) -> dict[str, Any]:
        """The game so far as one JSON-ready record: seed, actions, its deck, the result."""
        from channel_tunnel_env.record_writing import write_record

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
