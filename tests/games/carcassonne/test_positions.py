"""Positions: a game is written and read back, and what play cannot reach is refused in one line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import load_ruleset
from channel_tunnel_env.errors import PositionError, RulesetError
from channel_tunnel_env.games.carcassonne.bounds import most_points, points_limit
from channel_tunnel_env.games.carcassonne.game import Game
from channel_tunnel_env.testing import check_invariants
from tests import random_games
from tests.games.carcassonne.records import played

NAMES_OF_FEATURES = {"label", "next", "nodes", "open", "occupants", "need"}
"""Fields kept at a feature's label, which is any of its nodes, and needs under tiles."""
VARIANTS: list[dict[str, Any]] = [
    {},
    {"players": 3, "tunnel_variant": "steal"},
    {"tunnel_variant": "paired", "token_window": "before_meeple", "auto_forced": False},
    {"tunnel": False, "players": 6},
    {"robber_baron": True, "tunnel_variant": "follower"},
]


def play_on(game: Game) -> list[Any]:
    """What can be seen of the rest of a game, by choices that its legal actions alone decide."""
    seen: list[Any] = []
    while not game.is_over:
        legal = game.legal_ids()
        seen.append((legal, game.scores(), game.to_play, game.tile))
        game.play(legal[(len(seen) * 7919) % len(legal)])
    return [*seen, game.scores(), game.winner]


@pytest.mark.parametrize("changes", VARIANTS)
@pytest.mark.parametrize("decisions", [0, 1, 17, 58, 111, 172, 400])
def test_a_game_is_read_back_and_goes_on_the_same(changes, decisions) -> None:
    game = played(decisions, decisions + 5, **changes)
    again = Game.from_position(game.to_position())
    for name in set(game.states.dtype.names) - NAMES_OF_FEATURES - {"deck"}:
        assert np.array_equal(game.states[name], again.states[name]), name
    drawn = int(game.state.drawn)
    assert game.state.deck[drawn:].tolist() == again.state.deck[drawn:].tolist()
    assert again.to_position() == game.to_position()
    assert np.array_equal(game.observation(), again.observation())
    assert play_on(again) == play_on(game)


def test_a_position_is_written_by_hand() -> None:
    game = Game.from_position(
        {
            "board": ["D 0 0 0", "A -1 0 3 A@r0", "TU3 1 0 1"],
            "tokens": ["TU3.S=B1"],
            "score": [12, 9],
            "to_play": "B",
            "tile": "E",
        }
    )
    assert game.to_play == "player_1" and game.tile == "E" and game.turn == 3
    assert [points["total"] for points in game.scores().values()] == [12, 9]
    assert game.state.hand.tolist()[:2] == [6, 7] and game.state.stock.tolist()[:2] == [2, 1]
    assert Game.from_position({"board": ["D 0 0 0"], "tile": "X"}, "carcassonne").turn == 1
    assert not {"deck", "seed", "stream"} & set(game.to_position(0))
    with pytest.raises(ValueError, match="player_9"):
        game.to_position("player_9")


