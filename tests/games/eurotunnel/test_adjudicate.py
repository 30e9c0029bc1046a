"""Whole phases from plain values, and what is said of input that cannot be read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from channel_tunnel_env.errors import OrderError
from channel_tunnel_env.games.eurotunnel.adjudicate import adjudicate
from channel_tunnel_env.games.eurotunnel.board_positions import powers_in, tunnel_ends, write_position
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.words import order_text

from .arena import random_boards, ruleset_with
from .table import by_power, read_tunnel, units_of, with_changes

BOARD = load_board()
RULESETS = [ruleset_with(rulebook=book) for book in c.RULEBOOKS]


def _texts(state: Any) -> dict[str, list[str]]:
    """What is written in a record, as text by power."""
    orders: dict[str, list[str]] = {}
    for place in np.flatnonzero(state.unit_power >= 0):
        letter = c.UNIT_LETTERS[state.unit_type[place]]
        location = int(state.unit_location[place])
        text = order_text(int(state.written[place]), letter, location, state.unit_type)
        orders.setdefault(BOARD.powers[state.unit_power[place]], []).append(text)
    return orders


def _changes(state: Any) -> list[tuple[str, str, str]]:
    """Permissions written in a record."""
    found = []
    for owner, slot in np.argwhere(state.tunnel_permits != state.tunnel_next):
        bits = int(state.tunnel_permits[owner, slot]) ^ int(state.tunnel_next[owner, slot])
        (power,) = powers_in(bits)
        grant = power in powers_in(state.tunnel_next[owner, slot])
        ends = "-".join(tunnel_ends(int(state.tunnel_pair[owner, slot])))
        found.append((BOARD.powers[owner], "-+"[grant] + power, ends))
    return found


def test_a_phase_as_text_is_the_phase_of_the_record() -> None:
    for number, arena in enumerate(random_boards(120, seed=12)):
        position = write_position(arena.states, 0)
        orders, changes = _texts(arena.state), _changes(arena.state)
        # An army that only knows of a tunnel by a permission to come could not have been offered it.
        result = adjudicate(position, with_changes(orders, changes), ruleset=RULESETS[number % 2])
        assert not result["unread"]
        assert all(unit["followed"] for unit in result["units"])
        assert all(unit["order"] == unit["written"] for unit in result["units"])
        arena.end_phase()
        assert result["position"] == write_position(arena.states, 0)


def test_an_order_that_is_not_legal_leaves_the_unit_to_be_supported_in_place() -> None:
    """D7."""
    units = {"RUSSIA": ["F RUM"], "AUSTRIA": ["A BUD"], "TURKEY": ["F BLA", "A BUL"]}
    orders = {"RUSSIA": ["F RUM - HOL"], "AUSTRIA": ["A BUD S F RUM"], "TURKEY": ["F BLA - RUM", "A BUL S F BLA - RUM"]}
    result = adjudicate({"phase": "S1901M", "units": units_of(units)}, orders)
    rumania = next(unit for unit in result["units"] if unit["loc"] == "RUM")
    assert (rumania["followed"], rumania["reported"], rumania["result"]) == (False, "F RUM H", "stood")
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
    assert winter["position"]["eliminated"] == [power for power in BOARD.powers if power != "GERMANY"]
    assert by_power(winter["position"]["units"]) == {"GERMANY": ["A PAR", "A PIC"]}


def test_a_tunnel_that_was_not_known_is_not_taken_though_it_is_permitted_now() -> None:
    """Rules 7.3: the choice is among the tunnels that the power knew when it wrote."""
    position = {
        "phase": "S1901M",
        "units": units_of({"FRANCE": ["A PIC"]}),
        "tunnels": [read_tunnel("ENGLAND LON-PIC open +FRANCE"), read_tunnel("GERMANY LON-PIC hidden")],
    }
    changes = {"ENGLAND": ["WITHDRAW FRANCE LON-PIC"], "GERMANY": ["PERMIT FRANCE LON-PIC"]}
    result = adjudicate(position, {"FRANCE": ["A PIC ~ LON"]} | changes)
    assert result["units"][0]["result"] == "void"
    assert [tunnel["owner"] for tunnel in result["position"]["tunnels"]] == ["GERMANY"]
    assert result["position"]["tunnels"][0]["state"] == "hidden"


def test_the_backup_rule_lets_an_exchange_succeed_but_no_rival_of_it() -> None:
    """Rules 5.5: no equation of the exchange mentions whether the rival moves."""
    units = {"ITALY": ["A MAR", "A SPA", "F LYO", "F WES"], "GERMANY": ["A POR"]}
    italy = ["A MAR - SPA", "A SPA - MAR", "F LYO C A SPA - MAR", "F WES S A MAR - SPA"]
    result = adjudicate({"phase": "S1901M", "units": units_of(units)}, {"ITALY": italy, "GERMANY": ["A POR - SPA"]})
    told = {unit["loc"]: unit["result"] for unit in result["units"]}
    assert (told["MAR"], told["SPA"], told["POR"]) == ("moved", "moved", "failed")


def test_what_cannot_be_read_is_refused_by_name_and_the_others_count() -> None:
    position = {"phase": "S1901M", "units": units_of({"FRANCE": ["A PAR", "F BRE", "A MAR"]})}
    lines = ["A PAR-BUR", "A MAR - XYZ", "F BRE -> Mid-Atlantic Ocean", "A VIE H", "A MAR S A GAS"]
    result = adjudicate(position, {"France": lines})
    assert [(line["order"], line["why"]) for line in result["unread"]] == [
        ("A MAR - XYZ", "no place 'XYZ'"),
        ("A VIE H", "FRANCE has no unit in VIE"),
    ]
    told = {unit["loc"]: (unit["order"], unit["followed"], unit["why"]) for unit in result["units"]}
    assert told == {
        "BRE": ("F BRE - MAO", True, ""),
        "MAR": ("A MAR H", False, "no army stands in GAS"),
        "PAR": ("A PAR - BUR", True, ""),
    }


def test_an_order_that_is_not_legal_is_ruled_with_the_reason() -> None:
    """D7."""
    units = {"FRANCE": ["A PAR", "A MAR", "F BRE"], "GERMANY": ["A MUN"]}
    lines = ["A PAR - MUN", "A MAR R SPA", "F BRE - SPA"]
    result = adjudicate({"phase": "S1901M", "units": units_of(units)}, {"FRANCE": lines})
    assert not result["unread"]
    why = {unit["loc"]: unit["why"] for unit in result["units"]}
    assert why == {
        "PAR": "no border that the unit can cross leads there",
        "MAR": "a retreat is no order of movement",
        "BRE": "it does not say which coast: SPA/NC or SPA/SC",
        "MUN": "",
    }
    assert not any(unit["followed"] for unit in result["units"] if unit["power"] == "FRANCE")


@pytest.mark.parametrize(
    ("power", "order", "why"),
    [
        ("FRANCE", "A MUN H", "A MUN is GERMANY's"),
        ("FRANCE", "F PAR H", "the unit in PAR is A PAR"),
        ("FRANCE", "England A PAR H", "it is an order of ENGLAND"),
        ("FRANCE", "A PAR", "it does not say what A PAR is to do"),
        ("FRANCE", "- BUR", "it names no unit"),
        ("FRANCE", "WAIVE", "it names no unit"),
        ("ITALY", "A ROM - APU", "ITALY is in civil disorder"),
    ],
)
def test_an_order_for_no_unit_of_the_power_is_refused(power: str, order: str, why: str) -> None:
    units = units_of({"FRANCE": ["A PAR"], "GERMANY": ["A MUN"], "ITALY": ["A ROM"]})
    rules = ruleset_with(absent=["ITALY"])
    result = adjudicate({"phase": "S1901M", "units": units}, {power: [order]}, ruleset=rules)
    assert result["unread"] == [{"power": power, "order": order, "why": why}]
    assert all(unit["order"].endswith(" H") for unit in result["units"])


def test_of_two_orders_for_one_unit_the_second_is_refused() -> None:
    position = {"phase": "S1901M", "units": units_of({"FRANCE": ["A PAR"]})}
    result = adjudicate(position, {"FRANCE": ["A PAR - BUR", "a par - pic"]})
    assert [line["why"] for line in result["unread"]] == ["A PAR has an order already"]
    assert result["units"][0]["order"] == "A PAR - BUR"


@pytest.mark.parametrize("order", ["A VIE - BOH", "A VIE R BOH", "vie to bohemia"])
def test_a_retreat_is_written_as_a_retreat_or_as_a_move(order: str) -> None:
    lost = {"power": "AUSTRIA", "type": "A", "loc": "VIE", "from": "GAL"}
    units = units_of({"RUSSIA": ["A VIE"]})
    position = {"phase": "S1901R", "units": units, "dislodged": [lost]}
    result = adjudicate(position, {"AUSTRIA": [order]})
    (unit,) = result["units"]
    assert (unit["order"], unit["result"]) == ("A VIE R BOH", "retreated")
    result = adjudicate(position, {"AUSTRIA": ["A VIE - VEN"]})
    assert (result["units"][0]["why"], result["units"][0]["result"]) == (
        "no border that the unit can cross leads there",
        "disbanded",
    )


def test_winter_is_written_in_either_order_and_refused_line_by_line() -> None:
    units = {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "F KIE", "A RUH"]}
    centres = {"FRANCE": ["PAR", "BRE", "MAR", "BEL", "SPA"], "GERMANY": ["MUN"]}
    orders = {
        "FRANCE": ["Build A Paris", "F BEL B", "MAR B", "build fleet brest", "WAIVE", "A MAR B"],
        "GERMANY": ["Remove A RUH", "A BUR D", "F KIE D", "F KIE - HOL"],
    }
    position = {"phase": "W1901A", "units": units_of(units), "centres": centres}
    result = adjudicate(position, orders)
    changed = {(unit["result"], f"{unit['type']} {unit['loc']}") for unit in result["units"]}
    assert changed == {("built", "A PAR"), ("built", "F BRE"), ("removed", "A RUH"), ("removed", "F KIE")}
    assert [(line["order"], line["why"]) for line in result["unread"]] == [
        ("F BEL B", "no fleet is built in BEL"),
        ("MAR B", "it does not say which unit: A MAR or F MAR"),
        ("A MAR B", "FRANCE has no unit to build"),
        ("A BUR D", "A BUR is FRANCE's"),
        ("F KIE - HOL", "'-' is no order of adjustments"),
    ]


def test_reports_name_the_letter_of_the_unit_that_is_helped() -> None:
    units = {"FRANCE": ["A PAR", "A MAR"], "ENGLAND": ["F ENG", "A LON"]}
    orders = {"FRANCE": ["A PAR S MAR - BUR", "A MAR - BUR"], "ENGLAND": ["F ENG C LON - BEL", "A LON - BEL"]}
    result = adjudicate({"phase": "S1901M", "units": units_of(units)}, orders)
    for name in ("order", "reported"):
        told = {unit["loc"]: unit[name] for unit in result["units"]}
        assert told["PAR"] == "A PAR S A MAR - BUR" and told["ENG"] == "F ENG C A LON - BEL"


def test_a_text_of_all_orders_is_read_line_by_line() -> None:
    units = {"FRANCE": ["A PAR", "F BRE", "A MAR"], "ENGLAND": ["A LON"], "GERMANY": ["A MUN"]}
    tunnels = [read_tunnel("ENGLAND LON-PIC hidden")]
    text = """# spring
    FRANCE
      - A PAR - BUR     # a list
      2. F BRE - MAO; A MAR S A PAR - BUR

    England: A LON H, PERMIT FRANCE LON-PIC
    germany
    A MUN > RHU
    """
    position = {"phase": "S1901M", "units": units_of(units), "tunnels": tunnels}
    result = adjudicate(position, text)
    assert [unit["order"] for unit in result["units"]] == [
        "F BRE - MAO",
        "A LON H",
        "A MAR S A PAR - BUR",
        "A MUN H",
        "A PAR - BUR",
    ]
    assert result["unread"] == [
        {"line": 8, "power": "GERMANY", "order": "A MUN > RHU", "why": "no place 'RHU'; did you mean 'RUH'?"}
    ]
    assert result["position"]["tunnels"][0]["permits"] == ["FRANCE"]
    channel = {"phase": "S1901M", "units": units_of({"FRANCE": ["F ENG"]})}
    for line in ("English Channel - North Sea", "France\nEnglish Channel to NTH"):
        assert adjudicate(channel, line)["units"][0]["result"] == "moved"
    alone = adjudicate(position, "A MUN - RUH\nA GAS H")
    assert [line["why"] for line in alone["unread"]] == ["no power has a unit in GAS"]
    assert next(u for u in alone["units"] if u["loc"] == "MUN")["result"] == "moved"


GIVEN = "PERMIT FRANCE LON-PIC"
BAD_CHANGES: dict[str, tuple[str, ...]] = {  # why the last one is refused; whose, and what is written
    "a tunnel is named by its two ends, such as LON-PIC": ("ENGLAND", "PERMIT FRANCE LON"),
    "it names one power and a tunnel, such as PERMIT FRANCE LON-PIC": ("ENGLAND", "PERMIT SPAIN LON-PIC"),
    "'XYZ' is not understood there": ("ENGLAND", "PERMIT FRANCE LON-XYZ"),
    "ENGLAND has no tunnel LON-WAL": ("ENGLAND", "PERMIT FRANCE LON-WAL"),
    "FRANCE has no tunnel LON-PIC": ("FRANCE", "PERMIT ENGLAND LON-PIC"),
    "the owner needs no permission": ("ENGLAND", "PERMIT ENGLAND LON-PIC"),
    "TURKEY is out of the game": ("ENGLAND", "PERMIT TURKEY LON-PIC"),
    "the permission of FRANCE is changed twice": ("ENGLAND", GIVEN, "WITHDRAW FRANCE LON-PIC"),
}


def _with_tunnel(phase: str = "S1901M", **more: Any) -> dict[str, Any]:
    units = units_of({"FRANCE": ["A PAR"], "ENGLAND": ["A LON"]})
    tunnels = [read_tunnel("ENGLAND LON-PIC hidden")]
    position = {"phase": phase, "units": units, "tunnels": tunnels, "eliminated": ["TURKEY"]}
    return position | more


@pytest.mark.parametrize("why", BAD_CHANGES)
def test_changes_of_permissions_that_cannot_be_are_refused(why: str) -> None:
    owner, *lines = BAD_CHANGES[why]
    refused = adjudicate(_with_tunnel(), {owner: lines})["unread"]
    assert [(line["order"], line["why"]) for line in refused] == [(lines[-1], why)]


def test_permissions_change_in_movement_alone_and_only_where_there_are_any() -> None:
    """Rules 7.7, E38, E44."""
    lost = {"power": "FRANCE", "type": "A", "loc": "BRE", "from": "GAS"}
    units = units_of({"ENGLAND": ["A BRE"]})
    retreat = _with_tunnel("S1901R", units=units, dislodged=[lost])
    for position, switches, why in (
        (retreat, {}, "permissions change in a phase of movement, not of retreats"),
        (_with_tunnel("W1901A"), {}, "permissions change in a phase of movement, not of adjustments"),
        (_with_tunnel(), {"permissions": False}, "the ruleset has no permissions"),
        (_with_tunnel(), {"absent": ["ENGLAND"]}, "ENGLAND is in civil disorder"),
    ):
        (refused,) = adjudicate(position, {"ENGLAND": [GIVEN]}, ruleset=ruleset_with(**switches))["unread"]
        assert refused["why"] == why
    given = adjudicate(_with_tunnel(), {"ENGLAND": ["PERMIT FRANCE PIC-LON"]})
    assert given["position"]["tunnels"][0]["permits"] == ["FRANCE"]


def test_a_written_change_that_cannot_be_is_refused_by_name_and_the_others_count() -> None:
    text = "England\npermit France PIC-LON\npermit Spain PIC-LON\npermit England PIC-LON\nA LON H"
    result = adjudicate(_with_tunnel(), text)
    assert [(line["line"], line["why"]) for line in result["unread"]] == [
        (3, "it names one power and a tunnel, such as PERMIT FRANCE LON-PIC"),
        (4, "the owner needs no permission"),
    ]
    assert result["position"]["tunnels"][0]["permits"] == ["FRANCE"]


@pytest.mark.parametrize(
    "orders",
    [
        *(None, 3, [], {"SPAIN": []}, {3: []}, {"FRANCE": None}, {"FRANCE": [None]}),
        *("x" * 70_000, "A PAR H\n" * 501, {"FRANCE": ["A PAR H"] * 501}),
    ],
)
def test_orders_that_are_no_orders_by_power_are_refused(orders: Any) -> None:
    position = {"phase": "S1901M", "units": units_of({"FRANCE": ["A PAR"]})}
    with pytest.raises(OrderError, match="orders"):
        adjudicate(position, orders)


def test_the_ruleset_is_the_one_that_the_position_names() -> None:
    rules = {"base": "eurotunnel", "name": "later", "rulebook": "datc"}
    units = units_of({"FRANCE": ["A PIC", "F ENG"]})
    position = {"ruleset": rules, "phase": "S1901M", "units": units}
    orders = {"FRANCE": ["A PIC - BEL via convoy", "F ENG C A PIC - BEL"]}
    result = adjudicate(position, orders)
    assert result["units"][1]["order"] == "A PIC - BEL via convoy"
    assert result["position"]["ruleset"] == rules
