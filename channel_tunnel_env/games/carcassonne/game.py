"""One game of Carcassonne with The Tunnel."""

from __future__ import annotations

from channel_tunnel_env import game
from channel_tunnel_env.games.carcassonne.spec import SPEC
from channel_tunnel_env.rulesets.ruleset import AnyRuleset


class Game(game.Game):
    """A game of Carcassonne, at its next real decision, or over; see `game.Game`."""

    __slots__ = ()

    game_name = SPEC.name

    def __init__(self, ruleset: AnyRuleset = "carcassonne", seed: int | None = None) -> None:
        super().__init__(ruleset, seed)

    @property
    def turn(self) -> int:
        """The turn, from 1."""
        return int(self._states["turn"][0])

    @property
    def tile(self) -> str | None:
        """The type of the tile drawn; None when the game is over."""
        kind = int(self._states["tile"][0])
        return None if kind < 0 else self.ruleset.data.tile_types()[kind].name
