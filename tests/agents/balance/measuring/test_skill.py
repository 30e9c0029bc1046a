"""The skill ladder, and what decides games between many agents."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from channel_tunnel_agents import AgentError, IsmctsAgent
from channel_tunnel_agents.balance.measuring import skill
from channel_tunnel_agents.balance.measuring.deals import chunk_seed
from channel_tunnel_agents.balance.measuring.skill import measure_skill_ladder
from channel_tunnel_agents.balance.measuring.variance import VarianceShares, variance_shares
from channel_tunnel_agents.cluster import parallel
from channel_tunnel_agents.cluster.parallel import spread
from channel_tunnel_agents.matches.arena import play_pair
from channel_tunnel_env import load_ruleset

TINY = load_ruleset("tiny")


def test_twice_the_search_wins_more_where_search_is_everything() -> None:
    (rung,) = measure_skill_ladder([2], TINY, 60, 1, workers=1)
    assert (rung.iterations, rung.stronger, rung.win_rate.n) == (2, 4, 120)
    assert rung.win_rate.value > 0.5
    sides = rung.as_side
    assert (sides["britain"].n, sides["france"].n) == (60, 60)
    both = (sides["britain"].value + sides["france"].value) / 2
    assert rung.win_rate.value == pytest.approx(both)


def test_a_rung_depends_neither_on_the_others_nor_on_which_task_ends_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skill, "DEALS_A_TASK", 3)
    two = measure_skill_ladder([4, 2], TINY, 7, 1, workers=1)
    monkeypatch.setattr(parallel, "spread", lambda *args: reversed(list(spread(*args))))
    assert two == measure_skill_ladder([4, 2], TINY, 7, 1, workers=1)
    assert [two[1]] == measure_skill_ladder([2], TINY, 7, 1, workers=1)


def test_the_points_of_either_seat_are_those_of_the_matches() -> None:
    (rung,) = measure_skill_ladder([3], TINY, 8, 5, workers=1)
    weaker, stronger = (IsmctsAgent(size, seed=chunk_seed(5, 0, size)) for size in (3, 6))
    as_britain, as_france = play_pair(stronger, weaker, 8, 5, TINY)
    assert rung.as_side["britain"].value == as_britain.points("britain").mean()
    assert rung.as_side["france"].value == as_france.points("france").mean()


def test_the_games_that_take_longest_are_told_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the time that seems to be left is not too short."""
    played, told = [], []
    real = skill._play
    monkeypatch.setattr(skill, "_play", lambda task: played.append(task.size) or real(task))
    measure_skill_ladder([2, 4, 3], TINY, 5, 1, 1, told.append)
    assert played == [4, 3, 2] and told == [10, 10, 10]


@pytest.mark.parametrize("sizes", [[], [0], [5, 5], [60_000]])
def test_sizes_that_make_no_ladder_are_refused(sizes: list[int]) -> None:
    with pytest.raises(AgentError, match="expected different numbers of iterations, 1 to 50000"):
        measure_skill_ladder(sizes, TINY, 5, 1)


# --- deal, side and skill ---------------------------------------------------------------------------

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


def test_where_the_stronger_always_wins_skill_has_all() -> None:
    skill_points = np.array([0.5, 0, 0, 1, 0.5, 0, 1, 1, 0.5])
    found = shares_of(np.tile(skill_points, (40, 1)))
    assert (found.skill.value, found.deal.value, found.side.value) == (1, 0, 0)


def test_where_britain_always_wins_the_side_has_all() -> None:
    found = shares_of(np.ones((40, 9)))
    assert (found.side.value, found.rest.value, found.side.n) == (1, 0, 40)


def test_without_any_effect_the_rest_has_all_and_deals_get_nothing_for_being_many() -> None:
    found = shares_of(np.random.default_rng(0).integers(0, 2, (400, 9)).astype(float))
    assert found.rest.value == pytest.approx(1, abs=0.03)
    assert found.deal.low <= 0 <= found.deal.high


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
    with pytest.raises(ValueError, match="no column second; expected deal, first"):
        variance_shares(games.drop(columns="second"))
    with pytest.raises(ValueError, match="not every pairing played every deal"):
        variance_shares(games.iloc[1:])
    with pytest.raises(ValueError, match="a pairing played a deal twice"):
        variance_shares(pd.concat([games, games.iloc[:1]], ignore_index=True))
    with pytest.raises(ValueError, match="1 deals, 9 pairings; 2 are needed"):
        variance_shares(games.iloc[:9])
    with pytest.raises(ValueError, match=r"row 0: points 2\.0; expected 0 to 1"):
        variance_shares(games.assign(points=[2.0] + [1.0] * 26))


def test_the_order_of_rows_does_not_matter() -> None:
    games = games_of(np.random.default_rng(5).random((20, 9)))
    mixed = games.sample(frac=1, random_state=1)
    one, other = variance_shares(games), variance_shares(mixed)
    assert one.deal.value == pytest.approx(other.deal.value)
    assert one.skill.low == pytest.approx(other.skill.low)
