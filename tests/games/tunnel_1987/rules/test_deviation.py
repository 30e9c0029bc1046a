"""Deviation: scenarios 22-30."""

from __future__ import annotations

from typing import Any

import pytest

from channel_tunnel_env import Game
from tests.games.tunnel_1987.positions import SIDES, play, side, turn


def bore(discard: str = "[]", deck: str = "[]", d: int = 0, token: str = "black", me: str = "britain") -> Game:
    """A game in which one Tunnel has just been placed."""
    own = f"tbm: 2, route: [{token}], storage: [], deviation: {d}"
    game = turn(f"white: 2, {token}: 1", own, f"deviation_discard: {discard}, deviation_deck: {deck}", me=me)
    return play(game, "place white plan_tunnel tunnel")


def decks(game: Game) -> tuple[int, list[str]]:
    """Number of cards left, and the discard."""
    written = game.to_position()
    return len(written["deviation_deck"]), written["deviation_discard"]


def deviation(game: Game, who: str = "britain") -> Any:
    return side(game, who)["deviation"]


@pytest.mark.parametrize(
    ("discard", "deck", "d", "level", "left", "gone"),
    [
        pytest.param("", "red-1", 2, 3, 8, ["red-1"], id="s22 a card moves the cube, its new colour stays out"),
        pytest.param("red0", "red-1", 1, 2, 9, [], id="s23 a colour seen before counts and brings all cards back"),
        pytest.param("green0, red-1, none-2", "purple0", 0, 0, 5, ["green0", "red-1", "none-2", "purple0"],
                     id="s24 the colourless card stays out"),
        pytest.param("green0", "none-2", 0, 2, 7, ["green0", "none-2"], id="s24 and matches nothing"),
        pytest.param("none-2, green0", "green-1", 0, 1, 9, [], id="s24 until two cards of one colour meet"),
        pytest.param("", "red0", 4, 4, 8, ["red0"], id="s25 the last level is safe"),
    ],
)  # fmt: skip
def test_a_card_after_a_tunnel(discard: str, deck: str, d: int, level: int, left: int, gone: list[str]) -> None:
    game = bore(discard=f"[{discard}]", deck=f"[{deck}]", d=d)
    assert deviation(game) == level and decks(game) == (left, gone)
    assert game.to_play == "france" and side(game)["tbm"] == 3


@SIDES
def test_s26_beyond_the_last_level_loses_at_once(me: str, rival: str) -> None:
    """The rival wins whatever the points are."""
    game = turn(
        "white: 2, black: 1",
        "tbm: 2, route: [black], storage: [], deviation: 3",
        "deviation_deck: [none-2]",
        cards="influence_italy influence_spain",
        me=me,
    )
    play(game, "place white plan_tunnel tunnel")
    assert (game.is_over, game.end_cause, game.winner) == (True, "deviation", rival)
    assert deviation(game, me) == 5 and not game.is_stopped and game.legal_actions() == []


def test_s27_water() -> None:
    """Blue rubble: France draws nothing, Britain twice."""
    game = bore(deck="[red-1, green0]", token="blue", me="france")
    assert deviation(game, "france") == 0 and decks(game) == (9, [])
    assert side(game, "france")["tbm"] == 3
    game = bore(deck="[red-1, green0]", token="blue")
    assert deviation(game) == 1 and decks(game) == (7, ["red-1", "green0"])


def test_s28_water_is_drawn_card_by_card() -> None:
    """A loss on the first card leaves the second on the deck."""
    game = bore(deck="[red-1, green0]", d=4, token="blue")
    assert game.winner == "france" and decks(game) == (8, ["red-1"])
    assert game.to_position()["deviation_deck"][0] == "green0"


def test_s29_a_reshuffle_comes_between_two_water_cards() -> None:
    """The second card is drawn from the new deck of nine."""
    game = bore(discard="[red0]", deck="[red-1, green0]", token="blue")
    left, discard = decks(game)
    assert (left, len(discard)) == (8, 1)
    assert deviation(game) == 1 - int(discard[0].lstrip("abcdefghijklmnopqrstuvwxyz"))


def test_s30_both_countries_share_one_discard() -> None:
    """France's card meets the colour that Britain left there."""
    game = turn(
        "white: 2, black: 1, orange: 1",
        "tbm: 2, route: [black], storage: []",
        "deviation_deck: [red0, red-1]",
        theirs="discs: {yellow: 4, orange: 1, blue: 1}, tbm: 1, route: [orange], storage: []",
    )
    play(game, "place white plan_tunnel tunnel")
    assert decks(game) == (8, ["red0"])
    play(game, "place yellow plan_tunnel tunnel")
    assert decks(game) == (9, []) and deviation(game, "france") == 1 and deviation(game) == 0
