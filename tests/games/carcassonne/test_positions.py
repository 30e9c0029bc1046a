"""Positions: a game is written and read back, and what play cannot reach is refused in one line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import load_ruleset
from channel_tunnel_env.errors import PositionError
from channel_tunnel_env.games.carcassonne.game import Game

NAMES_OF_FEATURES = {"label", "next", "nodes", "open", "occupants", "need"}
"""Fields kept at a feature's label, which is any of its nodes, and needs under tiles."""
VARIANTS: list[dict[str, Any]] = [
    {},
    {"players": 3, "tunnel_variant": "steal"},
    {"tunnel_variant": "paired", "token_window": "before_meeple", "auto_forced": False},
    {"tunnel": False, "players": 6},
    {"robber_baron": True, "tunnel_variant": "follower"},
]


def played(seed: int, decisions: int, **changes: Any) -> Game:
    """A game after so many random decisions."""
    rng = np.random.default_rng(seed)
    game = Game({"base": "carcassonne", "name": "c", **changes}, seed)
    while len(game.action_ids) < decisions and not game.is_over:
        game.play(int(rng.choice(game.legal_ids())))
    return game


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
    game = played(decisions + 5, decisions, **changes)
    again = Game.from_position(game.to_position())
    for name in set(game.states.dtype.names) - NAMES_OF_FEATURES - {"deck"}:
        assert np.array_equal(game.states[name], again.states[name]), name
    drawn = int(game.state.drawn)
    assert game.state.deck[drawn:].tolist() == again.state.deck[drawn:].tolist()
    assert again.to_position() == game.to_position()
    assert np.array_equal(game.observation(), again.observation())
    assert play_on(again) == play_on(game)


def test_a_viewer_is_not_told_the_order_of_the_deck() -> None:
    game = played(3, 40)
    other = game.determinize(0, seed=1)
    assert game.to_position("player_0") == other.to_position("player_1")
    assert not {"deck", "seed", "stream"} & set(game.to_position(0))
    again = Game.from_position(game.to_position(0))
    assert again.legal_ids() == game.legal_ids()
    assert again.state.unseen.tolist() == game.state.unseen.tolist()
    with pytest.raises(ValueError, match="player_9"):
        game.to_position("player_9")


def test_a_game_from_a_position_is_recorded_and_replayed() -> None:
    from channel_tunnel_env.records.record import replay

    game = Game.from_position(played(9, 50).to_position())
    play_on(game)
    again = replay(game.record())
    assert again.scores() == game.scores() and again.actions == game.actions


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
        ({"tile": None}, "phase: cell has a tile"),
        ({"tile": "YY"}, "there is no tile 'YY'"),
        ({"phase": "rotate"}, "phase: cell has a tile, rotate a tile and a cell"),
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


def test_a_tile_that_fits_nowhere_is_not_in_hand() -> None:
    with pytest.raises(PositionError, match="C fits nowhere"):
        Game.from_position({"board": ["D 0 0 0", "E 0 -1 2"], "tile": "C"})


def test_seven_followers_are_all_there_are() -> None:
    board = ["D 0 0 0", *(f"U {x} 0 1 A@f1" for x in range(1, 9))]
    with pytest.raises(PositionError, match="followers"):
        Game.from_position({"board": board, "tile": "E"})


def test_an_environment_starts_from_a_position() -> None:
    import channel_tunnel_env

    env = channel_tunnel_env.env(ruleset="carcassonne")
    env.reset(options={"position": played(4, 30).to_position()})
    assert env.agent_selection in ("player_0", "player_1")


def test_the_rules_of_a_position_may_be_its_own() -> None:
    game = played(2, 20, players=4)
    assert Game.from_position(game.to_position()).ruleset.digest == game.ruleset.digest
    with pytest.raises(PositionError, match="digest"):
        Game.from_position(game.to_position(), load_ruleset("carcassonne"))
