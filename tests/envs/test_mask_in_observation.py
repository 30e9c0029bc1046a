"""The mask travels in the observation, for libraries that look for it there."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

from channel_tunnel_env.envs.mask_in_observation import MaskInObservation
from channel_tunnel_env.envs.single import ChannelTunnelEnv
from channel_tunnel_env.games.tunnel_1987.engine.actions import NUM_ACTIONS


@pytest.mark.parametrize("keys", [("observation", "action_mask"), ("obs", "mask")])
def test_every_observation_holds_the_mask_of_its_own_moment(keys: tuple[str, str]) -> None:
    env = MaskInObservation(ChannelTunnelEnv(ruleset="tiny"), *keys)
    plain = ChannelTunnelEnv(ruleset="tiny")
    seen, (bare, info), done = env.reset(seed=3)[0], plain.reset(seed=3), False
    rng = np.random.default_rng(0)
    while not done:
        assert seen in env.observation_space
        assert seen[keys[1]].dtype == np.bool_
        assert seen[keys[1]].shape == (NUM_ACTIONS,)
        assert np.array_equal(seen[keys[1]], info["action_mask"])
        assert np.array_equal(seen[keys[0]], bare)
        action = int(rng.choice(np.flatnonzero(seen[keys[1]])))
        seen, reward, terminated, truncated, _ = env.step(action)
        bare, plain_reward, *_, info = plain.step(action)
        assert reward == plain_reward
        done = terminated or truncated
    assert seen[keys[1]].sum() == 1, "nothing to decide, and no mask of zeros"


@pytest.mark.parametrize("keep_info", [True, False])
def test_info_has_the_same_keys_at_every_step_if_it_is_not_kept(keep_info: bool) -> None:
    env = MaskInObservation(ChannelTunnelEnv(ruleset="tiny"), keep_info=keep_info)
    seen, info = env.reset(seed=3)
    rng, done, keys = np.random.default_rng(0), False, {frozenset(info)}
    while not done:
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        seen, _, done, _, info = env.step(action)
        keys.add(frozenset(info))
    assert (len(keys) == 1) == (not keep_info), "the last step alone knows the winner"


def wrapped(ruleset: Any = "tiny", **settings: Any) -> MaskInObservation:
    made = gymnasium.make("ChannelTunnel-v1", ruleset=ruleset, illegal_action="lose")
    return MaskInObservation(made, **settings)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasiums_checker_passes() -> None:
    check_env(wrapped())


COPIES = {
    "as it is": lambda spec: spec,
    "by JSON": lambda spec: EnvSpec.from_json(spec.to_json()),
    "pickled": lambda spec: pickle.loads(pickle.dumps(spec)),
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("ruleset", ["tiny", "carcassonne", {"base": "eurotunnel", "max_year": 1902}])
def test_it_is_made_again_from_its_spec(copied: Any, ruleset: Any) -> None:
    env = wrapped(ruleset, observation="obs", mask="mask", keep_info=False)
    again = gymnasium.make(copied(env.spec))
    assert isinstance(again, MaskInObservation)
    assert again.observation_space == env.observation_space
    (seen, info), (other, _) = env.reset(seed=3), again.reset(seed=3)
    assert info == {} and seen.keys() == other.keys() == {"obs", "mask"}
    for key, value in seen.items():
        np.testing.assert_array_equal(other[key], value)


def test_it_is_pickled_with_its_game() -> None:
    env = wrapped()
    env.reset(seed=3)
    twin = pickle.loads(pickle.dumps(env))
    action = env.unwrapped.game.legal_ids()[0]
    np.testing.assert_array_equal(twin.step(action)[0]["observation"], env.step(action)[0]["observation"])
