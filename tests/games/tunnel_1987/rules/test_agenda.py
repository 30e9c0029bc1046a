"""The Agenda expansion: scenarios 76-86."""

from __future__ import annotations

from functools import partial
from typing import Any

from channel_tunnel_env import Game
from tests.games.tunnel_1987.positions import SIDES, area, card, end_round, held, legal, play, side, spaces, turn

QUIET = "route: [white, '?white', '?black', '?orange']"  # no symbol near
agenda_turn = partial(turn, base="agenda")


def planned(
    drawn: str,
    token: str = "orange*",
    own: str = "deviation: 0",
    deviation: str = "red0",
    me: str = "britain",
    **more: Any,
) -> Game:
    """An agenda game in which a Plan has just been placed."""
    mine = f"tbm: 2, route: [black, '?{token}'], storage: [], {own}"
    decks = f"agenda_deck: [{drawn}], deviation_deck: [{deviation}]"
    return play(agenda_turn("white: 2, black: 3", mine, decks, me=me, **more), "place white plan_tunnel plan")


@SIDES
def test_s76_a_symbol_brings_an_agenda_card(me: str, rival: str) -> None:
    """Keep or discard; with a card pending nothing is drawn; a plain token brings none."""
    game = planned("promotion", me=me)
    assert (game.to_play, game.phase) == (me, "agenda")
    assert game.legal_actions() == ["agenda keep", "agenda discard"]
    assert game.to_position(rival)["turn"]["agenda_card"] == "promotion"
    kept = play(game.clone(), "agenda keep")
    assert side(kept, me)["agenda"] == {"pending": "promotion", "completed": []}
    assert kept.scores()[me]["agenda"] == -3 and kept.to_play == rival
    play(game, "agenda discard")
    assert side(game, me)["agenda"] == {"pending": None, "completed": []}
    written = game.to_position()
    assert written["agenda_discard"] == ["promotion"] and "promotion" not in written["agenda_deck"]
    assert game.scores()[me]["agenda"] == 0 and game.to_play == rival
    pending = planned("promotion", own="agenda: {pending: repairs}", me=me)
    assert pending.to_play == rival and len(pending.to_position()["agenda_deck"]) == 5
    assert side(pending, me)["agenda"]["pending"] == "repairs"
    plain = planned("promotion", token="orange", me=me)
    assert plain.to_play == rival and len(plain.to_position()["agenda_deck"]) == 6


def test_s76_without_the_expansion_symbols_mean_nothing() -> None:
    """The base game ignores them."""
    game = turn("white: 2, black: 1", "route: [black, '?orange*']")
    play(game, "place white plan_tunnel plan")
    assert game.to_play == "france" and side(game)["route"][1] == "orange*"


def test_s77_only_plan_brings_agenda_cards() -> None:
    """Not the set-up, not a peek, not the machine."""
    for seed in range(20):
        game = Game("agenda", seed)
        assert len(game.to_position()["agenda_deck"]) == 6 and game.phase == "turn"
    game = agenda_turn(
        "white: 2, yellow: 1, black: 3", "route: [black*, '?orange*'], technology: [0, 5]", "deviation_deck: [red0]"
    )
    play(game, "place yellow finance_technology technology", "peek own 1")
    assert game.to_position()["agenda_drawn"] == [] and side(game)["peeked"] == [["britain", 1]]
    assert game.to_play == "france"
    game = agenda_turn("white: 2, black: 3", "route: [black*]", "deviation_deck: [red0]")
    play(game, "place white plan_tunnel tunnel")
    assert side(game)["tbm"] == 1 and game.to_position()["agenda_drawn"] == []
    assert game.to_play == "france"


@SIDES
def test_s78_check_up_draws_at_once(me: str, rival: str) -> None:
    """One card, which may lose the game; the water rule does not apply."""
    game = play(planned("check_up", own="deviation: 4", deviation="red-1", me=me), "agenda keep")
    assert (game.winner, game.end_cause) == (rival, "deviation")
    game = play(planned("check_up", own="deviation: 4", deviation="red-1", me=me), "agenda discard")
    assert not game.is_over and side(game, me)["deviation"] == 4
    game = play(planned("check_up", token="blue*", deviation="red-1, green-1", me=me), "agenda keep")
    assert side(game, me)["deviation"] == 1
    assert game.to_position()["deviation_discard"] == ["red-1"]
    assert side(game, me)["agenda"] == {"pending": None, "completed": ["check_up"]}
    assert game.scores()[me]["agenda"] == 2 and game.to_play == rival


def trained(discs: str, *keeps: str, cards: str = "") -> Game:
    table = "passed: [france], spaces: {slot_1: {white: 2}}"
    own = "agenda: {pending: training}, tbm: 1, storage: []"
    game = agenda_turn(discs, own, table, cards=cards, theirs="discs: {}, storage: []")
    return play(game, "pass", *keeps)


