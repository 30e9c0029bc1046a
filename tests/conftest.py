"""Lets tests import the helpers beside them, and keeps torch to one thread.

Two threads of torch that wait for each other in turn with another process take many times as long.
"""

import os
import sys
from pathlib import Path

import pytest

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("OMP_NUM_THREADS", "1")

sys.path.insert(0, str(Path(__file__).parent))


def pytest_configure(config: pytest.Config) -> None:
    """Name the markers."""
    config.addinivalue_line(
        "markers", "ray: needs Ray; .ci/ray runs them in an environment of its own"
    )
    config.addinivalue_line("markers", "slow: takes more than half a minute; runs all the same")
