"""A table for every test, in a folder of its own."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from channel_tunnel_agents.base import choose_action
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Game, VersionError
from tests.table.helpers import open_table


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """Everything that a table and its agents run is in the kernels' cache: agents have little patience here."""
    for name in ("random", "heuristic", "rookie", "ismcts:2"):
        game = Game("standard", 1)
        with suppress(
            VersionError
        ):  # a policy that a change of the rules has retired fails only the tests that need it
            game.play(choose_action(make_agent(name, game.ruleset), game))
        Game.from_position(game.to_position("britain")).determinize(0, 1)


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    """A client of a table."""
    return open_table(tmp_path / "table")
