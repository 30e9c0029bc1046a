"""Opponents by name: made for the ruleset that is played, or refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest

from channel_tunnel_env import BatchGame, Ruleset, VersionError
from channel_tunnel_env.envs import opponents
from channel_tunnel_env.envs.opponents import RandomOpponent, make_opponents, register_opponent
from channel_tunnel_env.envs.sb3 import SeatVecEnv
from channel_tunnel_env.envs.seated import SeatedBatch
from channel_tunnel_env.ruleset import load_ruleset

MAKERS = {
    "make": lambda **options: gymnasium.make("ChannelTunnel-v1", **options),
    "make_vec": lambda **options: gymnasium.make_vec("ChannelTunnel-v1", num_envs=2, **options),
    "SeatVecEnv": lambda **options: SeatVecEnv(2, seed=1, **options),
}


@pytest.fixture
def registry() -> Iterator[None]:
    """What a test registers is gone after it."""
    factories, with_ruleset = dict(opponents._FACTORIES), set(opponents._FOR_ONE_RULESET)
    yield
    opponents._FACTORIES.clear()
    opponents._FACTORIES.update(factories)
    opponents._FOR_ONE_RULESET.clear()
    opponents._FOR_ONE_RULESET.update(with_ruleset)


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("name", ["rookie", "master"])
def test_a_policy_made_for_another_ruleset_is_refused(maker: str, name: str) -> None:
    with pytest.raises(
        VersionError, match=f"opponent '{name}' cannot play ruleset 'tiny': .*digest"
    ):
        MAKERS[maker](ruleset="tiny", opponent=name)
    MAKERS[maker](ruleset="standard", opponent=name).reset()


def test_one_wrong_ruleset_among_many_is_refused() -> None:
    with pytest.raises(VersionError, match="cannot play ruleset 'tiny'"):
        SeatVecEnv(4, ["standard", "tiny"], opponent="rookie")


def test_opponents_that_take_no_ruleset_play_any(registry: None) -> None:
    register_opponent("plain", RandomOpponent)
    for maker in MAKERS.values():
        maker(ruleset="tiny", opponent="plain").reset()


def test_each_row_is_answered_by_the_opponent_made_for_its_ruleset(registry: None) -> None:
    names = ["tiny", "standard", "tiny"]
    asked: dict[str, list[np.ndarray]] = {"tiny": [], "standard": []}

    def make(seed: int, ruleset: Ruleset) -> Any:
        def play(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
            asked[ruleset.name].append(observations.copy())
            return masks.argmax(axis=1)

        return play

    register_opponent("knowing", make, takes_ruleset=True)
    rulesets = [load_ruleset(name) for name in names]
    first, second, third = make_opponents("knowing", 0, rulesets)
    assert first is third is not second, "one for each ruleset"
    seated = SeatedBatch(6, names, side="france", opponent="knowing", seed=1)
    starts = BatchGame(6, names, seed=1).observations  # Britain's, which is to begin
    seated.reset(1)
    assert (asked["tiny"][0] == starts[[0, 2, 3, 5]]).all()
    assert (asked["standard"][0] == starts[[1, 4]]).all()
