"""Agents by name, matches on paired deals."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np
import pytest

from channel_tunnel_agents import AgentError, AgentName, RandomAgent, make_agent
from channel_tunnel_agents.matches.arena import play_match, play_pair
from channel_tunnel_env import BatchGame, Ruleset, load_ruleset


class FirstLegal:
    """The lowest legal id."""

    name = "first"

    def __call__(self, observations, masks):
        return masks.argmax(axis=1)


def test_two_copies_of_an_agent_are_equal_over_swapped_seats() -> None:
    home, away = play_pair(FirstLegal(), FirstLegal(), 100, seed=2)
    assert (home.winners == away.winners).all()
    assert home.wins("britain") + away.wins("france") == 100


def test_unknown_agents_are_answered_with_the_nearest_name() -> None:
    with pytest.raises(AgentError, match="did you mean 'heuristic'"):
        make_agent("heuristc")
    with pytest.raises(AgentError, match=r"^agent 'onnx:mine': onnx:FOLDER is gone: ppo:FOLDER plays .*one$"):
        make_agent("frozen:onnx:mine!ban=plan")
    with pytest.raises(AgentError, match="No module named"):
        make_agent("no_such_module:Agent")
    agent = make_agent("tests.agents.test_agents:FirstLegal", ruleset="tiny")
    assert play_match(agent, agent, 5, 1, "tiny").games == 5


def test_importing_agents_registers_opponents() -> None:
    import gymnasium

    env = gymnasium.make("ChannelTunnel-v1", opponent="racer")
    env.reset(seed=1)


def test_random_agent_is_uniform_over_legal_actions() -> None:
    masks = np.zeros((20_000, 171), bool)
    masks[:, [3, 50, 170]] = True
    chosen = RandomAgent(0)(np.zeros((20_000, 679), np.float32), masks)
    counts = np.bincount(chosen, minlength=171)[[3, 50, 170]]
    assert counts.sum() == 20_000
    assert abs(counts / 20_000 - 1 / 3).max() < 0.02


def test_any_callable_of_a_module_is_an_agent_and_nothing_else_is(monkeypatch: pytest.MonkeyPatch) -> None:
    class Player:
        def first(self, observations: Any, masks: Any) -> Any:
            return masks.argmax(axis=1)

    module = types.ModuleType("some_agents")
    module.method, module.number = Player().first, 3  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "some_agents", module)
    agent = make_agent("some_agents:method")
    assert agent.name == "some_agents:method"
    batch = BatchGame(2, "tiny", seed=1)
    batch.step(agent(batch.observations, batch.masks))  # type: ignore[operator]
    with pytest.raises(AgentError, match="must be callable"):
        make_agent("some_agents:number")


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("random", {"kind": "random"}),
        ("racer", {"kind": "scripted"}),
        ("ismcts:50ms", {"kind": "ismcts", "rest": "50ms"}),
        ("master", {"kind": "policy", "shipped": "master", "way": ""}),
        ("club-puct@20ms", {"shipped": "club", "way": "puct", "milliseconds": "20"}),
        ("ppo-sample:a@b", {"folder": "a@b", "way": "sample", "milliseconds": None}),
        ("ppo-search:runs/x@5ms", {"folder": "runs/x", "way": "search", "milliseconds": "5"}),
        ("mine.players:Best", {"kind": "module", "attribute": ("mine.players", "Best")}),
        (
            "frozen:master-search!ban=plan!force=tunnel",
            {
                "is_frozen": True,
                "plain": "frozen:master-search",
                "core": "master-search",
                "restrictions": ("ban=plan", "force=tunnel"),
            },
        ),
    ],
)
def test_a_name_is_read_once_into_its_parts(name: str, fields: dict[str, Any]) -> None:
    found = AgentName.read(name)
    assert {key: getattr(found, key) for key in fields} == fields


class Choosy:
    """Needs to know the rules."""

    def __init__(self, ruleset: Ruleset, seed: int, haste: int = 3) -> None:
        self.ruleset, self.seed, self.haste = ruleset, seed, haste

    def __call__(self, observations, masks):
        return masks.argmax(axis=1)


class Demanding(Choosy):
    def __init__(self, friends: int) -> None:
        raise AssertionError


def test_an_agent_of_a_module_is_given_what_its_signature_asks_for() -> None:
    ruleset = load_ruleset("tiny")
    agent: Any = make_agent(f"{__name__}:Choosy", ruleset, 11)
    made = agent.func
    assert (made.ruleset, made.seed, made.haste) == (ruleset, 11, 3)
    with pytest.raises(AgentError, match="missing a required argument: 'friends'"):
        make_agent(f"{__name__}:Demanding")
