"""What decides games between many agents: deal, side and skill."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from channel_tunnel_agents.balance.measuring.variance import VarianceShares, variance_shares

AGENTS = ("weak", "middle", "strong")


def games_of(points: np.ndarray) -> pd.DataFrame:
    """Points (deals, 9) of all pairings of the three agents."""
    rows = [
        (deal, *pairing, points[deal, i])
        for deal in range(len(points))
        for i, pairing in enumerate(itertools.product(AGENTS, AGENTS))
    ]
    return pd.DataFrame(rows, columns=["deal", "first", "second", "points"])


def shares_of(points: np.ndarray) -> VarianceShares:
    return variance_shares(games_of(points))


def test_where_the_deal_decides_the_deal_has_all() -> None:
    points = np.repeat([[0.0], [1.0]], 50, axis=0) * np.ones(9)
    found = shares_of(points)
    assert found.deal.value == pytest.approx(1, abs=0.03)
    assert [found.side.value, found.skill.value, found.rest.value] == pytest.approx([0, 0, 0], abs=0.03)
    assert found.deal_means.tolist() == [0] * 50 + [1] * 50


def test_parts_planted_together_are_found_within_their_intervals() -> None:
    """Side 0.1, skills of variance 0.02, deals of 0.01, and the rest of 0.04."""
    rng = np.random.default_rng(3)
    agent = np.array([-0.1, 0.0, 0.1]) * np.sqrt(1.5)
    pairing = (agent[:, None] - agent[None, :]).ravel()
    points = 0.5 + 0.1 + pairing + rng.normal(0, 0.1, (3000, 1)) + rng.normal(0, 0.2, (3000, 9))
    games = games_of(points)
    games["points"] = (games["points"] - 0.5) / 10 + 0.5  # into 0..1, shares stay
    found = variance_shares(games)
    parts = np.array([0.01, 0.02, 0.01, 0.04])
    for share, truth in zip((found.side, found.skill, found.deal, found.rest), parts / parts.sum(), strict=True):
        assert share.low <= truth <= share.high
        assert share.high - share.low < 0.1


def test_the_parts_are_those_of_a_textbook_analysis_of_variance() -> None:
    games = games_of(np.random.default_rng(4).random((12, 9)))
    found = variance_shares(games)
    games["pairing"] = games["first"] + games["second"]
    table = anova_lm(ols("points ~ C(pairing) + C(deal)", games).fit())
    mean_square, df = table["mean_sq"], table["df"]
    noise = mean_square["Residual"]
    deal = (mean_square["C(deal)"] - noise) / 9
    by_skill = df["C(pairing)"] * (mean_square["C(pairing)"] - noise) / (12 * 9)
    side = (games["points"].mean() - 0.5) ** 2 - mean_square["C(deal)"] / (12 * 9)
    parts = np.array([side, by_skill, deal, noise])
    values = [found.side.value, found.skill.value, found.deal.value, found.rest.value]
    assert values == pytest.approx((parts / parts.sum()).tolist())


def test_games_that_do_not_make_a_whole_table_are_refused() -> None:
    games = games_of(np.ones((3, 9)))
    with pytest.raises(ValueError, match="not every pairing played every deal"):
        variance_shares(games.iloc[1:])
    with pytest.raises(ValueError, match="a pairing played a deal twice"):
        variance_shares(pd.concat([games, games.iloc[:1]], ignore_index=True))
    with pytest.raises(ValueError, match="1 deals, 9 pairings; 2 are needed"):
        variance_shares(games.iloc[:9])


def test_the_order_of_rows_does_not_matter() -> None:
    games = games_of(np.random.default_rng(5).random((20, 9)))
    mixed = games.sample(frac=1, random_state=1)
    one, other = variance_shares(games), variance_shares(mixed)
    assert one.deal.value == pytest.approx(other.deal.value)
    assert one.skill.low == pytest.approx(other.skill.low)
