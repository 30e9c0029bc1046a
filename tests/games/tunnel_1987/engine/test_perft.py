"""Perft: how many games of a few decisions there are, by three ways of counting.

Committed numbers, the engine's clones, and the oracle replaying every sequence of actions.
"""

from __future__ import annotations

import pytest

from channel_tunnel_env import Game
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES
from tests.games.tunnel_1987.oracle import Oracle
from tests.games.tunnel_1987.positions import position
from tests.random_games import DECLINES, builtin
from tests.snapshots import LoggedChance, LoggedGame

RICH = """
round: 3
seed: 5
display: [new_materials, influence_italy, political_duel]
deviation_discard: [red0]
britain:
  discs: {blue: 1, orange: 2}
  route: [orange, blue]
  storage: [yellow]
  deviation: 1
  money: [influence_spain]
  cards: [{card: control_room_3, rubble: [white]}]
  technology: [1, 0]
france:
  discs: {white: 1, black: 2}
  tbm: 1
  route: [black]
  storage: []
  cards: [{card: heavy_machinery, rubble: [yellow]}]
"""

# Leaves at depths 1, 2, 3 ...; a game that is over is a leaf.
STARTS = {0: [51, 1691, 31969], 1: [41, 1146, 16816], 2: [51, 1704, 35729]}
RICH_LEAVES = [20, 137, 620, 2660, 11083, 57438]


def perft(game: Game, depth: int) -> int:
    """Leaves `depth` decisions ahead."""
    if depth == 0 or game.is_over:
        return 1
    legal = game.legal_ids()
    if depth == 1:
        return len(legal)
    return sum(perft(game.clone().play(action), depth - 1) for action in legal)


def split(game: Game, depth: int) -> dict[str, int]:
    """Leaves by first action."""
    return {ACTION_NAMES[action]: perft(game.clone().play(action), depth - 1) for action in game.legal_ids()}


def assert_leaves(game: Game, wanted: list[int]) -> None:
    found = [perft(game, depth) for depth in range(1, len(wanted) + 1)]
    for depth, (a, b) in enumerate(zip(found, wanted, strict=True), 1):
        lines = [f"{name}: {count}" for name, count in split(game, depth).items()]
        assert a == b, f"depth {depth}: {a} leaves, {b} expected\n" + "\n".join(lines)


class Pair:
    """A sequence of actions played by the engine, whose luck the oracle takes over."""

    def __init__(self, seed: int, actions: list[int]) -> None:
        self.engine = LoggedGame(builtin("tiny"), seed)
        self.oracle = Oracle(builtin("tiny").plain(), self.engine.chance)
        for action in actions:
            self.engine.play(action)
            self.oracle.play(action)
        assert isinstance(self.engine.chance, LoggedChance) and not self.engine.chance.queue


def oracle_split(seed: int, actions: list[int], depth: int) -> dict[str, int]:
    """Leaves by the next action, by the oracle's legal lists alone."""
    counts: dict[str, int] = {}
    for action in Pair(seed, actions).oracle.legal():
        counts[ACTION_NAMES[action]] = oracle_perft(seed, [*actions, action], depth - 1)
    return counts


def oracle_perft(seed: int, actions: list[int], depth: int) -> int:
    oracle = Pair(seed, actions).oracle if depth else None
    if oracle is None or oracle.over:
        return 1
    if depth == 1:
        return len(oracle.legal())
    return sum(oracle_split(seed, actions, depth).values())


def opening(seed: int, decisions: int) -> list[int]:
    """A fixed way into a game: always the middle one of what is not declining."""
    game = Game("tiny", seed)
    for _ in range(decisions):
        legal = game.legal_ids()
        useful = [a for a in legal if a not in DECLINES] or legal
        game.play(useful[len(useful) // 2])
    assert not game.is_over
    return [int(a) for a in game._actions]


@pytest.mark.parametrize("seed", list(STARTS))
def test_leaves_from_the_start(seed: int) -> None:
    assert_leaves(Game("tiny", seed), STARTS[seed])


def test_leaves_from_a_rich_position() -> None:
    assert_leaves(position(RICH, "tiny"), RICH_LEAVES)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_oracle_counts_the_same_from_the_start(seed: int) -> None:
    assert oracle_split(seed, [], 2) == split(Game("tiny", seed), 2)


@pytest.mark.parametrize("seed, decisions", [(0, 12), (1, 20), (2, 30), (5, 25)])
def test_the_oracle_counts_the_same_in_the_middle_of_a_game(seed: int, decisions: int) -> None:
    actions, game = opening(seed, decisions), Game("tiny", seed)
    for action in actions:
        game.play(action)
    depth = 3 if len(game.legal_ids()) < 25 else 2
    assert oracle_split(seed, actions, depth) == split(game, depth)
