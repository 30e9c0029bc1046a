"""Random rulesets, random games, and digests of what a game shows."""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import numpy as np

from channel_tunnel_env import Game, Ruleset, load_ruleset
from channel_tunnel_env.games import game_names
from channel_tunnel_env.games.tunnel_1987.ruleset import Switches
from channel_tunnel_env.rulesets.ruleset import builtin_rulesets

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB


@cache
def builtin(name: str) -> Ruleset:
    """A ruleset of the package, read once."""
    return load_ruleset(name)


EVERY_RULESET = [name for game in game_names() for name in builtin_rulesets(game)]
"""The built-in rulesets of every game."""
SWITCHES: dict[str, tuple[Any, ...]] = {
    name: get_args(field.annotation) or (False, True) for name, field in Switches.model_fields.items()
}
"""Every switch of a ruleset, with all its values."""


def turned() -> list[tuple[str, Any]]:
    """Every switch with each value that it does not have in the standard ruleset."""
    usual = builtin("standard").data.switches
    return [(name, value) for name, values in SWITCHES.items() for value in values if value != getattr(usual, name)]


def changed(base: str, changes: dict[str, Any]) -> Ruleset:
    """A builtin ruleset with some nested values replaced; lists and figures as a whole."""
    plain = builtin(base).plain()
    for key, value in changes.items():
        *path, last = key.split(".")
        node = plain
        for part in path:
            node = node[part]
        assert last in node, key
        node[last] = value
    return load_ruleset(plain)


# Answers that only decline something; leaving them out makes games longer and fuller.
DECLINES = (50, 107, 132, 145, 167)


def choose(game: Game, rng: random.Random, eager: bool = False) -> int:
    """A random legal id; `eager` declines only when there is nothing else."""
    legal = game.legal_ids()
    useful = [a for a in legal if a not in DECLINES] if eager else legal
    return rng.choice(useful or legal)


def play_on(game: Any, seed: int, decisions: int = 1_000_000) -> Any:
    """Uniformly random decisions of any game, to its end or at most `decisions`; returns the game itself."""
    rng, goal = np.random.default_rng(seed), len(game.action_ids) + decisions
    while not game.is_over and len(game.action_ids) < goal:
        game.play(int(rng.choice(game.legal_ids())))
    return game


def walk(game: Game, seed: int, eager: bool = False, most: int = 100_000) -> Iterator[int]:
    """Play `game` on at random; stops at every decision, and at the end, with its number."""
    rng = random.Random(seed)
    for number in range(most):
        yield number
        if game.is_over:
            return
        game.play(choose(game, rng, eager))


def mix(x: int) -> int:
    """SplitMix64's finaliser, written a second time."""
    x = ((x ^ (x >> 30)) * MIX_1) & MASK
    x = ((x ^ (x >> 27)) * MIX_2) & MASK
    return x ^ (x >> 31)


def next_seed(seed: int) -> int:
    """The seed of the game that follows in an autoreset batch."""
    return mix((seed * MIX_1 + GOLDEN) & MASK) >> 1


def show(game: Game) -> bytes:
    """Everything a game shows at a decision: record, both observations, mask."""
    parts = [game._states.tobytes(), game.action_mask.tobytes()]
    parts += [game.observation(seat).tobytes() for seat in (0, 1)]
    return b"".join(parts)


def digests(name: str, seed: int, most: int) -> list[str]:
    """A hash for each of the first decisions of a random game, and one of its scores."""
    game = Game(name, seed)
    found = [hashlib.sha256(show(game)).hexdigest()[:16] for _ in walk(game, seed, seed % 2 == 0, most)]
    scores = json.dumps([game.scores(), game.winner, game.end_cause, game.actions])
    world = game.determinize("france", seed)._states.tobytes()
    return [*found, hashlib.sha256(scores.encode() + world).hexdigest()[:16]]


def fields(states: np.ndarray) -> dict[str, bytes]:
    """A record's bytes by field, but for the row of the tables it points to."""
    return {n: np.asarray(states[n]).tobytes() for n in states.dtype.names or () if n != "ruleset"}


if __name__ == "__main__":  # name seed decisions, by threes: their digests as JSON
    jobs = sys.argv[1:]
    print(json.dumps([digests(n, int(s), int(m)) for n, s, m in zip(jobs[::3], jobs[1::3], jobs[2::3], strict=True)]))
