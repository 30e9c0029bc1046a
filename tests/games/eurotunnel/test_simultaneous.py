"""The parallel environment in which all powers answer a phase together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

import channel_tunnel_env
from channel_tunnel_env import IllegalActionError
from channel_tunnel_env.envs.simultaneous import SimultaneousEnv, open_sheets
from channel_tunnel_env.games.eurotunnel.actions import action_id
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.game import Game
from channel_tunnel_env.games.eurotunnel.spec import SEATS
from tests.envs.checkers import strict

from .arena import ruleset_with
from .table import read_tunnel, units_of

AGENTS = [f"{seat}_{number}" for number, seat in enumerate(SEATS)]
SHORT = {"max_year": 1902}
TUNNELS = {  # England owns two tunnels, of which nobody knows
    "phase": "F1905M",
    "units": units_of({"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["A PAR", "A BUR"], "TURKEY": ["A CON"]}),
    "tunnels": [read_tunnel("ENGLAND LON-PIC hidden"), read_tunnel("ENGLAND LON-BEL hidden")],
}


def make(**switches: Any) -> SimultaneousEnv:
    """The environment under the standard rules with some keys changed."""
    return channel_tunnel_env.simultaneous_env(ruleset=ruleset_with(**SHORT | switches))


def random_answers(observations: dict[str, Any], infos: dict[str, Any], rng: np.random.Generator) -> dict[str, int]:
    """A legal action of every agent that is asked."""
    return {
        agent: int(rng.choice(np.flatnonzero(seen["action_mask"])))
        for agent, seen in observations.items()
        if infos[agent]["asked"]
    }


def test_pettingzoo_accepts_it_with_seven_agents() -> None:
    env = make()
    with strict():
        parallel_api_test(env, num_cycles=150)
    env.reset(seed=1)
    assert env.agents == env.possible_agents == AGENTS


@pytest.mark.parametrize("switches", [{}, {"rulebook": "datc", "draw_vote": True}, {"absent": ["ITALY"]}])
def test_the_same_answers_make_the_same_game_one_after_another(switches: dict[str, Any]) -> None:
    """Every answer goes to AEC's agent when that one is asked; states are compared after every phase."""
    env = make(**switches, max_year=1904)
    turns = channel_tunnel_env.raw_env(ruleset=env.ruleset)
    rng = np.random.default_rng(4)
    seen, infos = env.reset(seed=2)
    turns.reset(seed=2)
    answers: dict[str, list[int]] = {agent: [] for agent in AGENTS}
    rewards: dict[str, float] = {}
    phases = 0
    while env.agents:
        phase = env.game.phase_key
        for agent, action in (chosen := random_answers(seen, infos, rng)).items():
            answers[agent].append(action)
        seen, rewards, ends, _, infos = env.step(chosen)
        if env.game.is_over or env.game.phase_key != phase:
            phases += 1
            while any(answers.values()):
                turns.step(answers[turns.agent_selection].pop(0))
            assert turns.game.states.tobytes() == env.game.states.tobytes()
    assert phases >= 8 and all(ends.values()) and rewards == turns.rewards
    for agent in AGENTS:
        assert np.array_equal(seen[agent]["observation"], turns.observe(agent)["observation"])
        assert infos[agent]["end_cause"] == turns.infos[agent]["end_cause"]


def test_an_agent_gets_at_its_questions_what_aec_gives_it() -> None:
    """Masks and observations do not depend on who was asked before in the phase."""
    env, rng = make(), np.random.default_rng(1)
    observations, infos = env.reset(seed=3)
    checked = 0
    while env.agents:
        game = env.game.clone()
        phase, own = game.phase_key, {agent: [] for agent in AGENTS}
        while not env.game.is_over and env.game.phase_key == phase:
            chosen = random_answers(observations, infos, rng)
            for agent, action in chosen.items():
                view = observations[agent]
                own[agent].append((action, view["observation"], view["action_mask"]))
            observations, _, _, _, infos = env.step(chosen)
        while any(own.values()):
            action, observation, mask = own[AGENTS[game.mover]].pop(0)
            assert np.array_equal(observation, game.observation()) and np.array_equal(mask, game.mask)
            game.play(action)
            checked += 1
    assert checked > 150


def test_the_questions_of_a_seat_are_found_without_its_predecessors_answers() -> None:
    sheets = open_sheets(Game.from_position(TUNNELS))
    assert [sheet.is_asked for sheet in sheets] == [False, True, True, False, False, False, True]
    england = sheets[1]
    for order in ("* H", "* H"):
        england.answer(action_id(order))
    assert england.is_asked  # it owns tunnels, whose permissions it may change
    england.answer(c.ID_PERMIT_DONE)
    assert not england.is_asked and len(england.answers) == 3


