"""Passing, keeping discs, and rounds: scenarios 64-70."""

from __future__ import annotations

from typing import Any

import pytest

from channel_tunnel_env import Game, load_ruleset
from tests.games.tunnel_1987.positions import (
    SIDES,
    area,
    end_round,
    held,
    legal,
    other_cards,
    play,
    position,
    side,
    spaces,
    turn,
)


def give_up(game: Game) -> Game:
    """Pass and keep nothing, whoever is to play."""
    play(game, "pass")
    while game.phase == "keep":
        play(game, game.legal_actions()[0])
    return game


@SIDES
def test_s64_the_first_to_pass_starts_the_next_round(me: str, rival: str) -> None:
    """The card goes to the first who passes, whoever held it; the second leaves it there."""
    for holder in (me, rival):
        game = turn("yellow: 2", "", f"first_player: {holder}", me=me)
        give_up(game)
        assert game.to_position()["first_player"] == me and game.to_play == rival
        assert game.to_position()["passed"] == [me]
        give_up(game)
        assert game.round == 2 and game.to_play == me
        assert game.to_position()["first_player"] == me and game.to_position()["passed"] == []


@SIDES
def test_a18_the_switch_gives_the_card_to_the_last_to_pass(me: str, rival: str) -> None:
    """The English reading: every passer takes it."""
    game = turn("yellow: 2", me=me, first_player_card="last_to_pass")
    give_up(give_up(game))
    assert game.round == 2 and game.to_play == rival


@SIDES
def test_s65_kept_discs_and_the_next_draw(me: str, rival: str) -> None:
    """What is not kept goes to the bag; the draw fills up to the allowance."""
    game = turn("yellow: 3, black: 1", me=me)
    before = game.to_position()["bag"]
    play(game, "pass")
    assert game.legal_actions() == [f"keep {n} black" for n in (0, 1)]
    play(game, "keep 0 black")
    assert game.legal_actions() == [f"keep {n} yellow" for n in (0, 1, 2, 3)]
    play(game, "keep 2 yellow")
    assert area(game, me) == {"yellow": 2}
    after = game.to_position()["bag"]
    assert after == before | {"yellow": before["yellow"] + 1, "black": before["black"] + 1}
    give_up(game)
    assert held(game, me) == held(game, rival) == 10 and area(game, me)["yellow"] >= 2
    assert sum(game.to_position()["bag"].values()) == 5


def test_s66_the_other_plays_on_alone() -> None:
    """After the rival's pass come as many turns as one likes; its kept discs are safe."""
    game = turn("yellow: 3, blue: 1", theirs="discs: {white: 1, black: 2, orange: 3, blue: 4}", me="france")
    play(game, "pass", "keep 1 blue", "keep 3 yellow")
    for action in ("white", "black", "orange"):
        assert game.to_play == "britain"
        play(game, f"place {action} plan_tunnel plan")
        assert area(game, "france") == {"blue": 1, "yellow": 3}
    assert game.to_play == "britain" and spaces(game) == {"plan_tunnel": {"orange": 3}}


def test_s67_no_placement_forces_the_pass() -> None:
    """The pass comes by itself, but what to keep is asked."""
    game = turn(
        "black: 1",
        "",
        "spaces: {plan_tunnel: {yellow: 1}, finance_technology: {yellow: 1}, slot_1: {yellow: 1}, slot_2: {orange: 1}, slot_3: {white: 2}}",
    )
    assert (game.to_play, game.phase) == ("britain", "keep")
    assert game.legal_actions() == ["keep 0 black", "keep 1 black"]
    assert game.to_position()["passed"] == ["britain"]
    play(game, "keep 1 black")
    assert game.to_play == "france" and area(game) == {"black": 1}


def test_s68_a_bag_too_small() -> None:
    """The first player draws first and completely; the other gets the rest."""
    ruleset = load_ruleset("standard").with_values({"discs.hand": 13})
    game = Game(ruleset, 3)
    assert [held(game, side) for side in ("britain", "france")] == [13, 12]
    assert sum(game.to_position()["bag"].values()) == 0
    game = turn("", "technology: [3, 4]", "first_player: france", theirs="discs: {}, technology: [3, 4]", me="france")
    assert game.round == 2  # nobody held a disc, so both passed by themselves
    first = game.to_position()["first_player"]
    assert held(game, "britain") == held(game, "france") == 12 and first == "france"


def idle(game: Game, rounds: int) -> None:
    """Both pass at once, keeping everything, for `rounds` rounds."""
    for _ in range(rounds):
        for _ in range(2):
            play(game, "pass")
            while not game.is_over and game.phase == "keep":
                play(game, game.legal_actions()[-1])


