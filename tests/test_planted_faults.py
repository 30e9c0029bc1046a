"""`check_game` finds faults that were planted in a game, and names their cause; `planted` is their table."""

from __future__ import annotations

import pytest

from tests.interpreted import interpreted
from tests.planted import PLANTED, report_planted

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def reports() -> dict[str, str]:
    return interpreted(report_planted)


def test_the_game_as_it_is_has_no_fault(reports: dict[str, str]) -> None:
    assert "nothing is wrong" in reports[""] and "warning" not in reports[""]


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found_and_named(name: str, reports: dict[str, str]) -> None:
    assert PLANTED[name][1] in reports[name]
