"""A decoded observation says what the board says, section by section, over random games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from channel_tunnel_env import Game, decode
from channel_tunnel_env.games.eurotunnel.board_positions import known_tunnels, tunnel_ends
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from tests.random_games import walk

BOARD = load_board()
SETTINGS: list[dict[str, Any]] = [
    {},
    {"rulebook": "datc", "draw_vote": True, "tunnels_per_power": 2, "limit_score": "pieces"},
]


def positions(changes: dict[str, Any]) -> Iterator[tuple[Game, int, dict[str, Any]]]:
    """Some positions of a random game, a viewer, and what it sees in words."""
    game = Game({"base": "eurotunnel", "max_year": 1908, **changes})
    for number in walk(game, 5):
        if number % 41 == 0 or game.is_over:
            viewer = number % c.NUM_POWERS
            yield game, viewer, decode(game.observation(viewer), game.ruleset)


def counted(power: int, viewer: int) -> Any:
    """A power as the viewer counts it: itself first, then the others in their order."""
    others = [number for number in range(c.NUM_POWERS) if number != viewer]
    return None if power < 0 else [viewer, *others].index(power)


@pytest.mark.parametrize("changes", SETTINGS)
def test_units_and_centres_are_those_of_the_board(changes: dict[str, Any]) -> None:
    for game, viewer, seen in positions(changes):
        state = game.state
        for number, place in enumerate(BOARD.provinces):
            shown = seen["board"].get(place, {})
            power, location = int(state.unit_power[number]), int(state.unit_location[number])
            unit = c.UNIT_LETTERS[int(state.unit_type[number])] if power >= 0 else None
            assert (shown.get("unit"), shown.get("power")) == (unit, counted(power, viewer)), place
            coast = power >= 0 and location >= c.NUM_PROVINCES
            assert shown.get("coast") == (BOARD.locations[location] if coast else None)
            assert ("owner" in shown) == (number in BOARD.centres)
            if "owner" in shown:
                assert shown["owner"] == counted(int(state.owner[number]), viewer)
            assert shown.get("contested", False) == bool(state.contested[number])


@pytest.mark.parametrize("changes", SETTINGS)
def test_numbers_are_those_of_the_game(changes: dict[str, Any]) -> None:
    for game, viewer, seen in positions(changes):
        state, numbers = game.state, seen["numbers"]
        for power in range(c.NUM_POWERS):
            told = numbers["powers"][counted(power, viewer)]
            assert told["centres"] == (state.owner == power).sum()
            assert told["units"] == (state.unit_power == power).sum()
            assert told["alive"] == bool(int(state.alive) >> power & 1)
            opened = np.isin(state.tunnel_state[power], (c.OPENED, c.DEMOLISHED)).sum()
            assert told["tunnels_opened"] == opened
        assert numbers["year"] == state.year
        assert numbers["phase"] == (None if game.is_over else game.phase)
        assert numbers["own_tunnels_built"] == state.built[viewer]
        for key, value in numbers["switches"].items():
            data = game.ruleset.data
            wanted = getattr(data, key)
            if key == "tunnels_per_power" and not data.tunnels:
                wanted = 0
            assert value == wanted, key


@pytest.mark.parametrize("changes", SETTINGS)
def test_orders_are_those_reported_and_those_that_the_viewer_wrote(changes: dict[str, Any]) -> None:
    for game, viewer, seen in positions(changes):
        state = game.state
        reported = {p for p, row in seen["last_phase"].items() if row["order"]}
        assert reported == {BOARD.provinces[i] for i in np.flatnonzero(state.told_order >= 0)}
        written = {p for p, row in seen["own_orders"].items() if row["order"]}
        if game.phase == "movement":
            own = (state.written >= 0) & (state.unit_power == viewer)
            assert written == {BOARD.provinces[i] for i in np.flatnonzero(own)}
        asked = not game.is_over and game.mover == viewer and state.cursor >= 0
        place = BOARD.provinces[int(state.cursor)] if asked else None
        assert (seen["asked"] or {}).get("place") == place


@pytest.mark.parametrize("changes", SETTINGS)
def test_tunnels_are_those_that_the_viewer_knows(changes: dict[str, Any]) -> None:
    known_ones = 0
    for game, viewer, seen in positions(changes):
        known = {
            tuple(tunnel_ends(int(game.state.tunnel_pair[owner, slot])))
            for owner, slot in known_tunnels(game.states, viewer)
            if game.state.tunnel_state[owner, slot] in (c.HIDDEN, c.OPENED)
        }
        known_ones += len(known)
        assert {tuple(row["ends"]) for row in seen["tunnels"]} == known
        assert len(seen["permissions"]) == c.MAX_TUNNELS
        for place, by_power in seen["holding"].items():
            for power in range(c.NUM_POWERS):
                held = int(game.state.held[power, BOARD.index[place]])
                assert by_power.get(counted(power, viewer), 0) == min(held, 40)
    assert known_ones
