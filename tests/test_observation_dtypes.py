"""Observations in bytes: what stands for what, in every game, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from channel_tunnel_env import BatchGame, Game, action_names, action_names_of, decode
from channel_tunnel_env.core import kernels
from channel_tunnel_env.core.numbers import SHARES
from channel_tunnel_env.envs.opponents import random_legal
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, load_ruleset
from channel_tunnel_env.testing.description import wrong_columns

GAMES, STOPS, STEPS = 8, 4, 61
RULESETS: dict[str, list[AnyRuleset]] = {
    "1987": ["standard", "agenda", "tiny"],
    "carcassonne": [
        "carcassonne",
        {"base": "carcassonne", "name": "first", "farm_scoring": "first", "robber_baron": True},
        {"base": "carcassonne", "name": "many", "followers": 20, "tunnel_variant": "paired"},
    ],
    "six seats": [
        {"base": "carcassonne", "name": "six", "players": 6},
        {"base": "carcassonne", "name": "six_steal", "players": 6, "tunnel_variant": "steal"},
    ],
    "eurotunnel": ["eurotunnel", {"base": "eurotunnel", "name": "datc", "rulebook": "datc", "victory_centres": 12}],
}


def batch_of(rulesets: list[AnyRuleset], dtype: str) -> BatchGame:
    return BatchGame(GAMES, rulesets, seed=3, observe=False, observation_dtype=dtype)


def play_on(batch: BatchGame) -> None:
    """Random play; finished games restart."""
    nothing = np.zeros((0, batch.spec.actions.count), np.int8)
    unseen = np.zeros((0, batch.machine.observation_size), np.float32)
    source = np.full(1, batch.states.ply.sum(), np.uint64)
    work, blank = batch.work, batch.machine.blank
    kernels.random_play(batch.records, batch.tables, STEPS, source, blank, work, nothing, unseen, batch.to_play)


def seen_in(rulesets: list[AnyRuleset], dtype: str) -> tuple[BatchGame, list[tuple[Any, Any]]]:
    """A batch of a dtype, and what each seat sees of random games: in float32 and in the dtype."""
    plain, batch = batch_of(rulesets, "float32"), batch_of(rulesets, dtype)
    found = []
    for _ in range(STOPS):
        play_on(plain)
        batch.records[:] = plain.records
        found += [(plain.observe(seat), batch.observe(seat)) for seat in range(len(plain.seats))]
    return batch, found


@pytest.mark.parametrize("game", RULESETS)
def test_bytes_decode_to_the_numbers_of_float32_to_the_last_bit_but_for_shares(game: str) -> None:
    batch, found = seen_in(RULESETS[game], "uint8")
    encoding = batch.encoding
    assert encoding.steps is not None and encoding.exact is not None
    assert encoding.exact.mean() > 0.99
    for numbers, held in found:
        assert held.dtype == np.uint8
        decoded = encoding.decode(held)
        assert decoded.dtype == np.float32
        np.testing.assert_array_equal(decoded[:, encoding.exact], numbers[:, encoding.exact])
        assert np.abs(decoded - numbers).max() <= 0.5001 / SHARES


def test_a_batch_steps_resets_and_restores_in_bytes() -> None:
    plain = BatchGame(GAMES, "standard", seed=5, autoreset=True)
    batch = BatchGame(GAMES, "standard", seed=5, autoreset=True, observation_dtype="uint8")
    rng = np.random.default_rng(0)
    for _ in range(200):
        actions = random_legal(plain.masks, rng)
        plain.step(actions)
        batch.step(actions)
        np.testing.assert_array_equal(batch.numbers(), plain_as(batch, plain))
    held = batch.observations.copy()
    saved = batch.states.copy()
    batch.reset(9)
    assert (batch.observations != held).any()
    batch.restore(saved)
    np.testing.assert_array_equal(batch.observations, held)
    np.testing.assert_array_equal(batch.numbers(np.array([2, 1])), batch.numbers()[[2, 1]])


def plain_as(batch: BatchGame, plain: BatchGame) -> NDArray[np.float32]:
    """The numbers of another batch's float32, rounded as `batch` rounds them."""
    assert batch.encoding.exact is not None
    numbers, shares = plain.observations, ~batch.encoding.exact
    rounded = numbers.copy()
    rounded[:, shares] = np.floor(numbers[:, shares].astype(float) * SHARES + 0.5) / SHARES
    return rounded


@pytest.mark.parametrize("game", RULESETS)
def test_what_lends_bits_has_bits_to_lend(game: str) -> None:
    rulesets = [*map(load_ruleset, RULESETS[game])]
    assert [*wrong_columns(rulesets[0].spec.observation, rulesets)] == []


@pytest.mark.parametrize("dtype", ["int8", "float16", "float64", "bytes", 7, None])
def test_an_unknown_dtype_is_refused_with_those_that_are_known(dtype: Any) -> None:
    with pytest.raises(ValueError, match=r"^observation_dtype .*: allowed: float32, uint8$"):
        BatchGame(2, observation_dtype=dtype)


def test_bytes_are_refused_where_a_ruleset_counts_further_in_one_line_that_names_it() -> None:
    dear = {"base": "carcassonne", "name": "dear", "points": {"city": 50}}
    with pytest.raises(ValueError) as caught:
        BatchGame(2, ["carcassonne", dear], observation_dtype="uint8")
    message = str(caught.value)
    assert "\n" not in message
    assert "seats: score" in message and "'dear'" in message and "take float32" in message


def test_bytes_are_not_read_as_numbers() -> None:
    with pytest.raises(ValueError, match="observation of dtype uint8: its numbers are"):
        decode(np.zeros(OBSERVATION_SIZE, np.uint8), "standard")
    with pytest.raises(ValueError, match="observations of dtype float32; expected uint8"):
        batch_of(["standard"], "uint8").encoding.decode(np.zeros(OBSERVATION_SIZE, np.float32))


# --- what is seen, and what may be done, in words ---


def test_without_a_ruleset_it_is_the_first_game() -> None:
    seen = Game("standard", seed=7).observation("france")
    assert decode(seen) == decode(seen, "standard") and action_names is action_names_of()


@pytest.mark.parametrize("ruleset", ("tiny", "carcassonne", "eurotunnel"))
def test_an_observation_of_another_size_is_refused(ruleset: str) -> None:
    size = Game(ruleset, seed=1).observation(0).size
    for wrong in (np.zeros(size + 1, np.float32), np.zeros((2, size), np.float32)):
        with pytest.raises(ValueError, match=rf"expected one of shape \({size},\) under .* {ruleset}"):
            decode(wrong, ruleset)


@pytest.mark.parametrize("ruleset", ("tiny", "carcassonne", "eurotunnel"))
def test_actions_have_their_names(ruleset: str) -> None:
    game, names = Game(ruleset, seed=3), action_names_of(ruleset)
    assert len(names) == game.action_mask.size
    assert [names[action] for action in game.legal_ids()] == list(game.legal_actions())
