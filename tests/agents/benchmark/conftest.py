"""The baselines of `benchmarks` are scripts, which import what lies beside them; the system draws the same in every run."""

from __future__ import annotations

import random
import secrets
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))


@pytest.fixture(autouse=True)
def drawn_numbers(monkeypatch: pytest.MonkeyPatch) -> random.Random:
    """The numbers of `secrets`, one after the other."""
    numbers = random.Random(11)
    monkeypatch.setattr(secrets, "randbits", numbers.getrandbits)
    monkeypatch.setattr(secrets, "SystemRandom", lambda: numbers)
    return numbers
