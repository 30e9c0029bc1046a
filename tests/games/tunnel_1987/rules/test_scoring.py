"""Final scoring: scenarios 71-75."""

from __future__ import annotations

import pytest

from tests.games.tunnel_1987.positions import SIDES, built, play, position, turn

FREE = ["influence_belgium", "influence_denmark", "influence_west_germany", "influence_greece"]
MORE = ["influence_ireland", "influence_italy", "influence_luxembourg", "influence_netherlands"]


@SIDES
def test_s71_influence_cards_count_twice(me: str, rival: str) -> None:
    """Political duel needs more of them than the rival; European speech counts pairs."""
    for theirs, duel in ((2, 3), (3, 0), (4, 0)):
        mine, other = built(f"political_duel {' '.join(FREE[:3])}"), built(" ".join(MORE[:theirs]))
        game = position(f"{{{me}: {{{mine}}}, {rival}: {{{other}}}}}")
        assert game.scores()[me]["political_duel"] == duel
        assert game.scores()[rival]["political_duel"] == 0
    for n, speech in ((5, 2), (4, 2), (1, 0)):
        game = position(f"{me}: {{{built(' '.join(['european_speech', *[*FREE, *MORE][:n]]))}}}")
        assert game.scores()[me]["european_speech"] == speech


@SIDES
def test_s72_media_relations_count_cards(me: str, rival: str) -> None:
    """Itself and face-down cards included, money left out; more than the rival's."""
    theirs = f"{built(' '.join(MORE))}, money: [new_workers_1]"
    for n, points in ((2, 0), (3, 2)):
        mine = built(" ".join(["media_relations", "control_room_1", *FREE[:n]]))
        game = position(f"{{{me}: {{{mine}, money: [exchange_1, exchange_2]}}, {rival}: {{{theirs}}}}}")
        assert game.scores()[me]["media_relations"] == points


@pytest.mark.parametrize(
    ("colours", "points"),
    [
        ([], 0),
        (["yellow"], 1),
        (["yellow", "yellow", "black"], 3),
        (["yellow", "white", "black"], 6),
        (["yellow", "white", "black", "blue"], 10),
        (["yellow", "white", "black", "blue", "orange"], 15),
    ],
)
def test_s73_topographical_analysis_counts_different_colours(colours: list[str], points: int) -> None:
    """One award for all cards; a copy kept as money is worth nothing."""
    cards = built(" ".join(f"topographical_analysis_{i}:{colour}" for i, colour in enumerate(colours, 1)))
    money = "[topographical_analysis_5]" if len(colours) < 5 else "[]"
    game = position(f"{{britain: {{tbm: 6, storage: [], {cards}, money: {money}}}, france: {{}}}}")
    assert game.scores()["britain"]["topographical_analysis"] == points
    assert game.scores()["britain"]["total"] == points


@SIDES
def test_s74_the_one_who_reaches_the_centre(me: str, rival: str) -> None:
    """Two points and one for every token left to the rival; deviation counts against; both counters."""
    game = turn(
        "white: 2, black: 1",
        "tbm: 8, route: [white], storage: [], deviation: 2, technology: [3, 4]",
        theirs="discs: {blue: 2}, tbm: 6, storage: [], deviation: 1, technology: [1, 0]",
        me=me,
    )
    play(game, "place black plan_tunnel tunnel")
    mine, theirs = game.scores()[me], game.scores()[rival]
    assert mine["centre"] == 2 + 3 and mine["deviation"] == -2 and mine["technology"] == 4 + 6
    assert mine["total"] == 13 and theirs["total"] == 0
    assert theirs["deviation"] == -1 and theirs["technology"] == 1 and theirs["centre"] == 0
    assert game.winner == me and not game.is_stopped


@SIDES
def test_s75_a_tie_goes_to_the_centre(me: str, rival: str) -> None:
    """Equal totals: who got there wins; one point more and the rival does."""
    for technology, winner in (("[1, 2]", me), ("[2, 2]", rival)):
        game = turn(
            "white: 2, black: 1",
            "tbm: 8, route: [white], storage: []",
            theirs=f"discs: {{blue: 2}}, tbm: 8, storage: [], technology: {technology}",
            me=me,
        )
        play(game, "place black plan_tunnel tunnel")
        assert game.winner == winner and game.scores()[me]["total"] == 3


@SIDES
def test_a47_money_is_worth_nothing(me: str, rival: str) -> None:
    """A card below the board gives no points and counts for no award."""
    mine = f"{built(f'political_duel {FREE[0]}')}, money: [{', '.join(FREE[1:])}]"
    game = position(f"{{{me}: {{{mine}}}, {rival}: {{{built(MORE[0])}}}}}")
    assert game.scores()[me]["cards"] == 1 and game.scores()[me]["political_duel"] == 0


def test_a48_completed_agenda_cards_count_for_media() -> None:
    """Completed ones do, the pending one does not."""
    for agenda, points in (("{completed: [training]}", 2), ("{pending: training}", 0)):
        mine, theirs = f"{built('media_relations')}, agenda: {agenda}", built("influence_belgium")
        game = position(f"{{britain: {{{mine}}}, france: {{{theirs}}}}}", "agenda")
        assert game.scores()["britain"]["media_relations"] == points


def test_a81_what_is_left_over_is_worth_nothing() -> None:
    """Discs, stored rubble and tokens on cards score no points."""
    game = turn(
        "blue: 5", "tbm: 3, storage: [blue, black]", cards="new_workers_2:white,white", theirs=built("new_workers_1")
    )
    assert game.scores()["britain"]["total"] == 1 and game.scores()["france"]["total"] == 2


@SIDES
def test_deviation_levels_cost_their_points(me: str, rival: str) -> None:
    """Nothing, one, two, three, four."""
    for level in range(5):
        game = position(f"{me}: {{deviation: {level}}}")
        assert game.scores()[me]["deviation"] == -level and game.scores()[rival]["total"] == 0
