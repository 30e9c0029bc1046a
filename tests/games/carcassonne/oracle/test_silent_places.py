"""Places where the scenarios are silent: each test says how the letter of the rules was read."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.carcassonne.oracle import actions
from tests.games.carcassonne.oracle.oracle import COLOURS, Oracle
from tests.games.carcassonne.oracle.scenarios import begin_turn, read_turn, refused, set_up, take_turn

OCCUPIED_ROAD_AND_MOUTH = ["A -1 0 3 B@r0", "TU3 1 0 1"]


def lay_out(**scenario: Any) -> Oracle:
    """Lay out a position."""
    return set_up(scenario)


def play(game: Oracle, text: str) -> None:
    """Take a whole turn."""
    turn = read_turn(text)
    begin_turn(game, turn.seat, turn.kind)
    assert take_turn(game, turn) is None, text


def test_action_numbers() -> None:
    """Section 9 numbers pairs of openings in lexicographic order, and cells modulo 32."""
    assert actions.tunnel_id(0, 1) == 1052
    assert actions.tunnel_id(9, 8) == 1096
    assert actions.cell_id((-1, 0)) == 31
    assert actions.cell_id((0, -1)) == 992
    assert actions.words(992) == "cell 0 -1"
    assert actions.words(1096) == "tunnel TU4.S TU4.W"


def test_claims_are_numbered_on_the_lying_tile() -> None:
    """Section 9: the lowest id is taken after the tile is turned, not before."""
    game = lay_out()
    begin_turn(game, 0, "TU3")
    game.play(actions.cell_id((1, 0)))
    game.play(actions.ROTATE + 1)  # r0 shows south, r1 west; f0 all round, f1 at the corner
    assert game.legal() == [1030, 1031, 1033, 1038, 1041]


def test_last_turn_has_its_final_scoring_on_the_track() -> None:
    """C66, and S97 with an empty deck: the score is 4 : 4 before final scoring, 4 : 5 after it."""
    board = ["A -1 0 3 A@r0", "TU3 1 0 1", "X 1 1 0 B@r2"]
    game = lay_out(board=board, tokens=["TU3.S=B1"])
    game.draws = ["E"]
    game.start_turn(1)
    assert take_turn(game, read_turn("B E 0 -1 2 c0 TU3.E+TU3.S")) is None
    assert game.over
    assert game.scores() == game.final_scores() == [4, 5]
    assert len(game.followers) == 1  # what lies stays


def test_token_first_then_claim_of_the_road_it_completed() -> None:
    """C17 against C28 under before_meeple: the completed empty road may be claimed, and scores."""
    board = ["A -1 0 3", "TU3 1 0 1"]
    rules = {"token_window": "before_meeple"}
    game = lay_out(set=rules, board=board, tokens=["TU3.S=B1"])
    play(game, "B X 1 1 0 r0 TU3.E+TU3.S")
    assert game.scores() == [0, 4]
    assert game.hand == [7, 7]


def test_a_step_that_a_variant_leaves_empty_resolves_itself() -> None:
    """Section 9: one legal id is enough, also when tokens and openings are there (C69)."""
    game = lay_out(set={"tunnel_variant": "follower", "auto_forced": True}, board=["TU3 1 0 1"])
    begin_turn(game, 0, "E")
    game.play(actions.cell_id((0, -1)))
    assert game.phase == "CLAIM"
    game.play(actions.CLAIM_NONE)
    assert (game.seat, game.phase) == (1, "CELL")


def test_a_chance_is_missed_by_laying_another_token() -> None:
    """C70: the owner could have laid the second token, and did something else with the step."""
    board = [*OCCUPIED_ROAD_AND_MOUTH, "TU1 2 0 1"]
    game = lay_out(set={"tunnel_variant": "steal"}, board=board, tokens=["TU3.S=A1"])
    assert refused(game, "B U 1 1 0 TU1.E+TU3.S")
    play(game, "A E 0 -1 2 TU3.E")
    assert [one.missed for one in game.sets] == [True] + [False] * 5
    assert not refused(game, "B U 1 1 0 TU1.E+TU3.S")


def test_the_turn_of_the_first_token_is_no_missed_chance() -> None:
    """C70: the chance must have been in a later turn."""
    game = lay_out(set={"tunnel_variant": "steal"}, board=OCCUPIED_ROAD_AND_MOUTH)
    play(game, "A E 0 -1 2 TU3.S")
    assert not any(one.missed for one in game.sets)


def test_a_follower_of_this_turn_makes_its_owner_affected() -> None:
    """C70: affected is who has a follower on the road at the own token step."""
    game = lay_out(set={"tunnel_variant": "steal"}, board=["TU3 1 0 1"], tokens=["TU3.S=A1"], missed=["A1"])
    assert refused(game, "B U -1 0 1 TU3.E+TU3.S")
    assert not refused(game, "B U -1 0 1 r0 TU3.E+TU3.S")


def test_who_lays_a_rivals_token_needs_none_of_his_own() -> None:
    """C70: the token comes out of the owner's stock."""
    game = lay_out(
        set={"tunnel_variant": "steal", "token_sets_two": 1},
        board=[*OCCUPIED_ROAD_AND_MOUTH, "TU1 2 0 1"],
        tokens=["TU3.S=A1", "TU1.E=B1", "TU1.W=B1"],
        missed=["A1"],
    )
    assert refused(game, "B U 1 1 0 TU3.E")
    assert not refused(game, "B U 1 1 0 TU3.E+TU3.S")


