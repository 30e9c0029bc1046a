"""What each game tells agents, tournaments and reports: every part loads, and no room names a game."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import channel_tunnel_agents
from channel_tunnel_agents.balance.measuring.game import MEASURED
from channel_tunnel_agents.balance.measuring.measures import GAME_MEASURES
from channel_tunnel_agents.balance.report.game import REPORTED
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.games import AGENT_SPECS, Parts, agents_of
from channel_tunnel_agents.games.spec import MIXED, ONE_AGAINST_THE_REST, RANDOM, LevelName, School
from channel_tunnel_agents.learning.config import load_config
from channel_tunnel_agents.learning.monitor import TALLIES
from channel_tunnel_agents.matches.arena import play_table
from channel_tunnel_agents.matches.tables import GAME_TABLES, GameTables
from channel_tunnel_agents.names import AgentName
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.network import _SHAPED
from channel_tunnel_agents.players.restricted import _FAMILIES
from channel_tunnel_agents.players.scripted import PLAYERS, TREES, names_in
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.rulesets import SPACES
from channel_tunnel_agents.table.design.game import DESIGNED
from channel_tunnel_agents.table.minds.reviewed import REVIEWED
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.errors import PluginError
from channel_tunnel_env.games import BUILT_IN, find_game
from tests.sites import FOURTH, fourth_game

PACKAGE = Path(channel_tunnel_agents.__file__).parent
PARTS: dict[str, Any] = {
    "designed": DESIGNED,
    "families": _FAMILIES,
    "form": FORMS,
    "network": _SHAPED,
    "tables": GAME_TABLES,
    "tallies": TALLIES,
    "rulesets": SPACES,
    "measures": GAME_MEASURES,
    "levers and luck": MEASURED,
    "report": REPORTED,
    "review": REVIEWED,
    "players": PLAYERS,
    "tree": TREES,
}
STANDARD = {"tunnel_1987": "standard"}  # the ruleset that has not the game's name


def ruleset_of(game: str) -> Any:
    return load_ruleset(STANDARD.get(game, game))


@pytest.mark.parametrize("part", PARTS)
def test_every_game_that_has_the_module_has_the_part(part: str) -> None:
    """Reading checks the type; a game without the module has no part."""
    assert all(PARTS[part][game] is not None for game in PARTS[part])
    assert "tunnel_1987" in PARTS[part]


def test_a_part_of_the_wrong_type_is_named() -> None:
    with pytest.raises(PluginError, match="policy holds no TALLIES of the type GameTables"):
        Parts[Any]("policy", "TALLIES", GameTables)["carcassonne"]
    with pytest.raises(KeyError):
        Parts[Any]("nowhere", "", object)["carcassonne"]
    assert "carcassonne" not in Parts[Any]("nowhere.deeper", "", object)
    assert "no_game" not in FORMS


def test_a_game_without_families_of_actions_says_so() -> None:
    with pytest.raises(AgentError, match="carcassonne has no families; games that do: tunnel_1987"):
        make_agent("greedy!ban=finance", load_ruleset("carcassonne"))


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_agent_that_a_game_names_can_be_made(game: str) -> None:
    spec, ruleset = agents_of(game), ruleset_of(game)
    scripted = names_in(game)
    named = {*scripted, *spec.shipped, *spec.searchers, *spec.ladder, RANDOM}
    named |= {level.agent for level in spec.levels}
    for name in sorted(named):
        read = AgentName.read(name, game)
        assert not read.games or game in read.games, name
        if read.kind != "policy":
            assert make_agent(name, ruleset).name == name
    assert all((shipped.folder_of(name, game) / shipped.CARD).is_file() for name in spec.shipped)
    assert spec.reader is None or spec.reader == spec.shipped[-1]


@pytest.mark.parametrize("game", BUILT_IN)
def test_a_game_s_parts_fit_each_other(game: str) -> None:
    spec, rules = agents_of(game), find_game(game)
    assert spec.seating in (MIXED, ONE_AGAINST_THE_REST)
    form = FORMS[game]
    assert form.game == game
    assert rules.observation.size(ruleset_of(game)) in form.observation_sizes
    assert ("game" in form.networks) == (game in _SHAPED)
    assert game not in SPACES or SPACES[game].game == game
    if spec.school is not None:
        assert isinstance(spec.school, School) and load_config(spec.school.preset)


def test_names_of_agents_load_neither_torch_nor_a_report() -> None:
    script = (
        "import sys, channel_tunnel_agents.names; "
        "print([m for m in sys.modules if m.split('.')[0] in ('torch', 'matplotlib') or '.report' in m])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- no room names a game
# Modules that serve one game alone and are not in its folder; a folder stands for all in it.
OF_ONE_GAME = {"__init__.py": "HeuristicAgent, its scripted player, is a public name of the package"}


def named_games(path: Path) -> set[str]:
    """Games that a module's code names: in what it imports, calls its own or spells out."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        words = [alias.name for alias in getattr(node, "names", []) if isinstance(alias, ast.alias)]
        words.append(getattr(node, "module", None) or "")
        if isinstance(node, ast.Name):
            words.append(node.id.lower())
        elif isinstance(node, ast.Constant) and node.value in BUILT_IN:
            words.append(node.value)
        short = {game: game.removeprefix("tunnel_") for game in BUILT_IN}
        found |= {game for game, part in short.items() for word in words if part in word}
    return found


def test_no_room_names_a_game() -> None:
    rooms = {path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*.py")}
    naming = {name for name, path in rooms.items() if not name.startswith("games/") and named_games(path)}
    excused = {
        place: {name for name in naming if name == place or name.startswith(f"{place}/")} for place in OF_ONE_GAME
    }
    assert naming == set().union(*excused.values())
    assert all(excused.values()), "an excuse that nothing needs any more"


def test_a_game_without_agents_is_played_at_random_and_stored(tmp_path: Path) -> None:
    with fourth_game(tmp_path):
        spec, ruleset = agents_of(FOURTH), load_ruleset(FOURTH)
        assert FOURTH in AGENT_SPECS and spec.levels == () and FOURTH not in PLAYERS
        match = play_table([make_agent("random", ruleset)] * 2, 4, 1, ruleset)
        assert match.shares.sum() == pytest.approx(4)
        assert "first_seat_wins" in GAME_MEASURES[FOURTH].known
        assert FORMS[FOURTH].networks == ("mlp",)


def test_a_level_has_the_same_name_in_every_game_and_the_order_is_that_of_strength() -> None:
    order = [str(name) for name in LevelName]
    for game in ("tunnel_1987", "carcassonne", "eurotunnel"):
        names = [str(level.name) for level in agents_of(game).levels]
        places = [order.index(name) for name in names]
        assert places == sorted(set(places)), (game, names)
    assert not {"Player", "Agent", "Rival"} & {*order}, "a level's name says how strong it is"
