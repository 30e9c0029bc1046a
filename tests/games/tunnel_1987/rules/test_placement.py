"""Placement and spaces: scenarios 1-11 and the rulings on them."""

from __future__ import annotations

import pytest

from tests.games.tunnel_1987.positions import area, legal, other_cards, play, position, side, spaces

SIDES = pytest.mark.parametrize(("me", "rival"), [("britain", "france"), ("france", "britain")])


@SIDES
def test_s01_an_empty_space_takes_any_stack(me: str, rival: str) -> None:
    """One disc or more opens an empty space, and Plan turns up the next own token."""
    game = position(f"{{to_play: {me}, {me}: {{discs: {{yellow: 2, orange: 3}}}}, {rival}: {{discs: {{blue: 3}}}}}}")
    play(game, "place yellow plan_tunnel plan")
    assert spaces(game) == {"plan_tunnel": {"yellow": 2}}
    assert area(game, me) == {"orange": 3}
    assert [t[0] == "?" for t in side(game, me)["route"]] == [False] * 2 + [True] * 7
    assert [t[0] == "?" for t in side(game, rival)["route"]] == [False] + [True] * 8
    assert (game.to_play, game.phase) == (rival, "turn")


def test_s02_the_beaten_stack_is_taken_before_the_action() -> None:
    """A larger stack takes the place of a smaller one, whose discs are then there to pay with."""
    game = position(
        """
        spaces: {plan_tunnel: {yellow: 2}}
        britain: {discs: {orange: 3, yellow: 1, black: 1}, route: [blue]}
        france: {discs: {white: 2}}
        """
    )
    play(game, "place orange plan_tunnel tunnel")
    assert spaces(game) == {"plan_tunnel": {"orange": 3}}
    assert area(game) == {"yellow": 3, "black": 1} and game.phase == "tunnel_pay"
    assert game.legal_actions() == ["pay black yellow", "pay yellow yellow"]


def test_s03_ones_own_stack_can_be_beaten() -> None:
    """A player may place on a stack of their own."""
    game = position("{passed: [france], britain: {discs: {yellow: 2, orange: 3}}, france: {discs: {}}}")
    play(game, "place yellow plan_tunnel plan")
    assert game.to_play == "britain"
    play(game, "place orange plan_tunnel plan")
    assert spaces(game)["plan_tunnel"] == {"orange": 3} and area(game) == {"yellow": 2}


@SIDES
def test_s04_as_many_discs_are_not_enough(me: str, rival: str) -> None:
    """Two discs do not beat two; other spaces stay open."""
    game = position(
        f"{{to_play: {me}, spaces: {{plan_tunnel: {{yellow: 2}}}}, {me}: {{discs: {{orange: 2}}}}, "
        f"{rival}: {{discs: {{blue: 3}}}}}}"
    )
    assert legal(game, "plan_tunnel") == []
    assert legal(game, "finance_technology") == [
        "place orange finance_technology finance",
        "place orange finance_technology technology",
    ]
    assert "holds 2, so it takes 3" in game.explain("place orange plan_tunnel plan")


@pytest.mark.parametrize(("n", "expected"), [(3, ["plan", "tunnel"]), (2, [])])
def test_s05_one_stack_blocks_both_actions_of_a_space(n: int, expected: list[str]) -> None:
    """A stack laid for Plan must be beaten for Tunnel as well."""
    game = position(
        f"{{spaces: {{plan_tunnel: {{orange: 2}}}}, britain: {{discs: {{white: {n}}}}}, "
        "france: {discs: {blue: 3}}}"
    )
    assert [a.split()[-1] for a in legal(game, "plan_tunnel")] == expected


