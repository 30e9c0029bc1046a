"""What a person types in answer to a question of a phase, in customary words."""

from __future__ import annotations

import pytest

from channel_tunnel_env.games.eurotunnel.answers import read_answer
from channel_tunnel_env.games.eurotunnel.game import Game
from tests.games.eurotunnel.arena import ruleset_with
from tests.games.eurotunnel.table import units_of

RETREATS = {
    "* R BOH": ["A VIE - BOH", "a vie r boh", "Vienna retreats to Bohemia", "VIE R BOH"],
    "* D": ["A VIE D", "VIE D", "vie d", "disband Vienna", "D"],
}


@pytest.mark.parametrize(("wanted", "line"), [(wanted, line) for wanted, lines in RETREATS.items() for line in lines])
def test_a_retreat_is_written_in_customary_ways(wanted: str, line: str) -> None:
    """`VIE D` is the name of a removal in winter; a unit that was dislodged there disbands."""
    position = {
        "phase": "S1902M",
        "units": units_of({"AUSTRIA": ["A VIE"], "ITALY": ["A TRI", "A TYR"]}),
        "centres": {"AUSTRIA": ["VIE", "BUD"], "ITALY": ["ROM", "NAP"]},
    }
    game = Game.from_position(position, ruleset_with())
    orders = {"A TRI": "* S TYR - VIE", "A TYR": "* - VIE"}
    while game.phase == "movement":
        game.play(orders.get(game.asked_unit, "* H"))
    assert game.spec.actions.names[read_answer(game, line)] == wanted


@pytest.mark.parametrize("line", ["Germany: H", "Germany - BUR", "German A PAR H", "Germany: S MAR"])
def test_an_order_of_another_power_is_no_answer(line: str) -> None:
    units = units_of({"FRANCE": ["A PAR", "A MAR"]})
    position = {"phase": "S1901M", "units": units, "centres": {"FRANCE": ["PAR", "MAR"]}}
    game = Game.from_position(position, ruleset_with())
    with pytest.raises(ValueError, match="it is an order of GERMANY"):
        read_answer(game, line)
