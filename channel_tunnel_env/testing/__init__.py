"""Checks to run after a change to a ruleset, the engine or an agent, and of a game that you write.

    report = check_ruleset("my_rules.yaml", games=100_000, seed=0)
    assert not report.violations, report
    report = check_game("shaft_bluff")
    assert not report.problems, report

`rulesets` plays one ruleset and holds it to the game's own invariants. `games` looks at a whole game: its `description`
first, then `play`, `secrecy`, `batches`, and the same game without compilation.
"""

from channel_tunnel_env.testing.games import GameReport, check_game
from channel_tunnel_env.testing.rulesets import CheckReport, Violation, check_invariants, check_ruleset, game_of_record

__all__ = [
    "CheckReport",
    "GameReport",
    "Violation",
    "check_game",
    "check_invariants",
    "check_ruleset",
    "game_of_record",
]
