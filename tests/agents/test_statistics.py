"""Figures with intervals, and work spread over processes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import ttest_1samp
from statsmodels.stats.proportion import proportion_confint

from channel_tunnel_agents.cluster import parallel
from channel_tunnel_agents.cluster.parallel import spread
from channel_tunnel_agents.sheet import estimate_cell
from channel_tunnel_agents.statistics import (
    LEAST_DEALS,
    Estimate,
    estimate_change,
    estimate_mean,
    estimate_part,
    estimate_share,
    mean_figure,
    rate_of,
    share_figure,
    wilson,
)


def test_the_interval_of_a_mean_is_students() -> None:
    values = np.random.default_rng(1).normal(2, 3, 40)
    found, known = estimate_mean(values), ttest_1samp(values, 0).confidence_interval(0.95)
    assert found.value == pytest.approx(values.mean())
    assert (found.low, found.high) == pytest.approx((known.low, known.high))


def test_games_of_one_deal_count_as_one() -> None:
    """Every game twice says no more than once."""
    values = np.random.default_rng(2).normal(0, 1, 30)
    once = estimate_mean(values)
    twice = estimate_mean(np.repeat(values, 2), np.repeat(np.arange(30), 2))
    assert (twice.value, twice.low) == pytest.approx((once.value, once.low))


def test_figures_that_are_missing_do_not_count() -> None:
    assert estimate_mean([1.0, np.nan, 3.0]) == estimate_mean([1.0, 3.0])
    assert np.isnan(estimate_mean([np.nan]).value)
    single = estimate_mean([5.0, 5.0], [7, 7])
    assert single.value == 5 and np.isnan(single.low)


def test_clustered_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Two games a deal that share half of their luck, 60 deals, 1000 times."""
    rng = np.random.default_rng(3)
    luck = rng.normal(size=(1000, 60, 1)) + rng.normal(size=(1000, 60, 2))
    deals = np.repeat(np.arange(60), 2)
    found = [estimate_mean(games.ravel(), deals) for games in luck]
    assert 930 <= sum(one.low < 0 < one.high for one in found) <= 970


def test_shares_have_wilson_intervals_inside_their_range() -> None:
    won = np.repeat([1.0, 0.0], [37, 63])
    found = estimate_share(won)
    rate = rate_of(37, 100)
    assert (found.low, found.high) == pytest.approx((rate.low, rate.high), abs=0.002)
    none = estimate_share(np.zeros(200), np.repeat(np.arange(100), 2))
    assert (none.value, none.low) == pytest.approx((0, 0))
    assert none.high == pytest.approx(rate_of(0, 100).high)
    assert np.isnan(estimate_share([np.nan]).value)


@pytest.mark.parametrize(("share", "size"), [(0.3, 12.7), (0.0, 5.5), (1.0, 33.3), (0.5, 1.0), (0.999, 1e6)])
def test_a_wilson_interval_of_results_that_are_no_whole_number_is_that_of_statsmodels(
    share: float, size: float
) -> None:
    found = wilson(share, size, 0.9)
    assert (found.low, found.high) == pytest.approx(proportion_confint(share * size, size, 0.1, "wilson"), abs=1e-12)


