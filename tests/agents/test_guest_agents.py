"""What another distribution brings for its game: its agents are found, play, are trained and compared like ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from channel_tunnel_agents.base import choose_action
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.games import AGENT_SPECS, agents_of
from channel_tunnel_agents.matches.arena import play_match
from channel_tunnel_agents.names import AgentName
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.errors import PluginError
from channel_tunnel_env.games import BUILT_IN
from tests.agents.test_train_command import ROWS, run_in
from tests.sites import FOURTH, FOURTH_AGENTS, Site, fourth_game


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The game of docs/examples and its agents, on the path."""
    with fourth_game(tmp_path_factory.mktemp("site"), agents=True):
        yield


def test_a_distribution_s_own_agents_are_found() -> None:
    spec = agents_of(FOURTH)
    assert spec.title == "Shaft Bluff" and spec.ladder == ("random", "honest")
    assert tuple(AGENT_SPECS) == (*BUILT_IN, FOURTH)
    assert AgentName.read("honest").games == (FOURTH,)
    assert [level.name for level in spec.levels] == ["Beginner", "Amateur"]
    assert FOURTH in FORMS  # as of every game


def test_its_scripted_player_never_bluffs() -> None:
    game, honest = Game(FOURTH, seed=2), make_agent("honest", load_ruleset(FOURTH))
    announced = []
    while not game.is_over:
        if game.phase == "announce":
            announced.append(f"announce {int(game.states['card'][0]) + 1}")
            assert game.spec.actions.names[choose_action(honest, game)] == announced[-1]
        game.play(choose_action(honest, game))
    assert len(announced) == 10


def test_it_goes_through_a_tournament(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["tournament", "random", "honest", "--ruleset", FOURTH, "--deals", "8"]
    assert evaluate.main([*words, "--workers", "1", "--out", str(out)]) == 0
    assert "honest" in json.dumps(json.loads((out / "results.json").read_text()))


def test_it_is_trained(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert run_in(run, "--ruleset", FOURTH, "--network", "mlp", "--decisions", str(ROWS)) == 0
    ruleset = load_ruleset(FOURTH)
    trained = make_agent(f"ppo:{run}", ruleset)
    match = play_match(trained, make_agent("honest", ruleset), 4, 1, ruleset)
    assert match.games == 4


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("raise RuntimeError('no players')", "cannot be imported: RuntimeError: no players"),
        ("SPEC = 3", "holds no SPEC of the type AgentSpec"),
    ],
)
def test_agents_that_cannot_be_used_are_named_with_their_distribution(spec: str, words: str, site: Site) -> None:
    site.install("odd-agents", "carcassonne_twice", "odd_nothing", "odd_agents")
    site.write("odd_agents", spec=spec + "\n")
    with pytest.raises(PluginError, match=rf"of odd-agents 1\.0: odd_agents\.spec {words}"):
        agents_of("carcassonne_twice")
    assert agents_of("carcassonne").title == "Carcassonne"


def test_agents_that_two_bring_belong_to_neither(site: Site) -> None:
    site.install("other-agents", FOURTH, "", FOURTH_AGENTS + ".other")
    words = rf"the agents of {FOURTH}: .*other-agents 1\.0.* both bring a package"
    with pytest.raises(PluginError, match=words):
        agents_of(FOURTH)
