"""Intervals of the benchmark hold the truth as often as they say, by simulation."""

from __future__ import annotations

import numpy as np

from channel_tunnel_agents.benchmark.scoring import mean_of_drawn, mean_of_fixed, way_to
from channel_tunnel_agents.matches.rating import ELO, place

RUNS = 400
LEAST, MOST = 0.92, 0.98
"""Bounds of the share of 400 intervals of 95 % that hold the truth: some three standard errors to either side."""


def both_seatings(rng: np.random.Generator, chance: float, deals: int) -> np.ndarray:
    """Points of two games of each deal that share its luck, one after the other seating: (2, deals)."""
    luck = rng.random(deals) < 0.5  # half the deals are decided for one seat
    fair = rng.random((2, deals)) < chance
    # A deal that is decided gives the agent one of its two games.
    return np.where(luck, np.array([[1.0], [0.0]]), fair).astype(float)


def expected(chance: float) -> float:
    return 0.25 + chance / 2


def test_a_mean_over_a_fixed_list_of_rulesets_is_about_deals_alone() -> None:
    rng = np.random.default_rng(1)
    chances = rng.random(20)
    truth = np.mean([expected(chance) for chance in chances])
    hits = wide = 0
    for _ in range(RUNS):
        lists = [both_seatings(rng, chance, 30).mean(axis=0) for chance in chances]
        fixed, drawn = mean_of_fixed(lists), mean_of_drawn(lists)
        hits += fixed.low <= truth <= fixed.high
        wide += drawn.high - drawn.low > fixed.high - fixed.low
    assert LEAST <= hits / RUNS <= MOST
    assert wide > 0.9 * RUNS, "a claim about other rulesets is less certain"


def test_a_mean_over_drawn_rulesets_is_about_rulesets_and_deals() -> None:
    rng = np.random.default_rng(2)
    truth = expected(0.5)  # the mean of a uniform chance
    hits = only_deals = 0
    for _ in range(RUNS):
        lists = [both_seatings(rng, rng.random(), 30).mean(axis=0) for _ in range(20)]
        drawn, fixed = mean_of_drawn(lists), mean_of_fixed(lists)
        hits += drawn.low <= truth <= drawn.high
        only_deals += fixed.low <= truth <= fixed.high
    assert LEAST <= hits / RUNS <= MOST
    assert only_deals < 0.9 * RUNS, "the interval of the deals alone would be too narrow"


def test_a_way_counts_the_error_of_its_goal() -> None:
    rng = np.random.default_rng(3)
    chances, goals = np.full(10, 0.6), np.full(10, 0.9)
    truth = (expected(0.6) - 0.5) / (expected(0.9) - 0.5)
    hits = 0
    for _ in range(RUNS):
        reached = [both_seatings(rng, chance, 40).mean(axis=0) for chance in chances]
        goal = mean_of_fixed([both_seatings(rng, chance, 40).mean(axis=0) for chance in goals])
        found = way_to(reached, goal)
        hits += found.low <= truth <= found.high
    assert LEAST <= hits / RUNS <= MOST


def test_a_rating_on_a_fixed_ladder_holds_the_strength() -> None:
    """Games of one deal lean the same way, as a common term of luck; the share that the model expects is kept."""
    rng = np.random.default_rng(4)
    strength, side, rivals = 150.0, -30.0, (0.0, 300.0, 600.0)
    hits = 0
    for _ in range(RUNS // 2):
        luck = rng.random(120)
        games = []
        for rival in rivals:
            for is_first in (True, False):
                gap = (strength + (side if is_first else -side) - rival) / ELO
                own = np.where(rng.random(120) < 0.5, luck, rng.random(120))
                games.append((is_first, rival, (own < 1 / (1 + np.exp(-gap))).astype(float)))
        found = place(games, side)
        hits += found.low <= strength <= found.high
    assert 0.91 <= hits / (RUNS // 2) <= 0.985


def test_a_rating_is_finite_where_every_game_was_lost() -> None:
    found = place([(True, 0.0, np.zeros(50)), (False, 0.0, np.zeros(50))], 0.0)
    assert -2000 < found.low < found.value < found.high < 0


def test_results_without_spread_still_have_an_interval() -> None:
    found = mean_of_fixed([np.ones(10)] * 3)
    assert found.value == found.high == 1.0 and 0.8 < found.low < 1.0
    assert mean_of_fixed([np.zeros(10)] * 3).high > 0
