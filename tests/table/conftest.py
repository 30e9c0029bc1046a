"""A table for every test, in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.table.helpers import open_table


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    """A client of a table."""
    return open_table(tmp_path / "table")