def test_s06_the_discs_taken_up_can_pay_the_tunnel() -> None:
    """Tunnel is legal when only the beaten stack holds what it costs."""
    game = position(
        """
        spaces: {plan_tunnel: {yellow: 1}}
        deviation_deck: [red0]
        britain: {discs: {orange: 2}, route: [yellow]}
        france: {discs: {blue: 2, white: 1}}
        """
    )
    bag = game.to_position()["bag"]["yellow"]
    play(game, "place orange plan_tunnel tunnel")
    assert area(game) == {} and spaces(game) == {"plan_tunnel": {"orange": 2}}
    assert game.to_position()["bag"]["yellow"] == bag + 1
    assert side(game)["tbm"] == 1 and game.to_play == "france"


def test_s07_what_stays_in_the_area_must_pay() -> None:
    """Without a disc of the colour two others must remain after the placement."""
    game = position("{britain: {discs: {orange: 2, white: 1}, route: [yellow]}, france: {discs: {blue: 2}}}")
    assert legal(game, "tunnel", "plan_tunnel") == ["place white plan_tunnel tunnel"]
    play(game, "place white plan_tunnel tunnel")
    assert area(game) == {} and spaces(game) == {"plan_tunnel": {"white": 1}}


def test_s08_discs_just_placed_do_not_pay() -> None:
    """The stack laid for a Tunnel is no longer in the area."""
    game = position("{britain: {discs: {yellow: 3, white: 1}, route: [yellow]}, france: {discs: {blue: 2}}}")
    assert legal(game, "tunnel", "plan_tunnel") == ["place white plan_tunnel tunnel"]
    play(game, "place white plan_tunnel tunnel")
    assert area(game) == {"yellow": 2}


def test_s09_the_same_colour_can_be_beaten_by_more_of_it() -> None:
    """Yellow on yellow is fine if larger; the old discs come back."""
    game = position(
        "{spaces: {plan_tunnel: {yellow: 2}}, britain: {discs: {yellow: 3, black: 1}}, france: {discs: {blue: 2}}}"
    )
    play(game, "place yellow plan_tunnel plan")
    assert area(game) == {"yellow": 2, "black": 1} and spaces(game) == {"plan_tunnel": {"yellow": 3}}
    game = position("{spaces: {plan_tunnel: {yellow: 3}}, britain: {discs: {yellow: 2}}, france: {discs: {blue: 2}}}")
    assert legal(game, "plan_tunnel") == [] and "pass" in game.legal_actions()


@SIDES
def test_s10_five_discs_close_a_space(me: str, rival: str) -> None:
    """Nobody can beat a stack of five this round."""
    game = position(
        f"{{to_play: {me}, spaces: {{plan_tunnel: {{yellow: 5}}}}, "
        f"{me}: {{discs: {{black: 5, white: 5}}}}, {rival}: {{discs: {{blue: 5}}}}}}"
    )
    assert legal(game, "plan_tunnel") == [] and legal(game, "finance_technology")


def test_s11_all_discs_of_a_colour_are_placed() -> None:
    """A placement leaves no disc of its colour in the area."""
    game = position("{britain: {discs: {black: 4, white: 1}}, france: {discs: {blue: 2}}}")
    assert legal(game, "black", "plan") == ["place black plan_tunnel plan"]
    play(game, "place black plan_tunnel plan")
    assert area(game) == {"white": 1} and spaces(game) == {"plan_tunnel": {"black": 4}}


def test_a06_no_discs_for_an_action_that_cannot_be_done() -> None:
    """A placement whose action has no effect is illegal, whatever else it would gain."""
    game = position(
        """
        spaces: {finance_technology: {yellow: 1}}
        britain: {discs: {white: 3}, technology: [5, 5]}
        france: {discs: {blue: 2}}
        """
    )
    assert legal(game, "finance_technology") == ["place white finance_technology finance"]


