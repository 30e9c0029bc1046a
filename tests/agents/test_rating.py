"""Strengths from results: what the model recovers, and what it says when it cannot."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import expit, logit

from channel_tunnel_agents.matches.rating import Outcomes, cycles, fit, further_deals, separated_groups, widest_miss
from channel_tunnel_agents.statistics import Estimate

STRENGTHS = np.array([0.0, 1.0, 1.3, -0.5])  # logits
SIDE = -0.3


def simulate(chances: np.ndarray, deals: int, rng: np.random.Generator) -> Outcomes:
    """Independent games; chances (k, k) that Britain's agent, the row, wins."""
    k = len(chances)
    return {(i, j): (rng.random(deals) < chances[i, j]).astype(float) for i in range(k) for j in range(k)}


def exact(points: list[list[float]], deals: int = 100) -> Outcomes:
    """Britain's share of every pairing, to the game; which deals it wins differs between pairings."""
    rng = np.random.default_rng(0)
    return {
        (i, j): rng.permutation(np.arange(deals) < round(share * deals)).astype(float)
        for i, row in enumerate(points)
        for j, share in enumerate(row)
    }


def chances(strengths: np.ndarray, side: float) -> np.ndarray:
    return expit(strengths[:, None] - strengths[None, :] + side)


def test_few_deals_widen_the_intervals_by_students_distribution() -> None:
    """Two equal agents, 8 deals per pairing."""
    rng = np.random.default_rng(2)
    even = np.full((2, 2), 0.5)
    ratings = [fit(simulate(even, 8, rng)) for _ in range(600)]
    assert ratings[0].reach == pytest.approx(2.365, abs=0.001)
    gaps = [rating.strength(1) for rating in ratings]
    assert sum(not gap.excludes_zero for gap in gaps) >= 0.935 * len(gaps)


def test_many_games_give_the_true_numbers() -> None:
    rating = fit(simulate(chances(STRENGTHS, SIDE), 20_000, np.random.default_rng(2)))
    assert rating.parameters == pytest.approx([*STRENGTHS, SIDE], abs=0.03)
    assert rating.strength(0) == Estimate(0, 0, 0)
    assert rating.first_between_equals.value == pytest.approx(expit(SIDE), abs=0.01)
    assert [rung.agent for rung in rating.ladder] == [2, 1, 0, 3]


def test_a_draw_is_half_a_win() -> None:
    decided = exact(chances(STRENGTHS, SIDE).tolist(), 100)
    drawn = {pairing: points.reshape(50, 2).mean(axis=1).repeat(2) for pairing, points in decided.items()}
    assert fit(drawn).parameters == pytest.approx(fit(decided).parameters)
    assert any((points == 0.5).any() for points in drawn.values())


def test_an_agent_that_wins_every_game_has_a_finite_strength() -> None:
    always = [[0.5, 0.4, 0.0], [0.6, 0.5, 0.0], [1.0, 1.0, 0.5]]
    few, many = fit(exact(always, 50)), fit(exact(always, 1000))
    for rating in (few, many):
        assert np.isfinite(rating.parameters).all()
        assert np.isfinite(rating.covariance).all()
        assert rating.ladder[0].agent == 2
        assert rating.strength(2).low > 0
    assert many.strength(2).value > few.strength(2).value
    assert separated_groups(exact(always)) in ([[0, 1], [2]], [[2], [0, 1]])


def test_a_side_that_wins_every_game_has_a_finite_term() -> None:
    rating = fit(exact([[1.0, 1.0], [1.0, 1.0]]))
    assert 200 < rating.side.value < 2000
    assert np.isfinite([rating.side.low, rating.side.high]).all()
    assert separated_groups(exact([[1.0, 1.0], [1.0, 1.0]])) == [[0, 1]]


def test_a_single_deal_can_be_rated() -> None:
    rating = fit(exact([[1.0, 0.0], [1.0, 0.0]], deals=1))
    assert np.isfinite(rating.parameters).all()
    assert np.isfinite(rating.covariance).all()


def test_a_cycle_is_found_once_and_named_from_its_least_agent() -> None:
    """1 beats 2, 2 beats 3, 3 beats 1; 0 loses to all."""
    shares = np.full((4, 4), 0.5)
    for winner, loser in ((1, 2), (2, 3), (3, 1), (1, 0), (2, 0), (3, 0)):
        shares[winner, loser], shares[loser, winner] = 0.7, 0.3
    assert cycles(exact(shares.tolist())) == [(1, 2, 3)]
    assert cycles(exact(shares.T.tolist())) == [(1, 3, 2)]


def test_a_cycle_within_the_luck_of_the_games_is_none() -> None:
    shares = np.full((3, 3), 0.5)
    for winner, loser in ((0, 1), (1, 2), (2, 0)):
        shares[winner, loser], shares[loser, winner] = 0.55, 0.45
    assert cycles(exact(shares.tolist(), 100)) == []
    assert cycles(exact(shares.tolist(), 1000)) == [(0, 1, 2)]


def test_the_pair_that_the_ladder_cannot_express_is_named() -> None:
    """1 and 2 are equal against all others, but 2 beats 1."""
    shares = chances(np.array([0.0, 0.0, 0.0, 1.0]), SIDE)
    fine = exact(shares.tolist(), 1000)
    miss = widest_miss(fit(fine), fine)
    assert miss.played == pytest.approx(miss.expected, abs=0.005)
    shares[2, 1], shares[1, 2] = 0.8, 0.2
    odd = exact(shares.tolist(), 1000)
    miss = widest_miss(fit(odd), odd)
    assert (miss.agent, miss.rival, miss.played) == (2, 1, 0.8)
    assert 0.5 < miss.expected < 0.75


def test_further_deals_by_the_normal_approximation() -> None:
    """(1.960 + 0.842)^2 = 7.849 times the deals in all."""
    assert further_deals(1.0, 1.0, 100) == 685
    assert further_deals(-1.0, 1.0, 100) == 685
    assert further_deals(2.0, 1.0, 100) == 0
    assert further_deals(0.0, 1.0, 100) is None


def test_the_further_deals_settle_a_gap_that_stays_as_it_is() -> None:
    gap = float(logit(0.53))
    outcomes = exact(chances(np.array([0.0, gap]), 0.0).tolist(), 200)
    top, lowest = fit(outcomes).ladder
    assert top.above_next is not None and not top.above_next.excludes_zero
    assert top.further_deals
    assert lowest.above_next is None and lowest.further_deals is None
    times = 1 + top.further_deals / 200
    more = {pairing: np.tile(points, math.ceil(times)) for pairing, points in outcomes.items()}
    settled = fit(more).ladder[0]
    assert settled.above_next is not None and settled.above_next.excludes_zero
    assert settled.further_deals == 0