def test_who_waits_has_its_last_question_and_one_ignored_action() -> None:
    env = channel_tunnel_env.simultaneous_env(ruleset=ruleset_with())
    observations, infos = env.reset(options={"position": TUNNELS})
    assert not infos["italy_4"]["asked"] and observations["italy_4"]["action_mask"].sum() == 1
    hold = {agent: c.ID_HOLD for agent in AGENTS}
    told, _, _, _, infos = env.step(hold)
    assert [agent for agent in AGENTS if infos[agent]["asked"]] == ["england_1", "france_2"]
    assert told["turkey_6"]["action_mask"].nonzero()[0].tolist() == [c.ID_HOLD]
    for name in ("turkey_6", "italy_4"):
        same = told[name]["observation"], observations[name]["observation"]
        assert np.array_equal(*same)


def test_an_illegal_or_missing_answer_changes_nothing() -> None:
    env = make()
    observations, infos = env.reset(seed=1)
    before = env.game.states.tobytes()
    answers = random_answers(observations, infos, np.random.default_rng(0))
    with pytest.raises(IllegalActionError, match="turkey to play"):
        env.step(answers | {"turkey_6": action_id("* - LON")})
    with pytest.raises(ValueError, match="missing for france_2"):
        env.step({agent: answers[agent] for agent in AGENTS if agent != "france_2"})
    assert env.game.states.tobytes() == before
    assert all(not sheet.answers for sheet in env._sheets)
    env.step(answers)


def test_a_limit_of_steps_truncates_without_a_result() -> None:
    env = channel_tunnel_env.simultaneous_env(ruleset="eurotunnel", max_cycles=3)
    seen, infos = env.reset(seed=1)
    for _ in range(3):
        chosen = random_answers(seen, infos, np.random.default_rng(0))
        seen, rewards, ends, cut, infos = env.step(chosen)
    assert all(cut.values()) and not any(ends.values()) and not any(rewards.values())
    assert env.agents == [] and infos["italy_4"]["end_cause"] == "max_cycles"
    assert all(own["action_mask"].sum() == 1 for own in seen.values())


def test_infos_hold_what_the_observations_do_not() -> None:
    """The mask of the same moment stands in one place."""
    observations, infos = make().reset(seed=1)
    for agent in AGENTS:
        assert infos[agent] == {"asked": True} and observations[agent].keys() == {"observation", "action_mask"}


def taken_as_torchrl_takes_it(env: SimultaneousEnv) -> dict[str, dict[str, np.ndarray]]:
    """Plays a game and keeps infos as TorchRL does: room for the keys of the first ones, and numbers only.

    It takes masks from the observation if they are there and leaves those of the infos, for which it has no room.
    """
    observations, infos = env.reset(seed=3)
    room = {agent: {key: np.empty_like(v) for key, v in infos[agent].items()} for agent in AGENTS}
    assert all("action_mask" not in own for own in room.values())
    rng = np.random.default_rng(0)
    while env.agents:
        chosen = random_answers(observations, infos, rng)
        observations, _, _, _, infos = env.step(chosen)
        for agent, own in infos.items():
            for key, value in own.items():
                room[agent][key] = np.asarray(value, np.float32)
    return room


@pytest.mark.parametrize("max_cycles", [None, 3])
def test_infos_without_a_result_have_the_same_keys_at_every_step(max_cycles: int | None) -> None:
    settings = {"ruleset": ruleset_with(**SHORT), "max_cycles": max_cycles}
    env = channel_tunnel_env.simultaneous_env(**settings, keep_result=False)
    room = taken_as_torchrl_takes_it(env)
    assert all(own.keys() == {"asked"} for own in room.values())
    with pytest.raises((TypeError, ValueError)):
        taken_as_torchrl_takes_it(channel_tunnel_env.simultaneous_env(**settings))


@pytest.mark.parametrize("max_cycles", [None, 3])
def test_torchrl_plays_to_the_end(max_cycles: int | None) -> None:
    pytest.importorskip("torchrl")
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper

    rules = ruleset_with(**SHORT)
    env = PettingZooWrapper(
        channel_tunnel_env.simultaneous_env(ruleset=rules, max_cycles=max_cycles, keep_result=False)
    )
    played = env.rollout(max_cycles or 400)
    assert bool(played["next", "done"][-1].all())


def test_a_game_whose_seats_take_turns_is_refused() -> None:
    with pytest.raises(ValueError, match="seats of the game carcassonne take turns; take parallel_env"):
        channel_tunnel_env.simultaneous_env(ruleset="carcassonne")
