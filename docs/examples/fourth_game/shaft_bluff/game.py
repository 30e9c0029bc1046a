"""One game of Shaft Bluff."""

from __future__ import annotations

from channel_tunnel_env import game
from channel_tunnel_env.rulesets.ruleset import AnyRuleset
from shaft_bluff.spec import SPEC


class Game(game.Game):
    """A game of Shaft Bluff, at its next decision, or over; see `channel_tunnel_env.Game`."""

    __slots__ = ()

    game_name = SPEC.name

    def __init__(self, ruleset: AnyRuleset = "shaft_bluff", seed: int | None = None) -> None:
        super().__init__(ruleset, seed)
