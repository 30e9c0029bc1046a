"""Development and the abilities of cards: scenarios 48-63."""

from __future__ import annotations

from typing import Any

import pytest

from channel_tunnel_env import Game
from tests.games.tunnel_1987.positions import SIDES, area, card, end_round, held, legal, play, side, spaces, turn


def planned(*cards: str, n: int = 3, **switches: bool) -> Game:
    """A game in which a Plan has just been placed with n white discs."""
    own = "tbm: 3, route: [black], storage: []"
    game = turn(f"white: {n}, black: 3", own, "deviation_deck: [red0]", cards=" ".join(cards), **switches)
    return play(game, "place white plan_tunnel plan")


def developing(shown: str, storage: str, **more: Any) -> Game:
    """A turn with a card in the first slot."""
    display = f"display: [{shown}, influence_denmark, influence_greece]"
    return turn("white: 2, black: 3", f"tbm: 2, storage: [{storage}]", display, **more)


# --- taking cards -----------------------------------------------------------------------------------


def test_s48_a_free_card_takes_no_rubble() -> None:
    """A full storage stays as it was."""
    game = turn(
        "white: 2, black: 3",
        "tbm: 2, storage: [blue, black]",
        "display: [influence_belgium, influence_denmark, influence_greece], deck: [exchange_1]",
    )
    play(game, "place white slot_1 develop")
    assert side(game)["storage"] == ["blue", "black"] and game.to_play == "france"
    assert side(game)["cards"] == [{"card": "influence_belgium", "rubble": [], "used": False}]
    assert game.to_position()["display"][0] == "exchange_1"
    assert game.scores()["britain"]["cards"] == 1


@SIDES
def test_s49_a_discarded_token_leaves_the_game(me: str, rival: str) -> None:
    """The player picks which stored colour goes."""
    game = developing("influence_italy", "yellow, black", me=me)
    out = game.to_position()["out_of_game"].get("yellow", 0)
    play(game, "place white slot_1 develop")
    assert game.legal_actions() == ["rubble black", "rubble yellow"]
    play(game, "rubble yellow")
    assert side(game, me)["storage"] == ["black"] and side(game, me)["cards"][0]["rubble"] == []
    assert game.to_position()["out_of_game"]["yellow"] == out + 1 and game.to_play == rival


def test_s50_one_token_or_two() -> None:
    """The second token is a choice, where there is one to place."""
    game = developing("control_room_5", "yellow")
    play(game, "place white slot_1 develop")
    assert card(game, "control_room_5")["rubble"] == ["yellow"] and game.to_play == "france"
    for second, rubble, stored in (("rubble stop", ["yellow"], ["black"]), ("rubble black", ["yellow", "black"], [])):
        game = developing("control_room_5", "yellow, black")
        play(game, "place white slot_1 develop", "rubble yellow")
        assert game.legal_actions() == ["rubble black", "rubble stop"]
        play(game, second)
        assert card(game, "control_room_5")["rubble"] == rubble and side(game)["storage"] == stored
    game = developing("exchange_1", "yellow, black")
    play(game, "place white slot_1 develop", "rubble yellow")  # a card for one token
    assert card(game, "exchange_1")["rubble"] == ["yellow"] and game.to_play == "france"


def test_s51_an_empty_storage_pays_no_card() -> None:
    """The card cannot be developed; its secondary action still can be done."""
    game = developing("control_room_4", "")
    assert not legal(game, "slot_1", "develop")
    assert len(legal(game, "slot_1", "secondary")) == 2
    game = developing("control_room_4", "yellow")
    assert len(legal(game, "slot_1", "develop")) == 2


# --- recovering discs -------------------------------------------------------------------------------


def test_s52_a_control_room_recovers_a_disc() -> None:
    """One disc of the stack comes back; the emptied card is turned and keeps its points."""
    game = planned("control_room_1:orange")
    assert game.legal_actions() == ["use control_room_1", "use stop"]
    out = game.to_position()["out_of_game"].get("orange", 0)
    play(game, "use control_room_1")
    assert spaces(game) == {"plan_tunnel": {"white": 2}} and area(game) == {"white": 1, "black": 3}
    assert card(game, "control_room_1") == {"card": "control_room_1", "rubble": [], "used": True}
    assert game.scores()["britain"]["cards"] == 1 and game.to_play == "france"
    assert game.to_position()["out_of_game"]["orange"] == out + 1


