"""Plan: scenarios 12-14."""

from __future__ import annotations

import numpy as np

from channel_tunnel_env.games.tunnel_1987.engine.observation import SECTION_BY_NAME
from tests.games.tunnel_1987.positions import legal, play, side, turn

ALL_UP = "[blue, blue, black, black, orange, orange, yellow, yellow, white]"
EIGHT_UP = "[blue, blue, black, black, orange, orange, yellow, yellow]"


def test_s12_plan_goes_beyond_tokens_not_yet_bored() -> None:
    """The nearest face-down token is turned, however far behind the machine is."""
    game = turn("white: 2, blue: 1", "route: [yellow, black]")
    play(game, "place white plan_tunnel plan")
    assert [t[0] == "?" for t in side(game)["route"]] == [False] * 3 + [True] * 6
    assert side(game)["tbm"] == 0


def test_s13_nothing_left_to_plan() -> None:
    """With every own token up Plan is illegal in each of its forms; rival tokens are not turned."""
    shown = "display: [influence_denmark, influence_italy, control_room_4]"
    game = turn("white: 3, black: 2", f"route: {ALL_UP}, storage: []", shown)
    assert legal(game, "plan") == []
    assert legal(game, "secondary") == []  # all three cards shown plan
    game = turn(
        "white: 3, black: 2",
        f"route: {EIGHT_UP}, storage: []",
        cards="control_room_1:white control_room_3:white heavy_machinery:white",
        theirs="discs: {blue: 2}, tbm: 3, storage: []",
    )
    play(game, "place white plan_tunnel plan")
    assert game.phase == "chain" and not any(t[0] == "?" for t in side(game)["route"])
    assert legal(game, "use", "control_room_1") and not legal(game, "use", "control_room_3")
    assert not legal(game, "heavy_machinery", "plan") and legal(game, "heavy_machinery", "finance")
    assert [t[0] == "?" for t in side(game, "france")["route"]] == [False] + [True] * 5


def test_s14_a_peeked_token_is_still_face_down() -> None:
    """Only the one who peeked knows it, and Plan still has it to turn."""
    game = turn("white: 2, blue: 1", "route: [yellow, '?black'], peeked: [[britain, 1]]")
    own, rival = SECTION_BY_NAME["own_route"].slice, SECTION_BY_NAME["rival_route"].slice
    assert game.observation("britain")[own][6:12].tolist() == [0, 1, 0, 0, 0, 0]
    assert not np.any(game.observation("france")[rival][6:12])
    play(game, "place white plan_tunnel plan")
    assert side(game)["route"][1] == "black" and side(game)["route"][2][0] == "?"
    assert game.observation("france")[rival][6:12].tolist() == [0, 1, 0, 0, 0, 0]
