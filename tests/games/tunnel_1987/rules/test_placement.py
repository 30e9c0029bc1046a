"""Placement and spaces: scenarios 1-11 and the rulings on them."""

from __future__ import annotations

from typing import Any

import pytest

from channel_tunnel_env import Game
from tests.games.tunnel_1987.positions import SIDES, area, legal, other_cards, play, side, spaces, turn


@SIDES
def test_s01_an_empty_space_takes_any_stack(me: str, rival: str) -> None:
    """One disc or more opens an empty space, and Plan turns up the next own token."""
    game = turn("yellow: 2, orange: 3", me=me)
    play(game, "place yellow plan_tunnel plan")
    assert spaces(game) == {"plan_tunnel": {"yellow": 2}}
    assert area(game, me) == {"orange": 3}
    assert [t[0] == "?" for t in side(game, me)["route"]] == [False] * 2 + [True] * 7
    assert [t[0] == "?" for t in side(game, rival)["route"]] == [False] + [True] * 8
    assert (game.to_play, game.phase) == (rival, "turn")


def test_s02_the_beaten_stack_is_taken_before_the_action() -> None:
    """A larger stack takes the place of a smaller one, whose discs are then there to pay with."""
    game = turn("orange: 3, yellow: 1, black: 1", "route: [blue]", "spaces: {plan_tunnel: {yellow: 2}}")
    play(game, "place orange plan_tunnel tunnel")
    assert spaces(game) == {"plan_tunnel": {"orange": 3}}
    assert area(game) == {"yellow": 3, "black": 1} and game.phase == "tunnel_pay"
    assert game.legal_actions() == ["pay black yellow", "pay yellow yellow"]


def test_s03_ones_own_stack_can_be_beaten() -> None:
    """A player may place on a stack of their own."""
    game = turn("yellow: 2, orange: 3", "", "passed: [france]", theirs="discs: {}")
    play(game, "place yellow plan_tunnel plan")
    assert game.to_play == "britain"
    play(game, "place orange plan_tunnel plan")
    assert spaces(game)["plan_tunnel"] == {"orange": 3} and area(game) == {"yellow": 2}


@SIDES
def test_s04_as_many_discs_are_not_enough(me: str, rival: str) -> None:
    """Two discs do not beat two; other spaces stay open."""
    game = turn("orange: 2", "", "spaces: {plan_tunnel: {yellow: 2}}", me=me)
    assert legal(game, "plan_tunnel") == []
    assert legal(game, "finance_technology") == [
        "place orange finance_technology finance",
        "place orange finance_technology technology",
    ]
    assert "holds 2, so it takes 3" in game.explain("place orange plan_tunnel plan")


@pytest.mark.parametrize(("n", "expected"), [(3, ["plan", "tunnel"]), (2, [])])
def test_s05_one_stack_blocks_both_actions_of_a_space(n: int, expected: list[str]) -> None:
    """A stack laid for Plan must be beaten for Tunnel as well."""
    game = turn(f"white: {n}", "", "spaces: {plan_tunnel: {orange: 2}}")
    assert [a.split()[-1] for a in legal(game, "plan_tunnel")] == expected


def test_s06_the_discs_taken_up_can_pay_the_tunnel() -> None:
    """Tunnel is legal when only the beaten stack holds what it costs."""
    game = turn("orange: 2", "route: [yellow]", "spaces: {plan_tunnel: {yellow: 1}}, deviation_deck: [red0]")
    bag = game.to_position()["bag"]["yellow"]
    play(game, "place orange plan_tunnel tunnel")
    assert area(game) == {} and spaces(game) == {"plan_tunnel": {"orange": 2}}
    assert game.to_position()["bag"]["yellow"] == bag + 1
    assert side(game)["tbm"] == 1 and game.to_play == "france"


@pytest.mark.parametrize(
    ("hand", "left"),
    [
        pytest.param("orange: 2, white: 1", {}, id="s07 what stays in the area must pay"),
        pytest.param("yellow: 3, white: 1", {"yellow": 2}, id="s08 discs just placed do not pay"),
    ],
)
def test_a_tunnel_is_paid_with_what_stays(hand: str, left: dict[str, int]) -> None:
    game = turn(hand, "route: [yellow]")
    assert legal(game, "tunnel", "plan_tunnel") == ["place white plan_tunnel tunnel"]
    play(game, "place white plan_tunnel tunnel")
    assert area(game) == left and spaces(game) == {"plan_tunnel": {"white": 1}}


def test_s09_the_same_colour_can_be_beaten_by_more_of_it() -> None:
    """Yellow on yellow is fine if larger; the old discs come back."""
    game = turn("yellow: 3, black: 1", "", "spaces: {plan_tunnel: {yellow: 2}}")
    play(game, "place yellow plan_tunnel plan")
    assert area(game) == {"yellow": 2, "black": 1} and spaces(game) == {"plan_tunnel": {"yellow": 3}}
    game = turn("yellow: 2", "", "spaces: {plan_tunnel: {yellow: 3}}")
    assert legal(game, "plan_tunnel") == [] and "pass" in game.legal_actions()


