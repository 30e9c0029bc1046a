"""The games, one folder each, found by the `game:` of a ruleset; no game imports another.

`core.spec` says what a game must provide.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path

from channel_tunnel_env.core.spec import GameSpec

GAMES = ("tunnel_1987", "carcassonne", "eurotunnel")
DEFAULT_GAME = GAMES[0]
"""The game of a ruleset without `game:`."""
_PACKAGE = Path(__file__).parents[1]
RULESET_FOLDERS = {game: _PACKAGE / "games" / game / "rulesets" for game in GAMES}
"""Game -> the folder of its built-in rulesets."""


@cache
def find_game(name: str) -> GameSpec:
    """The game with a name of GAMES."""
    spec: GameSpec = importlib.import_module(f"{__name__}.{name}.spec").SPEC
    return spec
