"""Imagined worlds and laid-out positions have luck of their own, whatever seed they are given."""

from __future__ import annotations

from functools import cache

import pytest

from channel_tunnel_env import Game
from channel_tunnel_env.core.rng import GOLDEN
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from tests.random_games import MASK, mix, next_seed

SIDES = ("britain", "france")
TOP = 1 << 63


@cache
def unmix(x: int) -> int:
    """The number that `mix` turns into x: every step of it can be undone."""
    inverse = (pow(0xBF58476D1CE4E5B9, -1, 2**64), pow(0x94D049BB133111EB, -1, 2**64))
    x = x ^ (x >> 31) ^ (x >> 62)
    x = x * inverse[1] & MASK
    x = x ^ (x >> 27) ^ (x >> 54)
    x = x * inverse[0] & MASK
    return x ^ (x >> 30) ^ (x >> 60)


def root(key: int, stream: int) -> int:
    """What a stream's key was made from: of a game, its seed."""
    base = (unmix(key) - int(GOLDEN) * (stream + 1)) & MASK
    return (unmix(base) - int(GOLDEN)) & MASK


def roots(game: Game) -> list[int]:
    """By stream."""
    return [root(int(key), i) for i, key in enumerate(game.state.rng_key)]


def test_a_key_can_be_traced_to_the_seed_of_its_game() -> None:
    """So the tests below can tell whose keys they see: all of a game's come from its seed."""
    assert all(unmix(mix(x)) == x for x in (0, 1, TOP, MASK, 12345678901234567890))
    for seed in (0, 1, 2026, 2**63 - 1):
        assert roots(Game("agenda", seed)) == [seed] * c.NUM_STREAMS


SEEDS = (0, 1, 5, 2**62, 2**63 - 1)


@pytest.mark.parametrize("given", SEEDS)
def test_a_world_has_the_keys_of_no_game_of_any_seed(given: int) -> None:
    """Seeds of games end below 2**63; what a world's keys come from does not, for any stream."""
    for viewer in SIDES:
        found = roots(Game("agenda", 7).determinize(viewer, given))
        assert len(set(found)) == 1 and found[0] >= TOP


def test_worlds_and_positions_share_no_keys() -> None:
    """A position's future cannot be had by imagining it with the seed that it was laid out with."""
    where = Game("standard", 4).to_position("france")
    for seed in SEEDS:
        game = Game.from_position({**where, "seed": seed})
        assert min(roots(game)) >= TOP
        assert not set(roots(game)) & set(roots(game.determinize("france", seed)))
        assert game.seed == seed


def test_a_worlds_seed_tells_nothing_of_the_game() -> None:
    """It follows from the seed given alone, is neither that one nor the game's, and deals no later game."""
    for given in SEEDS:
        worlds = {Game("standard", seed).determinize("france", given).seed for seed in range(20)}
        assert len(worlds) == 1
        assert not worlds & {given, next_seed(given), *range(20)}
        assert 0 <= worlds.pop() < TOP
