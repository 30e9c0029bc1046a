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


def test_s37_a_step_without_money_leaves_the_deviation() -> None:
    """There is nothing to align with, so nothing is asked."""
    game = technology("deviation: 2")
    assert game.legal_actions() == ["track a", "track b"]
    play(game, "track b")
    assert side(game)["technology"] == [0, 1] and side(game)["deviation"] == 2
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


def test_s38_alignment_can_be_stopped() -> None:
    """The player may keep money and deviation."""
    game = technology("deviation: 3, money: [influence_belgium, influence_italy]")
    play(game, "track b", "spend 1", "spend stop")
    assert side(game)["deviation"] == 2 and side(game)["money"] == ["influence_italy"]
    assert game.to_play == "france"


def test_s39_no_change_is_given() -> None:
    """Three million on one level: the card is gone."""
    game = technology("deviation: 1, money: [new_materials]")
    play(game, "track b", "spend 3")
    assert side(game)["deviation"] == 0 and game.to_position()["discard"] == ["new_materials"]


def test_s40_a_barrier_takes_all_money_and_the_surplus_aligns() -> None:
    """Four million against a price of three: one level back."""
    game = technology("technology: [3, 0], deviation: 3, money: [influence_italy, influence_spain]")
    play(game, "track a")
    assert side(game)["technology"] == [4, 0] and side(game)["money"] == []
    assert side(game)["deviation"] == 2 and game.to_play == "france"
    assert len(game.to_position()["discard"]) == 2


def test_s41_a_barrier_that_cannot_be_paid_stops_its_counter() -> None:
    """Two million do not pay three; the other track is open."""
    game = technology("technology: [3, 0], money: [influence_italy]", auto_forced=False)
    assert game.legal_actions() == ["track b"]
    game = technology("technology: [3, 0], money: [new_materials]")
    assert game.legal_actions() == ["track a", "track b"]


EXTRA = "extra_finance_1:white"


def test_s42_extra_finance_fills_up_a_barrier() -> None:
    """It is used by itself where the money falls short; the surplus aligns."""
    game = technology("technology: [3, 0], deviation: 1, money: [influence_italy], storage: []", cards=EXTRA)
    play(game, "track a")
    assert side(game)["technology"] == [4, 0] and side(game)["deviation"] == 0
    assert side(game)["money"] == []
    assert card(game, "extra_finance_1") == {"card": "extra_finance_1", "rubble": [], "used": True}
    assert game.to_position()["out_of_game"].get("white", 0) >= 1


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
    """Of two cards one fills up the barrier; the other is left for alignment."""
    cards = "extra_finance_1:white extra_finance_2:white"
    game = technology("technology: [3, 0], deviation: 4, storage: [], tbm: 2", cards=cards)
    play(game, "track a")
    assert side(game)["deviation"] == 4 and side(game)["technology"] == [4, 0]
    left = sorted(len(c["rubble"]) for c in side(game)["cards"])
    assert left == [0, 1] and game.legal_actions() == ["spend extra_finance", "spend stop"]


def test_a15_extra_finance_alone_pays_a_barrier() -> None:
    """No money card is needed; the money there is goes all the same."""
    game = technology("technology: [3, 0], storage: []", cards=EXTRA)
    play(game, "track a")
    assert side(game)["technology"] == [4, 0]
    game = technology("technology: [3, 0], deviation: 4, money: [influence_italy], storage: []", cards=EXTRA)
    play(game, "track a")
    assert side(game)["money"] == [] and side(game)["deviation"] == 2


def test_a23_nothing_is_paid_at_no_deviation() -> None:
    """Alignment is not even asked."""
    game = technology("money: [influence_belgium]")
    play(game, "track b")
    assert side(game)["money"] == ["influence_belgium"] and game.to_play == "france"


def test_a43_extra_finance_can_make_a_placement_legal() -> None:
    """A barrier it can pay makes Technology possible."""
    for cards, ways in (("extra_finance_1", 0), (EXTRA, 2)):
        game = turn("white: 2, black: 1", "technology: [3, 5], storage: []", cards=cards)
        assert len(legal(game, "technology", "finance_technology")) == ways


def test_a66_the_oldest_card_of_a_value_is_spent() -> None:
    """Equal money cards go in the order they came."""
    game = technology("deviation: 1, money: [influence_spain, influence_italy]")
    play(game, "track b", "spend 2")
    assert side(game)["money"] == ["influence_italy"]


def test_a80_a_token_may_be_peeked_at_again() -> None:
    """A place already known is offered still."""
    game = technology("peeked: [[britain, 4]]")
    play(game, "track a", "peek own 4")
    assert side(game)["peeked"] == [["britain", 4]] and game.to_play == "france"


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
