"""The 164 cases of the DATC, chapter 6, by both rule books."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.written import read_yaml

from . import board
from .movement import Movement, play_movement
from .position import Position, Rules, Unit, read_unit
from .retreats import play_retreats
from .winter import play_adjustments, surplus

DATA = read_yaml(Path(__file__).parents[1] / "oracle_cases" / "datc.yaml")
BOOKS = ("1971", "datc")
Case = dict[str, Any]


def test_all_cases_are_there() -> None:
    assert len(DATA["movement"]) == 145
    numbers = {case["id"].rstrip("ab") for case in DATA["adjustments"]}
    assert len(numbers) == 19


def _by_book(case: Case, book: str) -> Case:
    return case | case.get("in_1971", {}) if book == "1971" else case


def _unit_of_order(power: str, text: str) -> Unit:
    return read_unit(power, " ".join(text.split()[:2]))


def _position(case: Case) -> Position:
    position = Position()
    for power, texts in case.get("units", {}).items():
        units = (read_unit(power, text) for text in texts)
        position.units |= {unit.province: unit for unit in units}
    for power, texts in case["orders"].items():
        for text in texts:
            unit = _unit_of_order(power, text)
            position.units.setdefault(unit.province, unit)
    return position


def _played(case: Case, rules: Rules) -> Movement:
    position = _position(case)
    phase = play_movement(position, case["orders"], rules)
    moved = {
        (place, phase.position.units[board.province(to)].loc)
        for place, result in phase.results.items()
        if result.outcome == "moves"
        for to in [result.order.split()[3]]
    }
    assert moved == {tuple(move.split("-")) for move in case["moved"]}
    dislodged = {place for place, result in phase.results.items() if result.dislodged}
    assert dislodged == set(case["dislodged"])
    return phase


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("case", DATA["movement"], ids=lambda case: case["id"])
def test_movement(case: Case, book: str) -> None:
    case, rules = _by_book(case, book), Rules(rulebook=book)
    phase = _played(case, rules)
    for place, options in case.get("retreats", {}).items():
        gone = phase.position.dislodged.get(place)
        assert set(gone.options if gone else ()) == set(options)
    if "retreat_orders" in case:
        went = play_retreats(phase.position, case["retreat_orders"]).went
        moves = {f"{place}-{way}" for place, way in went.items() if way}
        assert moves == set(case["retreated"])
        assert {place for place, way in went.items() if not way} == set(case["disbanded"])


def _spare_places(case: Case) -> Iterator[str]:
    named = set(case.get("owned", ())) | {text[2:5] for text in case.get("orders", ())}
    for place in board.LAND:
        if place not in board.HOMES[case["power"]] and place not in named:
            yield place


def _builder(case: Case) -> Position:
    """A position in which the power may place as many units as the case says."""
    power = case["power"]
    units = [read_unit(power, text) for text in case.get("units", ())]
    position = Position(units={unit.province: unit for unit in units})
    lost = case.get("not_owned", [])
    owned = [home for home in board.HOMES[power] if home not in lost] + case.get("owned", [])
    position.centres = {centre: power for centre in owned}
    if "empty_homes" in case:
        for home in set(board.HOMES[power]) - set(case["empty_homes"]):
            position.units[home] = Unit(power, "A", home)
    for place in _spare_places(case):
        missing = surplus(position, power) - case["builds"]
        if missing > 0:
            position.units[place] = Unit(power, "A", place)
        elif missing < 0 and place in board.CENTRES:
            position.centres[place] = power
    assert surplus(position, power) == case["builds"]
    return position


def _remover(case: Case) -> Position:
    units = [read_unit(case["power"], text) for text in case["units"]]
    position = Position(units={unit.province: unit for unit in units})
    position.centres = {centre: case["power"] for centre in case["owned"]}
    assert surplus(position, case["power"]) == -case["removes"]
    return position


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("case", DATA["adjustments"], ids=lambda case: case["id"])
def test_adjustments(case: Case, book: str) -> None:
    case = _by_book(case, book)
    position = _builder(case) if "builds" in case else _remover(case)
    orders = {case["power"]: case.get("orders", [])}
    phase = play_adjustments(position, orders, Rules(rulebook=book))
    assert [str(unit) for unit in phase.raised] == case.get("built", [])
    assert [str(unit) for unit in phase.removed] == case.get("removed", [])


def test_the_books_differ_in_the_cases_that_say_so() -> None:
    """The 17 of movement; a difference in retreats alone is not one (6.H.11)."""
    different = {case["id"] for case in DATA["movement"] if "moved" in case.get("in_1971", {})}
    assert len(different) == 17
    for case in DATA["movement"]:
        phases = [play_movement(_position(case), case["orders"], Rules(rulebook=b)) for b in BOOKS]
        boards = [phase.position.units for phase in phases]
        assert (boards[0] != boards[1]) == (case["id"] in different), case["id"]