def test_s53_a_card_works_once_a_round() -> None:
    """With two tokens it works in two rounds, never twice in one."""
    game = turn("white: 1, black: 2", "storage: [], tbm: 2", "passed: [france]", cards="control_room_1:orange,blue")
    play(game, "place white plan_tunnel plan", "use control_room_1")
    assert card(game, "control_room_1") == {"card": "control_room_1", "rubble": ["blue"], "used": True}
    assert game.phase == "turn"
    play(game, "place black plan_tunnel plan")
    assert game.phase == "turn"  # no chain: the card is spent for this round
    end_round(game)
    assert card(game, "control_room_1")["used"] is False
    assert game.to_play == "britain" and game.round == 2
    play(game, legal(game, "plan_tunnel", "plan")[0])
    assert "use control_room_1" in game.legal_actions()


def test_s54_an_emptied_stack_gives_nothing_more() -> None:
    """A stack of one is recovered once and leaves the space open."""
    game = planned("new_materials:orange", "control_room_1:blue", n=1)
    assert game.legal_actions() == ["use new_materials", "use control_room_1", "use stop"]
    play(game, "use new_materials")
    assert game.to_position()["spaces"].get("plan_tunnel") in (None, {"white": 0})
    assert area(game)["white"] == 1 and game.to_play == "france"
    assert card(game, "control_room_1")["rubble"] == ["blue"]
    assert len(legal(game, "plan_tunnel", "plan")) == 1  # any stack may be placed there now


def outgrown(more: str = "", **switches: Any) -> Game:
    """A turn that can bring a hand of nine discs above its allowance."""
    table = "spaces: {plan_tunnel: {yellow: 1}}, passed: [france]"
    cards = f"new_materials:orange control_room_1:blue {more}"
    return turn("white: 2, black: 5, orange: 3", "storage: [], tbm: 2", table, cards=cards, **switches)


def test_s55_a_hand_can_outgrow_the_allowance() -> None:
    """Two recoveries give eleven discs; on passing at most ten may be kept."""
    game = outgrown()
    play(game, "place white plan_tunnel plan")
    assert held(game) == 9
    play(game, "use new_materials", "use control_room_1")
    assert held(game) == 11 and game.to_play == "britain" and game.phase == "turn"
    play(game, "pass", "keep 5 black", "keep 3 orange", "keep 1 yellow")
    assert game.phase == "keep" and game.legal_actions() == ["keep 0 white", "keep 1 white"]


def test_a19_the_switch_caps_a_hand_always() -> None:
    """The second disc would be the eleventh: it is not offered, and says why."""
    game = outgrown(hand_cap="always")
    play(game, "place white plan_tunnel plan")
    assert game.legal_actions() == ["use new_materials", "use control_room_1", "use stop"]
    play(game, "use new_materials")
    assert held(game) == 10 and (game.to_play, game.phase) == ("britain", "turn")


def test_a19_a_full_hand_is_the_reason() -> None:
    """Heavy machinery keeps the window open; the recovery is refused for the full hand."""
    game = outgrown("heavy_machinery:white", hand_cap="always")
    play(game, "place white plan_tunnel plan", "use new_materials")
    assert game.phase == "chain" and "use control_room_1" not in game.legal_actions()
    assert "the area holds 10 discs, and 10 is the most" in game.explain("use control_room_1")


def test_a19_new_workers_lift_the_cap_for_their_round() -> None:
    """The book names this card as the exception: eleven discs may be held in its round."""
    game = outgrown("new_workers_1::used", hand_cap="always")
    play(game, "place white plan_tunnel plan", "use new_materials", "use control_room_1")
    assert held(game) == 11
    play(game, "pass", "keep 5 black", "keep 3 orange", "keep 1 yellow")
    assert game.legal_actions() == ["keep 0 white", "keep 1 white"], "kept is the allowance at most"


# --- chained actions --------------------------------------------------------------------------------


def test_s56_plan_plan_tunnel_with_one_placement() -> None:
    """Control room 3 plans again, and that Plan calls Control room 4."""
    game = planned("control_room_3:orange", "control_room_4:blue")
    assert legal(game, "use", "control_room_4")
    play(game, "use control_room_3")
    assert [t[0] == "?" for t in side(game)["route"]] == [False] * 3 + [True] * 3
    play(game, "use control_room_4")
    assert side(game)["tbm"] == 4 and side(game)["storage"] == ["black"]
    assert spaces(game) == {"plan_tunnel": {"white": 3}} and area(game) == {"black": 2}
    assert game.to_play == "france"


def test_s57_a_chained_action_replaces_the_one_before() -> None:
    """After the chained Technology only its own cards answer; they recover from this turn's stack."""
    game = planned("heavy_machinery:orange", "control_room_1:blue", "control_room_2:white")
    assert "use control_room_1" in game.legal_actions()
    assert "use control_room_2" not in game.legal_actions()
    play(game, "use heavy_machinery technology", "track b")
    assert game.legal_actions() == ["use control_room_2", "use stop"]
    play(game, "use control_room_2")
    assert spaces(game) == {"plan_tunnel": {"white": 2}} and area(game)["white"] == 1
    assert card(game, "control_room_1")["rubble"] == ["blue"] and game.to_play == "france"


