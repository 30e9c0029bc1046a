"""What every seat sees in random games, to the last bit: policies were trained on it.

A digest changes only together with the game's `OBSERVATION_VERSION`; to make the kernel faster is no reason.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from channel_tunnel_env.batch import BatchGame
from channel_tunnel_env.envs.opponents import random_legal
from tests.random_games import GOLDEN, MASK, mix

GAMES, STOPS, STEPS = (8, 12, 45)  # 45 is odd to the length of a phase, so that stops fall into all of them
DIGESTS = {"standard": "42e417ec48231ae0", "carcassonne": "ac85cfcbb28afc4f", "eurotunnel": "f0c384a386631e39"}


def digest_of_random_games(ruleset: str) -> str:
    """A digest of what every seat sees at `STOPS` places of `GAMES` games; finished ones restart."""
    batch = BatchGame(GAMES, ruleset, seed=0, observe=False, autoreset=True)
    drawn, found = numbers_from(0), hashlib.sha256()
    for _ in range(STOPS):
        for _ in range(STEPS):
            batch.step(draw_actions(batch.masks, drawn))
        draw_actions(batch.masks, drawn)  # these are never played
        for seat in range(len(batch.seats)):
            found.update(batch.observe(seat).tobytes())
    return found.hexdigest()[:16]


def draw_actions(masks: NDArray[np.int8], drawn: Iterator[int]) -> NDArray[np.int64]:
    """A legal action for every row, each by the next number."""
    legal = [np.flatnonzero(row) for row in masks]
    return np.array([ids[next(drawn) * len(ids) >> 32] for ids in legal])


def numbers_from(source: int) -> Iterator[int]:
    """The upper halves of SplitMix64's numbers, as `core.rng.random_number` draws them."""
    while True:
        source = (source + GOLDEN) & MASK
        yield mix(source) >> 32


@pytest.mark.parametrize("ruleset", DIGESTS)
def test_what_a_seat_sees_is_the_same_to_the_last_bit_as_when_its_version_was_released(ruleset: str) -> None:
    assert digest_of_random_games(ruleset) == DIGESTS[ruleset]


@pytest.mark.parametrize("names", [("standard", "agenda"), ("carcassonne",), ("eurotunnel",)])
def test_a_row_shows_its_game_whatever_was_written_there_before(names: tuple[str, ...]) -> None:
    batch = BatchGame(GAMES, names if len(names) > 1 else names[0], seed=0, autoreset=True)
    rng = np.random.default_rng(0)
    for step in range(STEPS):
        batch.observations[:] = np.nan
        if step % 5 == 4:  # other deals; of several rulesets another one in each row
            entries = (np.arange(GAMES) + step) % len(names)
            batch.reset(step, rulesets=entries)
        else:
            batch.step(random_legal(batch.masks, rng))
        assert np.array_equal(batch.observations, batch.observe(batch.to_play))
