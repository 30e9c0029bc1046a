"""Whether a share grows from level to level: only what is significant and monotone is called a trend."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.api import OLS, add_constant

from channel_tunnel_agents.balance.measuring.significance import MAY_BE_LUCK, PROBABLY, SURELY
from channel_tunnel_agents.balance.measuring.trend import find_trend


def games(share: float, deals: int, rng: np.random.Generator | None = None) -> np.ndarray:
    """Results of the first seat: exactly this share, in a drawn order."""
    won = np.arange(deals) < round(share * deals)
    return (rng or np.random.default_rng(round(1000 * share))).permutation(won).astype(float)


def test_shares_that_rise_and_fall_for_sure_are_no_trend() -> None:
    found = find_trend([games(share, 5000) for share in (0.418, 0.450, 0.384, 0.476, 0.468)])
    assert found.slope.excludes_zero and found.p < 0.01  # a straight line alone would say so
    assert found.turns_back and found.certainty == MAY_BE_LUCK


def test_shares_that_rise_at_every_level_are_a_trend() -> None:
    found = find_trend([games(share, 5000) for share in (0.418, 0.435, 0.432, 0.450, 0.470)])
    assert not found.turns_back and found.certainty == SURELY
    assert found.slope.low < 0.0119 < found.slope.high
    falling = find_trend([games(share, 5000) for share in (0.470, 0.450, 0.432, 0.435, 0.418)])
    assert falling.certainty == SURELY and falling.slope.value < 0


def test_the_slope_is_that_of_least_squares_with_errors_by_deal() -> None:
    levels = [*drawn([0.42, 0.45, 0.48], 200, 4), drawn([0.5], 60, 5)[0]]
    deals = np.concatenate([np.arange(len(level)) for level in levels])
    place = np.repeat(np.arange(4.0), [len(level) for level in levels])
    known = OLS(np.concatenate(levels), add_constant(place)).fit(
        cov_type="cluster", cov_kwds={"groups": deals}, use_t=True
    )
    found = find_trend(levels)
    assert found.slope.value == pytest.approx(known.params[1])
    assert (found.slope.low, found.slope.high) == pytest.approx(known.conf_int()[1], abs=2e-4)
    assert found.p == pytest.approx(known.pvalues[1], rel=0.02)


def test_a_level_with_few_games_counts_for_little() -> None:
    many = [games(share, 2000) for share in (0.42, 0.44, 0.46)]
    found = find_trend([*many, games(0.2, 30)])
    assert found.certainty in (SURELY, PROBABLY) and found.slope.value > 0


def test_without_any_difference_nothing_is_said() -> None:
    same = games(0.4, 100)
    assert find_trend([same, same, same]).certainty == MAY_BE_LUCK
    assert find_trend([np.ones(50), np.ones(50)]).certainty == MAY_BE_LUCK


def drawn(shares: list[float], deals: int, seed: int) -> list[np.ndarray]:
    """Levels that share half of the luck of their deals."""
    rng = np.random.default_rng(seed)
    luck = rng.random(deals)
    return [(np.where(rng.random(deals) < 0.5, luck, rng.random(deals)) < share).astype(float) for share in shares]


def test_luck_alone_is_called_a_trend_as_seldom_as_the_words_say() -> None:
    words = [find_trend(drawn([0.45] * 4, 200, seed)).certainty for seed in range(600)]
    assert words.count(SURELY) <= 14  # 1 % and three standard errors
    assert words.count(SURELY) + words.count(PROBABLY) <= 46  # 5 %


def test_a_real_trend_is_found_and_its_interval_holds_it() -> None:
    shares = [0.42, 0.45, 0.48, 0.51]
    found = [find_trend(drawn(shares, 500, seed)) for seed in range(300)]
    assert sum(each.certainty != MAY_BE_LUCK for each in found) >= 270
    held = sum(each.slope.low <= 0.03 <= each.slope.high for each in found)
    assert 273 <= held <= 297


def test_a_real_turn_is_seldom_called_a_trend() -> None:
    """The middle level lies five points below the line, as in a game where one style favours a side."""
    shares = [0.42, 0.45, 0.40, 0.47, 0.49]
    found = [find_trend(drawn(shares, 3000, seed)) for seed in range(100)]
    assert sum(each.certainty == MAY_BE_LUCK for each in found) >= 90
