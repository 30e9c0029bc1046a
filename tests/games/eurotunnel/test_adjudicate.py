"""Whole phases from plain values, and what is said of input that cannot be read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from channel_tunnel_env.errors import OrderError, PositionError, RulesetError
from channel_tunnel_env.games.eurotunnel.adjudicate import adjudicate
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.notation import order_text, read_order
from channel_tunnel_env.games.eurotunnel.positions import powers_in, tunnel_ends, write_position
from channel_tunnel_env.games.eurotunnel.provinces import load_board

from .arena import random_boards, ruleset_with
from .table import by_power, read_change, read_tunnel, units_of

BOARD = load_board()
RULESETS = [ruleset_with(rulebook=book) for book in c.RULEBOOKS]


def _texts(state: Any) -> dict[str, list[str]]:
    """What is written in a record, as text by power."""
    orders: dict[str, list[str]] = {}
    for place in np.flatnonzero(state.unit_power >= 0):
        letter = c.UNIT_LETTERS[state.unit_type[place]]
        text = order_text(int(state.written[place]), letter, int(state.unit_location[place]))
        orders.setdefault(BOARD.powers[state.unit_power[place]], []).append(text)
    return orders


def _changes(state: Any) -> list[dict[str, Any]]:
    """Permissions written in a record."""
    found = []
    for owner, slot in np.argwhere(state.tunnel_permits != state.tunnel_next):
        bits = int(state.tunnel_permits[owner, slot]) ^ int(state.tunnel_next[owner, slot])
        (power,) = powers_in(bits)
        grant = power in powers_in(state.tunnel_next[owner, slot])
        ends = tunnel_ends(int(state.tunnel_pair[owner, slot]))
        found.append({"owner": BOARD.powers[owner], "ends": ends, "power": power, "grant": grant})
    return found


def test_a_phase_as_text_is_the_phase_of_the_record() -> None:
    for number, arena in enumerate(random_boards(120, seed=12)):
        position = write_position(arena.states, 0)
        orders, changes = _texts(arena.state), _changes(arena.state)
        # An army that only knows of a tunnel by a permission to come could not have been offered it.
        result = adjudicate(position, orders, changes, RULESETS[number % 2])
        assert not result["unread"]
        assert all(unit["followed"] for unit in result["units"])
        assert all(unit["order"] == unit["written"] for unit in result["units"])
        arena.end_phase()
        assert result["position"] == write_position(arena.states, 0)


def test_an_order_that_is_not_legal_leaves_the_unit_to_be_supported_in_place() -> None:
    """D7."""
    units = {"RUSSIA": ["F RUM"], "AUSTRIA": ["A BUD"], "TURKEY": ["F BLA", "A BUL"]}
    orders = {
        "RUSSIA": ["F RUM - HOL"],
        "AUSTRIA": ["A BUD S F RUM"],
        "TURKEY": ["F BLA - RUM", "A BUL S F BLA - RUM"],
    }
    result = adjudicate({"phase": "S1901M", "units": units_of(units)}, orders)
    rumania = next(unit for unit in result["units"] if unit["loc"] == "RUM")
    assert (rumania["followed"], rumania["reported"], rumania["result"]) == (
        False,
        "F RUM H",
        "stood",
    )
    assert not rumania["dislodged"]


def test_no_answer_holds_disbands_and_removes_by_the_rule() -> None:
    """D19."""
    units = {"FRANCE": ["A PAR"], "GERMANY": ["A BUR", "A PIC"]}
    centres = {"GERMANY": ["MUN"]}
    orders = {"GERMANY": ["A BUR - PAR", "A PIC S A BUR - PAR"]}
    fall = adjudicate({"phase": "F1901M", "units": units_of(units), "centres": centres}, orders)
    assert fall["position"]["phase"] == "F1901R"
    winter = adjudicate(fall["position"], {})
    assert winter["units"][0]["result"] == "disbanded"
    assert winter["position"]["phase"] == "S1902M"  # Germany took Paris and keeps both armies
    assert winter["position"]["eliminated"] == [
        power for power in BOARD.powers if power != "GERMANY"
    ]
    assert by_power(winter["position"]["units"]) == {"GERMANY": ["A PAR", "A PIC"]}


def test_a_tunnel_that_was_not_known_is_not_taken_though_it_is_permitted_now() -> None:
    """Rules 7.3: the choice is among the tunnels that the power knew when it wrote."""
    position = {
        "phase": "S1901M",
        "units": units_of({"FRANCE": ["A PIC"]}),
        "tunnels": [
            read_tunnel("ENGLAND LON-PIC open +FRANCE"),
            read_tunnel("GERMANY LON-PIC hidden"),
        ],
    }
    changes = [read_change("ENGLAND -FRANCE LON-PIC"), read_change("GERMANY +FRANCE LON-PIC")]
    result = adjudicate(position, {"FRANCE": ["A PIC ~ LON"]}, changes)
    assert result["units"][0]["result"] == "void"
    assert [tunnel["owner"] for tunnel in result["position"]["tunnels"]] == ["GERMANY"]
    assert result["position"]["tunnels"][0]["state"] == "hidden"


BAD_ORDERS = {
    "A LON > PIC": "an order looks like",
    "A LON - XYZ": "no place 'XYZ'",
    "LON - PIC": "an order looks like",
    "F ENG C A LON": "a convoy names a destination",
    "A LON ~ PIC via convoy": "only a move goes via convoy",
    "": "an order looks like",
}


@pytest.mark.parametrize("text", BAD_ORDERS)
def test_a_text_that_is_no_order_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(OrderError) as refused:
        read_order(text)
    assert BAD_ORDERS[text] in str(refused.value)
    assert repr(text) in str(refused.value) and "\n" not in str(refused.value)


def test_two_orders_for_one_unit_are_refused() -> None:
    position = {"phase": "S1901M", "units": units_of({"FRANCE": ["A PAR"]})}
    with pytest.raises(OrderError, match="second order"):
        adjudicate(position, {"FRANCE": ["A PAR H", "A PAR - BUR"]})


def _unit(**changes: Any) -> dict[str, Any]:
    return {"power": "FRANCE", "type": "A", "loc": "PAR"} | changes


def _tunnel(**changes: Any) -> dict[str, Any]:
    return {"owner": "FRANCE", "ends": ["LON", "PIC"], "state": "hidden"} | changes


BAD_POSITIONS: dict[str, dict[str, Any]] = {
    "phase: 'S1901A'": {"phase": "S1901A", "units": []},
    "units: A ADR: no army": {"units": [_unit(loc="ADR")]},
    "units: F STP: no fleet": {"units": [_unit(type="F", loc="STP")]},
    "units: two in PAR": {"units": [_unit(), _unit(power="ITALY")]},
    "units.0.power": {"units": [_unit(power="SPAIN")]},
    "centres.ITALY: BUR is no supply": {"units": [], "centres": {"ITALY": ["BUR"]}},
    "centres: PAR has two": {"units": [], "centres": {"ITALY": ["PAR"], "FRANCE": ["PAR"]}},
    "no legal tunnel joins": {"units": [], "tunnels": [_tunnel(ends=["LON", "WAL"])]},
    "one standing tunnel": {"units": [], "tunnels": [_tunnel(), _tunnel(ends=["PIC", "LON"])]},
    "built are 0": {"units": [], "tunnels": [_tunnel()], "built": {"FRANCE": 0}},
    "colour": {"units": [], "colour": "red"},
}


@pytest.mark.parametrize("words", BAD_POSITIONS)
def test_a_position_that_cannot_be_is_refused_in_one_line(words: str) -> None:
    with pytest.raises(PositionError) as refused:
        adjudicate({"phase": "S1901M"} | BAD_POSITIONS[words], {})
    assert words in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "change", [{"rulebook": "2023"}, {"tunnels_per_power": 5}, {"absent": ["SPAIN"]}, {"dice": 2}]
)
def test_a_ruleset_with_something_wrong_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(RulesetError, match=next(iter(change))):
        ruleset_with(**change)
