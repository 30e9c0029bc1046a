"""Code of other packages that ends the program, by sys.exit or an exception that is no Exception, is named instead."""

from __future__ import annotations

import asyncio
import importlib
import sys
from importlib.metadata import EntryPoint

import pytest

from channel_tunnel_agents.base import AgentFailure
from channel_tunnel_agents.cluster.parallel import spread
from channel_tunnel_agents.commands import train
from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.learning.config import ConfigError
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import cli
from channel_tunnel_env.envs import opponents
from channel_tunnel_env.errors import ForeignExitError, PluginError
from channel_tunnel_env.games import find_game, plugin_problems
from channel_tunnel_env.outside.foreign import foreign_code
from channel_tunnel_env.testing import check_game
from tests.sites import Site

ENDS = {"exit": "import sys\nsys.exit(3)\n", "base": "class Stop(BaseException): ...\nraise Stop(3)\n"}
WORDS = {"exit": r"SystemExit: 3 \(.+\.py, line 2\)", "base": r"Stop: 3 \(.+\.py, line 2\)"}


@pytest.fixture(params=list(ENDS))
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class Exits:
    """Whatever is asked of it ends the program."""

    def __getattr__(self, name: str) -> object:
        sys.exit(3)


# --- what ends a program, and what does not ---------------------------------------------------------


@pytest.mark.parametrize("kind", [SystemExit, BaseException])
def test_what_would_end_the_program_becomes_an_error_with_its_place(kind: type) -> None:
    words = rf"{kind.__name__}: 3 \(test_foreign_code.py, line "
    with pytest.raises(ForeignExitError, match=words), foreign_code():
        raise kind(3)


@pytest.mark.parametrize("kind", [KeyError, KeyboardInterrupt, GeneratorExit, asyncio.CancelledError])
def test_errors_interrupts_and_what_is_closed_pass(kind: type) -> None:
    with pytest.raises(kind), foreign_code():
        raise kind


def test_where_no_ctrl_c_arrives_as_an_exception_such_a_one_is_foreign_too() -> None:
    with pytest.raises(ForeignExitError, match="KeyboardInterrupt"), foreign_code(interrupts=True):
        raise KeyboardInterrupt


# --- as it is loaded --------------------------------------------------------------------------------


@pytest.mark.parametrize("module", ["spec", "__init__"])
def test_a_game_that_ends_the_program_is_named_with_its_distribution(way: str, module: str, site: Site) -> None:
    site.bring(**{module: ENDS[way]})
    with pytest.raises(PluginError, match=rf"odd-game 1\.0: odd_game.*{WORDS[way]}"):
        find_game("oddity")
    assert list(plugin_problems()) == ["oddity"]


def test_the_agents_of_a_game_that_end_the_program_are_named(way: str, site: Site) -> None:
    site.install("odd-agents", "carcassonne", "", "odd_agents")
    site.install("odd-game", "oddity", "odd_game", "odd_agents")
    site.write("odd_agents", spec=ENDS[way])
    with pytest.raises(PluginError, match=rf"odd-game 1\.0: odd_agents.*{WORDS[way]}"):
        agents_of("oddity")


def test_an_agent_that_ends_the_program_is_named(way: str, site: Site) -> None:
    site.write("odd_one", player=ENDS[way])
    with pytest.raises(AgentFailure, match=rf"agent 'odd_one\.player:agent': {WORDS[way]}"):
        make_agent("odd_one.player:agent")


def test_a_callback_that_ends_the_program_is_named(way: str, site: Site) -> None:
    site.write("odd_one", callback=ENDS[way])
    with pytest.raises(ConfigError, match=rf"--callback odd_one.callback:Mine: .*{WORDS[way]}"):
        train._make_callbacks(["odd_one.callback:Mine"])


def test_a_provider_of_opponents_that_ends_the_program_is_named(
    way: str, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.write("odd_one", provider=ENDS[way])
    odd = EntryPoint("mine", "odd_one.provider:find", opponents.PROVIDERS)
    monkeypatch.setattr(opponents, "entry_points", lambda group: [odd])
    with pytest.raises(ValueError, match=rf"odd_one.provider:find: .*{WORDS[way]}"):
        opponents.make_opponents("nobody", 1, ["standard"])


# --- as it runs -------------------------------------------------------------------------------------


def stop(task: int) -> int:
    if task:
        sys.exit(task)
    return task


@pytest.mark.parametrize("workers", [pytest.param(2, marks=pytest.mark.heavy)])
def test_a_worker_whose_task_ends_the_program_says_so(workers: int) -> None:
    with pytest.raises(ForeignExitError, match=r"SystemExit: 7 \(test_foreign_code.py, line "):
        dict(spread(stop, [0, 7], workers))


def test_a_command_whose_game_ends_the_program_says_so_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play = importlib.import_module("channel_tunnel_agents.commands.play")
    monkeypatch.setattr(play, "terminal_of", lambda spec: Exits())
    assert cli.main(["play", "--ruleset", "tiny", "--seed", "1"]) == 2
    assert capsys.readouterr().err.startswith("channel-tunnel: ")


def test_a_game_that_ends_the_program_does_not_end_the_check_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("channel_tunnel_env.testing.play.terminal_of", lambda spec: Exits())
    report = check_game("tunnel_1987", games=1, interpreted=False)
    assert any("SystemExit: 3" in problem for problem in report.problems)
