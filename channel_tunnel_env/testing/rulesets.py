"""Random games of one ruleset, held to the game's own invariants; memory use does not grow with their number."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from channel_tunnel_env.batch import MOST_THREADS
from channel_tunnel_env.core.checking import CheckedGames
from channel_tunnel_env.core.game import Game as AnyGame
from channel_tunnel_env.core.threads import spread_over_threads
from channel_tunnel_env.core.whole_numbers import given_seed
from channel_tunnel_env.faces.registry import checker_of
from channel_tunnel_env.game import Game
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset, load_ruleset

MOST_GAMES = 100_000_000
CHUNK = 500  # games per progress report; the result does not depend on the number of threads


@dataclass(frozen=True)
class Violation:
    """A broken invariant and the record that broke it.

    Attributes:
        code: a key of the game's `invariants`.
        sentence: what should have held.
        game: a Game over the record as it was found; for inspection, not for play.
    """

    code: int
    sentence: str
    game: Any = field(repr=False)


@dataclass
class CheckReport:
    """The result of `check_ruleset`.

    Attributes:
        ruleset: its name.
        games: how many were played.
        decisions: the players' real choices.
        plies: all actions, forced ones too.
        rounds: what the game's clock counts, of all games together.
        wins: by seat, and "draw".
        stopped: games stopped for lack of progress.
        end_causes: games by end cause.
        violations: broken invariants; none if all is well.
        seconds: the time it took.
        clock: what `rounds` counts, such as "round" or "turn".
    """

    ruleset: str
    games: int = 0
    decisions: int = 0
    plies: int = 0
    rounds: int = 0
    wins: dict[str, int] = field(default_factory=dict)
    stopped: int = 0
    end_causes: dict[str, int] = field(default_factory=dict)
    violations: list[Violation] = field(default_factory=list)
    seconds: float = 0.0
    clock: str = "round"

    @property
    def games_per_second(self) -> float:
        """Games checked per second."""
        return self.games / self.seconds if self.seconds else 0.0

    def add(self, found: CheckedGames, rules: Ruleset) -> None:
        """Count some more games."""
        for name in ("games", "decisions", "plies", "rounds", "stopped"):
            setattr(self, name, getattr(self, name) + getattr(found, name))
        for ours, theirs in ((self.wins, found.wins), (self.end_causes, found.end_causes)):
            for name, count in theirs.items():
                ours[name] = ours.get(name, 0) + count
        if found.fault is not None:
            code, states = found.fault
            broken = game_of_record(states, rules)
            self.violations.append(Violation(code, rules.spec.record.invariants[code], broken))


def check_invariants(game: AnyGame) -> None:
    """Check every invariant that one position of any game can show.

    Args:
        game: in any state; it is not changed.

    Raises:
        AssertionError: an invariant is broken; gives the code and the sentence of the first.
    """
    code = int(game.spec.record.find_faults(game.states, game.tables, False)[0])
    if code:
        raise AssertionError(f"invariant {code}: {game.spec.record.invariants[code]}")


def check_ruleset(
    ruleset: AnyRuleset = "standard",
    games: int = 10_000,
    seed: int = 0,
    num_threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> CheckReport:
    """Play uniformly random games of any ruleset and check every invariant after every action.

    Args:
        ruleset: as for `Game`, of any game.
        games: number of games, 1 .. 100,000,000.
        seed: for all games; the report, except its seconds, is reproducible from ruleset, games and
            seed.
        num_threads: number of threads that chunks of games are spread over, 1 .. 1024.
        progress: called with the number of games just finished.

    Returns:
        The tallies, and one violation per chunk of games that found one (the chunk stops there).

    Raises:
        RulesetError: a wrong ruleset.
        ValueError: a number out of range.
    """
    for what, number, most in (("games", games, MOST_GAMES), ("threads", num_threads, MOST_THREADS)):
        if not 1 <= number <= most:
            raise ValueError(f"{what} {number}: allowed: 1 to {most:,}")
    seed, rules = given_seed(seed), load_ruleset(ruleset)
    spec = rules.spec
    report, play = CheckReport(rules.name, clock=spec.record.clock[1]), checker_of(spec)
    sizes = [CHUNK] * (games // CHUNK) + [games % CHUNK] * (games % CHUNK > 0)
    play(rules, 1, (0, 0))  # compiles on first use, before the clock starts
    begin = time.perf_counter()

    def work(chunk: int) -> CheckedGames:
        found: CheckedGames = play(rules, sizes[chunk], (seed, chunk))
        return found

    for found in spread_over_threads(work, range(len(sizes)), num_threads):
        report.add(found, rules)
        if progress is not None:
            progress(found.games)
    report.seconds = time.perf_counter() - begin
    return report


def game_of_record(states: NDArray[Any], rules: Ruleset) -> Any:
    """A Game over an unchecked copy of a record, possible or not; for inspection, not for play."""
    return Game.as_found(states, rules)
