"""The PettingZoo environment keeps its API's promises."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils import wrappers

import channel_tunnel_env
from channel_tunnel_env import Game, IllegalActionError
from channel_tunnel_env.envs.aec import env, parallel_env, raw_env
from channel_tunnel_env.envs.simultaneous import SimultaneousEnv, simultaneous_env
from tests.envs.checkers import strict
from tests.test_registration import OURS

CUSTOMARY = [wrappers.OrderEnforcingWrapper, wrappers.AssertOutOfBoundsWrapper, wrappers.TerminateIllegalWrapper]


def play_random(env, rng, on_step=None) -> dict[str, float]:
    """A whole game with masked random play; each agent's summed rewards as `last` gives them."""
    gained = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        gained[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        if on_step:
            on_step(env, agent, observation)
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return gained


RULESETS: dict[str, Any] = {
    "1987": "standard",
    **{f"carcassonne, {n} seats": {"base": "carcassonne", "name": "seats", "players": n} for n in (2, 3, 6)},
    "eurotunnel": {"base": "eurotunnel", "name": "short", "max_year": 1902},
}


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_pettingzoos_checkers_find_nothing_in_any_game(ruleset: Any) -> None:
    with strict():
        api_test(channel_tunnel_env.env(ruleset=ruleset), num_cycles=200)
        api_test(channel_tunnel_env.raw_env(ruleset=ruleset), num_cycles=100)
        parallel_api_test(channel_tunnel_env.parallel_env(ruleset=ruleset), num_cycles=100)
        seed_test(lambda: channel_tunnel_env.env(ruleset=ruleset), num_cycles=60)


@pytest.mark.parametrize("name", OURS)
def test_an_id_makes_the_environment_of_its_ruleset_with_an_agent_for_each_seat(name: str) -> None:
    env = pettingzoo.make("aec", name)
    env.reset(seed=1)
    assert env.unwrapped.ruleset.name == OURS[name]
    numbers = not name.startswith("channel_tunnel/carcassonne")  # whose seats are called by their numbers
    seats = [f"{seat}_{n}" if numbers else seat for n, seat in enumerate(env.unwrapped.ruleset.seats)]
    assert env.possible_agents == seats and env.agent_selection in seats


@pytest.mark.parametrize("make", [channel_tunnel_env.env, channel_tunnel_env.raw_env])
def test_rewards_add_up_to_the_outcome_for_both_agents(make) -> None:
    """+1 and -1 reach both agents whoever moved last; 0 and 0 after a draw."""
    rng, seen = np.random.default_rng(3), set()
    env = make(ruleset="standard")
    for seed in range(30):
        env.reset(seed=seed)
        gained = play_random(env, rng)
        game = env.unwrapped.game
        assert sum(gained.values()) == 0
        expected = {None: 0, "britain": 1, "france": -1}[game.winner]
        assert gained["britain_0"] == expected
        seen.add((game.winner, game.end_cause))
    assert {"britain", "france"} <= {winner for winner, _ in seen}
    assert {"centre", "deviation"} <= {cause for _, cause in seen}


def test_the_mask_is_in_observation_and_info_and_zero_off_turn() -> None:
    def check(env, agent, observation) -> None:
        other = next(a for a in env.possible_agents if a != agent)
        assert (observation["action_mask"] == env.infos[agent]["action_mask"]).all()
        assert observation["action_mask"].any()
        assert observation["action_mask"].dtype == np.int8
        assert not env.observe(other)["action_mask"].any()
        assert not env.infos[other]["action_mask"].any()
        assert env.observation_space(agent).contains(observation)

    env = channel_tunnel_env.raw_env(ruleset="agenda")
    env.reset(seed=11)
    play_random(env, np.random.default_rng(0), check)


def test_raw_env_raises_on_an_illegal_action_and_changes_nothing() -> None:
    env = channel_tunnel_env.raw_env()
    env.reset(seed=1)
    before, agent = pickle.dumps(env.game), env.agent_selection
    with pytest.raises(IllegalActionError, match="not legal in phase turn"):
        env.step(108)
    assert pickle.dumps(env.game) == before
    assert env.agent_selection == agent


def test_a_copy_made_in_mid_game_goes_on_alike() -> None:
    """What PettingZoo's EzPickle loses."""
    env = channel_tunnel_env.raw_env()
    env.reset(seed=4)
    rng = np.random.default_rng(0)
    for _ in range(40):
        env.step(int(rng.choice(env.game.legal_ids())))
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.agent_selection == env.agent_selection
        one, other = env.game.clone(), twin.game
        while not one.is_over:
            action = one.legal_ids()[-1]
            one.play(action)
            twin.step(action)
        assert other.scores() == one.scores()


def test_reset_with_a_seed_deals_that_game_and_later_resets_follow_from_it() -> None:
    one, other = channel_tunnel_env.raw_env(), channel_tunnel_env.raw_env()
    one.reset(seed=9)
    assert (one.game.observation(0) == Game(seed=9).observation(0)).all()
    other.reset(seed=9)
    one.reset()
    other.reset()
    assert one.game.seed == other.game.seed != 9


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="render_mode 'vga': allowed"):
        channel_tunnel_env.raw_env(render_mode="vga")
    for wrong in (0, 2.5, float("nan")):
        with pytest.raises(ValueError, match=f"max_cycles {wrong}"):
            channel_tunnel_env.raw_env(max_cycles=wrong)


READ_BEFORE_RESET = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos")


@pytest.mark.parametrize("name", [*READ_BEFORE_RESET, "num_agents"])
def test_before_the_first_reset_the_wrapped_environment_says_what_is_missing(name: str) -> None:
    env = channel_tunnel_env.env()
    with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
        getattr(env, name)
    env.reset(seed=1)
    assert getattr(env, name) == getattr(env.unwrapped, name)


def test_the_wrapped_environment_is_behind_pettingzoos_own_wrappers_and_bears_its_name() -> None:
    env, found = channel_tunnel_env.env(), []
    assert str(env) == str(env.unwrapped)
    while env is not env.unwrapped:
        found.append(next(w for w in CUSTOMARY if isinstance(env, w)))
        env = env.env
    assert found == CUSTOMARY


def test_a_copy_of_the_wrapped_environment_goes_its_own_way() -> None:
    env = channel_tunnel_env.env()
    env.reset(seed=4)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        twin.step(twin.unwrapped.game.legal_ids()[0])
        assert twin.infos is twin.unwrapped.infos
        assert twin.unwrapped.game.action_ids and not env.unwrapped.game.action_ids


def arguments(call: Callable[..., Any]) -> list[tuple[str, Any, Any]]:
    """Name, kind and default of each."""
    return [(p.name, p.kind, p.default) for p in inspect.signature(call).parameters.values()]


@pytest.mark.parametrize(
    ("function", "made"), [(env, raw_env), (parallel_env, raw_env), (simultaneous_env, SimultaneousEnv)]
)
def test_a_function_takes_what_its_environment_takes(function, made) -> None:
    assert arguments(function) == arguments(made)
