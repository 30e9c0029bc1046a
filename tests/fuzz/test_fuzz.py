"""A hundred inputs of every kind; `python -m tests.fuzz` runs as many as it is asked for."""

from __future__ import annotations

import sys

import pytest

from tests.fuzz.driver import kinds, run_kind

MUTATIONS = 100
SLOW = {"checkpoints", "policies", "policies_of_games", "folders", "configs", "http"}
"""Kinds whose process loads torch or the whole table: more than three seconds for a hundred inputs."""
KINDS = [pytest.param(kind, marks=pytest.mark.heavy) if kind in SLOW else kind for kind in kinds()]

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@pytest.mark.parametrize("kind", KINDS)
def test_only_named_errors_and_nothing_impossible(kind: str) -> None:
    result = run_kind(kind, MUTATIONS, seed=1)
    assert not result.failures, result.failures[0].reason
    assert result.accepted + result.refused == MUTATIONS