@SIDES
def test_s10_five_discs_close_a_space(me: str, rival: str) -> None:
    """Nobody can beat a stack of five this round."""
    game = turn("black: 5, white: 5", "", "spaces: {plan_tunnel: {yellow: 5}}", me=me)
    assert legal(game, "plan_tunnel") == [] and legal(game, "finance_technology")


def test_s11_all_discs_of_a_colour_are_placed() -> None:
    """A placement leaves no disc of its colour in the area."""
    game = turn("black: 4, white: 1")
    assert legal(game, "black", "plan") == ["place black plan_tunnel plan"]
    play(game, "place black plan_tunnel plan")
    assert area(game) == {"white": 1} and spaces(game) == {"plan_tunnel": {"black": 4}}


def test_a06_no_discs_for_an_action_that_cannot_be_done() -> None:
    """A placement whose action has no effect is illegal, whatever else it would gain."""
    game = turn("white: 3", "technology: [5, 5]", "spaces: {finance_technology: {yellow: 1}}")
    assert legal(game, "finance_technology") == ["place white finance_technology finance"]


def test_a08_development_takes_the_card_of_its_slot() -> None:
    """The slot on which the discs lie names the card."""
    game = turn("white: 3, black: 1", "", "display: [influence_belgium, influence_denmark, influence_greece]")
    play(game, "place white slot_2 develop")
    assert [c["card"] for c in side(game)["cards"]] == ["influence_denmark"]
    assert game.to_position()["display"][::2] == ["influence_belgium", "influence_greece"]


# --- null actions (A06) -------------------------------------------------------------------------------

DISPLAY = ["influence_italy", "influence_denmark", "influence_greece"]


def idle(space: str, me: str = "britain", rival: str = "france", **more: Any) -> Game:
    """A turn in which every action but Finance would be without effect, alone in the round."""
    own = "tbm: 5, route: [blue, blue, black, black], storage: [], technology: [1, 2]"
    shown = f"display: [{', '.join(DISPLAY)}], deck: [exchange_1]"
    table = f"{shown}, passed: [{rival}], spaces: {{{space}: {{yellow: 1}}}}"
    return turn("white: 2, black: 1", own, table, me=me, **more)


@SIDES
@pytest.mark.parametrize(
    ("space", "option"),
    [("plan_tunnel", "plan"), ("finance_technology", "technology"), ("slot_2", "secondary"), ("slot_1", "develop")],
)
def test_a06_an_action_without_effect_may_be_placed_for_with_the_switch(
    space: str, option: str, me: str, rival: str
) -> None:
    """The stacks change places, nothing else happens; a secondary action's card is used up all the same."""
    assert not legal(idle(space, me, rival), "white", space, option)
    game = idle(space, me, rival, null_actions=True)
    before = side(game, me)
    play(game, f"place white {space} {option}")
    assert (game.to_play, game.phase) == (me, "turn")
    assert spaces(game)[space] == {"white": 2} and area(game, me) == {"black": 1, "yellow": 1}
    assert {**side(game, me), "discs": before["discs"]} == before
    after = [DISPLAY[0], "exchange_1", DISPLAY[2]] if option == "secondary" else DISPLAY
    assert game.to_position()["display"] == after
    assert not game.state.tally_action.any(), "only actions with an effect are counted"


def test_a06_a_null_finance_needs_no_card_but_a_slot_does() -> None:
    """With no card anywhere the permanent space can be used; the slots cannot (A09)."""
    hand, own, table = "white: 2, black: 1", f"storage: [], money: {other_cards()}", "display: [null, null, null]"
    assert not legal(turn(hand, own, table), "finance_technology", "finance")
    game = turn(hand, own, table, null_actions=True)
    assert legal(game, "finance_technology", "finance") and not legal(game, "slot_1")


def test_a06_a_tunnel_is_never_a_null_action() -> None:
    """The rulebook itself says that a Tunnel cannot be taken."""
    for own, possible in (("tbm: 2, storage: [blue, white]", False), ("tbm: 2, route: [black], storage: []", True)):
        game = turn("white: 3, black: 2", own, null_actions=True)
        assert bool(legal(game, "plan_tunnel", "tunnel")) == possible


def test_a06_a_null_action_is_an_action_that_cards_can_follow() -> None:
    """Control room 1 follows a Plan that turned nothing up; a card's own null use is never offered."""
    game = idle("plan_tunnel", cards="control_room_1:white control_room_3:blue", null_actions=True)
    play(game, "place white plan_tunnel plan")
    assert game.phase == "chain" and game.legal_actions() == ["use control_room_1", "use stop"]
    play(game, "use control_room_1")
    assert spaces(game)["plan_tunnel"] == {"white": 1}
