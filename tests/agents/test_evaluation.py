"""`evaluate`: an agent against others in one call."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.spaces import Box

from channel_tunnel_agents import AgentError, Sb3Agent, evaluate, make_agent
from channel_tunnel_agents.matches.arena import play_match
from channel_tunnel_env import IllegalActionError, VersionError
from channel_tunnel_env.games.tunnel_1987.engine import constants as c


class First:
    """A model of Stable-Baselines3, as far as it is asked: the first legal action, or the first of all."""

    def predict(self, observation, state=None, deterministic=False, action_masks=None):
        assert observation.dtype == np.float32 and deterministic
        if action_masks is None:
            return np.zeros(len(observation), np.int64), None
        return action_masks.argmax(axis=1), None


class Maskless(First):
    def predict(self, observation, state=None, deterministic=False):
        return super().predict(observation, state, deterministic)


def test_both_seats_are_the_two_matches_on_the_same_deals() -> None:
    (score,) = evaluate("heuristic", ["random"], 60, ruleset="tiny", seed=3)
    shares = []
    for seat, side in enumerate(c.SEATS):
        pair = [make_agent("random", None, 4), make_agent("heuristic", None, 3)]
        match = play_match(*(pair[::-1] if seat == 0 else pair), 60, 3, "tiny")
        shares.append(match.points(side).mean())
    assert [score.seats[side].value for side in c.SEATS] == pytest.approx(shares, abs=0.1)
    assert score.games == 120 and score.points.low < score.points.value <= score.points.high
    assert score.points.value == pytest.approx(np.mean([score.seats[side].value for side in c.SEATS]))
    assert "v random" in str(score) and "france" in str(score)


def test_one_seat_plays_half_the_games() -> None:
    (score,) = evaluate("heuristic", ["random"], 30, side="france", ruleset="tiny")
    assert score.games == 30 and list(score.seats) == ["france"]
    assert score.points == score.seats["france"]


def test_a_policy_of_other_rules_is_refused_whoever_made_it() -> None:
    for player, rival in (("rookie", "random"), ("random", "rookie")):
        with pytest.raises(VersionError, match=r"frozen:rookie.*made for ruleset digest"):
            evaluate(make_agent(player), [make_agent(rival)], 2, ruleset="tiny")
    (score,) = evaluate(make_agent("frozen:rookie"), "random", 2, ruleset="tiny")
    assert score.games == 4


def test_models_of_stable_baselines3_play() -> None:
    scores = evaluate(First(), ["random", First()], 20, ruleset="tiny", seed=1)
    assert [score.opponent for score in scores] == ["random", "First"]
    assert scores[1].points.value == 0.5, "against itself on the same deals, both seats"
    with pytest.raises(IllegalActionError, match="agent 'mine'"):
        evaluate(Sb3Agent(Maskless(), "mine"), ["random"], 20, ruleset="tiny")


def test_what_is_no_agent_or_side_is_refused() -> None:
    with pytest.raises(AgentError, match="did you mean 'heuristic'"):
        evaluate("heuristik")
    with pytest.raises(AgentError, match="expected a name, a callable"):
        evaluate("random", [3])
    with pytest.raises(AgentError, match="allowed: britain, france, both"):
        evaluate("random", side="germany")


def test_a_model_that_learned_more_has_another_digest() -> None:
    from sb3_contrib import MaskablePPO  # torch takes a while

    from channel_tunnel_env.envs.sb3 import SeatVecEnv

    env = SeatVecEnv(num_envs=2, ruleset="tiny", seed=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=4, batch_size=8, n_epochs=1, seed=1)
    agent = Sb3Agent(model)
    before = agent.digest
    assert before == Sb3Agent(model).digest != ""
    model.learn(8)
    assert agent.digest != before
    assert Sb3Agent(Maskless(), "mine").digest == ""
    model.observation_space = Box(0, 255, (3,), np.uint8)
    with pytest.raises(AgentError, match="reads uint8"):
        evaluate(model)
