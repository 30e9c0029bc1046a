"""What the pages of all games take from the live objects."""

from __future__ import annotations

from channel_tunnel_env.rulesets.ruleset import Ruleset, builtin_rulesets, load_ruleset
from pages.games import GamePages


def rules_of(game: GamePages) -> Ruleset:
    """The ruleset that the pages of a game show."""
    return load_ruleset(game.ruleset)


def rulesets_of(game: GamePages) -> list[Ruleset]:
    """Every built-in ruleset of a game, the shown one first."""
    shown = rules_of(game)
    return [shown, *(load_ruleset(n) for n in builtin_rulesets(game.name) if n != shown.name)]


def ids(start: int, size: int) -> str:
    """A range of ids."""
    return f"{start}-{start + size - 1}" if size > 1 else str(start)


def listed(words: list[str] | tuple[str, ...]) -> str:
    """Words as code with commas between."""
    return ", ".join(f"`{word}`" for word in words)
