"""A position of any game: the ruleset that it names says which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.rulesets.entry import entry_ruleset
from channel_tunnel_env.rulesets.ruleset import AnyRuleset

USUAL = "standard"
"""The ruleset of a position that names none."""


def open_position(position: Mapping[str, Any], ruleset: AnyRuleset | None = None) -> Game:
    """A game from a position, as `to_position` of its game writes it.

    Args:
        ruleset: replaces the one that the position names.

    Raises:
        RulesetError: no such ruleset, or an invalid one.
        PositionError: the position is not one of the ruleset's game.
    """
    rules = entry_ruleset(position.get("ruleset", USUAL), ruleset, None)
    kind: Any = rules.spec.load_game_class()
    game: Game = kind.from_position(position, None if ruleset is None else rules)
    return game
