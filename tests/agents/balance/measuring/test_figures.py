"""Figures of shares: how many games they rest on."""

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


def test_nothing_to_average_is_no_number() -> None:
    for found in (share_figure([]), share_figure([np.nan]), mean_figure([np.nan])):
        assert np.isnan([found.value, found.low, found.high]).all() and found.n == 0
