"""Intervals hold the truth as often as they say, and luck alone is not called a difference."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from benchmarks.intervals import SELF_PLAY, UNKNOWN, Setting, compare_null, cover, played, study
from channel_tunnel_agents.statistics import LEAST_DEALS
from channel_tunnel_env import load_ruleset

TINY = load_ruleset("tiny")


def test_the_scripted_player_against_itself_on_other_deals_differs_by_luck_alone() -> None:
    """With a preference that all deals share, 7 of 10 of these comparisons found what is not there."""
    found = cover(pd.DataFrame(compare_null(Setting("heuristic", TINY, {}, 10, 80, seed=7))))
    assert found.alarms is not None and found.alarms.value == 0
    assert found.held.value > 0.92 and found.held.high > 0.95
    assert found.intervals > 400


def rows_of(errors: np.ndarray, reach: float, truth: float) -> pd.DataFrame:
    """Runs x figures of estimates of 3 with these errors."""
    runs, figures = errors.shape
    values = 3 + errors.ravel()
    return pd.DataFrame(
        {
            "run": np.repeat(np.arange(runs), figures),
            "figure": np.tile([f"f{i}" for i in range(figures)], runs),
            "value": values,
            "low": values - reach,
            "high": values + reach,
            "truth": truth,
            "support": LEAST_DEALS,
            "significant": False,
        }
    )


@pytest.mark.parametrize("truth", [3.0, UNKNOWN])
def test_coverage_is_the_share_of_intervals_that_hold_the_truth(truth) -> None:
    """Known, or the mean over the runs: 90 % for an interval of 1.645 errors."""
    errors = np.random.default_rng(1).normal(size=(300, 20))
    found = cover(rows_of(errors, 1.645, truth))
    assert (found.runs, found.intervals, found.alarms) == (300, 6000, None)
    assert found.held.low < 0.90 < found.held.high


def test_figures_of_a_run_count_as_one_where_they_err_together() -> None:
    """Twenty copies of one figure say no more than the figure alone."""
    errors = np.random.default_rng(1).normal(size=(300, 1))
    alone = cover(rows_of(errors, 1.96, 3.0)).held
    copied = cover(rows_of(np.repeat(errors, 20, axis=1), 1.96, 3.0)).held
    assert copied.high - copied.low == pytest.approx(alone.high - alone.low, rel=0.05)


def test_false_alarms_are_counted_by_run_and_hardly_differing_figures_are_apart() -> None:
    table = rows_of(np.zeros((10, 4)) - 3, 1.0, 0.0)
    table.loc[table["run"] < 2, "significant"] = True
    found = cover(table)
    assert found.alarms is not None and (found.alarms.value, found.alarms.n) == (0.2, 10)
    table.loc[table["figure"] != "f0", "support"] = LEAST_DEALS - 1
    table.loc[table["run"] == 3, "low"] = 3.5
    found = cover(table)
    assert found.intervals == 10 and found.held.value == 0.9
    assert (found.sparse.value, found.sparse.n) == (0.9, 30)


@pytest.mark.parametrize("study", SELF_PLAY)
def test_every_study_of_self_play_gives_rows(study) -> None:
    setting = Setting("random", TINY, {"barriers.france.a.0": 0}, 2, 60, seed=3)
    table = pd.DataFrame(SELF_PLAY[study](setting))
    assert {"run", "figure", "value", "low", "high", "truth", "support", "significant"} == set(table)
    assert set(table["run"]) == {0, 1} and cover(table).intervals > 0
    assert (table["truth"] == 0).all() == ("nothing changed" in study or "copy" in study)


def test_the_seats_of_a_table_hold_together_and_a_planted_lead_is_found() -> None:
    """Real games of three; where each deal's seats are turned at random none can be better off."""
    three = load_ruleset("carcassonne").with_values({"players": 3}, "three")
    shares = played("random", three, 6000)
    even = study(shares, 60, "even")
    assert even.together.value >= 0.9 and even.gap.value >= 0.9
    assert even.found.value <= 0.15 and even.named.value <= 0.1
    planted = study(shares, 60, "planted")
    assert planted.together.value >= 0.9 and planted.gap.value >= 0.9
    assert planted.found.value > 2 * max(even.found.value, 0.2)
