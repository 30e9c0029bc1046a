"""A batch, and an environment on it, is copied and pickled in mid-game and plays on alike."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from channel_tunnel_env import BatchGame
from channel_tunnel_env.envs.sb3 import SeatVecEnv
from channel_tunnel_env.errors import StateError


def pickled(source: Any) -> Any:
    return pickle.loads(pickle.dumps(source))


WAYS = [copy.copy, copy.deepcopy, pickled]


def shown(batch: BatchGame) -> list[bytes]:
    """Everything that a batch shows; of records the fields, not what lies between them."""
    buffers = [batch.observations, batch.masks, batch.to_play, batch.rewards, batch.terminated]
    for records in (batch.records, batch.final_states[batch.terminated]):
        buffers += [records[field] for field in records.dtype.names]
    return [array.tobytes() for array in buffers]


def last_legal(masks: Any) -> Any:
    masks = np.asarray(masks)
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def until_an_end(batch: BatchGame) -> None:
    while not batch.terminated.any():
        batch.step(last_legal(batch.masks))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("rulesets", "dtype"), [(["tiny", "standard"], "float32"), (["carcassonne"], "uint8")])
def test_a_batch_is_copied_in_the_step_of_an_end_and_plays_on_alike(
    way: Callable[[Any], Any], rulesets: list[str], dtype: str
) -> None:
    batch = BatchGame(5, rulesets, seed=3, autoreset=True, observation_dtype=dtype, num_threads=2)
    batch.reset()
    until_an_end(batch)
    twin = way(batch)
    assert type(twin) is BatchGame and shown(twin) == shown(batch)
    for _ in range(30):
        for each in (batch, twin):
            each.step(last_legal(each.masks))
        assert shown(twin) == shown(batch)
    before = shown(batch)
    twin.step(last_legal(twin.masks))
    assert shown(batch) == before, "a copy shares nothing"
    for each in (batch, twin):
        each.reset()
    assert shown(twin) == shown(batch), "later deals follow from the same seed"


def test_games_that_are_over_wait_in_a_copy_too() -> None:
    batch = BatchGame(3, "tiny", seed=1, observe=False)
    until_an_end(batch)
    twin = copy.deepcopy(batch)
    actions = np.where(twin.masks.any(axis=1), last_legal(twin.masks), -1)
    for each in (batch, twin):
        each.step(actions)
    assert shown(twin) == shown(batch) and twin.observations.shape[0] == 0


def test_a_pickle_with_a_state_that_play_cannot_reach_is_refused() -> None:
    batch = BatchGame(2, "tiny", seed=1)
    saved = batch.__getstate__()
    saved["states"] = bytes(len(saved["states"]) - 1) + b"\xff"
    with pytest.raises(StateError):
        BatchGame.__new__(BatchGame).__setstate__(saved)


@pytest.mark.parametrize("way", [copy.deepcopy, pickled])
def test_vector_environments_are_copied_in_mid_game(way: Callable[[Any], Any]) -> None:
    env = gymnasium.make_vec("ChannelTunnel-v1", num_envs=3, ruleset="tiny")
    _, info = env.reset(seed=1)
    for _ in range(10):
        *_, info = env.step(last_legal(info["action_mask"]))
    twin, told = way(env), info
    for _ in range(40):
        seen, *_, info = env.step(last_legal(info["action_mask"]))
        seen_there, *_, told = twin.step(last_legal(told["action_mask"]))
        assert (seen == seen_there).all()
    learner = SeatVecEnv(3, "tiny", seed=1)
    learner.reset()
    other = way(learner)
    for _ in range(40):
        steps = [each.step(last_legal(each.action_masks())) for each in (learner, other)]
        assert (steps[0][0] == steps[1][0]).all() and (steps[0][1] == steps[1][1]).all()
