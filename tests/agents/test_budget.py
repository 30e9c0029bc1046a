"""A search with a time budget adds rounds while they fit, and says if not even one does."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from channel_tunnel_agents.games.tunnel_1987.tree import PuctAgent, PuctSettings
from channel_tunnel_agents.search import policy_search
from channel_tunnel_agents.search.policy_search import TRIED, PolicySearchAgent, SearchSettings, TimeBudget
from tests.agents.test_ismcts import batch_of, midgames
from tests.agents.test_policy_search import untrained


class Clock:
    """A clock that goes on command."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = 0.0
        monkeypatch.setattr(policy_search.time, "perf_counter", lambda: self.seconds)

    def wait(self, milliseconds: float) -> None:
        self.seconds += milliseconds / 1000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.mark.parametrize(("decisions", "rounds"), [(1, 3), (2, 6)])
def test_rounds_are_added_while_they_fit(clock: Clock, decisions: int, rounds: int) -> None:
    time = TimeBudget("agent", 31.0)
    time.begin(decisions)
    done = 0
    while True:
        clock.wait(10)
        done += 16
        if not time.fits_another(done, 16):
            break
    assert done == 16 * rounds


def test_without_a_limit_everything_fits(clock: Clock) -> None:
    time = TimeBudget("agent", None)
    time.begin()
    clock.wait(1e6)
    assert time.fits_another(16, 16)


def first_rounds(clock: Clock, taking: list[float]) -> list[str]:
    """What a budget of 8 ms says, where the first rounds of its decisions take `taking` milliseconds."""
    time = TimeBudget("master-search@8ms", 8.0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for milliseconds in taking:
            time.begin()
            clock.wait(milliseconds)
            time.fits_another(16, 16)
    return [str(each.message) for each in caught]


def test_a_budget_too_small_for_one_round_is_told_once_with_what_it_takes(clock: Clock) -> None:
    assert first_rounds(clock, [900, 13, 12] + [14] * 5) == [
        "agent 'master-search@8ms': 8 ms is too little for one round of its search, "
        "which takes 12 ms here; it plays one round all the same"
    ]


@pytest.mark.parametrize("taking", [[900, 13, 7, 14, 14, 14], [900, 900]])
def test_a_slow_start_alone_is_no_small_budget(clock: Clock, taking: list[float]) -> None:
    assert not first_rounds(clock, taking)


@pytest.mark.parametrize(
    "agent",
    [
        PolicySearchAgent(untrained(), SearchSettings(worlds=2, depth=2, top=2, milliseconds=0.001)),
        PuctAgent(untrained(), PuctSettings(leaves=2, milliseconds=0.001)),
    ],
    ids=["rollouts", "tree"],
)
def test_a_search_warns_and_plays_on(agent: PolicySearchAgent | PuctAgent) -> None:
    batch = batch_of(*midgames(games=1, every=9))
    wide = np.flatnonzero(batch.masks.sum(axis=1) > 3)
    assert len(wide) > TRIED
    with pytest.warns(RuntimeWarning, match=r"0\.001 ms is too little for one round") as caught:
        for row in wide:
            agent.search(batch, np.array([row]))
    told = [one for one in caught if "too little for one round" in str(one.message)]
    assert len(told) == 1
