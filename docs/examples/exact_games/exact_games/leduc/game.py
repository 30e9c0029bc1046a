"""One game of Leduc poker."""

from __future__ import annotations

from channel_tunnel_env import game
from channel_tunnel_env.rulesets.ruleset import AnyRuleset
from exact_games.leduc.spec import SPEC


class Game(game.Game):
    """A game of Leduc poker, at its next decision, or over."""

    __slots__ = ()

    game_name = SPEC.name

    def __init__(self, ruleset: AnyRuleset = SPEC.name, seed: int | None = None) -> None:
        super().__init__(ruleset, seed)
