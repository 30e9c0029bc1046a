"""The scenarios of the rules, each named by the rulings that it shows."""

from __future__ import annotations

import pytest

from .position import Rules
from .scenarios import play_scenario, read_scenarios

SCENARIOS = read_scenarios()


@pytest.mark.parametrize("title", SCENARIOS)
def test_scenario(title: str) -> None:
    play_scenario(SCENARIOS[title], Rules())


def test_all_scenarios_are_there() -> None:
    assert [title.split()[0] for title in SCENARIOS] == [f"T{n:02}" for n in range(1, 98)]