def test_s58_three_technology_actions_in_one_turn() -> None:
    """Control room 5 and Improve technology each add one, and each asks for its counter."""
    game = turn(
        "white: 2, black: 3",
        "tbm: 3, storage: [], money: [influence_belgium]",
        cards="control_room_5:orange improve_technology_1:blue",
    )
    play(game, "place white finance_technology technology", "track b")
    assert game.legal_actions() == ["use control_room_5", "use improve_technology", "use stop"]
    play(game, "use control_room_5")
    assert game.legal_actions() == ["track a", "track b"]
    play(game, "track b", "use improve_technology")
    # one million does not pay the barrier on b, so the third action moves a by itself, and peeks
    assert side(game)["technology"] == [1, 2] and (game.to_play, game.phase) == ("britain", "peek")
    play(game, "peek own 4")
    assert side(game)["technology"] == [1, 2] and game.to_play == "france"


def test_s59_a_card_does_not_answer_the_action_that_brought_it() -> None:
    """Heavy machinery just developed waits; with the switch it may be used."""
    game = developing("heavy_machinery", "yellow, black")
    play(game, "place white slot_1 develop", "rubble yellow")
    assert card(game, "heavy_machinery")["rubble"] == ["yellow"] and game.to_play == "france"
    game = developing("heavy_machinery", "yellow, black", new_card_usable_same_action=True)
    play(game, "place white slot_1 develop", "rubble yellow")
    assert (game.to_play, game.phase) == ("britain", "chain")
    assert "use heavy_machinery plan" in game.legal_actions()


def test_s60_a_chained_development_takes_any_card() -> None:
    """Stacks on the slots do not matter; the card's cost does."""
    game = turn(
        "white: 2, black: 3",
        "tbm: 3, storage: [orange]",
        "display: [influence_italy, influence_denmark, influence_greece], deck: [exchange_1], spaces: {slot_1: {yellow: 5}}",
        cards="heavy_machinery:blue",
    )
    play(game, "place white plan_tunnel plan", "use heavy_machinery develop")
    assert game.legal_actions() == ["develop slot_1", "develop slot_2", "develop slot_3"]
    play(game, "develop slot_1")
    assert side(game)["storage"] == [] and len(side(game)["cards"]) == 2
    assert game.to_position()["display"][0] == "exchange_1"
    assert spaces(game)["slot_1"] == {"yellow": 5}


def test_s61_a_chained_tunnel_costs_its_discs() -> None:
    """With nothing in the area it is not offered."""
    for n, offered in ((0, False), (1, True)):
        game = turn(f"white: 2, black: {n}", "tbm: 3, route: [black], storage: []", cards="heavy_machinery:blue")
        play(game, "place white plan_tunnel plan")
        assert bool(legal(game, "heavy_machinery", "tunnel")) == offered
        assert legal(game, "heavy_machinery", "plan")


# --- the round-start window -------------------------------------------------------------------------


def window(key: str, discs: str, theirs: str, me: str) -> Game:
    theirs = f"discs: {{{theirs}}}, storage: []"
    table = f"phase: window, first_player: {me}"
    return turn(discs, "tbm: 2, storage: []", table, cards=f"{key}:white", theirs=theirs, me=me)


@pytest.mark.parametrize("me", ["britain", "france"])
def test_s62_new_workers_draw_an_eleventh_disc(me: str) -> None:
    """Above the allowance, from the bag; an empty bag offers nothing."""
    game = window("new_workers_1", "blue: 5, black: 5", "orange: 5, yellow: 5", me)
    assert game.legal_actions() == ["use new_workers", "start"]
    play(game, "use new_workers")
    assert area(game, me) == {"blue": 5, "black": 5, "white": 1}
    assert game.to_position()["bag"]["white"] == 4 and game.phase == "turn"
    empty = window("new_workers_1", "blue: 5, black: 5", "orange: 5, yellow: 5, white: 5", me)
    assert empty.phase == "turn" and held(empty, me) == 10


@SIDES
def test_s63_exchange_swaps_two_discs(me: str, rival: str) -> None:
    """The user names both colours; hands keep their size."""
    game = window("exchange_1", "white: 3, black: 1", "yellow: 2", me)
    assert game.legal_actions() == ["exchange black for yellow", "exchange white for yellow", "start"]
    play(game, "exchange white for yellow")
    assert area(game, me) == {"black": 1, "yellow": 1, "white": 2}
    assert area(game, rival) == {"yellow": 1, "white": 1} and game.phase == "turn"
    same = window("exchange_1", "white: 3", "white: 2", me)
    assert same.phase == "turn" and card(same, "exchange_1", me)["rubble"] == ["white"]


