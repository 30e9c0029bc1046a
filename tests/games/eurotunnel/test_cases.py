"""The hobby's test cases of adjudicators, under both rule books."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from channel_tunnel_env.games.eurotunnel.adjudicate import adjudicate
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from tests.written import read_yaml

from .arena import ruleset_with
from .table import moves, province, units_of

CASES = read_yaml(Path(__file__).parent / "cases.yaml")
RULESETS = {book: ruleset_with(rulebook=book) for book in c.RULEBOOKS}


def test_every_case_is_here() -> None:
    ids = {case["id"].rstrip("ab") for group in CASES.values() for case in group}
    sizes = {"A": 12, "B": 15, "C": 9, "D": 34, "E": 15, "F": 25, "G": 20, "H": 16, "I": 7, "J": 11}
    assert ids == {f"6.{letter}.{i}" for letter, size in sizes.items() for i in range(1, size + 1)}
    assert len(ids) == 164


def _expected(case: dict[str, Any], book: str) -> dict[str, Any]:
    return case | (case.get("in_1971", {}) if book == "1971" else {})


@pytest.mark.parametrize("book", c.RULEBOOKS)
@pytest.mark.parametrize("case", CASES["movement"], ids=lambda case: case["id"])
def test_a_case_of_movement_and_retreat(case: dict[str, Any], book: str) -> None:
    wanted = _expected(case, book)
    position = {"phase": "S1901M", "units": units_of(case["units"])}
    result = adjudicate(position, case["orders"], ruleset=RULESETS[book])
    assert moves(result) == {tuple(move.split("-")) for move in wanted["moved"]}
    dislodged = {province(unit["loc"]) for unit in result["units"] if unit["dislodged"]}
    assert dislodged == set(wanted["dislodged"])
    if "retreats" in wanted:
        options = {
            province(unit["loc"]): [text.removeprefix("R ") for text in unit["retreats"]]
            for unit in result["units"]
            if unit["dislodged"]
        }
        assert {place: sorted(found) for place, found in options.items()} == wanted["retreats"]
    if "then" in wanted:
        _check_retreats(result["position"], wanted["then"], book)


def _check_retreats(position: dict[str, Any], wanted: dict[str, Any], book: str) -> None:
    result = adjudicate(position, wanted["orders"], ruleset=RULESETS[book])
    retreated = {
        f"{province(unit['loc'])}-{unit['order'].split()[-1]}"
        for unit in result["units"]
        if unit["result"] == "retreated"
    }
    disbanded = {province(unit["loc"]) for unit in result["units"] if unit["result"] == "disbanded"}
    assert retreated == set(wanted["retreated"])
    assert disbanded == set(wanted["disbanded"])


@pytest.mark.parametrize("book", c.RULEBOOKS)
@pytest.mark.parametrize("case", CASES["adjustments"], ids=lambda case: case["id"])
def test_a_case_of_adjustment(case: dict[str, Any], book: str) -> None:
    wanted, power = _expected(case, book), case["power"]
    position = {"phase": "W1901A", "units": units_of({power: case["units"]}), "centres": {power: case["centres"]}}
    result = adjudicate(position, {power: case["orders"]}, ruleset=RULESETS[book])
    for what in ("built", "removed"):
        found = {f"{u['type']} {u['loc']}" for u in result["units"] if u["result"] == what}
        assert found == set(wanted.get(what, []))