START = {"board": ["D 0 0 0", "U 1 0 1"], "tile": "E"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"board": []}, "board: it begins with D 0 0 0"),
        ({"board": ["U 0 0 0"]}, "board: it begins with D 0 0 0"),
        ({"board": ["D 0 0 0", "U 1 0"]}, "allowed: TYPE x y rotation"),
        ({"board": ["D 0 0 0", "U 1 0 1", ""]}, "allowed: TYPE x y rotation"),
        ({"board": ["D 0 0 0", "U 1 zero 1"]}, "allowed: TYPE x y rotation"),
        ({"board": ["D 0 0 0", "YY 1 0 1"]}, "there is no tile 'YY'"),
        ({"board": ["D 0 0 0", "U 1 0 4"]}, "a rotation is 0 to 3"),
        ({"board": ["D 0 0 0", "U 1 0 0"]}, "its edges do not match"),
        ({"board": ["D 0 0 0", "U 2 0 1"]}, "no earlier tile lies beside it"),
        ({"board": ["D 0 0 0", "D 0 0 0"]}, "a tile lies there already"),
        ({"board": ["D 0 0 0", "C 0 -1 0", "C 0 -2 0"]}, "2 tiles C; there are 1"),
        ({"board": ["D 0 0 0", "U 40 0 1"]}, "wider or higher than 30"),
        ({"board": ["D 0 0 0", "U 1 0 1 C@r0"]}, "'C' is no seat; allowed: A, B"),
        ({"board": ["D 0 0 0", "U 1 0 1 A@c0"]}, "no segment 'c0'"),
        ({"board": ["D 0 0 0", "U 1 0 1 A"]}, "at most one follower"),
        ({"board": ["D 0 0 0", "U 1 0 1 A@r\uff10"]}, "no segment 'r\uff10'"),
        ({"board": ["D 0 0 0", "U 1 0 1 A@r" + "0" * 5000]}, "no segment 'r000"),
        ({"board": ["D 0 0 0", "TU3 1 0 1"], "tokens": ["TU3.E=A\uff11"]}, "no set of tokens"),
        ({"board": ["D 0 0 0", "E 0 -1 2 A@c0"]}, "nothing complete is occupied"),
        ({"tokens": ["TU3.S=A1"]}, "no mouth 'TU3.S' is on the table"),
        ({"missed": ["A1"]}, "'A1' is no half tunnel"),
        ({"missed": ["A9"]}, "'A9' is no set"),
        ({"score": [1]}, "score: 1 entries; allowed: 2"),
        ({"score": [-1, 0]}, "score.0"),
        ({"robber": ["A", 3]}, "robber"),
        ({"tile": None}, "phase: cell needs a tile"),
        ({"tile": "YY"}, "there is no tile 'YY'"),
        ({"phase": "rotate"}, "phase: cell needs a tile, rotate a tile and a cell"),
        ({"phase": "rotate", "cell": [5, 5]}, "does not fit at"),
        ({"phase": "over", "tile": None}, "tiles are left"),
        ({"phase": "claim", "tile": None, "board": ["D 0 0 0"]}, "only the start tile lies"),
        ({"deck": ["U"]}, "deck: it must hold the other"),
        ({"out": ["C", "C"]}, "'C': there are no more"),
        ({"to_play": "F"}, "to_play: 'F' is no seat"),
        ({"mouth": "TU3.S"}, "mouth: only in the phase claim"),
        ({"stream": [-1, 0]}, "stream"),
        ({"turn": 80}, "no more turns than tiles"),
        ({"turn": 60}, "turn: 60; no more turns than tiles: at most"),
        ({"ruleset": "standard"}, "of the game tunnel_1987"),
        ({"ruleset_digest": "0" * 16}, "ruleset_digest"),
        ({"nonsense": 1}, "nonsense"),
        ({"board": "D 0 0 0"}, "board"),
    ],
)
def test_a_mistake_is_named_in_one_line(changes, words) -> None:
    with pytest.raises(PositionError, match=None) as refused:
        Game.from_position({**START, **changes})
    assert words in str(refused.value) and "\n" not in str(refused.value)


LAID: dict[str, Any] = {"phase": "claim", "to_play": "B"}
BEFORE = {"base": "carcassonne", "token_window": "before_meeple"}
TUNNEL = {"board": ["D 0 0 0", "TU3 1 0 1"], "tokens": ["TU3.E=A1", "TU3.S=A1"]}
CLAIMED = "the tile just laid has no follower before it is claimed"
COMPLETE = "nothing complete is occupied but what the turn in progress completes"


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"board": ["D 0 0 0", "V 0 1 0 A@f1"]}, CLAIMED),
        ({"board": ["D 0 0 0", "V 0 1 0 B@f1"]}, CLAIMED),
        ({"board": ["D 0 0 0", "V 0 1 0 A@f1"], "phase": "token"}, CLAIMED),
        ({"board": ["D 0 0 0", "V 0 1 0 B@f1"], "phase": "token", "ruleset": BEFORE}, CLAIMED),
        ({"board": ["D 0 0 0 A@c0", "E 0 -1 2", "V 0 1 0"]}, COMPLETE),
        ({"board": ["D 0 0 0 A@c0", "E 0 -1 2", "V 0 1 0"], "phase": "token"}, COMPLETE),
        ({**TUNNEL, "mouth": "TU3.E"}, "phase, tile and cell agree"),
        ({**TUNNEL, "mouth": "TU3.E", "tokens": ["TU3.E=A1"], "ruleset": BEFORE}, "phase, tile"),
    ],
)
def test_a_position_from_which_play_would_break_an_invariant_is_refused(position, words) -> None:
    with pytest.raises(PositionError, match="not a possible position") as refused:
        Game.from_position(LAID | position)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    "position",
    [
        {"board": ["D 0 0 0", "V 0 1 0 B@f1"], "phase": "token"},
        {"board": ["D 0 0 0 A@c0", "V 0 1 0", "E 0 -1 2"]},
        {**TUNNEL, "mouth": "TU3.E", "ruleset": BEFORE},
    ],
)
def test_what_the_turn_in_progress_completes_may_be_occupied(position) -> None:
    game = Game.from_position(LAID | position)
    play_on(game)
    check_invariants(game)


