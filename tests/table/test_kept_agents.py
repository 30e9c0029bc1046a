"""The table's process keeps the agents that it made, and reads a policy again whose files have changed."""

from __future__ import annotations

import shutil
from multiprocessing import Pipe
from pathlib import Path

import pytest

from channel_tunnel_agents.players.shipped import folder_of
from channel_tunnel_agents.table.minds.agent_process import AgentQuestion, Answerer, Key
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games import DEFAULT_GAME

RULES = load_ruleset("standard")


def ask(answerer: Answerer, name: str) -> object:
    """The agent that would answer."""
    return answerer._agent(AgentQuestion(Key(name, RULES.digest), RULES, "make"))


@pytest.fixture
def answerer() -> Answerer:
    return Answerer(Pipe()[0])


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A policy's folder, as a run or a tuned copy leaves it."""
    return Path(shutil.copytree(folder_of("rookie", DEFAULT_GAME), tmp_path / "copy"))


@pytest.mark.parametrize("way", ["ppo", "ppo-search"])
def test_a_policy_that_was_trained_on_plays_with_its_new_weights(answerer, copy, way) -> None:
    first = ask(answerer, f"{way}:{copy}")
    assert ask(answerer, f"{way}:{copy}") is first
    for file in folder_of("club", DEFAULT_GAME).glob("*.safetensors"):
        shutil.copyfile(file, copy / file.name)
    second = ask(answerer, f"{way}:{copy}")
    assert second is not first
    assert ask(answerer, f"{way}:{copy}") is second


def test_a_policy_whose_folder_is_gone_plays_on(answerer, copy) -> None:
    first = ask(answerer, f"ppo:{copy}")
    shutil.rmtree(copy)
    assert ask(answerer, f"ppo:{copy}") is first


def test_agents_without_files_are_kept(answerer) -> None:
    assert ask(answerer, "random") is ask(answerer, "random")
