"""A hundred inputs of every quick kind; `python -m tests.fuzz` tries all kinds with as many as it is asked for, as CI does."""

from __future__ import annotations

import sys

import pytest

from tests.fuzz import http
from tests.fuzz.child import check_inputs
from tests.fuzz.driver import kinds, run_kind

MUTATIONS = 100
SLOW = {"checkpoints", "policies", "folders", "configs", "http"}
"""Kinds that load torch or the whole table: more than three seconds for a hundred inputs."""

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


def test_a_process_of_its_own_tries_every_input_of_a_kind() -> None:
    result = run_kind("rulesets", MUTATIONS, seed=1)
    assert not result.failures, result.failures[0].reason
    assert result.accepted + result.refused == MUTATIONS


@pytest.mark.parametrize("kind", sorted({*kinds()} - SLOW - {"rulesets"}))
def test_only_named_errors_and_nothing_impossible(kind: str) -> None:
    assert not [reason for reason in check_inputs(kind, range(MUTATIONS), seed=1) if reason]


def test_every_route_of_a_game_has_a_good_request_to_change() -> None:
    asked = {request["path"].rpartition("/")[2] for request in http.good_requests()}
    assert asked >= {*http.READS, *http.WRITES}
