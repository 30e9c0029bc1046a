"""Games to begin with, and what must hold of a game that was accepted."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from channel_tunnel_env import Game, Ruleset, load_ruleset
from channel_tunnel_env.testing import check_invariants
from tests.fuzz.mutations import Random
from tests.positions import differing_fields

MOVES = 20  # random ones after which the invariants must still hold


@cache
def rulesets() -> list[Ruleset]:
    """Some that differ in what a game holds."""
    unforced = {"switches.auto_forced": False, "switches.technology_without_move": "always"}
    return [
        load_ruleset("standard"),
        load_ruleset("agenda"),
        load_ruleset("tiny"),
        load_ruleset("agenda").with_values(unforced),
    ]


@cache
def games() -> list[Game]:
    """Positions of all kinds: of every phase, at every stage, some of them over."""
    rng, found = np.random.default_rng(0), []
    for ruleset in rulesets():
        by_phase: dict[str, list[Game]] = {}
        for seed in range(4):
            game = Game(ruleset, seed)
            while not game.is_over:
                play_randomly(game, rng)
                by_phase.setdefault(str(game.phase), []).append(game.clone())
        for reached in by_phase.values():
            found += [reached[i] for i in rng.permutation(len(reached))[:16]]
    return found


def play_randomly(game: Game, rng: Random) -> None:
    """One move; a pass only now and then, so that more happens."""
    ids = game.legal_ids()
    names = game.legal_actions()
    if len(ids) > 1 and "pass" in names and rng.random() < 0.8:
        ids.pop(names.index("pass"))
    game.play(int(ids[int(rng.integers(len(ids)))]))


def check_possible(game: Game, rng: Random) -> None:
    """A game that was accepted is one that play can reach, reads back, and goes on.

    Raises:
        AssertionError: an invariant does not hold, now or after some moves; or it does not read back.
    """
    check_reads_back(game)
    game = game.clone()
    for _ in range(MOVES):
        check_invariants(game)
        if game.is_over:
            break
        play_randomly(game, rng)
    check_invariants(game)
    for viewer in (0, 1):
        game.observation(viewer)
        game.determinize(viewer, 1)


def check_reads_back(game: Game) -> None:
    """A game that is written as a position reads back as the same one."""
    again = Game.from_position(game.to_position(), game.ruleset)
    different = differing_fields(game, again)
    assert not different, f"written and read back, these fields differ: {different}"


def plain(game: Game) -> dict[str, Any]:
    """A game as a position."""
    return game.to_position()
