"""Tunnel: scenarios 15-21."""

from __future__ import annotations

import pytest

from channel_tunnel_env import Game
from tests.games.tunnel_1987.positions import SIDES, area, card, legal, play, side, turn


@pytest.mark.parametrize(("me", "stored"), [("britain", "[blue, black]"), ("france", "[blue, black, blue]")])
def test_s15_a_full_storage_stops_the_machine(me: str, stored: str) -> None:
    """Without a free storage space there is no Tunnel: placed, secondary or chained."""
    game = turn(
        "white: 2, black: 3",
        f"tbm: 5, route: [yellow], storage: {stored}",
        "display: [influence_belgium, influence_ireland, media_relations]",
        cards="control_room_1:white control_room_4:white heavy_machinery:white",
        me=me,
    )
    assert legal(game, "tunnel") == [] and legal(game, "secondary") == []
    play(game, "place white plan_tunnel plan")
    assert game.phase == "chain" and legal(game, "use", "control_room_1")
    assert not legal(game, "use", "control_room_4") and not legal(game, "tunnel")


def test_s16_a_face_down_token_cannot_be_bored() -> None:
    """The front token must be face up, however many discs there are."""
    for route, ways in (("[]", 0), ("[yellow]", 2)):
        game = turn("white: 4, black: 5", f"tbm: 1, route: {route}")
        assert len(legal(game, "plan_tunnel", "tunnel")) == ways


def test_s17_a_matching_disc_pays_by_itself() -> None:
    """With a disc of the token's colour in the area there is no choice."""
    game = turn("orange: 1, white: 4, black: 1", "route: [orange], storage: []", "deviation_deck: [red0]")
    bag = game.to_position()["bag"]
    play(game, "place black plan_tunnel tunnel")
    assert (game.to_play, game.phase) == ("france", "turn")
    assert area(game) == {"white": 4} and side(game)["storage"] == ["orange"]
    assert game.to_position()["bag"] == bag | {"orange": bag["orange"] + 1}


def test_s18_any_two_discs_pay_without_a_matching_one() -> None:
    """Two discs of free choice stand in for the missing colour; both go to the bag."""
    game = turn("white: 1, black: 1, yellow: 1, blue: 1", "route: [orange]", "deviation_deck: [red0]")
    bag = game.to_position()["bag"]
    play(game, "place blue plan_tunnel tunnel")
    assert game.legal_actions() == ["pay black yellow", "pay black white", "pay yellow white"]
    play(game, "pay black white")
    assert area(game) == {"yellow": 1}
    assert game.to_position()["bag"] == bag | {"black": bag["black"] + 1, "white": bag["white"] + 1}


@pytest.mark.parametrize(("counter", "possible"), [(1, False), (2, True)])
def test_s19_britains_third_storage_space(counter: int, possible: bool) -> None:
    """Britain starts with two spaces; its technology unlocks the third."""
    game = turn("white: 3, black: 1", f"tbm: 1, route: [white], storage: [blue, black], technology: [0, {counter}]")
    assert bool(legal(game, "plan_tunnel", "tunnel")) == possible


def last_bore(dealt: str, me: str, **switches: bool) -> Game:
    """A game in which the last Tunnel of `me` has just been placed."""
    own, theirs = "tbm: 8, route: [white], storage: [], deviation: 4", "discs: {blue: 2}, tbm: 6, storage: []"
    game = turn("white: 2, black: 1", own, f"deviation_deck: [{dealt}]", theirs=theirs, me=me, **switches)
    return play(game, "place black plan_tunnel tunnel")


@SIDES
def test_s20_the_last_bore_ends_the_game_at_once(me: str, rival: str) -> None:
    """No deviation check at the centre; with the switch it is made and may lose the game."""
    game = last_bore("red-1", me)
    assert (game.is_over, game.end_cause, game.winner) == (True, "centre", me)
    assert game.to_position()["deviation_discard"] == [] and side(game, me)["deviation"] == 4
    assert game.scores()[me]["centre"] == 2 + 3 and game.scores()[rival]["centre"] == 0
    for dealt, cause, winner in (("red-1", "deviation", rival), ("red0", "centre", me)):
        game = last_bore(dealt, me, final_tunnel_deviation_check=True)
        assert (game.end_cause, game.winner) == (cause, winner)
        assert game.to_position()["deviation_discard"] == [dealt]


def test_s21_a_chained_bore_can_end_the_game() -> None:
    """Control room 4 reaches the centre: no chain follows, and a pending agenda card counts against."""
    game = turn(
        "white: 2, black: 3",
        "tbm: 8, route: ['?orange'], storage: [], agenda: {pending: repairs}",
        cards="control_room_4:white heavy_machinery:white",
        base="agenda",
    )
    play(game, "place white plan_tunnel plan")
    assert game.phase == "chain"
    play(game, "use control_room_4")
    assert game.is_over and game.end_cause == "centre" and game.legal_actions() == []
    assert card(game, "heavy_machinery")["rubble"] == ["white"] and game.scores()["britain"]["agenda"] == -2


def test_a24_the_third_space_serves_a_tunnel_of_the_same_turn() -> None:
    """A benefit holds at once: Technology, then a chained Tunnel into the new space."""
    game = turn(
        "white: 2, black: 3",
        "tbm: 1, route: [black], storage: [blue, blue], technology: [5, 1]",
        "deviation_deck: [red0]",
        cards="heavy_machinery:white",
    )
    play(game, "place white finance_technology technology")
    assert side(game)["technology"] == [5, 2] and legal(game, "heavy_machinery", "tunnel")
    play(game, "use heavy_machinery tunnel")
    assert side(game)["storage"] == ["blue", "blue", "black"] and side(game)["tbm"] == 2
