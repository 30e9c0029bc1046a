"""`check`: play random games and look for broken invariants."""

from __future__ import annotations

import os
from typing import Annotated

import tyro

from channel_tunnel_env.cli.taking import RulesetFirst
from channel_tunnel_env.outside.progress import show_progress
from channel_tunnel_env.rulesets.ruleset import load_ruleset
from channel_tunnel_env.testing import CheckReport, Violation, check_ruleset


def check(
    ruleset: RulesetFirst = "standard",
    games: Annotated[int, tyro.conf.arg(help="how many games")] = 20_000,
    seed: int = 0,
    threads: Annotated[int, tyro.conf.arg(help="0: one per processor")] = 1,
) -> int:
    """Play random games and check every invariant of the rules after every action.

    For example:
        channel-tunnel check carcassonne --games 1000

    Args:
        ruleset: a name or a YAML file.
        seed: the same seed plays the same games.
    """
    rules, threads = load_ruleset(ruleset), threads or os.cpu_count() or 1
    with show_progress() as progress:
        report = check_ruleset(rules, games, seed, threads, progress.begin(f"checking {rules.name}", games))
    for violation in report.violations:
        print(describe_violation(violation))
    print(describe_report(report))
    return 1 if report.violations else 0


def describe_violation(violation: Violation) -> str:
    """The broken invariant and the board on which it was found."""
    game = violation.game
    return (
        f"Invariant {violation.code} is broken: {violation.sentence}\n"
        f"in the game of seed {game.seed}, after {int(game.state.ply)} actions:\n\n"
        f"{game.render()}\n"
    )


def describe_report(report: CheckReport) -> str:
    """The tallies in a few lines."""
    wins = ", ".join(f"{side} {n:,}" for side, n in report.wins.items())
    causes = ", ".join(f"{cause} {n:,}" for cause, n in report.end_causes.items() if n)
    games = max(report.games, 1)
    found = f"{len(report.violations)} violations" if report.violations else "no violation"
    return "\n".join(
        [
            f"{report.ruleset}: {report.games:,} games in {report.seconds:.1f} s "
            f"({report.games_per_second:,.0f} per second), {found}",
            f"  actions    {report.plies:,}, of which {report.decisions:,} were choices "
            f"({report.decisions / games:.0f} per game, {report.rounds / games:.1f} {report.clock}s)",
            f"  wins       {wins}",
            f"  end causes {causes}",
        ]
    )
