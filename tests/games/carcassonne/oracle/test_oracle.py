"""The scenarios of the rules, played on the oracle."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.carcassonne.oracle.scenarios import SCENARIOS, found, run, set_up


def scenario_name(scenario: dict[str, Any]) -> str:
    """Name a scenario by its number and the rulings that it shows."""
    return "-".join([scenario["id"], *scenario["law"]])


@pytest.mark.parametrize("scenario", SCENARIOS, ids=scenario_name)
def test_scenario(scenario: dict[str, Any]) -> None:
    """The oracle finds everything that the scenario expects."""
    game, gains = run(scenario)
    expected = scenario["expect"]
    assert {name: found(game, gains, name, value) for name, value in expected.items()} == expected


@pytest.mark.parametrize("scenario", SCENARIOS, ids=scenario_name)
def test_scenario_can_lie_on_a_table(scenario: dict[str, Any]) -> None:
    """Each position is one connected group of tiles whose touching edges are equal."""
    table = set_up(scenario).table
    for cell, tile in table.tiles.items():
        assert table.edges_match(cell, tile)
    assert len(connected_cells(table.tiles)) == len(table.tiles)


def connected_cells(tiles: dict) -> set:
    """Walk from the start tile over touching edges."""
    seen, ahead = set(), [(0, 0)]
    while ahead:
        x, y = ahead.pop()
        if (x, y) in tiles and (x, y) not in seen:
            seen.add((x, y))
            ahead += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return seen