@pytest.mark.parametrize(("result", "winner"), [("score", "france"), ("draw", None)])
def test_s69_rounds_without_a_placement_end_the_game(result: str, winner: str | None) -> None:
    """Three in a row: scored as it stands, without a centre bonus, and reported as truncated."""
    game = position("france: {technology: [0, 2]}", stalemate_result=result)
    idle(game, 2)
    assert not game.is_over and game.round == 3
    idle(game, 1)
    assert game.is_over and game.end_cause == "empty_rounds" and game.is_stopped
    assert game.winner == winner
    assert all(points["centre"] == 0 for points in game.scores().values())


def test_s69_a_placement_starts_the_count_anew() -> None:
    """Only rounds in a row count; equal points are a draw."""
    game = position("")
    idle(game, 2)
    play(game, legal(game, "plan_tunnel", "plan")[0])
    end_round(game)
    assert game.round == 4 and game.to_position()["empty_rounds"] == 0
    idle(game, 3)
    assert game.end_cause == "empty_rounds" and game.winner is None


def test_a56_the_last_round() -> None:
    """After the ruleset's last round the game is scored."""
    ruleset = load_ruleset("standard").with_values({"limits.max_rounds": 2})
    game = Game(ruleset, 1)
    play(game, legal(game, "plan_tunnel", "plan")[0])
    end_round(game)
    assert not game.is_over and game.round == 2
    play(game, legal(game, "plan_tunnel", "plan")[0])
    end_round(game)
    assert game.end_cause == "max_rounds" and game.is_stopped and game.winner is None


def nearly_dead(counter: int = 5, third: str = ", blue", **switches: Any) -> Game:
    """Nobody can act from round 2 on, unless a counter has a way to go or a storage has room."""
    own = f"tbm: 5, route: [blue, blue, black, black], storage: [white, white{third}], technology: [5, {counter}]"
    theirs = "discs: {white: 1}, tbm: 5, route: [orange, orange, yellow, yellow], storage: [white, white, blue]"
    theirs += f", technology: [5, 5], money: {other_cards('influence_belgium')}"
    own, table = f"{own}, money: [influence_belgium]", "display: [null, null, null], passed: [france]"
    return end_round(turn("blue: 1", own, table, theirs=theirs, **switches))


@pytest.mark.parametrize(
    ("counter", "third", "dead"),
    [(5, ", blue", True), (5, "", False), (1, "", False)],
    ids=["dead", "storage", "counter"],
)
def test_s70_a_dead_position_ends_at_round_start(counter: int, third: str, dead: bool) -> None:
    """Nobody can ever act again: no card, all tokens up, storages full, counters at the end."""
    game = nearly_dead(counter, third)
    assert game.is_over == dead and game.round == 2
    assert game.end_cause == ("dead_position" if dead else None)
    if dead:
        assert game.is_stopped and game.winner is None


def test_a57_null_actions_leave_no_position_dead() -> None:
    """Stacks can still be laid, so the game goes on until its rounds run out."""
    game = nearly_dead(null_actions=True)
    assert game.round == 2 and not game.is_over and legal(game, "plan_tunnel", "plan")


def test_a20_keeping_counts_over_all_colours() -> None:
    """What was kept of one colour leaves less room for the next."""
    game = turn("blue: 2, black: 2, white: 2", **{"discs.keep_limit": 3})
    play(game, "pass", "keep 2 blue")
    assert game.legal_actions() == ["keep 0 black", "keep 1 black"]
    play(game, "keep 1 black")
    assert game.to_play == "france" and area(game) == {"blue": 2, "black": 1}  # no white by force


@SIDES
def test_a61_who_passed_stays_out(me: str, rival: str) -> None:
    """Kept discs do not bring a player back into the round."""
    game = turn("yellow: 3", theirs="discs: {blue: 2, black: 3}", me=me)
    play(game, "pass", "keep 3 yellow", "place blue plan_tunnel plan")
    assert game.to_play == rival and game.round == 1


def test_round_end_clears_the_spaces_and_keeps_the_cards() -> None:
    """Discs on the spaces go to the bag, the display stays."""
    game = turn(
        "blue: 1",
        "",
        "passed: [france], spaces: {slot_2: {white: 3}, finance_technology: {black: 2}}",
        theirs="discs: {}",
    )
    shown = game.to_position()["display"]
    give_up(game)
    assert game.round == 2 and spaces(game) == {} and game.to_position()["display"] == shown
    assert held(game) == held(game, "france") == 10
    assert side(game)["tbm"] == 0
