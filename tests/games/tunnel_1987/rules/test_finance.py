"""Finance, the display and the deck: scenarios 31-36."""

from __future__ import annotations

from tests.games.tunnel_1987.positions import SIDES, area, legal, other_cards, play, side, spaces, turn

SHOWN = ("influence_belgium", "influence_denmark", "influence_west_germany")
DISPLAY = f"display: [{', '.join(SHOWN)}]"


@SIDES
def test_s31_finance_takes_any_card_shown(me: str, rival: str) -> None:
    """The discs on its slot neither protect it nor leave."""
    game = turn("yellow: 2, black: 1", "", f"{DISPLAY}, deck: [exchange_1], spaces: {{slot_2: {{white: 3}}}}", me=me)
    play(game, "place yellow finance_technology finance")
    assert game.legal_actions() == ["take slot_1", "take slot_2", "take slot_3"]
    play(game, "take slot_2")
    written = game.to_position()
    assert written[me]["money"] == ["influence_denmark"] and written[me]["cards"] == []
    assert written["display"] == ["influence_belgium", "exchange_1", "influence_west_germany"]
    assert written["spaces"] == {"finance_technology": {"yellow": 2}, "slot_2": {"white": 3}}
    assert written["discard"] == [] and game.scores()[me]["total"] == 0


def test_s32_secondary_finance_takes_the_slots_own_card() -> None:
    """The card itself becomes money, so it is not discarded."""
    game = turn(
        "yellow: 2, black: 1",
        "",
        "display: [influence_luxembourg, influence_denmark, influence_greece], deck: [exchange_1]",
    )
    play(game, "place yellow slot_1 secondary")
    written = game.to_position()
    assert written["britain"]["money"] == ["influence_luxembourg"] and written["discard"] == []
    assert written["display"] == ["exchange_1", "influence_denmark", "influence_greece"]
    assert game.to_play == "france"


def test_s33_a_secondary_action_costs_the_card() -> None:
    """Discarded, slot refilled, then the action is done."""
    game = turn(
        "yellow: 2, black: 1",
        "",
        "display: [influence_belgium, influence_greece, influence_denmark], deck: [exchange_1]",
    )
    play(game, "place yellow slot_3 secondary")
    written = game.to_position()
    assert written["discard"] == ["influence_denmark"] and written["display"][2] == "exchange_1"
    assert [t[0] == "?" for t in side(game)["route"]] == [False] * 2 + [True] * 7
    assert spaces(game) == {"slot_3": {"yellow": 2}}


def test_s34_an_empty_deck_is_made_anew_from_the_discard() -> None:
    """The card just discarded is shuffled in with the others and may come straight back."""
    seen = set()
    for seed in range(12):
        game = turn(
            "yellow: 2, black: 1",
            "route: [black]",
            f"seed: {seed}, {DISPLAY}, deviation_deck: [red0], discard: [exchange_1, exchange_2]",
            theirs=f"discs: {{blue: 2}}, money: {other_cards(*SHOWN, 'exchange_1', 'exchange_2')}",
        )
        assert game.to_position()["deck"] == []
        play(game, "place yellow slot_1 secondary")
        written = game.to_position()
        new = written["display"][0]
        seen.add(new)
        assert sorted([new, *written["deck"]]) == ["exchange_1", "exchange_2", "influence_belgium"]
        assert written["discard"] == [] and len(written["france"]["money"]) == 28
        assert written["britain"]["tbm"] == 1
    assert seen == {"exchange_1", "exchange_2", "influence_belgium"}


def test_s35_a_slot_stays_empty_while_there_are_no_cards() -> None:
    """Nobody can place there until a card reaches the discard and refills it."""
    rest = other_cards(*SHOWN, "exchange_1")
    game = turn(
        "yellow: 1, black: 2, white: 3",
        "money: [exchange_1], deviation: 2",
        DISPLAY,
        theirs=f"discs: {{blue: 4, orange: 3}}, money: {rest}",
    )
    play(game, "place yellow slot_1 develop")
    assert game.to_position()["display"][0] is None and game.to_play == "france"
    assert legal(game, "slot_1") == [] and legal(game, "slot_2")
    play(game, "place orange plan_tunnel plan")
    assert game.to_play == "britain" and legal(game, "slot_1") == []
    play(game, "place black finance_technology technology", "track b", "spend 2")
    written = game.to_position()
    assert written["display"][0] == "exchange_1"
    assert written["deck"] == written["discard"] == [] and side(game)["deviation"] == 0
    assert game.to_play == "france" and legal(game, "blue", "slot_1")


def test_s36_finance_needs_a_card() -> None:
    """With nothing on display Finance is illegal."""
    for shown, ways in (("null", 0), ("exchange_1", 2)):
        theirs = f"discs: {{blue: 4}}, money: {other_cards(shown)}"
        game = turn("yellow: 1, white: 3", "", f"display: [{shown}, null, null]", theirs=theirs)
        assert len(legal(game, "finance")) == ways and legal(game, "technology", "yellow")


def test_a10_empty_slots_are_refilled_lowest_first() -> None:
    """One card comes free: the lowest empty slot gets it."""
    game = turn(
        "yellow: 1, white: 3",
        "money: [exchange_1], deviation: 2",
        "display: [null, exchange_2, null]",
        theirs=f"discs: {{blue: 4}}, money: {other_cards('exchange_1', 'exchange_2')}",
    )
    play(game, "place yellow finance_technology technology", "track b", "spend 2")
    assert game.to_position()["display"] == ["exchange_1", "exchange_2", None]


def test_a11_the_slot_is_refilled_before_the_secondary_action() -> None:
    """Money spent by the action itself comes too late for the new card."""
    game = turn(
        "yellow: 1, white: 3",
        "money: [exchange_1], deviation: 2",
        "display: [influence_greece, influence_denmark, influence_belgium]",
        theirs=f"discs: {{blue: 4}}, money: {other_cards('influence_greece', 'influence_denmark', 'influence_belgium', 'exchange_1')}",
    )
    play(game, "place yellow slot_1 secondary")
    assert game.phase == "track" and game.to_position()["display"][0] == "influence_greece"
    play(game, "track b", "spend 2")
    assert game.to_position()["discard"] == ["exchange_1"]


def test_a12_a_stack_stays_when_its_card_goes() -> None:
    """A new card does not free the space."""
    game = turn("yellow: 2, black: 1", "", f"{DISPLAY}, deck: [exchange_1]", theirs="discs: {blue: 2, white: 3}")
    play(game, "place yellow slot_1 develop")
    assert spaces(game) == {"slot_1": {"yellow": 2}} and area(game) == {"black": 1}
    assert not legal(game, "blue", "slot_1") and legal(game, "white", "slot_1")


def test_a65_the_discard_waits_until_a_card_is_needed() -> None:
    """Taking the last card of the deck does not shuffle yet."""
    game = turn(
        "yellow: 2, black: 1",
        "",
        f"{DISPLAY}, deck: [exchange_1], discard: [exchange_2]",
        theirs=f"discs: {{blue: 2}}, money: {other_cards(*SHOWN, 'exchange_1', 'exchange_2')}",
    )
    play(game, "place yellow slot_1 develop")
    written = game.to_position()
    assert written["deck"] == [] and written["discard"] == ["exchange_2"]
