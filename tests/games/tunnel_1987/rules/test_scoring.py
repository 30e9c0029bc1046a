"""Final scoring: scenarios 71-75."""

from __future__ import annotations

import pytest

from tests.games.tunnel_1987.positions import SIDES, built, play, position, turn

FREE = ["influence_belgium", "influence_denmark", "influence_west_germany", "influence_greece"]
MORE = ["influence_ireland", "influence_italy", "influence_luxembourg", "influence_netherlands"]
TWO_AND_TWO = "media_relations control_room_1 " + " ".join(FREE[:2])
TOPO = [
    f"topographical_analysis_{i}:{colour}" for i, colour in enumerate(["yellow", "white", "black", "blue", "orange"], 1)
]


@SIDES
@pytest.mark.parametrize(
    ("cards", "more", "theirs", "points"),
    [
        *((f"political_duel {' '.join(FREE[:3])}", "", MORE[:n], {"political_duel": duel})  # s71: more than the rival
          for n, duel in ((2, 3), (3, 0), (4, 0))),
        *((" ".join(["european_speech", *[*FREE, *MORE][:n]]), "", [], {"european_speech": speech})  # s71: pairs
          for n, speech in ((5, 2), (4, 2), (1, 0))),
        # s72: itself and face-down cards included, money left out; more than the rival's
        (TWO_AND_TWO, "money: [exchange_1, exchange_2]", MORE, {"media_relations": 0}),
        (f"{TWO_AND_TWO} {FREE[2]}", "money: [exchange_1, exchange_2]", MORE, {"media_relations": 2}),
        # s73: one award for all cards, by different colours; a copy kept as money is worth nothing
        *((" ".join(TOPO[:n]), "tbm: 6, storage: []", [], {"topographical_analysis": award, "total": award})
          for n, award in ((0, 0), (1, 1), (3, 6), (4, 10), (5, 15))),
        (f"{TOPO[0]} topographical_analysis_2:yellow {TOPO[2]}", "tbm: 6, storage: [], money: [topographical_analysis_5]",
         [], {"topographical_analysis": 3, "total": 3}),
        # a47: a card below the board gives no points and counts for no award
        (f"political_duel {FREE[0]}", f"money: [{', '.join(FREE[1:])}]", MORE[:1], {"cards": 1, "political_duel": 0}),
        # a48: completed agenda cards count for Media relations, the pending one does not
        ("media_relations", "agenda: {completed: [training]}", MORE[:1], {"media_relations": 2}),
        ("media_relations", "agenda: {pending: training}", MORE[:1], {"media_relations": 0}),
        # a81: discs, stored rubble and tokens on cards score no points
        ("new_workers_1", "", [], {"total": 2}),
        ("new_workers_2:white,white", "tbm: 3, storage: [blue, black], discs: {blue: 5}", [], {"total": 1}),
        *(("", f"deviation: {level}", [], {"deviation": -level, "total": -level}) for level in range(5)),
    ],
)  # fmt: skip
def test_points(cards: str, more: str, theirs: list[str], points: dict[str, int], me: str, rival: str) -> None:
    other = f"{built(' '.join(theirs))}, money: [heavy_machinery]"
    game = position(f"{{{me}: {{{built(cards)}, {more}}}, {rival}: {{{other}}}}}", "agenda")
    assert {source: game.scores()[me][source] for source in points} == points
    assert game.scores()[rival]["total"] == game.scores()[rival]["cards"], "what is printed on its cards, and no award"


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
