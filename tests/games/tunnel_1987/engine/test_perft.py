"""Perft: how many games of a few decisions there are: committed numbers against the engine's clones."""

from __future__ import annotations

import pytest

from channel_tunnel_env import Game
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES
from tests.games.tunnel_1987.positions import position

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


@pytest.mark.parametrize("seed", list(STARTS))
def test_leaves_from_the_start(seed: int) -> None:
    assert_leaves(Game("tiny", seed), STARTS[seed])


def test_leaves_from_a_rich_position() -> None:
    assert_leaves(position(RICH, "tiny"), RICH_LEAVES)
