"""Technology and money: scenarios 37-47."""

from __future__ import annotations

from typing import Any

import pytest

from channel_tunnel_env import Game
from tests.games.tunnel_1987.positions import SIDES, card, held, legal, play, side, turn

ALL_UP = "[blue, blue, black, black, orange, orange, yellow, yellow, white]"


def technology(own: str = "", me: str = "britain", **more: Any) -> Game:
    """A game in which Technology has just been placed."""
    return play(turn("white: 2, black: 1", own, me=me, **more), "place white finance_technology technology")


EXTRA = "extra_finance_1:white"
FREE, AT_A_BARRIER = "technology: [0, 0]", "technology: [3, 0], storage: []"  # its price is three million


@pytest.mark.parametrize(
    ("own", "cards", "actions", "left"),
    [
        pytest.param(f"{FREE}, deviation: 2", "", ["track b"], {"technology": [0, 1], "deviation": 2},
                     id="s37 without money nothing aligns"),
        pytest.param(f"{FREE}, deviation: 3, money: [influence_belgium, influence_italy]", "",
                     ["track b", "spend 1", "spend stop"], {"deviation": 2, "money": ["influence_italy"]},
                     id="s38 alignment can be stopped"),
        pytest.param(f"{FREE}, deviation: 1, money: [new_materials]", "", ["track b", "spend 3"],
                     {"deviation": 0, "discard": ["new_materials"]}, id="s39 no change is given"),
        pytest.param(f"{AT_A_BARRIER}, deviation: 3, money: [influence_italy, influence_spain]", "", ["track a"],
                     {"technology": [4, 0], "deviation": 2, "discard": ["influence_italy", "influence_spain"]},
                     id="s40 a barrier takes all money and the surplus aligns"),
        pytest.param(f"{AT_A_BARRIER}, deviation: 1, money: [influence_italy]", EXTRA, ["track a"],
                     {"technology": [4, 0], "deviation": 0, "money": [],
                      "cards": [{"card": "extra_finance_1", "rubble": [], "used": True}]},
                     id="s42 extra finance fills up a barrier by itself"),
        pytest.param(AT_A_BARRIER, EXTRA, ["track a"], {"technology": [4, 0]}, id="a15 it pays a barrier alone"),
        pytest.param(f"{AT_A_BARRIER}, deviation: 4, money: [influence_italy]", EXTRA, ["track a"],
                     {"money": [], "deviation": 2}, id="a15 the money there is goes all the same"),
        pytest.param(f"{FREE}, money: [influence_belgium]", "", ["track b"], {"money": ["influence_belgium"]},
                     id="a23 nothing is paid at no deviation"),
        pytest.param(f"{FREE}, deviation: 1, money: [influence_spain, influence_italy]", "", ["track b", "spend 2"],
                     {"money": ["influence_italy"]}, id="a66 the oldest card of a value is spent"),
        pytest.param(f"{FREE}, peeked: [[britain, 4]]", "", ["track a", "peek own 4"], {"peeked": [["britain", 4]]},
                     id="a80 a token may be peeked at again"),
    ],
)  # fmt: skip
def test_what_a_technology_leaves(own: str, cards: str, actions: list[str], left: dict[str, Any]) -> None:
    """And then it is the rival's turn: nothing more is asked."""
    game = play(technology(own, cards=cards), *actions)
    found = side(game) | {"discard": sorted(game.to_position()["discard"])}
    assert {key: found[key] for key in left} == left
    assert (game.to_play, game.phase) == ("france", "turn")


@pytest.mark.parametrize("me", ["britain", "france"])
def test_s38_alignment_ends_by_itself_at_zero(me: str) -> None:
    """Money cards go one by one; at no deviation the action is over."""
    game = technology("deviation: 3, money: [influence_belgium, influence_italy]", me=me)
    play(game, "track b")
    assert game.phase == "align" and game.legal_actions() == ["spend 1", "spend 2", "spend stop"]
    play(game, "spend 2")
    assert side(game, me)["deviation"] == 1 and game.legal_actions() == ["spend 1", "spend stop"]
    play(game, "spend 1")
    assert side(game, me)["deviation"] == 0 and side(game, me)["money"] == []
    assert game.to_play != me and game.phase == "turn"
    assert sorted(game.to_position()["discard"]) == ["influence_belgium", "influence_italy"]


def test_s41_a_barrier_that_cannot_be_paid_stops_its_counter() -> None:
    """Two million do not pay three; the other track is open."""
    game = technology("technology: [3, 0], money: [influence_italy]", auto_forced=False)
    assert game.legal_actions() == ["track b"]
    game = technology("technology: [3, 0], money: [new_materials]")
    assert game.legal_actions() == ["track a", "track b"]


def test_s43_extra_finance_is_spared_where_money_pays() -> None:
    """The cards pay the price; Extra finance is then free to align."""
    game = technology("technology: [3, 0], deviation: 2, money: [new_materials], storage: []", cards=EXTRA)
    play(game, "track a")
    assert card(game, "extra_finance_1")["rubble"] == ["white"]
    assert game.legal_actions() == ["spend extra_finance", "spend stop"]
    play(game, "spend extra_finance")
    assert side(game)["deviation"] == 0 and card(game, "extra_finance_1")["rubble"] == []
    assert game.to_play == "france"


