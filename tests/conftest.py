"""Lets tests import the helpers beside them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


def pytest_configure(config: pytest.Config) -> None:
    """Name the markers."""
    config.addinivalue_line("markers", "slow: takes more than half a minute; runs all the same")
