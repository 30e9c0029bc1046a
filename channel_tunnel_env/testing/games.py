"""What is missing or wrong of a game, in words: for authors of a game, of this package or another.

Each part looks at one promise that every loop, environment and agent relies on. A part that cannot be checked because
another one failed is left out.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.core.whole_numbers import given_seed, seeds_from
from channel_tunnel_env.faces.registry import checker_of
from channel_tunnel_env.game import Game, game_class
from channel_tunnel_env.games import find_game, is_game
from channel_tunnel_env.outside.foreign import foreign_code
from channel_tunnel_env.rulesets.ruleset import Ruleset
from channel_tunnel_env.testing import description
from channel_tunnel_env.testing.batches import uneven_luck, unread_figures, wrong_batch
from channel_tunnel_env.testing.play import wrong_play, wrong_record
from channel_tunnel_env.testing.secrecy import Donors


@dataclass
class GameReport:
    """The result of `check_game`.

    Attributes:
        game: its name.
        problems: one line each; empty for a game that keeps every promise.
        parts: what was looked at.
        warnings: what is odd and may be meant, one line each.
    """

    game: str
    problems: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{self.game}: {problem}" for problem in self.problems]
        lines = lines or [f"{self.game}: nothing is wrong ({', '.join(self.parts)})"]
        return "\n".join((*lines, *(f"{self.game}: warning: {warning}" for warning in self.warnings)))

    def _run(self, part: str, work: Callable[[], Any]) -> Any:
        """What a step gives; None, and a problem, if it raises."""
        try:
            with foreign_code():
                return work()
        except Exception as error:
            self.problems.append(f"{part}: {description.in_words(error)}")
            return None

    def _look(self, part: str, look: Callable[[], Iterator[str]]) -> bool:
        """Add what a part finds; whether it found anything."""
        before = len(self.problems)
        if part not in self.parts:
            self.parts.append(part)
        self._run(part, lambda: self.problems.extend(f"{part}: {problem}" for problem in look()))
        return len(self.problems) > before


def check_game(game: GameSpec | str, *, games: int = 4, seed: int = 0, interpreted: bool = True) -> GameReport:
    """Look at everything that a game must provide.

    Args:
        game: the name of a game that is found, or its SPEC.
        games: random games that are played; their rulesets take turns.
        seed: of the deals and moves.
        interpreted: also play a game without compilation, in a process of its own.

    Returns:
        A report; a game that is wrong raises nothing.
    """
    seed = given_seed(seed)
    report = GameReport(game if isinstance(game, str) else game.name)
    spec = report._run("the module spec", lambda: _found(game))
    if spec is None or report._look("the description", lambda: description.wrong_fields(spec)):
        return report
    rulesets = report._run("rulesets", lambda: description.judged_rulesets(spec)) or []
    if report._look("rulesets", lambda: description.wrong_rulesets(spec, rulesets)) or not rulesets:
        return report
    report._look("faces", lambda: description.wrong_faces(spec))
    report.warnings += report._run("faces", lambda: [*description.missing_faces(spec)]) or []
    kind = report._run("the class of games", lambda: game_class(spec))
    whole = not report._look("invariants", lambda: _broken_invariants(rulesets, games, seed))
    if kind is None:
        return report
    if whole:
        # Not a problem: a figure may matter only where another one has another value.
        report.warnings += report._run("figures", lambda: [*unread_figures(rulesets, seed)]) or []
        report.warnings += report._run("luck", lambda: [*uneven_luck(rulesets, seed)]) or []
        for rules in rulesets[: max(1, games)]:
            report._look("batches", partial(wrong_batch, kind, rules, seed))
    donors: Donors = {}
    for number, own in enumerate(seeds_from(seed, games)):
        rules = rulesets[number % len(rulesets)]
        played = report._run("set-up", partial(kind, rules, own))
        if played is not None:
            report._look("play", partial(wrong_play, played, own, donors, number < len(rulesets)))
            report._look("records", partial(wrong_record, played))
    if interpreted and not report.problems and find_game(spec.name) is spec:
        report._look("without compilation", lambda: other_uncompiled(rulesets[0].name, seed))
    report.problems = list(dict.fromkeys(report.problems))
    return report


def _found(game: GameSpec | str) -> GameSpec:
    if isinstance(game, GameSpec):
        return game
    if not is_game(game):
        raise ValueError(f"no installed distribution provides a game {game!r}")
    return find_game(game)


def _broken_invariants(rulesets: list[Ruleset], games: int, seed: int) -> Iterator[str]:
    for rules in rulesets[: max(1, games)]:
        found = checker_of(rules.spec)(rules, max(1, games // 2), (seed, 0))
        if found.fault is not None:
            code = found.fault[0]
            words = rules.spec.record.invariants.get(code, "it has no words in `record.invariants`")
            yield f"{rules.name}: random play breaks invariant {code}: {words}"


TRACED = 60  # decisions
_ASK = """
import json, sys
from channel_tunnel_env.testing.games import trace
print(json.dumps(trace(sys.argv[1], int(sys.argv[2]))))
"""


def trace(ruleset: str, seed: int) -> list[str]:
    """The beginning of a random game, as a digest of state, mask and observations at each decision."""
    game, rng = Game(ruleset, seed), np.random.default_rng((seed, 2))
    traced = []
    for _ in range(TRACED):
        digest = hashlib.sha256()
        for name in game.states.dtype.names or ():
            digest.update(game.states[name].tobytes())
        digest.update(game.mask.tobytes())
        for seat in range(len(game.seats)):
            # Compiled arithmetic may fuse two roundings into one.
            digest.update(np.round(game.observation(seat), 4).tobytes())
        digest.update(repr(game.scores()).encode())
        traced.append(digest.hexdigest()[:12])
        if game.is_over:
            break
        game.play(int(rng.choice(game.legal_ids())))
    return traced


def other_uncompiled(ruleset: str, seed: int) -> Iterator[str]:
    """Where a random game goes on otherwise without compilation."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _ASK, ruleset, str(seed)],
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        yield f"{ruleset}: {last[:300]}"
        return
    theirs = json.loads(done.stdout)
    for decision, (ours, other) in enumerate(zip(trace(ruleset, seed), theirs, strict=False)):
        if ours != other:
            yield f"{ruleset}, seed {seed}, decision {decision}: the interpreted rules play otherwise"
            return
