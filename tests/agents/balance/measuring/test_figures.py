"""Figures of shares: their intervals stay between 0 and 1 and hold the truth."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_agents.statistics import mean_figure, rate_of, share_figure


def test_games_of_their_own_deals_have_the_wilson_interval() -> None:
    found = share_figure([1.0] * 30 + [0.0] * 10 + [np.nan])
    assert (found.value, found.n) == (0.75, 40)
    rate = rate_of(30, 40)
    assert (found.low, found.high) == pytest.approx((rate.low, rate.high))
    assert share_figure([1.0, 0.0, 1.0], [7, 8, 9]) == share_figure([1.0, 0.0, 1.0])


def test_an_interval_stays_within_0_and_1_and_open_where_all_games_agree() -> None:
    found = share_figure([1.0] * 5, [1, 1, 2, 2, 3])
    assert found.value == 1 and 0.3 < found.low < 0.5 and found.high == pytest.approx(1)


def test_games_that_share_deals_count_for_fewer() -> None:
    """Ten copies of each deal's result say no more than the deals: half the interval would be wrong."""
    results = np.random.default_rng(0).integers(0, 2, 60).astype(float)
    once, often = (share_figure(results), share_figure(np.repeat(results, 10), np.repeat(range(60), 10)))
    assert often.n == 600
    assert (often.low, often.high) == pytest.approx((once.low, once.high), abs=0.01)


def test_nothing_to_average_is_no_number() -> None:
    for found in (share_figure([]), share_figure([np.nan]), mean_figure([np.nan])):
        assert np.isnan([found.value, found.low, found.high]).all() and found.n == 0


def test_the_share_lies_in_its_interval_as_often_as_promised() -> None:
    rng, held, rounds = np.random.default_rng(1), 0, 200
    deals = np.repeat(np.arange(50), 4)
    for _ in range(rounds):
        chance = np.repeat(rng.beta(2, 6, 50), 4)  # 0.25 on average, deal by deal another
        found = share_figure((rng.random(200) < chance).astype(float), deals)
        held += found.low <= 0.25 <= found.high
    assert held >= 0.9 * rounds
