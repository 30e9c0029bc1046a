"""What the operating system draws is the same in every run of the tests."""

from __future__ import annotations

import random
import secrets

import pytest


@pytest.fixture(autouse=True)
def drawn_numbers(monkeypatch: pytest.MonkeyPatch) -> random.Random:
    """The numbers of `secrets`, one after the other."""
    numbers = random.Random(11)
    monkeypatch.setattr(secrets, "randbits", numbers.getrandbits)
    monkeypatch.setattr(secrets, "SystemRandom", lambda: numbers)
    return numbers