def test_s44_counters_at_their_end_close_technology() -> None:
    """Even where alignment would help; the switch opens it without a move."""
    own = "technology: [5, 5], deviation: 4, money: [new_materials]"
    assert legal(turn("white: 2, black: 1", own), "finance_technology", "technology") == []
    for value in ("when_blocked", "always"):
        game = technology(own, technology_without_move=value, auto_forced=False)
        assert game.legal_actions() == ["track none"]
        play(game, "track none", "spend 3")
        assert side(game)["deviation"] == 1 and side(game)["technology"] == [5, 5]


def test_a16_technology_without_a_move() -> None:
    """`when_blocked` asks for blocked counters, `always` does not."""
    more = "deviation: 1, money: [influence_belgium]"
    assert "track none" not in technology(more, technology_without_move="when_blocked").legal_actions()
    game = technology(more, technology_without_move="always")
    assert game.legal_actions() == ["track a", "track b", "track none"]
    play(game, "track none", "spend 1")
    assert side(game)["technology"] == [0, 0] and side(game)["deviation"] == 0
    nothing_to_pay = technology(technology_without_move="always")
    assert nothing_to_pay.legal_actions() == ["track a", "track b"]


@SIDES
def test_s45_an_extra_disc_comes_with_the_next_round(me: str, rival: str) -> None:
    """The space is reached in this round and counts from the next draw on."""
    game = turn("white: 2", "technology: [2, 3]", me=me)
    play(game, "place white finance_technology technology", "track a")
    assert side(game, me)["technology"] == [3, 3] and held(game, me) == 0
    play(game, "pass", "keep 0 blue")  # the other has no discs left and passes by itself
    assert game.round == 2 and held(game, me) == 11 and held(game, rival) == 10


@SIDES
def test_s46_a_peek_shows_any_face_down_token_to_one_player(me: str, rival: str) -> None:
    """Tokens of both sides are offered; the rival learns the place, not the colour."""
    game = technology(me=me)
    play(game, "track a")
    own = [f"peek own {i}" for i in range(1, 9)]
    assert game.phase == "peek"
    assert game.legal_actions() == own + [f"peek rival {i}" for i in range(1, 9)]
    play(game, "peek rival 3")
    assert side(game, me)["peeked"] == [[rival, 3]]
    assert game.to_position(me)[rival]["route"][3] not in ("?", game.to_position(rival)[rival]["route"][3])
    assert game.to_position(rival)[rival]["route"][3] == "?"
    assert side(game, rival)["route"][3].startswith("?")


def test_s47_without_a_face_down_token_there_is_no_peek() -> None:
    """The benefit is skipped."""
    own = f"route: {ALL_UP}, storage: []"
    game = technology(own, theirs=f"discs: {{blue: 2}}, {own}")
    play(game, "track a")
    assert side(game)["technology"] == [1, 0] and (game.to_play, game.phase) == ("france", "turn")


def test_a14_only_as_many_extra_finance_cards_as_needed() -> None:
    """One of two cards fills up the barrier; the other is left for alignment."""
    cards = "extra_finance_1:white extra_finance_2:white"
    game = technology("technology: [3, 0], deviation: 4, storage: [], tbm: 2", cards=cards)
    play(game, "track a")
    assert side(game)["deviation"] == 4 and side(game)["technology"] == [4, 0]
    left = sorted(len(c["rubble"]) for c in side(game)["cards"])
    assert left == [0, 1] and game.legal_actions() == ["spend extra_finance", "spend stop"]


def test_a43_extra_finance_can_make_a_placement_legal() -> None:
    """A barrier it can pay makes Technology possible."""
    for cards, ways in (("extra_finance_1", 0), (EXTRA, 2)):
        game = turn("white: 2, black: 1", "technology: [3, 5], storage: []", cards=cards)
        assert len(legal(game, "technology", "finance_technology")) == ways


@pytest.mark.parametrize(("me", "prices"), [("britain", [1, 3, 2, 4]), ("france", [2, 4, 3, 5])])
def test_barriers_of_the_standard_ruleset(me: str, prices: list[int]) -> None:
    """Each barrier opens at its price and not a million below."""
    money = {1: "influence_belgium", 2: "influence_italy", 3: "new_materials"}
    for counters, track, price in zip(("[1, 5]", "[3, 5]", "[5, 2]", "[5, 4]"), "aabb", prices, strict=True):
        for paid in (price - 1, price):
            cards = [money[min(paid, 3)]] if paid else []
            cards += [{1: "influence_denmark", 2: "influence_spain"}[paid - 3]] if paid > 3 else []
            game = turn("white: 2, black: 1", f"technology: {counters}, money: [{', '.join(cards)}]", me=me)
            assert bool(legal(game, "finance_technology", "technology")) == (paid == price), (track, paid)