def test_a_monastery_that_this_turn_completes_is_still_occupied() -> None:
    around = ["D 0 0 0", "U 1 0 1", "U -1 0 1", "B 0 1 0 A@m", "B 1 1 0", "B -1 1 0"]
    board = [*around, "B 1 2 0", "E -1 2 2", "E 0 2 2"]
    game = Game.from_position(LAID | {"board": board})
    while game.to_play == "player_1":
        game.play(game.legal_ids()[-1])
    assert game.scores()["player_0"]["cloister"] == 9
    with pytest.raises(PositionError, match="nothing complete"):
        Game.from_position(LAID | {"board": [*board, "U 2 0 1"]})


AT_BOUNDS: dict[str, Any] = {"ply": 2**30, "stream": [1, 2**61], "table_cuts": 162 * 2, "seed": 2**63 - 1}


@pytest.mark.parametrize("name", AT_BOUNDS)
def test_a_counter_at_its_bound_is_played_on_and_reads_back(name: str) -> None:
    position = {"board": ["D 0 0 0", "TU3 1 0 1"], "tile": "E", name: AT_BOUNDS[name]}
    game = Game.from_position(position)
    above = [1, 2**61 + 1] if name == "stream" else AT_BOUNDS[name] + 1
    with pytest.raises(PositionError):
        Game.from_position(position | {name: above})
    for _ in random_games.walk(game, 0):
        check_invariants(game)
        assert Game.from_position(game.to_position()).to_position() == game.to_position()


@pytest.mark.parametrize(
    ("farms", "points"),
    [
        ("first", 100),
        *(pytest.param(*each, marks=pytest.mark.heavy) for each in [("first", 1), ("third", 1)]),
        pytest.param("third", 100, marks=pytest.mark.heavy),
    ],
)
def test_the_highest_points_of_a_position_do_not_overflow(farms: str, points: int) -> None:
    """A position may give a seat what a whole game brings; all that follows can be written and read."""
    changes = {"robber_baron": True, "farm_scoring": farms, "small_city": 2, "players": 3}
    rules = load_ruleset("carcassonne").with_values(changes)
    figures = {key: points for key in rules.flat if key.startswith("points.")}
    rules = rules.with_values(figures)
    most, limit = most_points(rules.data), points_limit(rules.data)
    start = {**START, "score": [limit - most] * 3}
    game = Game.from_position(start, rules)
    with pytest.raises(PositionError, match="can still be scored"):
        Game.from_position(start | {"score": [limit] * 3}, rules)
    for _ in random_games.walk(game, points):
        check_invariants(game)
        assert Game.from_position(game.to_position()).to_position() == game.to_position()
    assert max(seat["total"] for seat in game.scores().values()) <= limit <= 2**15 - 1


def test_tallies_say_no_more_than_what_lies_and_was_scored() -> None:
    game = Game.from_position(START | {"score": [7, 0], "points": [[3, 4, 0, 0], [0, 0, 0, 0]]})
    assert game.scores()["player_0"] == {"city": 3, "road": 4, "cloister": 0, "field": 0, "total": 7}
    for wrong in ({"points": [[3, 4, 0, 0], [0, 0, 0, 0]]}, {"first_tokens": [1, 0]}, {"second_tokens": [1, 0]}):
        with pytest.raises(PositionError, match="points by kind add up to no more"):
            Game.from_position(START | wrong)


def test_points_that_could_overflow_are_refused_with_the_ruleset() -> None:
    points = {"shield": 100, "city": 100}
    tiles: dict[str, Any] = {"C": {"count": 5, "cities": [{"sides": "NESW", "shields": 8}]}}
    load_ruleset({"base": "carcassonne", "points": points, "tiles": tiles})
    tiles["C"]["count"] = 31
    tiles |= {name: {"count": 0} for name in "BEUV"}
    with pytest.raises(RulesetError, match=r"points: \d+: points with which a seat gains at most"):
        load_ruleset({"base": "carcassonne", "points": points, "tiles": tiles})


def test_a_tile_that_fits_nowhere_is_not_in_hand() -> None:
    with pytest.raises(PositionError, match="C fits nowhere"):
        Game.from_position({"board": ["D 0 0 0", "E 0 -1 2"], "tile": "C"})


def test_seven_followers_are_all_there_are() -> None:
    board = ["D 0 0 0", *(f"U {x} 0 1 A@f1" for x in range(1, 9))]
    with pytest.raises(PositionError, match="followers"):
        Game.from_position({"board": board, "tile": "E"})


def test_the_rules_of_a_position_may_be_its_own() -> None:
    game = played(20, 2, players=4)
    assert Game.from_position(game.to_position()).ruleset.digest == game.ruleset.digest
    with pytest.raises(PositionError, match="digest"):
        Game.from_position(game.to_position(), load_ruleset("carcassonne"))
