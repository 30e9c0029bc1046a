"""The scenarios of the rules, played on the oracle."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.carcassonne.oracle.scenarios import SCENARIOS, found, run


def scenario_name(scenario: dict[str, Any]) -> str:
    """Name a scenario by its number and the rulings that it shows."""
    return "-".join([scenario["id"], *scenario["law"]])


@pytest.mark.parametrize("scenario", SCENARIOS, ids=scenario_name)
def test_scenario(scenario: dict[str, Any]) -> None:
    """The oracle finds everything that the scenario expects."""
    game, gains = run(scenario)
    expected = scenario["expect"]
    assert {name: found(game, gains, name, value) for name, value in expected.items()} == expected