def test_s79_training_costs_one_disc_of_the_next_draw() -> None:
    """Four kept: five drawn instead of six. Nothing to draw: the card waits."""
    game = trained("yellow: 4", "keep 4 yellow")
    assert game.round == 2 and held(game) == 9 and held(game, "france") == 10
    assert side(game)["agenda"] == {"pending": None, "completed": ["training"]}
    game = trained("yellow: 5, black: 5", "keep 5 black", "keep 5 yellow")
    assert game.round == 2 and held(game) == 10
    assert side(game)["agenda"] == {"pending": "training", "completed": []}
    game = trained("yellow: 5, black: 4", "keep 4 black", "keep 5 yellow")
    assert held(game) == 9 and side(game)["agenda"]["completed"] == ["training"]


@SIDES
def test_a72_training_costs_a_disc_of_a_short_bag(me: str, rival: str) -> None:
    """The bag holds twelve of the thirteen discs due: eleven are drawn; of one, none; of none, none less."""
    own, table = "agenda: {pending: training}", f"first_player: {rival}, passed: [{rival}]"
    for hand, left in ((13, 11), (24, 0), (25, 0)):
        game = agenda_turn("", own, table, theirs="discs: {}", me=me, **{"discs.hand": hand})
        assert game.round == 2 and held(game, rival) == hand and held(game, me) == left
        done = [] if hand == 25 else ["training"]
        assert side(game, me)["agenda"]["completed"] == done


def test_s80_new_workers_come_on_top_of_training() -> None:
    """Nine and one."""
    game = trained("yellow: 4", "keep 4 yellow", cards="new_workers_1:white")
    assert (game.phase, game.to_play) == ("window", "britain") and held(game) == 9
    play(game, "use new_workers")
    assert held(game) == 10


@SIDES
def test_s81_warehouse_inspection_skips_a_turn(me: str, rival: str) -> None:
    """The rival plays twice running; no pass, no disc lost, the first-player card stays."""
    game = agenda_turn(
        "blue: 1, orange: 2, yellow: 3",
        QUIET,
        f"first_player: {me}",
        theirs="discs: {white: 2, black: 3}, agenda: {pending: warehouse_inspection}",
        me=rival,
    )
    play(game, "place blue plan_tunnel plan")
    assert game.to_play == rival and area(game, me) == {"white": 2, "black": 3}
    assert side(game, me)["agenda"] == {"pending": None, "completed": ["warehouse_inspection"]}
    assert game.to_position()["passed"] == [] and game.to_position()["first_player"] == me
    play(game, "place orange plan_tunnel plan")
    assert game.to_play == me and game.phase == "turn"


@SIDES
def test_s82_warehouse_inspection_waits_for_a_rival_s_action(me: str, rival: str) -> None:
    """Once the rival has passed, own turns go on; the skip comes in the next round."""
    game = agenda_turn(
        "white: 1, black: 2",
        f"agenda: {{pending: warehouse_inspection}}, {QUIET}",
        f"passed: [{rival}], first_player: {rival}",
        theirs="discs: {}, route: [yellow, '?yellow']",
        me=me,
    )
    play(game, "place white plan_tunnel plan")
    assert game.to_play == me and side(game, me)["agenda"]["pending"] == "warehouse_inspection"
    end_round(game)
    assert game.to_play == rival
    play(game, next(a for a in game.legal_actions() if a.endswith("plan_tunnel plan")))
    assert game.to_play == rival and side(game, me)["agenda"]["completed"] == ["warehouse_inspection"]


@SIDES
def test_a69_the_rival_may_answer_the_skip_by_passing(me: str, rival: str) -> None:
    """Two turns in a row: the second may be a pass, and no second skip follows."""
    game = agenda_turn(
        "blue: 1, orange: 2",
        QUIET,
        theirs="discs: {white: 2, black: 3}, agenda: {pending: warehouse_inspection}",
        me=rival,
    )
    play(game, "place blue plan_tunnel plan", "pass", "keep 0 orange")
    assert game.to_play == me and game.to_position()["first_player"] == rival


@SIDES
def test_a69_a_first_turn_is_not_skipped(me: str, rival: str) -> None:
    """With no rival action before it in this round, the turn is played."""
    game = agenda_turn(
        "white: 2, black: 3",
        "agenda: {pending: warehouse_inspection}",
        f"phase: window, first_player: {me}",
        theirs=f"discs: {{blue: 3, orange: 2}}, {QUIET}",
        me=me,
    )
    assert (game.to_play, game.phase) == (me, "turn")
    play(game, "place white finance_technology finance", "take slot_1")
    assert game.to_play == rival and side(game, me)["agenda"]["pending"] == "warehouse_inspection"
    play(game, "place blue plan_tunnel plan")
    assert game.to_play == rival and side(game, me)["agenda"]["completed"] == ["warehouse_inspection"]


