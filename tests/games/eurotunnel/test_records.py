"""Records replay; positions begin games; a report tells what a player may keep."""

from __future__ import annotations

import json
from typing import Any

import pytest

from channel_tunnel_env import PositionError, RecordError
from channel_tunnel_env.games.eurotunnel.game import Game
from tests.random_games import play_on

from .arena import ruleset_with
from .table import by_power, read_tunnel, units_of

POSITION: dict[str, Any] = {
    "phase": "F1902M",
    "units": units_of({"ENGLAND": ["A LON", "F ENG"], "FRANCE": ["A PIC", "F STP/SC"]}),
    "centres": {"ENGLAND": ["LON", "EDI"], "FRANCE": ["PAR", "STP"]},
    "tunnels": [read_tunnel("ENGLAND LON-PIC hidden")],
    "built": {"ENGLAND": 2},
}


def test_a_record_refuses_what_does_not_fit() -> None:
    record = play_on(Game(seed=5), 5, decisions=12).record()
    with pytest.raises(RecordError, match=r"ply 1: .* is not legal for A BUD in S1901M"):
        Game.from_record(record | {"actions": ["* - LON"]})
    with pytest.raises(RecordError, match=r"ply 1: .* no such action"):
        Game.from_record(record | {"actions": ["A BUD - SER"]})


def test_a_game_from_a_position_is_recorded_with_it() -> None:
    game = Game.from_position(POSITION)
    assert game.turn == 4 and game.to_play == "england"
    assert game.to_position()["built"] == {"ENGLAND": 2}
    assert [tunnel["ends"] for tunnel in game.to_position()["tunnels"]] == [["LON", "PIC"]]
    play_on(game, 1, decisions=20)
    record = json.loads(json.dumps(game.record()))
    assert record["start"]["phase"] == "F1902M"
    assert Game.from_record(record).states.tobytes() == game.states.tobytes()


def test_a_game_that_begins_within_a_phase_has_no_record() -> None:
    game = play_on(Game(seed=1), 1, decisions=4)
    with pytest.raises(RecordError, match="began in the middle of a phase"):
        Game.from_states(game.states, game.ruleset).record()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"units": [], "tunnels": [], "built": {}}, "no power has anything to decide"),
        ({"phase": "S1902M", "centres": {}}, "no more units than centres when a year begins"),
    ],
)
def test_a_position_that_play_cannot_reach_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(PositionError, match=words):
        Game.from_position(POSITION | change)


def _answer(game: Game, orders: dict[str, str]) -> None:
    """Answer until the phase ends: units as named, all others hold, nothing else is changed."""
    turn, phase = game.turn, game.phase
    while not game.is_over and (game.turn, game.phase) == (turn, phase):
        order = orders.get(game.asked_unit)
        names = game.legal_actions()
        passive = [name for name in ("* H", "* D", "PERMIT DONE", "VOTE NO", "WAIVE") if name in names]
        game.play(order or (passive or names)[0])


def test_a_report_tells_everybody_the_orders_and_the_builder_alone_what_it_built() -> None:
    game = Game.from_position(POSITION, ruleset_with(auto_forced=False))
    _answer(game, {"A LON": "* BT BEL", "A PIC": "* - BEL"})
    own, other = game.report("england"), game.report("france")
    assert own[0]["own"] == ["F ENG H", "A LON BT BEL", "PERMIT DONE"]
    assert other[0]["own"] == ["A PIC - BEL", "F STP/SC H"]
    for report, order in ((own, "A LON BT BEL"), (other, "A LON H")):
        told = {"power": "ENGLAND", "order": order, "result": "stood", "dislodged": False}
        assert report[0]["phase"] == "F1902M" and told in report[0]["orders"]
        assert {name for name in report[0] if name in ("opened", "told")} == set()
    assert json.loads(json.dumps(own)) == own


def test_a_report_tells_of_attacks_retreats_tunnels_and_winter() -> None:
    game = Game.from_position(POSITION, ruleset_with(auto_forced=False))
    orders = {"A LON": "* ~ PIC", "F ENG": "* S LON - PIC", "A PIC": "* H"}
    _answer(game, orders)
    assert game.phase == "retreats" and "retreats" not in game.report("france")[0]
    _answer(game, {"A PIC": "* R BUR"})
    (fall,) = game.report("italy")
    assert fall["opened"] == [{"owner": "ENGLAND", "ends": ["LON", "PIC"]}]
    assert fall["retreats"] == [{"power": "FRANCE", "order": "A PIC R BUR", "result": "retreated"}]
    lost = next(order for order in fall["orders"] if order["order"] == "A PIC H")
    assert lost["dislodged"] and fall["own"] == []
    assert by_power(game.to_position()["units"])["ENGLAND"] == ["A PIC", "F ENG"]
