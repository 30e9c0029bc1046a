"""`check_game` finds faults that were planted in a game, and names their cause; `planted` is their table."""

from __future__ import annotations

import pytest

from tests.interpreted import interpreted
from tests.planted import PLANTED, report_planted

HANDFUL = ("a leak beside a deal of nothing", "the own shaft is forgotten", "ids out of order")


@pytest.fixture(scope="module")
def reports() -> dict[str, str]:
    return interpreted(report_planted, "", *PLANTED)


@pytest.mark.heavy
def test_the_game_as_it_is_has_no_fault(reports: dict[str, str]) -> None:
    assert "nothing is wrong" in reports[""] and "warning" not in reports[""]


@pytest.mark.heavy
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found_and_named(name: str, reports: dict[str, str]) -> None:
    assert PLANTED[name][1] in reports[name]


def test_a_leak_a_lapse_and_a_disorder_are_found() -> None:
    reports = interpreted(report_planted, *HANDFUL)
    assert [name for name in HANDFUL if PLANTED[name][1] not in reports[name]] == []
