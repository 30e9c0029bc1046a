"""No power dislodges its own units, whoever helps (rules 5.3, E27)."""

from __future__ import annotations

import pytest

from .movement import play_movement
from .position import Rules, by_power, read_position

books = pytest.mark.parametrize("book", ["1971", "datc"])


@books
@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("u e: A WAL, A LON | f: F ENG", "e: A WAL - LON | f: F ENG S A WAL - LON"),
        ("u e: A BRE, A LON | f: F ENG\nt e BRE-LON open", "e: A BRE ~ LON | f: F ENG S A BRE - LON"),
        ("u e: A WAL, A LON | f: F ENG, A EDI", "e: A WAL - LON, A LON - YOR | f: F ENG S A WAL - LON, A EDI - YOR"),
    ],
)
def test_a_foreign_support_does_not_help_against_an_own_unit(text: str, orders: str, book: str) -> None:
    """Neither against one that stands nor against one that was to leave and cannot."""
    position = read_position(text)
    phase = play_movement(position, by_power(orders), Rules(rulebook=book))
    assert {unit.loc for unit in phase.position.units.values()} == set(position.units)
    assert phase.results["ENG"].outcome == "supports"
    assert not any(result.dislodged for result in phase.results.values())
