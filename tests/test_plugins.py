"""Games that other distributions bring: found by their entry points, and refused by name where they do not work."""

from __future__ import annotations

import re

import pytest

from channel_tunnel_env import Game, RulesetError, load_ruleset
from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.envs.registration import environment_ids
from channel_tunnel_env.errors import PluginError
from channel_tunnel_env.games import (
    BUILT_IN,
    find_game,
    forget_plugins,
    game_names,
    has_part,
    is_game,
    plugin_problems,
    ruleset_folders,
)
from channel_tunnel_env.rulesets.entry import is_builtin
from tests.sites import Site
from tests.test_registration import OURS


def others_work() -> None:
    assert Game("tiny", seed=1).spec.name == "tunnel_1987"
    assert load_ruleset("carcassonne").spec.name == "carcassonne"


def test_a_game_that_fails_to_import_is_named_with_its_distribution(site: Site) -> None:
    site.bring(spec="raise RuntimeError('no board')\n")
    assert game_names() == (*BUILT_IN, "oddity")
    with pytest.raises(PluginError, match=r"oddity of odd-game 1\.0: .*RuntimeError: no board"):
        find_game("oddity")
    with pytest.raises(PluginError, match="no board"):
        load_ruleset({"game": "oddity", "name": "x"})
    assert list(plugin_problems()) == ["oddity"]
    others_work()


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("", "holds no SPEC"),
        ("SPEC = 3\n", "holds no SPEC of the type GameSpec"),
        ("from channel_tunnel_env.games.carcassonne.spec import SPEC\n", "has the name 'carcassonne'"),
        (
            "from channel_tunnel_env.core.spec import GameSpec\nSPEC = GameSpec(name='oddity', idle_action=0)\n",
            "unexpected keyword argument 'idle_action'",
        ),
        (
            "import dataclasses\n"
            "from channel_tunnel_env.games.carcassonne.spec import SPEC as OTHER\n"
            "SPEC = dataclasses.replace(OTHER, name='oddity', luck={'streams': ()})\n",
            "luck is a dict; expected a LuckPart",
        ),
    ],
)
def test_half_a_game_is_refused_in_words(site: Site, spec: str, words: str) -> None:
    site.bring(spec=spec)
    with pytest.raises(PluginError, match=f"odd-game 1.0: odd_game.spec.*{re.escape(words)}"):
        find_game("oddity")
    others_work()


def test_a_package_that_is_not_there_is_named(site: Site) -> None:
    site.install("odd-game", "oddity", "odd_missing")
    with pytest.raises(PluginError, match="odd_missing"):
        find_game("oddity")
    assert "oddity" not in ruleset_folders() and environment_ids() == OURS
    others_work()


def test_a_name_that_two_bring_belongs_to_neither(site: Site) -> None:
    for name in ("odd-one", "odd-two"):
        site.install(name, "oddity", name.replace("-", "_"))
    with pytest.raises(PluginError, match=r"odd-one 1\.0 and odd-two 1\.0 both"):
        find_game("oddity")
    others_work()


def test_a_game_whose_text_or_names_are_odd_costs_the_others_nothing(site: Site) -> None:
    site.bring()
    (site.folder / "odd_game" / "spec.py").write_bytes(b"# caf\xe9\nVERSION = 'v3'\n")
    rulesets = site.folder / "odd_game" / "rulesets"
    rulesets.mkdir()
    for name in ("odd", "my rules!"):
        (rulesets / f"{name}.yaml").write_text("game: oddity\n")
    ids = {ruleset: name for name, ruleset in environment_ids().items()}
    assert ids["odd"] == "channel_tunnel/odd-v3"
    assert "my rules!" not in ids  # for which Gymnasium raises, as this package is imported
    others_work()


def test_a_package_that_is_a_module_holds_no_game(site: Site) -> None:
    site.install("odd-game", "oddity", "odd_game")
    (site.folder / "odd_game.py").write_text("SPEC = 3\n")
    assert not has_part("oddity", "faces.table")
    with pytest.raises(PluginError, match=r"odd-game 1\.0: odd_game\.spec cannot be imported"):
        find_game("oddity")
    assert list(plugin_problems()) == ["oddity"]


def test_the_name_of_a_game_of_this_package_stays_its_own(site: Site) -> None:
    site.install("odd-game", "carcassonne", "odd_game")
    site.write("odd_game", spec="raise RuntimeError('taken')\n")
    assert find_game("carcassonne").name == "carcassonne"
    assert "odd-game" in plugin_problems()["carcassonne"]
    others_work()


_COPY = """
import dataclasses
from typing import Literal

from channel_tunnel_env.games.carcassonne.ruleset import RulesetData
from channel_tunnel_env.games.carcassonne.spec import SPEC as OTHER

class OddData(RulesetData):
    game: Literal["oddity"] = "oddity"

SPEC = dataclasses.replace(OTHER, name="oddity", rules=dataclasses.replace(OTHER.rules, model=OddData))
"""


def test_the_same_figures_in_another_game_are_another_ruleset(site: Site) -> None:
    site.bring(spec=_COPY)
    one = load_ruleset("carcassonne")
    other = load_ruleset(one.plain() | {"game": "oddity"})
    assert other.spec.name == "oddity" and other != one
    assert other.digest != one.digest and not is_builtin(other)


def test_nothing_of_a_game_is_kept_when_plugins_are_forgotten() -> None:
    before = load_ruleset("tiny"), machine_of(load_ruleset("tiny"))
    forget_plugins()
    after = load_ruleset("tiny"), machine_of(load_ruleset("tiny"))
    assert before[0] == after[0] and not any(a is b for a, b in zip(before, after, strict=True))


def test_a_ruleset_of_no_game_that_is_installed_lists_those_that_are() -> None:
    assert not is_game("chess")
    with pytest.raises(RulesetError, match="game: 'chess': allowed: tunnel_1987, carcassonne"):
        load_ruleset({"game": "chess", "name": "x"})