def supervised(discs: str, **more: Any) -> Game:
    own = "tbm: 2, route: [black, '?orange'], storage: [], agenda: {pending: supervision}"
    return agenda_turn(discs, own, "spaces: {plan_tunnel: {yellow: 2}}", **more)


def test_s83_supervision_asks_for_two_discs_more() -> None:
    """Two more than what lies there, two on an empty space; else the turn is passed."""
    game = supervised("orange: 3, white: 4, black: 1")
    assert {a.split()[1] for a in legal(game, "plan_tunnel")} == {"white"}
    assert {a.split()[1] for a in legal(game, "finance_technology")} == {"orange", "white"}
    play(game, "place white plan_tunnel plan")
    assert side(game)["agenda"] == {"pending": None, "completed": ["supervision"]}
    forced = supervised("black: 1")
    assert forced.phase == "keep" and forced.to_position()["passed"] == ["britain"]
    assert side(forced)["agenda"]["pending"] == "supervision"


def test_s83_chained_actions_are_not_supervised() -> None:
    """A Tunnel by Control room 4 goes as ever."""
    game = supervised("white: 4, black: 2", cards="control_room_4:white")
    play(game, "place white plan_tunnel plan")
    assert side(game)["agenda"]["completed"] == ["supervision"] and game.phase == "chain"
    play(game, "use control_room_4")
    assert side(game)["tbm"] == 3 and area(game) == {"black": 1, "yellow": 2}


def test_a70_soft_supervision() -> None:
    """The switch: a normal placement is fine while none of two more exists."""
    game = supervised("black: 1", supervision_mode="soft")
    assert game.phase == "turn" and legal(game, "finance_technology", "black")
    play(game, legal(game, "finance_technology", "finance")[0], "take slot_1")
    assert side(game)["agenda"]["pending"] == "supervision"
    strong = supervised("black: 1, white: 2", supervision_mode="soft")
    assert {a.split()[1] for a in legal(strong, "place")} == {"white"}


def test_a71_recovery_does_not_undo_supervision() -> None:
    """The stack counted when it was placed."""
    game = agenda_turn(
        "white: 2, black: 3", "tbm: 2, storage: [], agenda: {pending: supervision}", cards="new_materials:white"
    )
    play(game, "place white finance_technology finance", "take slot_1", "use new_materials")
    assert spaces(game)["finance_technology"] == {"white": 1}
    assert side(game)["agenda"]["completed"] == ["supervision"]


@SIDES
def test_s84_repairs_take_a_technology_action(me: str, rival: str) -> None:
    """No counter moves, money may align, and the cards that follow Technology work."""
    game = agenda_turn(
        "white: 2, black: 3",
        "tbm: 2, storage: [], technology: [5, 5], deviation: 2, money: [influence_belgium], agenda: {pending: repairs}",
        cards="control_room_2:white",
        me=me,
    )
    play(game, "place white finance_technology technology")
    assert game.legal_actions() == ["spend 1", "spend stop"]
    play(game, "spend 1")
    assert side(game, me)["agenda"] == {"pending": None, "completed": ["repairs"]}
    assert side(game, me)["deviation"] == 1 and side(game, me)["technology"] == [5, 5]
    assert game.legal_actions() == ["use control_room_2", "use stop"]
    play(game, "use control_room_2")
    assert spaces(game) == {"finance_technology": {"white": 1}} and game.to_play == rival


def test_a74_repairs_need_nothing() -> None:
    """Without money and with free counters too the action only repairs; the next one moves."""
    game = agenda_turn(
        "white: 2, black: 3", "tbm: 2, storage: [], agenda: {pending: repairs}", cards="control_room_5:white"
    )
    play(game, "place white finance_technology technology")
    assert side(game)["technology"] == [0, 0] and side(game)["agenda"]["completed"] == ["repairs"]
    play(game, "use control_room_5", "track b")
    assert side(game)["technology"] == [0, 1]


