"""Every built-in ruleset of every game has an id in PettingZoo and Gymnasium, and no game is imported for it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import gymnasium
import pytest

from channel_tunnel_env.envs.registration import ANY_RULESET, environment_ids, register_all
from channel_tunnel_env.games import BUILT_IN, environment_version, find_game
from tests.sites import Site

registration = pytest.importorskip("pettingzoo.env_registry.registration")
OURS = {
    "channel_tunnel/standard-v1": "standard",
    "channel_tunnel/agenda-v1": "agenda",
    "channel_tunnel/tiny-v1": "tiny",
    "channel_tunnel/carcassonne-v0": "carcassonne",
    "channel_tunnel/eurotunnel-v0": "eurotunnel",
}


def test_the_ids_of_our_games_stay_as_they_are() -> None:
    found = environment_ids()
    assert {name: found[name] for name in OURS} == OURS
    for name in (*OURS, ANY_RULESET):
        assert name in gymnasium.registry
    for name in OURS:
        assert name in registration.aec_registry and name in registration.parallel_registry
    assert ANY_RULESET == "ChannelTunnel-v1"


@pytest.mark.parametrize("game", BUILT_IN)
def test_the_version_that_is_read_is_that_of_the_game(game: str) -> None:
    assert environment_version(game) == find_game(game).version


def test_ids_with_the_package_are_made_where_nothing_else_is_imported() -> None:
    """As in a spawned worker, which starts with an empty interpreter."""
    code = "import gymnasium, sys\nfor name in sys.argv[1:]: print(gymnasium.make(name).unwrapped.game.ruleset.name)"
    names = [f"channel_tunnel_env:{name}" for name in (ANY_RULESET, *OURS)]
    made = subprocess.run([sys.executable, "-c", code, *names], capture_output=True, text=True, check=False)
    assert made.stdout.split() == ["standard", *OURS.values()], made.stderr


@pytest.fixture
def odd_game(site: Site) -> Iterator[Site]:
    """A game that breaks when it is imported, one of whose rulesets has a name that is taken."""
    site.bring(__init__="raise RuntimeError('imported')\n")
    rulesets = site.folder / "odd_game" / "rulesets"
    rulesets.mkdir()
    for name in ("oddity", "tiny"):
        (rulesets / f"{name}.yaml").write_text("game: oddity\n")
    yield site
    for registry in (gymnasium.registry, registration.aec_registry, registration.parallel_registry):
        for name in [name for name in registry if "oddity" in name]:
            del registry[name]


@pytest.mark.parametrize(("spec", "version"), [('VERSION = "v3"\n', "v3"), ("", "v0")])
def test_a_game_from_outside_gets_its_ids_and_is_not_imported(odd_game: Site, spec: str, version: str) -> None:
    (odd_game.folder / "odd_game" / "spec.py").write_text(spec)
    register_all()
    name = f"channel_tunnel/oddity-{version}"
    assert environment_ids() == {**OURS, name: "oddity"}
    assert name in gymnasium.registry and name in registration.aec_registry
    assert "odd_game" not in sys.modules
