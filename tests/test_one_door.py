"""`Game`, `BatchGame` and what they lead to serve every game by its ruleset."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import Game, IllegalActionError, PositionError, RecordError, RulesetError, load_ruleset
from channel_tunnel_env.game import game_class
from channel_tunnel_env.games import BUILT_IN, find_game
from tests.random_games import play_on

RULESETS = {"tunnel_1987": "tiny", "carcassonne": "carcassonne", "eurotunnel": "eurotunnel"}


def test_every_game_is_tried() -> None:
    assert tuple(RULESETS) == BUILT_IN


def played(name: str, decisions: int = 30) -> Game:
    return play_on(Game(ruleset=RULESETS[name], seed=5), 1, decisions)


@pytest.mark.parametrize("name", RULESETS)
def test_a_ruleset_says_which_game_it_is(name: str) -> None:
    game = Game(ruleset=RULESETS[name], seed=5)
    assert type(game) is game_class(find_game(name))
    assert isinstance(game, Game)
    assert game.spec.name == name
    assert Game(load_ruleset(RULESETS[name]), 5).states.tobytes() == game.states.tobytes()


def test_a_game_has_its_own_properties_as_well() -> None:
    carcassonne: Any = Game("carcassonne", seed=1)
    eurotunnel: Any = Game("eurotunnel", seed=1)
    assert carcassonne.tile in {kind.name for kind in carcassonne.ruleset.data.tile_types()}
    assert eurotunnel.phase_name == "S1901M"


@pytest.mark.parametrize("name", RULESETS)
def test_copies_and_pickles_keep_the_kind(name: str) -> None:
    game = played(name)
    for other in (game.clone(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert type(other) is type(game)
        assert other.states.tobytes() == game.states.tobytes()


@pytest.mark.parametrize("name", RULESETS)
def test_the_class_of_one_game_says_which_other_game_a_ruleset_position_or_record_is_of(name: str) -> None:
    other = "carcassonne" if name != "carcassonne" else "eurotunnel"
    kind, stranger = game_class(find_game(name)), played(other)
    with pytest.raises(RulesetError, match=f"game: {other}: allowed here: {name}"):
        kind(RULESETS[other])
    with pytest.raises(PositionError, match=other):
        kind.from_position(Game(RULESETS[other], seed=1).to_position())
    with pytest.raises(RecordError, match=f"game {other}: allowed here: {name}"):
        kind.from_record(stranger.record())


def test_a_position_of_no_ruleset_that_there_is_is_a_wrong_position() -> None:
    with pytest.raises(PositionError, match="standart"):
        Game.from_position({"ruleset": "standart"})


@pytest.mark.parametrize("name", RULESETS)
def test_an_illegal_action_is_explained_by_its_game_and_changes_nothing(name: str) -> None:
    game = Game(RULESETS[name], seed=2)
    illegal, before = int(np.flatnonzero(game.mask == 0)[0]), game.states.tobytes()
    with pytest.raises(IllegalActionError, match=f"{game.to_play} to play, (turn|round) 1"):
        game.play(illegal)
    assert game.states.tobytes() == before