def test_s85_promotion_takes_three_million() -> None:
    """It waits for the money, then takes cards of choice before any chain; Extra finance is no help."""
    game = planned("promotion", own="money: [influence_italy]", cards="new_materials:white extra_finance_1:white")
    play(game, "agenda keep")
    assert side(game)["agenda"]["pending"] == "promotion" and game.phase == "chain"
    game = agenda_turn(
        "white: 2, black: 3",
        "tbm: 2, storage: [], money: [influence_italy], agenda: {pending: promotion}",
        "display: [influence_luxembourg, influence_denmark, influence_greece]",
        cards="new_materials:white",
        auto_forced=False,
    )
    play(game, "place white slot_1 secondary")
    assert game.phase == "promotion" and game.legal_actions() == ["spend 2"]
    play(game, "spend 2")
    assert game.phase == "promotion" and side(game)["agenda"]["pending"] == "promotion"
    play(game, "spend 2")
    assert side(game)["money"] == [] and side(game)["agenda"]["completed"] == ["promotion"]
    assert game.phase == "chain" and card(game, "new_materials")["rubble"] == ["white"]
    assert sorted(game.to_position()["discard"]) == ["influence_italy", "influence_luxembourg"]


def test_s85_promotion_kept_with_enough_money_is_paid_at_once() -> None:
    """The player chooses the cards; no change is given."""
    game = planned("promotion", own="money: [influence_italy, influence_belgium, exchange_2], deviation: 2")
    play(game, "agenda keep")
    assert game.phase == "promotion" and game.legal_actions() == ["spend 1", "spend 2"]
    play(game, "spend 1", "spend 2")
    assert side(game)["money"] == ["exchange_2"] and side(game)["deviation"] == 2
    assert side(game)["agenda"]["completed"] == ["promotion"] and game.to_play == "france"


@SIDES
def test_s86_pending_cards_count_against(me: str, rival: str) -> None:
    """Completed ones are added, the pending one is subtracted."""
    game = agenda_turn(
        "white: 2, black: 1",
        "tbm: 8, route: [black], storage: [], agenda: {completed: [training, warehouse_inspection]}",
        theirs="discs: {blue: 2}, storage: [], agenda: {pending: supervision, completed: [repairs]}",
        me=me,
    )
    play(game, "place white plan_tunnel tunnel")
    assert game.end_cause == "centre"
    assert game.scores()[me]["agenda"] == 5 and game.scores()[rival]["agenda"] == 2 - 1


@SIDES
def test_b09_the_placement_that_meets_supervision_and_ends_the_game(me: str, rival: str) -> None:
    """After the action it comes too late and counts against; with the switch the stack completes it."""
    own = "tbm: 8, route: [black], storage: [], agenda: {pending: supervision, completed: [training]}"
    for switches, points in (({}, 2 - 1), ({"supervision_completed": "at_placement"}, 2 + 1)):
        game = play(agenda_turn("white: 2, black: 1", own, me=me, **switches), "place white plan_tunnel tunnel")
        assert game.end_cause == "centre" and game.scores()[me]["agenda"] == points


@SIDES
def test_b09_a_symbol_turned_up_by_that_placement(me: str, rival: str) -> None:
    """The order still pending takes the symbol's card away; completed by the stack it does not."""
    order = "agenda: {pending: supervision}"
    lost = planned("repairs", own=order, me=me)
    assert lost.to_play == rival and side(lost, me)["agenda"]["completed"] == ["supervision"]
    game = planned("repairs", own=order, me=me, supervision_completed="at_placement")
    assert (game.to_play, game.phase) == (me, "agenda")
    assert side(game, me)["agenda"] == {"pending": None, "completed": ["supervision"]}


def test_b09_a_soft_placement_of_one_more_completes_nothing_at_once() -> None:
    """Only a stack of two more meets the order, whenever it counts."""
    game = supervised("black: 1", supervision_mode="soft", supervision_completed="at_placement")
    play(game, legal(game, "finance_technology", "finance")[0])
    assert side(game)["agenda"]["pending"] == "supervision"


def test_a76_a_card_may_follow_in_the_turn_of_the_last() -> None:
    """Check-up is done at once, so a chained Plan's symbol brings another."""
    game = agenda_turn(
        "white: 2, black: 3",
        "tbm: 2, route: [black, '?orange*', '?yellow*'], storage: []",
        "agenda_deck: [check_up, training], deviation_deck: [red0]",
        cards="control_room_3:white",
    )
    play(game, "place white plan_tunnel plan", "agenda keep", "use control_room_3")
    assert game.phase == "agenda"
    play(game, "agenda keep")
    assert side(game)["agenda"] == {"pending": "training", "completed": ["check_up"]}


def test_a78_a_card_drawn_on_the_way_to_the_centre_counts_against() -> None:
    """Plan draws and keeps it, Control room 4 ends the game."""
    game = agenda_turn(
        "white: 2, black: 3",
        "tbm: 8, route: ['?black*'], storage: []",
        "agenda_deck: [warehouse_inspection]",
        cards="control_room_4:white",
    )
    play(game, "place white plan_tunnel plan", "agenda keep", "use control_room_4")
    assert game.end_cause == "centre" and game.scores()["britain"]["agenda"] == -3