@pytest.mark.parametrize("variant", ["none", "steal", "no_block"])
def test_owner_may_finish_anywhere(variant: str) -> None:
    """C57, C72: the second token of the owner is free, on rivals' roads too."""
    game = lay_out(set={"tunnel_variant": variant}, board=OCCUPIED_ROAD_AND_MOUTH, tokens=["TU3.E=A1"])
    assert not refused(game, "A E 0 -1 2 TU3.E+TU3.S")


def test_paired_stock_runs_dry() -> None:
    """C71: a first token or a pair needs an untouched colour, a second token does not."""
    board = ["TU4 1 0 0", "TU2 2 0 0", "TU3 3 0 1", "TU1 -1 0 0"]
    claimed = ["TU1.E", "TU1.W", "TU2.E", "TU2.S", "TU2.W", "TU3.E"]
    tokens = [f"{name}=P{number}" for number, name in enumerate(claimed, start=1)]
    game = lay_out(set={"tunnel_variant": "paired"}, board=board, tokens=tokens)
    assert refused(game, "A E 0 -1 2 TU3.S")
    assert refused(game, "A E 0 -1 2 TU3.S+TU4.E")
    assert not refused(game, "A E 0 -1 2 TU1.E+TU3.S")


def test_no_block_refuses_a_first_token_beside_an_own_follower() -> None:
    """C72: a follower of another player is enough, even if an own one stands there too."""
    board = ["TU3 1 0 1 A@r1", "A -1 0 3 B@r0"]
    game = lay_out(set={"tunnel_variant": "no_block"}, board=board)
    assert refused(game, "A E 0 -1 2 TU3.S")
    assert not refused(game, "A E 0 -1 2 TU3.E")


def test_marker_goes_by_the_longest_road_of_the_turn() -> None:
    """C75: of two roads completed in one turn the longer counts, in distinct tiles."""
    game = lay_out(set={"robber_baron": True}, board=["A -1 0 3", "A 2 0 1"])
    play(game, "A X 1 0 0")
    assert (game.robber, game.longest) == (0, 3)
    play(game, "B A 1 1 2")
    assert (game.robber, game.longest) == (0, 3)  # a road of two tiles
    assert game.final_scores() == [3, 0]


def test_first_scoring_counts_every_farmer() -> None:
    """C34: two farmers of one field outnumber one of another field at the same city."""
    board = ["E 0 -1 2 B@f0", "U 1 0 1 A@f0", "U -1 0 1 A@f0"]
    game = lay_out(set={"farm_scoring": "first"}, board=board)
    begin_turn(game, 0, "U")
    assert game.final_scores() == [4, 0]


@pytest.mark.parametrize(
    ("players", "colours"),
    [
        (2, ["blue grey red", "yellow green black"]),
        (3, ["blue green", "yellow red", "grey black"]),
        (4, ["blue", "yellow", "grey", "green"]),
    ],
)
def test_colours_of_the_sets(players: int, colours: list[str]) -> None:
    """C06: the sets are dealt round the table."""
    game = lay_out(players=players)
    dealt = [[COLOURS[one.colour] for one in game.sets if one.owner == seat] for seat in range(players)]
    assert [" ".join(names) for names in dealt] == colours


def test_common_stock_is_whole_with_any_number_of_players() -> None:
    """C71 against C05 and C07: all 12 tokens are in the common stock, also for four players."""
    game = lay_out(players=4, set={"tunnel_variant": "paired"})
    assert game.supply() == {"P": [2] * 6}


def test_without_the_tunnel_a_variant_means_nothing() -> None:
    """Section 11 does not forbid it: there are no tokens and no step to lay them."""
    game = lay_out(set={"tunnel": False, "tunnel_variant": "paired"})
    assert game.supply() == {"A": [], "B": []}