def swapped(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Both seatings of a deal one after the other; luck decides most deals for the same side."""
    deals = shape[0], shape[1] // 2
    pair = np.where(rng.random((*deals, 1)) < 0.7, [1.0, 0.0], rng.integers(0, 2, (*deals, 2)))
    return pair.reshape(shape)


SHARES = {  # the truth, and results that are drawn around it
    "part of a game": (0.25, lambda rng, shape: rng.beta(5, 15, shape)),
    "won, or not": (0.3, lambda rng, shape: (rng.random(shape) < 0.3).astype(float)),
    "draws": (0.5, lambda rng, shape: rng.choice([0, 0.5, 1], shape, p=[0.15, 0.7, 0.15])),
    "seats swapped": (0.5, swapped),
    "rare": (0.015, lambda rng, shape: np.where(rng.random(shape) < 0.03, rng.random(shape), 0.0)),
}


@pytest.mark.parametrize("games", [40, *(pytest.param(n, marks=pytest.mark.heavy) for n in (200, 1000))])
@pytest.mark.parametrize("kind", SHARES)
def test_the_interval_of_a_share_holds_the_truth_as_often_as_it_says(kind: str, games: int) -> None:
    """Shares within a game, results, and results of both seatings of a deal, 1000 times each."""
    truth, draw = SHARES[kind]
    deals = np.repeat(np.arange(games // 2), 2) if kind == "seats swapped" else None
    found = [estimate_share(row, deals) for row in draw(np.random.default_rng(6), (1000, games))]
    held = sum(one.low <= truth <= one.high for one in found)
    least = 920 if games == 40 else 930  # Wilson's interval of few results is a bit short
    assert held >= least
    if games == 1000:
        assert held <= 970


def squares(deals: int, rng: np.random.Generator, mean: float = 1 / 7) -> np.ndarray:
    """A power's share of the sum of squares from seven seats: a third of the games without any: (deals, 7)."""
    share = rng.beta(0.5, 0.5 * (2 / 3 / mean - 1), (deals, 7))
    return np.where(rng.random((deals, 7)) < 1 / 3, 0.0, share)


@pytest.mark.parametrize("deals", [8, 12, 20, 60])
@pytest.mark.parametrize("mean", [1 / 7, 1 / 4])
def test_parts_of_a_game_have_the_interval_of_their_mean_not_of_wins(deals: int, mean: float) -> None:
    """A power as good as the others, and a better one: the truth is held as often as is said, by no wider an interval."""
    rng, of = np.random.default_rng(deals), np.repeat(np.arange(deals), 7)
    samples = [squares(deals, rng, mean).ravel() for _ in range(600)]
    found = [estimate_share(values, of) for values in samples]
    assert 552 <= sum(one.low <= mean <= one.high for one in found) <= 588  # 92 to 98 %
    width = np.mean([one.high - one.low for one in found])
    of_mean = [estimate_mean(values, of) for values in samples]
    assert width == pytest.approx(np.mean([one.high - one.low for one in of_mean]), rel=0.1)
    won = rate_of(7 * deals * mean, 7 * deals)
    assert width < 0.9 * (won.high - won.low)


@pytest.mark.parametrize("effect", [0.0, 0.05])
@pytest.mark.parametrize("deals", [8, 12, 20, 60])
def test_a_change_of_parts_has_the_interval_of_its_mean(deals: int, effect: float) -> None:
    """The same rules twice, and rules that bring a power five points more."""
    rng = np.random.default_rng(deals)
    pairs = [(squares(deals, rng)[:, 0], squares(deals, rng, 1 / 7 + effect)[:, 0]) for _ in range(600)]
    found = [estimate_change(other - one) for one, other in pairs]
    assert sum(one.low <= effect <= one.high for one in found) >= 552
    if deals < LEAST_DEALS:  # with more the mean's interval was taken before, too
        assert np.mean([one.high - one.low for one in found]) < 1.2 * np.mean(
            [np.ptp([m.low, m.high]) for m in (estimate_mean(b - a) for a, b in pairs)]
        )


@pytest.mark.parametrize("won", [0.0, 0.01, 0.03])
@pytest.mark.parametrize("part", [1 / 7, 1 / 2])
def test_a_share_that_nearly_all_deals_divide_alike_is_known_by_those_that_do_not(part: float, won: float) -> None:
    """Every game drawn, or all but some that one side wins: the interval is that of how many do so elsewhere."""
    rng = np.random.default_rng(5)
    rows = np.where(rng.random((600, 300)) < won, 1.0, part)
    truth = part + won * (1 - part)
    found = [estimate_part(row) for row in rows]
    assert sum(one.low <= truth <= one.high for one in found) >= 560
    assert all(one.low <= one.value <= one.high for one in found)
    assert np.mean([one.high - one.low for one in found]) < 0.015 + 2 * won


def test_a_rate_of_parts_has_the_interval_of_a_share() -> None:
    values, deals = squares(12, np.random.default_rng(1)).ravel(), np.repeat(np.arange(12), 7)
    rate, known = share_figure(values, deals), estimate_share(values, deals)
    assert (rate.value, rate.low, rate.high, rate.n) == (known.value, known.low, known.high, 84)


def test_a_change_that_no_deal_shows_is_still_not_certain() -> None:
    """None of 66 deals differed: up to 5 of 100 may do so elsewhere, in either direction."""
    found = estimate_change(np.zeros(66))
    most = rate_of(0, 66).high
    assert (found.value, found.low, found.high) == pytest.approx((0, -most, most))
    assert estimate_change(np.zeros(66), 20).high == pytest.approx(20 * most)
    assert estimate_change(np.zeros(66), 0).high == 0  # nothing could have differed
    assert np.isnan(estimate_change([0.0]).low)
    assert 0.85 < estimate_change(np.ones(66)).low < 1, "that all deals change alike does not say that all others do"


@pytest.mark.parametrize("rise", [0.001, 0.01, 0.05, 0.2])
@pytest.mark.parametrize("fall", [0.0, 0.01, 0.2])
@pytest.mark.parametrize("deals", [66, pytest.param(1000, marks=pytest.mark.heavy)])
def test_the_interval_of_a_change_holds_the_truth_however_few_deals_differ(
    rise: float, fall: float, deals: int
) -> None:
    rng = np.random.default_rng(5)
    changes = rng.choice([1.0, -1.0, 0.0], (1000, deals), p=[rise, fall, 1 - rise - fall])
    found = [estimate_change(row) for row in changes]
    held = sum(one.low <= rise - fall <= one.high for one in found)
    assert held >= 930
    assert all(one.low < one.value < one.high for one in found)


def test_many_differing_deals_have_students_interval() -> None:
    changes = np.r_[np.ones(LEAST_DEALS), np.zeros(200)]
    assert estimate_change(changes) == estimate_mean(changes)


def _square(number: int) -> int:
    if number < 0:
        raise ValueError(f"{number}: from 0 on")
    return number * number


def test_results_stand_in_the_order_of_their_tasks_whoever_finishes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """So no figure of the package depends on the number of workers."""
    monkeypatch.setattr(parallel, "spread", lambda work, tasks, workers: [(n, work(n)) for n in reversed(tasks)])
    done: list[int] = []
    found = parallel.spread_in_order(_square, range(6), progress=done.append, games=lambda result: result)
    assert found == [n * n for n in range(6)] == done[::-1]


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.heavy)])
def test_an_error_of_a_task_reaches_the_caller(workers: int) -> None:
    with pytest.raises(ValueError, match="-1: from 0 on"):
        list(spread(_square, [1, -1, 2], workers))
    with pytest.raises(ValueError, match="workers 0"):
        list(spread(_square, [1], 0))


def test_a_share_of_one_or_none_lies_within_its_interval() -> None:
    for games in range(1, 200):
        for value in (0.0, 1.0):
            found = estimate_share(np.full(games, value))
            assert found.low <= found.value <= found.high


# --- figures -----------------------------------------------------------------------------------------


def test_nothing_to_average_is_no_number() -> None:
    for found in (share_figure([]), share_figure([np.nan]), mean_figure([np.nan])):
        assert np.isnan([found.value, found.low, found.high]).all() and found.n == 0


@pytest.mark.parametrize(
    ("ends", "unit", "signed", "cell"),
    [
        ((0.14, 0.074, 0.221), "share", False, "14.0 %\n[7.4, 22.1]"),
        ((0.14, 0.074, 0.221), "share", True, "+14.0 pp\n[+7.4, +22.1]"),
        ((0.14, 0.074, 0.221), "points", True, "+0.14\n[+0.07, +0.22]"),
        ((math.nan, math.nan, math.nan), "share", False, "none"),
    ],
)
def test_a_share_is_in_per_cent_its_change_in_points_and_what_no_deal_shows_is_none(ends, unit, signed, cell) -> None:
    assert estimate_cell(Estimate(*ends), unit, signed) == cell