# --- rulings ----------------------------------------------------------------------------------------


def test_a21_first_player_s_window_comes_first() -> None:
    """Both draw, then the first player uses cards, then the other."""
    game = turn(
        "yellow: 3",
        "tbm: 2, storage: []",
        "phase: window, first_player: france",
        cards="exchange_2:white",
        theirs="discs: {white: 3}, tbm: 2, storage: [], cards: [{card: exchange_1, rubble: [white]}]",
        me="france",
    )
    assert (game.to_play, game.phase) == ("france", "window")
    play(game, "exchange yellow for white")
    assert (game.to_play, game.phase) == ("britain", "window")
    play(game, "start")
    assert (game.to_play, game.phase) == ("france", "turn")


def test_a31_heavy_machinery_may_repeat_the_action() -> None:
    """The word "another" means one more; the switch forbids the same kind."""
    assert legal(planned("heavy_machinery:orange"), "heavy_machinery", "plan")
    game = planned("heavy_machinery:orange", heavy_machinery_same_type=False)
    assert not legal(game, "heavy_machinery", "plan") and legal(game, "heavy_machinery", "tunnel")


def test_a32_a_chained_finance_takes_any_card() -> None:
    """Slots under a stack included."""
    game = planned("heavy_machinery:orange")
    play(game, "use heavy_machinery finance")
    assert game.legal_actions() == ["take slot_1", "take slot_2", "take slot_3"]


def test_a37_improve_technology_follows_a_secondary_technology() -> None:
    """Any Technology action of one's own calls it."""
    game = turn(
        "white: 2, black: 3",
        "tbm: 3, storage: []",
        "display: [influence_greece, influence_denmark, influence_belgium]",
        cards="improve_technology_1:blue",
    )
    play(game, "place white slot_1 secondary", "track b")
    assert game.legal_actions() == ["use improve_technology", "use stop"]
    play(game, "use improve_technology", "track b")
    assert side(game)["technology"] == [0, 2]


def test_a41_each_copy_works_once() -> None:
    """Two copies of one kind serve twice in a round; the fuller one first."""
    game = turn(
        "white: 2, black: 3", "tbm: 3, storage: []", cards="improve_technology_1:blue improve_technology_2:blue,white"
    )
    play(game, "place white finance_technology technology", "track b", "use improve_technology")
    assert card(game, "improve_technology_2")["rubble"] == ["white"]
    assert card(game, "improve_technology_1")["rubble"] == ["blue"]
    play(game, "track b")
    assert "use improve_technology" in game.legal_actions()


def test_a54_new_workers_come_on_top_of_kept_discs() -> None:
    """A hand kept full still gets its eleventh disc."""
    game = turn(
        "blue: 5, black: 5",
        "tbm: 2, storage: []",
        "passed: [france]",
        cards="new_workers_1:white",
        theirs="discs: {orange: 5, yellow: 5}, storage: []",
    )
    play(game, "pass", "keep 5 blue", "keep 5 black")
    assert game.round == 2 and game.phase == "window" and held(game) == held(game, "france") == 10
    play(game, "use new_workers")
    assert held(game) == 11


def test_a55_the_second_player_has_the_last_word() -> None:
    """An exchange can be taken back by the other's."""
    game = turn(
        "white: 1",
        "tbm: 2, storage: []",
        "phase: window",
        cards="exchange_1:white",
        theirs="discs: {yellow: 1}, tbm: 2, storage: [], cards: [{card: exchange_2, rubble: [white]}]",
    )
    play(game, "exchange white for yellow", "exchange white for yellow")
    assert area(game) == {"white": 1} and area(game, "france") == {"yellow": 1}


def test_a33_a_new_card_answers_actions_begun_later() -> None:
    """Control room 2 just developed is silent at once, but follows a Technology chained after it."""
    game = developing("control_room_2", "orange", cards="heavy_machinery:blue new_materials:white")
    play(game, "place white slot_1 develop")
    assert card(game, "control_room_2")["rubble"] == ["orange"]
    assert "use control_room_2" not in game.legal_actions()
    play(game, "use heavy_machinery technology", "track b")
    assert game.legal_actions() == ["use new_materials", "use control_room_2", "use stop"]


def test_a35_recovery_after_a_chained_action_takes_from_the_placed_stack() -> None:
    """New materials after Control room 3: the stack on Plan/Tunnel gives the disc."""
    game = planned("control_room_3:orange", "new_materials:blue")
    play(game, "use control_room_3", "use new_materials")
    assert spaces(game) == {"plan_tunnel": {"white": 2}}