def test_a08_development_takes_the_card_of_its_slot() -> None:
    """The slot on which the discs lie names the card."""
    game = position(
        """
        display: [influence_belgium, influence_denmark, influence_greece]
        britain: {discs: {white: 3, black: 1}}
        france: {discs: {blue: 2}}
        """
    )
    play(game, "place white slot_2 develop")
    assert [c["card"] for c in side(game)["cards"]] == ["influence_denmark"]
    assert game.to_position()["display"][::2] == ["influence_belgium", "influence_greece"]


# --- null actions (A06) -------------------------------------------------------------------------------

IDLE = """
    display: [influence_italy, influence_denmark, influence_greece]
    deck: [exchange_1]
    passed: [{rival}]
    to_play: {me}
    spaces: {{{space}: {{yellow: 1}}}}
    {me}:
      discs: {{white: 2, black: 1}}
      tbm: 5
      route: [blue, blue, black, black]
      storage: []
      technology: [1, 2]
      cards: [{cards}]
    {rival}: {{discs: {{blue: 1}}, storage: []}}
    """
NULL = {
    "plan": ("plan_tunnel", "plan"),
    "technology": ("finance_technology", "technology"),
    "secondary": ("slot_2", "secondary"),
    "develop": ("slot_1", "develop"),
}


@pytest.mark.parametrize(("me", "rival"), [("britain", "france"), ("france", "britain")])
@pytest.mark.parametrize("what", list(NULL))
def test_a06_an_action_without_effect_may_be_placed_for_with_the_switch(what: str, me: str, rival: str) -> None:
    """The stacks change places, nothing else happens; a secondary action's card is used up all the same."""
    space, option = NULL[what]
    text = IDLE.format(me=me, rival=rival, space=space, cards="")
    assert not legal(position(text), "white", space, option)
    game = position(text, null_actions=True)
    before = side(game, me)
    play(game, f"place white {space} {option}")
    assert (game.to_play, game.phase) == (me, "turn")
    assert spaces(game)[space] == {"white": 2} and area(game, me) == {"black": 1, "yellow": 1}
    assert {**side(game, me), "discs": before["discs"]} == before
    shown = game.to_position()["display"]
    assert shown == ["influence_italy", "influence_denmark", "influence_greece"] or (
        what == "secondary" and shown[1] == "exchange_1"
    )
    assert not game.state.tally_action.any(), "only actions with an effect are counted"


def test_a06_a_null_finance_needs_no_card_but_a_slot_does() -> None:
    """With no card anywhere the permanent space can be used; the slots cannot (A09)."""
    text = f"""
        display: [null, null, null]
        britain: {{discs: {{white: 2, black: 1}}, storage: [], money: {other_cards()}}}
        france: {{discs: {{blue: 1}}, storage: []}}
        """
    assert not legal(position(text), "finance_technology", "finance")
    game = position(text, null_actions=True)
    assert legal(game, "finance_technology", "finance") and not legal(game, "slot_1")


def test_a06_a_tunnel_is_never_a_null_action() -> None:
    """Of Tunnel the rulebook itself says that it cannot be taken."""
    full = "britain: {discs: {white: 3, black: 2}, tbm: 2, storage: [blue, white]}"
    assert not legal(position(full, null_actions=True), "plan_tunnel", "tunnel")
    free = "britain: {discs: {white: 3, black: 2}, tbm: 2, route: [black], storage: []}"
    assert legal(position(free, null_actions=True), "plan_tunnel", "tunnel")


def test_a06_a_null_action_is_an_action_that_cards_can_follow() -> None:
    """Control room 1 follows a Plan that turned nothing up; a card's own null use is never offered."""
    cards = "{card: control_room_1, rubble: [white]}, {card: control_room_3, rubble: [blue]}"
    game = position(IDLE.format(me="britain", rival="france", space="plan_tunnel", cards=cards), null_actions=True)
    play(game, "place white plan_tunnel plan")
    assert game.phase == "chain" and game.legal_actions() == ["use control_room_1", "use stop"]
    play(game, "use control_room_1")
    assert spaces(game)["plan_tunnel"] == {"white": 1}
